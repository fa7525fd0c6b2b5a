//! What the page on the server shows is what the server does.

use std::time::Duration;

use http_body_util::BodyExt as _;
use patchwire_web::store::StoreSettings;
use patchwire_web::{Limits, Options, router};

use crate::support::{get, post_to, send};

const PAGE: &str = include_str!("../../../docs/serve.md");

/// What `curl` is asked for in a session, and what the page says comes of it.
fn sessions() -> Vec<(&'static str, Option<&'static str>, &'static str)> {
    let blocks = PAGE.split("```console\n").skip(1);
    let session = |block: &'static str| {
        let block = block.split("```").next().expect("a block ends");
        let rest = block.strip_prefix("$ curl -N ").expect("a session begins with curl");
        let (address, rest) = rest.split_once([' ', '\n']).expect("it has an answer");
        let path = address.trim_matches('\'').strip_prefix("localhost:3000").expect("it is ours");
        match rest.strip_prefix("-H 'Content-Type: application/json' -d '") {
            None => (path, None, rest),
            Some(rest) => {
                let (body, answer) = rest.split_once("'\n").expect("the body ends");
                (path, Some(body), answer)
            }
        }
    };
    blocks.map(session).collect()
}

#[tokio::test]
async fn the_sessions_are_what_the_server_answers() {
    let app = router(Options::default()).unwrap();
    let sessions = sessions();
    assert_eq!(sessions.len(), 5);
    for (path, body, shown) in sessions {
        let request = body.map_or_else(|| get(path), |body| post_to(path, body));
        let response = send(&app, request).await;
        assert_eq!(response.status(), 200, "{path}");
        let answer = response.into_body().collect().await.unwrap().to_bytes();
        let mut rest = str::from_utf8(&answer).unwrap();
        // `…` stands for any number of lines.
        for part in shown.split("…\n") {
            let at =
                rest.find(part.trim_end()).unwrap_or_else(|| panic!("{part}\nis not in\n{rest}"));
            rest = &rest[at..];
        }
    }
}

#[test]
fn the_times_of_a_store_are_those_that_hold() {
    let page = include_str!("../../../docs/store.md");
    let StoreSettings { lease, keep, answer_bytes } = StoreSettings::default();
    for (name, time) in [("lease", lease), ("keep", keep)] {
        let row = format!("| `--store-{name}` | {} s |", time.as_secs());
        assert!(page.contains(&row), "{row}");
    }
    assert_eq!(answer_bytes, 64 << 20);
}

#[test]
fn the_limits_are_those_that_hold() {
    let limits = Limits::default();
    let seconds = |time: Duration| format!("{} s", time.as_secs());
    let kibi = |bytes: usize| format!("{} KiB", bytes >> 10);
    let mebi = |bytes: usize| format!("{} MiB", bytes >> 20);
    for (name, value) in [
        ("streams", limits.streams.to_string()),
        ("connections", limits.connections.to_string()),
        ("head_bytes", kibi(limits.head_bytes)),
        ("send_bytes", kibi(limits.send_bytes)),
        ("waiting", limits.waiting.to_string()),
        ("work_time", seconds(limits.work_time)),
        ("empty_deltas", limits.empty_deltas.to_string()),
        (
            "per_address",
            limits.per_address.map_or_else(|| "none".to_owned(), |most| most.to_string()),
        ),
        ("body_bytes", mebi(limits.body_bytes)),
        ("request_time", seconds(limits.request_time)),
        ("open_time", seconds(limits.open_time)),
        ("stream_time", seconds(limits.stream_time)),
        ("answer_bytes", mebi(usize::try_from(limits.answer_bytes).unwrap())),
        ("resume_time", seconds(limits.resume_time)),
        ("resume_bytes", kibi(limits.resume_bytes)),
        ("heartbeat", seconds(limits.heartbeat)),
        ("grace_time", seconds(limits.grace_time)),
        ("drain_time", seconds(limits.drain_time)),
    ] {
        assert!(PAGE.contains(&format!("| `{name}` | {value} |")), "{name} is {value}");
    }
}
