//! What every store has to do.

use core::time::Duration;
use std::sync::Arc;

use patchwire_web::store::{
    Append, Entry, Feed, Position, Standing, Store, StoreError, StreamName, Taking, Times,
};

/// Long, for what must not be over before the test is.
const LONG: Times = Times { lease: Duration::from_secs(60), keep: Duration::from_secs(120) };
/// Short, for what has to be over soon.
const SHORT: Duration = Duration::from_millis(250);

pub(crate) fn name() -> StreamName {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("random numbers");
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    StreamName::read(&digits).expect("a name")
}

fn append(epoch: u64, seq: u64, bytes: &'static str) -> Append {
    Append { epoch, seq, bytes: bytes.into(), keep: None }
}

fn entry(seq: u64, bytes: &'static str) -> Entry {
    Entry { seq, bytes: bytes.into() }
}

/// The entries from a number on, on one page.
pub(crate) async fn read(
    store: &impl Store,
    name: &StreamName,
    seq: u64,
    most: usize,
) -> Vec<Entry> {
    let page = store.read(name, Position::of(seq), most).await.unwrap();
    assert_eq!(page.next.seq, seq + page.entries.len() as u64);
    page.entries
}

/// All entries, page by page, and how many pages they take. Each page is the same as one that is searched by its number.
async fn pages(store: &impl Store, name: &StreamName, most: usize) -> Vec<Vec<Entry>> {
    let mut pages = Vec::new();
    let mut next = Position::FIRST;
    loop {
        let page = store.read(name, next, most).await.unwrap();
        let bytes: usize = page.entries.iter().map(|entry| entry.bytes.len()).sum();
        assert!(bytes <= most || page.entries.len() == 1, "{bytes} bytes");
        for (entry, seq) in page.entries.iter().zip(next.seq..) {
            assert_eq!(entry.seq, seq);
            assert_eq!(read(store, name, seq, 1).await.first(), Some(entry));
        }
        assert_eq!(page.next.seq, next.seq + page.entries.len() as u64);
        next = page.next;
        if page.entries.is_empty() {
            return pages;
        }
        pages.push(page.entries);
    }
}

/// Runs every check.
pub(crate) async fn run(store: &impl Store) {
    what_is_appended_is_read(store).await;
    an_entry_is_appended_once_and_in_order(store).await;
    what_does_not_exist_is_gone(store).await;
    a_lease_ends_and_is_renewed(store).await;
    who_lost_an_answer_appends_nothing(store).await;
    only_what_was_seen_is_taken(store).await;
    what_has_ended_is_not_taken(store).await;
    answers_are_kept_for_a_time(store).await;
    pages_have_a_bound(store).await;
    feeds_get_what_is_appended(store).await;
}

async fn what_is_appended_is_read(store: &impl Store) {
    let name = name();
    store.create(&name, "request".into(), LONG).await.unwrap();
    store.append(&name, append(1, 2, "a\0\u{7f}é")).await.unwrap();
    store.append(&name, append(1, 3, "")).await.unwrap();
    let all = [entry(1, "request"), entry(2, "a\0\u{7f}é"), entry(3, "")];
    assert_eq!(pages(store, &name, 1 << 16).await, [&all]);
    assert_eq!(read(store, &name, 1, 1 << 16).await, all);
    assert_eq!(read(store, &name, 3, 1 << 16).await, all[2..]);
    assert_eq!(read(store, &name, 4, 1 << 16).await, []);
    let standing = Standing { epoch: 1, last: 3, is_leased: true, has_ended: false };
    assert_eq!(store.standing(&name).await, Ok(standing));
}

async fn an_entry_is_appended_once_and_in_order(store: &impl Store) {
    let name = name();
    store.create(&name, "1".into(), LONG).await.unwrap();
    store.append(&name, append(1, 2, "2")).await.unwrap();
    // A reply was lost, and the entry is sent again.
    store.append(&name, append(1, 2, "2")).await.unwrap();
    assert_eq!(store.append(&name, append(1, 4, "4")).await, Err(StoreError::Lost { last: 2 }));
    assert_eq!(pages(store, &name, 1 << 16).await[0].len(), 2);
}

