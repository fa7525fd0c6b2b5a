//! The store with a real Redis, each test with one of its own.
//!
//! Where `redis-server` is missing, it is installed if root may; else each test says that it was left out.

mod server;
#[path = "../../patchwire-web/tests/support/store_suite.rs"]
mod store_suite;

use std::time::{Duration, Instant};

use patchwire_redis::{RedisSettings, RedisStore};
use patchwire_web::store::{Append, Feed, Store as _, StoreError, Times};

use server::Server;

const TIMES: Times = Times { lease: Duration::from_secs(10), keep: Duration::from_secs(60) };

fn append(seq: u64, bytes: impl Into<bytes::Bytes>) -> Append {
    Append { epoch: 1, seq, bytes: bytes.into(), keep: None }
}

async fn store(server: &Server, prefix: &str) -> RedisStore {
    let settings = RedisSettings::new(&server.url("")).and_then(|own| own.with_prefix(prefix));
    RedisStore::connect(settings.expect("settings")).await.expect("it runs")
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_does_what_every_store_does() {
    let Some(server) = Server::start(&[]).await else { return };
    store_suite::run(&store(&server, "suite:").await).await;
    // Everything has an end: nothing is kept for ever.
    let keys = server.cli(&["KEYS", "*"]);
    assert!(keys.lines().count() > 5, "{keys}");
    for key in keys.lines() {
        let left: i64 = server.cli(&["PTTL", key]).parse().expect("a number");
        assert!(left > 0 || left == -2, "{key} is kept for ever");
        assert!(key.starts_with("suite:"), "{key}");
    }
}

#[tokio::test]
async fn one_prefix_does_not_see_the_answers_of_another() {
    let Some(server) = Server::start(&[]).await else { return };
    let (one, other) = (store(&server, "one:").await, store(&server, "other:").await);
    let name = store_suite::name();
    one.create(&name, "secret".into(), TIMES).await.unwrap();
    assert_eq!(store_suite::read(&other, &name, 1, 100).await, []);
    assert_eq!(other.standing(&name).await, Err(StoreError::Gone));
    assert_eq!(other.append(&name, append(2, "x")).await, Err(StoreError::Gone));
    other.remove(&name).await.unwrap();
    assert_eq!(store_suite::read(&one, &name, 1, 100).await.len(), 1);
}

#[tokio::test]
async fn a_user_of_redis_has_the_keys_of_its_prefix_alone() {
    let Some(server) = Server::start(&[]).await else { return };
    let rule = ["ACL", "SETUSER", "shop", "on", ">secret", "~shop:*", "+@all", "-@dangerous"];
    assert_eq!(server.cli(&rule), "OK");
    let connect = async |prefix: &str| {
        let settings = RedisSettings::new(&server.url("shop:secret@")).unwrap();
        RedisStore::connect(settings.with_prefix(prefix).unwrap()).await.expect("it runs")
    };
    let name = store_suite::name();
    let own = connect("shop:").await;
    own.create(&name, "1".into(), TIMES).await.unwrap();
    let feed = Feed::new(name.clone(), 0);
    own.follow(&feed);
    while feed.last() < 1 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    // Another prefix is refused before there is an answer.
    let settings = RedisSettings::new(&server.url("shop:secret@")).unwrap();
    let refused = RedisStore::connect(settings.with_prefix("bank:").unwrap()).await;
    assert_eq!(refused.expect_err("it is refused").code(), "store_refused");
}

#[tokio::test]
async fn a_command_that_is_refused_is_said_at_the_start() {
    let Some(server) = Server::start(&[]).await else { return };
    for command in
        ["xadd", "append", "hset", "pexpire", "xrange", "getrange", "xread", "del", "evalsha"]
    {
        let without = format!("-{command}");
        let rule = ["ACL", "SETUSER", "app", "reset", "on", ">secret", "~*", "+@all", &without];
        assert_eq!(server.cli(&rule), "OK");
        let settings = RedisSettings::new(&server.url("app:secret@")).unwrap();
        let refused = RedisStore::connect(settings).await.expect_err(command);
        assert_eq!(refused.code(), "store_refused", "{command}: {refused}");
    }
    assert_eq!(server.cli(&["ACL", "SETUSER", "app", "+@all"]), "OK");
    let settings = RedisSettings::new(&server.url("app:secret@")).unwrap();
    drop(RedisStore::connect(settings).await.expect("it may do everything"));
    let kept = server.cli(&["KEYS", "*"]);
    for key in kept.lines() {
        let left: i64 = server.cli(&["PTTL", key]).parse().expect("a number");
        assert!(left > 0 || left == -2, "{key} is kept for ever");
    }
}

#[tokio::test]
async fn a_full_redis_can_be_connected_to() {
    let Some(server) = Server::start(&[]).await else { return };
    assert_eq!(server.cli(&["CONFIG", "SET", "maxmemory", "100kb"]), "OK");
    let store = store(&server, "full:").await;
    let error = store.create(&store_suite::name(), "1".into(), TIMES).await.unwrap_err();
    assert_eq!(error.code(), "store_full", "{error}");
}

#[tokio::test]
async fn a_redis_that_is_not_there_is_an_error_in_time() {
    let port = server::free_port();
    let settings = RedisSettings::new(&format!("redis://app:secret@127.0.0.1:{port}")).unwrap();
    let begun = Instant::now();
    let refused = RedisStore::connect(settings.with_patience(Duration::from_secs(1))).await;
    let error = refused.expect_err("nobody listens").to_string();
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    assert!(error.contains("cannot be reached") && !error.contains("secret"), "{error}");
}

#[tokio::test]
async fn a_wrong_password_is_said_at_once() {
    let Some(server) = Server::start(&["--requirepass", "right"]).await else { return };
    for user in ["", ":wrong@"] {
        let begun = Instant::now();
        let settings = RedisSettings::new(&server.url(user)).unwrap();
        let error = RedisStore::connect(settings).await.expect_err("it is refused");
        assert_eq!(error.code(), "store_refused", "{user}: {error}");
        assert!(!error.to_string().contains("wrong@"), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    }
    let right = RedisSettings::new(&server.url(":right@")).unwrap();
    assert!(RedisStore::connect(right).await.is_ok());
}

#[tokio::test]
async fn a_full_redis_is_said_and_what_it_has_can_be_read() {
    let Some(server) = Server::start(&[]).await else { return };
    let store = store(&server, "full:").await;
    let name = store_suite::name();
    store.create(&name, "1".into(), TIMES).await.unwrap();
    assert_eq!(server.cli(&["CONFIG", "SET", "maxmemory", "100kb"]), "OK");
    let error = store.append(&name, append(2, "2")).await.unwrap_err();
    assert_eq!(error.code(), "store_full", "{error}");
    assert_eq!(store_suite::read(&store, &name, 1, 100).await.len(), 1);
    // Nothing of it was written, so that the writer can go on.
    assert_eq!(store.standing(&name).await.unwrap().last, 1);
    server.cli(&["CONFIG", "SET", "maxmemory", "0"]);
    store.append(&name, append(2, "2")).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_with_aof_that_is_killed_has_everything_that_it_confirmed() {
    let Some(mut server) = Server::start(&["--appendonly", "yes", "--appendfsync", "always"]).await
    else {
        return;
    };
    let store = store(&server, "aof:").await;
    let name = store_suite::name();
    store.create(&name, "1".into(), TIMES).await.unwrap();
    let feed = Feed::new(name.clone(), 1);
    store.follow(&feed);
    for seq in 2..=500 {
        store.append(&name, append(seq, seq.to_string())).await.unwrap();
    }
    server.kill();
    let late = store.append(&name, append(501, "501"));
    let (late, ()) = tokio::join!(late, async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        server.begin().await;
    });
    late.expect("it waited");
    let mut next = 1;
    while next <= 501 {
        for entry in store_suite::read(&store, &name, next, 1 << 16).await {
            assert_eq!(entry.seq, next);
            next += 1;
        }
    }
    while feed.last() < 501 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_redis_that_keeps_nothing_has_lost_the_answer() {
    let Some(mut server) = Server::start(&[]).await else { return };
    let store = store(&server, "gone:").await;
    let name = store_suite::name();
    store.create(&name, "1".into(), TIMES).await.unwrap();
    server.kill();
    server.begin().await;
    assert_eq!(store.append(&name, append(2, "2")).await, Err(StoreError::Gone));
}
