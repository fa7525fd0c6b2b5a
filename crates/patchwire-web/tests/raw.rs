//! Raw text, emitted beside the events that are read from it: `"patchwire": {"raw": true}`.

use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use patchwire_web::upstream::{About, Chat, Delta, Opening, Upstream, UpstreamError};
use patchwire_web::{Limits, Options, router};
use serde_json::{Value as Json, json};
use tokio::time::{Duration, sleep};

use crate::support::{
    Emitted, Events, Model, after, always, app, ask, body_of, get, once, refused, send, text,
};

const RAW: &str = r#"{"patchwire":{"raw":true}}"#;

fn shown(emitted: &[Emitted]) -> Vec<String> {
    emitted
        .iter()
        .map(|one| match one.name.as_str() {
            "raw" => format!("raw {} {}", one.data["delta"], one.data["span"]),
            "patch" => format!("{} {}", one.data["kind"].as_str().unwrap(), one.data["path"]),
            name => name.to_owned(),
        })
        .collect()
}

#[tokio::test]
async fn each_piece_is_sent_before_its_events() {
    let app = app(Default::default(), always(&["So: {\"a\"", ": \"x", "y\"}"]));
    let emitted = ask(&app, RAW).await.1.rest().await;
    let expected = [
        r#"raw "So: {\"a\"" [0,8]"#,
        "text",
        r#"raw ": \"x" [8,12]"#,
        // In prose it takes the colon to tell an object from a brace.
        r#"open """#,
        r#"open "a""#,
        r#"delta "a""#,
        r#"raw "y\"}" [12,15]"#,
        r#"delta "a""#,
        r#"done "a""#,
        r#"done """#,
        "root_complete",
        "final",
    ];
    assert_eq!(shown(&emitted), expected);
    let ids: Vec<u64> = emitted.iter().map(|one| one.id).collect();
    assert_eq!(ids, (1..=12).collect::<Vec<_>>());
    // It causes no other event.
    let bare = ask(&app, "{}").await.1.rest().await;
    let rest: Vec<&Json> =
        emitted.iter().filter(|one| one.name != "raw").map(|one| &one.data).collect();
    assert_eq!(bare.iter().map(|one| &one.data).collect::<Vec<_>>(), rest);
}

