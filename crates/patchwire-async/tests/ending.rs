//! The end, by the source or by an error; what is asked of the source, and when.

use futures_util::stream::FusedStream as _;
use patchwire::{ErrorKind, Limit, Limits, Spec};
use patchwire_async::{Attempt, Error, Response, TokenStreamExt as _};

use crate::source::{Dead, Script, Step, all};

#[tokio::test]
async fn nothing_comes_after_the_end() {
    let (source, counts) = Script::slow(["{\"a\":", " 1}"]);
    let mut response = source.fields(Spec::json());
    assert!(!response.is_terminated());
    let events = all(&mut response).await.unwrap();
    assert!(events.last().is_some_and(|event| event.as_final().is_some()));
    assert!(response.is_terminated());
    let polls = counts.polls();
    assert!(response.next().await.is_none() && response.next().await.is_none());
    assert_eq!(response.data::<serde_json::Value>().await.unwrap(), serde_json::json!({"a": 1}));
    assert_eq!(counts.polls(), polls);
}

#[tokio::test]
async fn what_came_before_an_error_stays_readable() {
    let steps = [Step::Item("{\"a\": \"so f"), Step::Fail];
    let (source, counts) = Script::new(steps);
    let mut response = source.fields(Spec::json());
    let error = loop {
        match response.next().await {
            Some(Ok(_)) => {}
            Some(Err(error)) => break error,
            None => panic!("the error is an event"),
        }
    };
    assert_eq!(error.as_source(), Some(&Dead));
    assert!(response.next().await.is_none());
    assert!(response.is_terminated());
    assert_eq!(response.value().to_string(), r#"{"a":"so f"}"#);
    let polls = counts.polls();
    for _ in 0..2 {
        let again = response.data::<serde_json::Value>().await.unwrap_err();
        assert_eq!(again.as_source(), Some(&Dead));
    }
    assert_eq!(counts.polls(), polls, "the error is kept");
    assert!(error.into_source().is_err(), "the response holds it as well");
}

#[tokio::test]
async fn a_limit_ends_the_response_after_what_was_read() {
    let limits = Limits::default().with(Limit::Total, 8);
    let spec = Spec::builder().limits(limits).build().unwrap();
    let (source, counts) = Script::new(["{\"a\": 1", "2, \"b\": 3}", "never"].map(Step::Item));
    let mut response = source.fields(spec);
    let mut events = 0;
    let error = loop {
        match response.next().await.unwrap() {
            Ok(_) => events += 1,
            Err(error) => break error,
        }
    };
    let Error::Parse(error) = error else { panic!("{error}") };
    assert_eq!((events, error.kind), (1, ErrorKind::Limit(Limit::Total)));
    assert!(response.next().await.is_none());
    assert_eq!(counts.polls(), 2);
}

#[tokio::test]
async fn a_value_that_does_not_fit_says_so_each_time() {
    let mut response = Script::of(["{\"n\": \"x\"}"]).fields(Spec::json());
    for _ in 0..2 {
        let error = response.data::<std::collections::HashMap<String, u8>>().await.unwrap_err();
        let Error::Data(error) = error else { panic!("{error}") };
        assert_eq!(error.path, "n");
    }
    assert!(response.data::<serde_json::Value>().await.is_ok());
}

#[tokio::test]
async fn the_source_is_asked_only_when_no_event_waits() {
    let (source, counts) = Script::new(["[1, 2,", " 3", "]"].map(Step::Item));
    let mut response = source.fields(Spec::json());
    assert_eq!(counts.polls(), 0);
    let mut polls = Vec::new();
    while let Some(event) = response.next().await {
        event.unwrap();
        polls.push(counts.polls());
    }
    // Open, 1 and 2 of the first; nothing of the second; 3, the end and the root's of the third; then
    // the answer.
    assert_eq!(polls, [1, 1, 1, 3, 3, 3, 4]);
}

#[tokio::test]
async fn a_request_is_sent_when_it_is_polled_and_once() {
    let mut asked = 0;
    {
        let ask = |attempt: Attempt| {
            asked += 1;
            assert_eq!(attempt.number, 1);
            async { Ok::<_, Dead>(Script::of(["[1]"])) }
        };
        let mut response = Response::of(ask, Spec::json());
        assert!(response.get_ref().is_none());
        assert_eq!(response.data::<Vec<u8>>().await.unwrap(), [1]);
        assert_eq!(response.data::<Vec<u8>>().await.unwrap(), [1]);
        assert!(response.get_ref().is_some());
    }
    assert_eq!(asked, 1);
    let refuse = |_: Attempt| async { Err::<Script<&str>, _>(Dead) };
    let mut response = Response::of(refuse, Spec::json());
    assert_eq!(response.next().await.unwrap().unwrap_err().as_source(), Some(&Dead));
    assert!(response.next().await.is_none());
}

#[tokio::test]
async fn a_source_can_be_used_after_its_response() {
    let mut source = Script::of(["[1]"]);
    {
        let mut response = (&mut source).fields(Spec::json());
        response.answer().await.unwrap();
    }
    drop(source);
    let response = Script::of(["[1]"]).fields(Spec::json());
    assert!(response.into_inner().is_some());
}

#[tokio::test]
async fn an_error_that_is_none_becomes_one() {
    let tokens = tokio_stream::iter([Ok("[1"), Err("no more".to_owned())]);
    let mut response = tokens.fields(Spec::json()).erase_error();
    let error = all(&mut response).await.unwrap_err();
    let source = std::error::Error::source(&error).unwrap();
    assert_eq!(source.to_string(), "no more");
}
