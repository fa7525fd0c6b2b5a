//! The gateway asks again.

use std::sync::{Arc, Mutex};

use futures_util::{StreamExt as _, stream};
use patchwire_web::Limits;
use patchwire_web::upstream::{Chat, Delta, UpstreamError};
use serde_json::{Value as Json, json};

use crate::support::{Events, Model, app, post, refused, send, text};

type Said = Result<&'static [&'static str], UpstreamError>;

/// A model with an answer for each request, and what it was asked.
fn script(answers: Vec<Said>) -> (axum::Router, Arc<Mutex<Vec<Json>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (seen, answers) = (Arc::clone(&asked), Mutex::new(answers.into_iter()));
    let model = Model(move |chat: Chat| {
        let body = serde_json::to_string(&chat.body).unwrap();
        seen.lock().unwrap().push(serde_json::from_str(&body).unwrap());
        let said = answers.lock().unwrap().next().expect("there is an answer")?;
        let usage = Ok(Delta::Fact("usage".to_owned(), json!({"completion_tokens": 5})));
        let said = said.iter().map(|said| match *said {
            "broken" => Err(UpstreamError::Broken("reset".to_owned())),
            said => text(said),
        });
        Ok(stream::iter(said.chain([usage]).collect::<Vec<_>>()).boxed())
    });
    (app(Limits::default(), model), asked)
}

async fn names(app: &axum::Router, body: &str) -> (Vec<String>, Json) {
    let mut events = Events::of(send(app, post(body.to_owned())).await);
    let emitted = events.rest().await;
    let last = emitted.last().unwrap().data.clone();
    let steps = ["attempt_failed", "retrying", "reset", "final", "error"];
    let names = emitted.iter().map(|one| one.name.clone());
    (names.filter(|name| steps.contains(&name.as_str())).collect(), last)
}

const ENSURED: &str = r#"{"messages":[{"role":"user","content":"Go."}],"patchwire":{"ensure":["b"],"max_retries":2}}"#;

#[tokio::test]
async fn an_answer_that_does_not_pass_is_asked_for_again() {
    let (app, asked) = script(vec![Ok(&["{\"a\": 1}"]), Ok(&["{\"a\": 2,", " \"b\": 3}"])]);
    let (names, last) = names(&app, ENSURED).await;
    assert_eq!(names, ["attempt_failed", "retrying", "reset", "final"]);
    assert_eq!(last["value"], json!({"a": 2, "b": 3}));
    let asked = asked.lock().unwrap().clone();
    assert_eq!(asked[0]["messages"].as_array().unwrap().len(), 1);
    let correction = &asked[1]["messages"][1];
    assert_eq!(correction["role"], "user");
    assert!(correction["content"].as_str().unwrap().contains("b is missing"), "{correction}");
    let counters = crate::operators::counters(&app).await;
    assert_eq!(counters["patchwire_retries_total{cause=\"ensure\"}"], 1.0);
    assert_eq!(counters["gen_ai_client_token_usage_total{gen_ai_token_type=\"output\"}"], 10.0);
}