async fn what_does_not_exist_is_gone(store: &impl Store) {
    let name = name();
    assert_eq!(store.append(&name, append(1, 2, "x")).await, Err(StoreError::Gone));
    assert_eq!(store.renew(&name, 1, LONG).await, Err(StoreError::Gone));
    assert_eq!(store.standing(&name).await, Err(StoreError::Gone));
    assert_eq!(read(store, &name, 1, 100).await, []);
    assert_eq!(pages(store, &name, 100).await, [[]; 0]);
    store.create(&name, "1".into(), LONG).await.unwrap();
    store.remove(&name).await.unwrap();
    assert_eq!(store.standing(&name).await, Err(StoreError::Gone));
    assert_eq!(read(store, &name, 1, 100).await, []);
    assert_eq!(pages(store, &name, 100).await, [[]; 0]);
}

async fn a_lease_ends_and_is_renewed(store: &impl Store) {
    let name = name();
    let short = Times { lease: SHORT, ..LONG };
    store.create(&name, "1".into(), short).await.unwrap();
    assert!(store.standing(&name).await.unwrap().is_leased);
    tokio::time::sleep(SHORT * 2).await;
    assert!(!store.standing(&name).await.unwrap().is_leased);
    // Nobody took it, so its writer goes on.
    store.append(&name, append(1, 2, "2")).await.unwrap();
    store.renew(&name, 1, LONG).await.unwrap();
    assert!(store.standing(&name).await.unwrap().is_leased);
    store.renew(&name, 1, Times { lease: Duration::ZERO, ..LONG }).await.unwrap();
    assert!(!store.standing(&name).await.unwrap().is_leased);
}

fn taking(seen: Standing, bytes: &'static str) -> Taking {
    Taking { seen, bytes: bytes.into(), times: LONG, ends: false, by_force: false }
}

async fn who_lost_an_answer_appends_nothing(store: &impl Store) {
    let name = name();
    store.create(&name, "1".into(), Times { lease: Duration::ZERO, ..LONG }).await.unwrap();
    let seen = store.standing(&name).await.unwrap();
    assert_eq!(store.take(&name, taking(seen, "lost")).await, Ok(Some(2)));
    for seq in [2, 3] {
        assert_eq!(store.append(&name, append(1, seq, "late")).await, Err(StoreError::Fenced));
    }
    assert_eq!(store.renew(&name, 1, LONG).await, Err(StoreError::Fenced));
    store.append(&name, append(2, 3, "new")).await.unwrap();
    let all = [entry(1, "1"), entry(2, "lost"), entry(3, "new")];
    assert_eq!(pages(store, &name, 1 << 16).await, [&all]);
    let standing = Standing { epoch: 2, last: 3, is_leased: true, has_ended: false };
    assert_eq!(store.standing(&name).await, Ok(standing));
}

async fn only_what_was_seen_is_taken(store: &impl Store) {
    let name = name();
    store.create(&name, "1".into(), LONG).await.unwrap();
    let seen = store.standing(&name).await.unwrap();
    assert_eq!(store.take(&name, taking(seen, "x")).await, Ok(None), "its lease lasts");
    store.renew(&name, 1, Times { lease: Duration::ZERO, ..LONG }).await.unwrap();
    store.append(&name, append(1, 2, "2")).await.unwrap();
    assert_eq!(store.take(&name, taking(seen, "x")).await, Ok(None), "an entry came");
    let seen = store.standing(&name).await.unwrap();
    // Two at once: one of them gets it.
    let both =
        tokio::join!(store.take(&name, taking(seen, "a")), store.take(&name, taking(seen, "b")));
    let taken = [both.0.unwrap(), both.1.unwrap()];
    assert!(taken == [Some(2), None] || taken == [None, Some(2)], "{taken:?}");
    let seen = store.standing(&name).await.unwrap();
    assert!(seen.is_leased);
    let force = Taking { by_force: true, ends: true, ..taking(seen, "end") };
    assert_eq!(store.take(&name, force).await, Ok(Some(3)));
    let standing = store.standing(&name).await.unwrap();
    assert!(standing.has_ended && standing.last == 4);
}