#[tokio::test(start_paused = true)]
async fn a_piece_is_sent_at_once_even_if_it_makes_no_event_yet() {
    let (says, model) = once();
    let app = app(Limits::default(), model);
    let (_, mut events) = ask(&app, RAW).await;
    says.send(text("{\"a\": 1")).await.unwrap();
    let emitted = events.take(2).await;
    assert_eq!(shown(&emitted), [r#"raw "{\"a\": 1" [0,7]"#, r#"open """#]);
    // More digits may come: of the number nothing is known yet, and of the piece all.
    says.send(text("2")).await.unwrap();
    assert_eq!(shown(&events.take(1).await), [r#"raw "2" [7,8]"#]);
    says.send(text("}")).await.unwrap();
    drop(says);
    assert_eq!(events.rest().await.last().unwrap().data["value"], json!({"a": 12}));
}

#[tokio::test]
async fn the_pieces_joined_are_the_text_wherever_letters_are_cut() {
    let text = "{\"a\": \"é😀 — ü\"}";
    let model = Model(move |_| {
        let bytes = text.bytes().map(|byte| Ok(Delta::Text(Bytes::from(vec![byte]))));
        Ok(stream::iter(bytes).boxed())
    });
    let emitted = ask(&app(Default::default(), model), RAW).await.1.rest().await;
    let pieces: Vec<&Emitted> = emitted.iter().filter(|one| one.name == "raw").collect();
    let joined: String = pieces.iter().map(|one| one.data["delta"].as_str().unwrap()).collect();
    assert_eq!(joined, text);
    let mut end = 0;
    for piece in pieces {
        assert_eq!(piece.data["span"][0], end);
        end += piece.data["delta"].as_str().unwrap().len();
        assert_eq!(piece.data["span"][1], end);
    }
}

#[tokio::test]
async fn reasoning_and_calls_are_no_pieces_of_the_text() {
    let model = Model(|_| {
        let said = [Ok(Delta::Reasoning("hm".into())), text("[1]")];
        Ok(stream::iter(said).boxed())
    });
    let emitted = ask(&app(Default::default(), model), RAW).await.1.rest().await;
    let pieces: Vec<&Emitted> = emitted.iter().filter(|one| one.name == "raw").collect();
    assert_eq!(pieces.len(), 1);
    assert_eq!(pieces[0].data["delta"], "[1]");
}

#[tokio::test]
async fn what_came_before_a_stream_broke_off_is_sent() {
    let model = Model(|_| {
        let said = [text("{\"a\": 1"), Err(UpstreamError::Broken("reset".to_owned()))];
        Ok(stream::iter(said).boxed())
    });
    let emitted = ask(&app(Default::default(), model), RAW).await.1.rest().await;
    assert_eq!(shown(&emitted), [r#"raw "{\"a\": 1" [0,7]"#, r#"open """#, "error"]);
}

#[tokio::test(start_paused = true)]
async fn who_comes_back_gets_the_pieces_too() {
    const SAID: &[&str] = &["{\"a\"", ": \"x", "y\"", "}"];
    let whole = ask(&app(Default::default(), always(SAID)), RAW).await.1.rest().await;
    for had in 1..whole.len() {
        let app = app(Default::default(), always(SAID));
        let (name, mut events) = ask(&app, RAW).await;
        events.take(had).await;
        drop(events);
        sleep(Duration::from_secs(1)).await;
        let back = send(&app, after(get(&format!("/v1/fields/{name}")), had as u64)).await;
        assert_eq!(Events::of(back).rest().await, whole[had..], "had {had}");
    }
}

#[tokio::test]
async fn the_limits_hold_for_text_that_is_sent_twice() {
    let limits = Limits { answer_bytes: 10, resume_bytes: 300, ..Limits::default() };
    let app = app(limits, always(&["[1, 2", ", 3, 4", ", 5, 6]"]));
    let (name, mut events) = ask(&app, RAW).await;
    let emitted = events.rest().await;
    let last = emitted.last().unwrap();
    assert_eq!((last.name.as_str(), &last.data["code"]), ("error", &json!("limit_total")));
    // The event that was too long is emitted, and nothing after it.
    let pieces: Vec<&Json> =
        emitted.iter().filter(|one| one.name == "raw").map(|one| &one.data["delta"]).collect();
    assert_eq!(pieces, ["[1, 2", ", 3, 4"]);
    // Pieces are kept for who comes back like all events, and no longer.
    let passed = refused(&app, after(get(&format!("/v1/fields/{name}")), 0)).await;
    assert_eq!((passed.0, passed.1.as_str()), (410, "window_passed"));
}

#[tokio::test]
async fn an_answer_that_is_given_up_frees_the_model_and_tells_no_more_pieces() {
    let (says, model) = once();
    let app = app(Limits::default(), model);
    let (name, mut events) = ask(&app, RAW).await;
    says.send(text("[1")).await.unwrap();
    assert_eq!(events.take(1).await[0].name, "raw");
    let mut delete = get(&format!("/v1/fields/{name}"));
    *delete.method_mut() = hyper::Method::DELETE;
    assert_eq!(send(&app, delete).await.status(), 204);
    says.closed().await;
    assert!(events.rest().await.iter().all(|one| one.name != "raw"));
}

/// A model that says what it is.
struct Named;

impl Upstream for Named {
    fn open(&self, _: Chat) -> Opening {
        async { Err(UpstreamError::Unreachable("it is only here to be named".to_owned())) }.boxed()
    }

    fn about(&self) -> About {
        About::default().with_protocol("ollama").with_host("localhost:11434").with_model("tiny")
    }
}

#[tokio::test]
async fn the_page_learns_what_can_be_asked() {
    let about = async |options: Options| -> Json {
        body_of(send(&router(options).unwrap(), get("/v1/upstream")).await).await
    };
    let alone = about(Options::default()).await;
    assert_eq!(alone["upstream"], Json::Null);
    assert_eq!(alone["formats"][0], "json");
    assert!(alone["tags"].as_array().unwrap().contains(&json!("scratchpad")), "{alone}");
    let named = about(Options::default().with_upstream(Named)).await;
    let known = json!({"protocol": "ollama", "host": "localhost:11434", "model": "tiny"});
    assert_eq!(named["upstream"], known);
    // One that says nothing is there all the same.
    let nameless = about(Options::default().with_upstream(always(&[]))).await;
    assert_eq!(nameless["upstream"], json!({"protocol": null, "host": null, "model": null}));
    let mut other = get("/v1/upstream");
    other.headers_mut().insert("origin", "https://evil.example".parse().unwrap());
    let (status, code, _) = refused(&router(Options::default()).unwrap(), other).await;
    assert_eq!((status, code.as_str()), (403, "origin_not_allowed"));
}