#[tokio::test]
async fn an_answer_that_never_passes_is_an_error() {
    let bad: Said = Ok(&["{\"a\": 1}"]);
    let (app, asked) = script(vec![bad.clone(), bad.clone(), bad]);
    let (names, last) = names(&app, ENSURED).await;
    assert_eq!(names.last().map(String::as_str), Some("error"));
    assert_eq!(names.iter().filter(|name| *name == "attempt_failed").count(), 3);
    assert_eq!(last["code"], "rejected");
    assert!(last["message"].as_str().unwrap().contains("3 attempts"), "{last}");
    assert_eq!(asked.lock().unwrap().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_model_that_breaks_off_is_asked_again_after_a_pause() {
    let busy = UpstreamError::Refused {
        status: 503,
        message: "busy".to_owned(),
        retry_after: Some(core::time::Duration::from_secs(7)),
    };
    let (app, asked) = script(vec![Err(busy), Ok(&["{\"b\"", "broken"]), Ok(&["{\"b\": 1}"])]);
    let begun = tokio::time::Instant::now();
    let (names, last) = names(&app, ENSURED).await;
    assert_eq!(last["value"], json!({"b": 1}), "{names:?} {last}");
    let waited = begun.elapsed().as_secs_f64();
    assert!((8.0..8.5).contains(&waited), "{waited}");
    // What failed was not the answer, so nothing is corrected.
    assert_eq!(asked.lock().unwrap()[2]["messages"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_cannot_pass_is_not_asked_again() {
    let wrong =
        || UpstreamError::Refused { status: 401, message: "no".to_owned(), retry_after: None };
    let (app, asked) = script(vec![Err(wrong())]);
    assert_eq!(refused(&app, post(ENSURED)).await.0, 401);
    assert_eq!(asked.lock().unwrap().len(), 1);
    // Without `max_retries`, failures are part of the answer.
    let (app, _) = script(vec![Ok(&["{\"a\": 1}"])]);
    let (names, last) = names(&app, r#"{"patchwire":{"ensure":["b"]}}"#).await;
    assert_eq!(names, ["final"]);
    assert!(!last["failures"].is_null(), "{last}");
    // And with none left, they are an error.
    let (app, _) = script(vec![Ok(&["{\"a\": 1}"])]);
    let once = r#"{"patchwire":{"ensure":["b"],"max_retries":0}}"#;
    assert_eq!(self::names(&app, once).await.1["code"], "rejected");
}

#[tokio::test]
async fn too_many_retries_are_refused() {
    let (app, _) = script(Vec::new());
    let (status, _, message) = refused(&app, post(r#"{"patchwire":{"max_retries":11}}"#)).await;
    assert!(status == 400 && message.contains("from 0 to 10"), "{message}");
    let chat =
        crate::support::post_to("/v1/chat/completions", r#"{"patchwire":{"max_retries":1}}"#);
    assert!(refused(&app, chat).await.2.contains("`max_retries` sends other requests"));
}

/// Every protocol comes to the value of the attempt that passed.
#[tokio::test]
async fn protocols_forget_the_attempts_before() {
    for wire in ["own", "compact", "ops", "json-patch", "ag-ui", "ui-message"] {
        let (app, _) = script(vec![Ok(&["{\"a\": 1}"]), Ok(&["{\"b\": 3}"])]);
        let body = json!({"patchwire": {"ensure": ["b"], "max_retries": 1, "wire": wire}});
        let body = crate::support::bytes_of(send(&app, post(body.to_string())).await).await;
        let body = String::from_utf8(body.to_vec()).unwrap();
        assert!(body.contains("b\"") && !body.contains("rejected"), "{wire}: {body}");
    }
}

/// A model that calls a tool and says nothing, and how often it was asked.
fn calling() -> (axum::Router, Arc<Mutex<u32>>) {
    let asked = Arc::new(Mutex::new(0));
    let seen = Arc::clone(&asked);
    let model = Model(move |_| {
        *seen.lock().unwrap() += 1;
        let call = Delta::Call {
            key: 0.into(),
            id: Some("c".to_owned()),
            name: Some("find".to_owned()),
            arguments: "{\"q\": 1}".into(),
        };
        Ok(stream::iter([Ok(call)]).boxed())
    });
    (app(Limits::default(), model), asked)
}

#[tokio::test]
async fn tool_calls_are_an_answer_if_no_value_is_asked_for() {
    for own in ["{}", r#"{"max_retries":2}"#, r#"{"max_retries":0,"format":"hybrid"}"#] {
        let (app, asked) = calling();
        let (names, last) = names(&app, &format!("{{\"patchwire\":{own}}}")).await;
        assert_eq!((names, *asked.lock().unwrap()), (vec!["final".to_owned()], 1), "{own}");
        let call = json!({"id": "c", "name": "find", "arguments": {"q": 1}, "outcome": "complete"});
        assert_eq!((&last["outcome"], &last["calls"]), (&json!("tool_calls"), &json!([call])));
        let counters = crate::operators::counters(&app).await;
        assert_eq!(counters["patchwire_answers_total{outcome=\"tool_calls\"}"], 1.0);
    }
}

#[tokio::test]
async fn tool_calls_are_no_answer_where_a_value_is_asked_for() {
    for own in [r#""ensure":["b"]"#, r#""schema":{"b":"str"}"#] {
        let (app, asked) = calling();
        let body = format!("{{\"patchwire\":{{{own},\"max_retries\":2}}}}");
        let (names, last) = names(&app, &body).await;
        assert_eq!((names.last().unwrap().as_str(), *asked.lock().unwrap()), ("error", 1));
        assert_eq!(last["code"], "rejected");
        assert!(last["message"].as_str().unwrap().contains("only tool calls"), "{last}");
    }
}