async fn what_has_ended_is_not_taken(store: &impl Store) {
    let name = name();
    store.create(&name, "1".into(), LONG).await.unwrap();
    let last = Append { keep: Some(LONG.keep), ..append(1, 2, "end") };
    store.append(&name, last).await.unwrap();
    let seen = store.standing(&name).await.unwrap();
    assert_eq!(seen, Standing { epoch: 1, last: 2, is_leased: false, has_ended: true });
    assert_eq!(store.take(&name, taking(seen, "x")).await, Ok(None));
}

async fn answers_are_kept_for_a_time(store: &impl Store) {
    let name = name();
    let short = Times { lease: SHORT, keep: SHORT };
    store.create(&name, "1".into(), short).await.unwrap();
    store.renew(&name, 1, Times { keep: SHORT * 4, ..short }).await.unwrap();
    tokio::time::sleep(SHORT * 2).await;
    assert_eq!(pages(store, &name, 100).await[0].len(), 1);
    let last = Append { keep: Some(SHORT), ..append(1, 2, "end") };
    store.append(&name, last).await.unwrap();
    tokio::time::sleep(SHORT * 2).await;
    assert_eq!(read(store, &name, 1, 100).await, []);
    assert_eq!(pages(store, &name, 100).await, [[]; 0]);
    assert_eq!(store.standing(&name).await, Err(StoreError::Gone));
}

async fn pages_have_a_bound(store: &impl Store) {
    let name = name();
    store.create(&name, "1".into(), LONG).await.unwrap();
    for seq in 2..=400 {
        store.append(&name, append(1, seq, "0123456789")).await.unwrap();
    }
    let pages_of = |most| pages(store, &name, most);
    for most in [1, 9, 10, 11, 1000, 5000] {
        let pages = pages_of(most).await;
        assert_eq!(pages.iter().map(Vec::len).sum::<usize>(), 400);
        assert!(pages.len() > 1 || most == 5000, "{most}: {} pages", pages.len());
    }
    // One that is longer than a page.
    let long = "long ".repeat(5000);
    store.append(&name, Append { bytes: long.clone().into(), ..append(1, 401, "") }).await.unwrap();
    assert_eq!(pages_of(1).await.last(), Some(&vec![Entry { seq: 401, bytes: long.into() }]));
}

async fn feeds_get_what_is_appended(store: &impl Store) {
    let (first, second) = (name(), name());
    for name in [&first, &second] {
        store.create(name, "1".into(), LONG).await.unwrap();
        store.append(name, append(1, 2, "2")).await.unwrap();
    }
    let feeds = [Feed::new(first.clone(), 1), Feed::new(second.clone(), 2)];
    store.follow(&feeds[0]);
    reaches(&feeds[0], 2).await;
    store.follow(&feeds[1]);
    for seq in 3..=6 {
        store.append(&first, append(1, seq, "more")).await.unwrap();
        store.append(&second, append(1, seq, "more")).await.unwrap();
    }
    reaches(&feeds[0], 6).await;
    reaches(&feeds[1], 6).await;
    // Who writes an answer itself is pushed nothing.
    feeds[0].write_here(true);
    store.append(&first, append(1, 7, "own")).await.unwrap();
    store.append(&second, append(1, 7, "more")).await.unwrap();
    reaches(&feeds[1], 7).await;
    feeds[0].write_here(false);
    store.follow(&feeds[0]);
    reaches(&feeds[0], 7).await;
}

async fn reaches(feed: &Arc<Feed>, seq: u64) {
    let reached = async {
        while feed.last() < seq {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    let reached = tokio::time::timeout(Duration::from_secs(10), reached).await;
    assert!(reached.is_ok(), "the feed is at {} and not at {seq}", feed.last());
    assert_eq!(feed.last(), seq);
}
