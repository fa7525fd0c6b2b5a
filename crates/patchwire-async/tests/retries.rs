//! Attempts: how many there are, what each one sends and emits, and how they end.

use std::future::{Ready, ready};
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use patchwire::schema::str;
use patchwire::{Format, Schema, Spec};
use patchwire_async::{Attempt, Cause, Error, OnExhausted, Request, ResponseEvent, ask};

use crate::fold::Folded;
use crate::model::{Does, FAULTS, Model, NoTable, asked, spec};
use crate::source::{Dead, Script, all};

/// All runs of up to so many faults, and then what is well.
fn runs(most: usize) -> Vec<Vec<Does>> {
    let mut runs = vec![Vec::new()];
    let mut first = 0;
    for _ in 0..most {
        let last = runs.len();
        for at in first..last {
            runs.extend(FAULTS.map(|fault| [&runs[at][..], &[fault]].concat()));
        }
        first = last;
    }
    runs
}

/// The cause of each attempt that failed, as the events tell it; they are in their order.
fn emitted(events: &[ResponseEvent]) -> Vec<Cause> {
    let mut causes = Vec::new();
    let mut events = events.iter().peekable();
    while let Some(event) = events.next() {
        let ResponseEvent::Rejected(rejection) = event else {
            assert!(!matches!(event, ResponseEvent::Retrying { .. } | ResponseEvent::Reset { .. }));
            continue;
        };
        causes.push(rejection.cause);
        assert_eq!(rejection.attempt as usize, causes.len());
        if let Some(ResponseEvent::Retrying { attempt, rejection: again, .. }) = events.peek() {
            assert_eq!((again, *attempt), (rejection, rejection.attempt + 1));
            let attempt = *attempt;
            events.next();
            let reset = events.next();
            assert!(
                matches!(reset, Some(ResponseEvent::Reset { attempt: a, .. }) if *a == attempt)
            );
        }
    }
    causes
}

#[tokio::test]
async fn an_answer_takes_exactly_the_attempts_that_it_takes() {
    for faults in runs(2) {
        let parts = [&faults[..], &[Does::Well]].concat();
        for max_retries in 0..=3 {
            let model = Model::new(&parts);
            let mut response = asked(&model).max_retries(max_retries).send();
            let mut events = Vec::new();
            let mut error = None;
            while let Some(event) = response.next().await {
                match event {
                    Ok(event) => events.push(event),
                    Err(failed) => error = Some(failed),
                }
            }
            let attempts = (max_retries as usize).min(faults.len()) + 1;
            let made = &parts[..attempts];
            assert_eq!(model.asked().len(), attempts, "{parts:?} with {max_retries}");
            let causes: Vec<Cause> = made.iter().filter_map(|does| does.cause()).collect();
            assert_eq!(emitted(&events), causes, "{parts:?} with {max_retries}");
            ends_as(made[attempts - 1], attempts, &events, error.as_ref());
            let again = response.answer().await;
            assert_eq!(again.is_ok(), error.is_none());
            assert_eq!((model.asked().len(), model.open()), (attempts, open(made)));
        }
    }
}

/// The last source is there until the response is dropped, unless its attempt broke.
fn open(made: &[Does]) -> usize {
    usize::from(made.last().is_some_and(|does| does.is_read()))
}

fn ends_as(last: Does, attempts: usize, events: &[ResponseEvent], error: Option<&Error<Dead>>) {
    let answers = events.iter().filter(|event| event.as_final().is_some()).count();
    match (last, error) {
        (Does::Well, None) => {
            let Some(answer) = events.last().and_then(ResponseEvent::as_final) else {
                panic!("no answer")
            };
            let value = answer.value().to_serde_json().unwrap();
            assert_eq!((answers, &value["score"]), (1, &9.into()));
            assert_eq!(Folded::of(events).document(0), &value);
        }
        (Does::Breaks | Does::Unreachable, Some(error)) => {
            assert_eq!((answers, error.as_source()), (0, Some(&Dead)));
        }
        (_, Some(error)) => {
            let Error::Rejected { attempts: emitted, answer, rejection, .. } = error else {
                panic!("{error}")
            };
            assert_eq!((answers, *emitted as usize), (0, attempts));
            assert_eq!(Some(rejection.cause), last.cause());
            assert_eq!(answer.raw().unwrap(), last.text().as_bytes());
            assert_eq!(error.raised().is_some(), last == Does::Raises);
        }
        (_, None) => panic!("{last:?} is no good end"),
    }
}

#[tokio::test]
async fn the_last_answer_if_it_is_wanted() {
    for faults in runs(3) {
        if faults.is_empty() {
            continue;
        }
        let model = Model::new(&faults);
        let retries = faults.len() as u32 - 1;
        let mut response =
            asked(&model).max_retries(retries).on_exhausted(OnExhausted::Last).send();
        let mut events = Vec::new();
        while let Some(Ok(event)) = response.next().await {
            events.push(event);
        }
        let last = faults.iter().rfind(|does| does.is_read());
        let raised = faults.last() == Some(&Does::Raises);
        match (response.answer().await, last) {
            (Ok(answer), Some(last)) if !raised => {
                assert_eq!(answer.raw().unwrap(), last.text().as_bytes(), "{faults:?}");
                let value = answer.value().to_serde_json().unwrap();
                assert_eq!(Folded::of(&events).document(0), &value, "{faults:?}");
                assert_eq!(response.value().to_string(), answer.value().to_string());
                assert!(events.last().is_some_and(|event| event.as_final().is_some()));
            }
            (Err(error), _) if raised => {
                assert!(error.raised().unwrap().downcast_ref::<NoTable>().is_some());
            }
            (Err(error), None) => assert_eq!(error.as_source(), Some(&Dead)),
            (result, _) => panic!("{faults:?}: {result:?}"),
        }
        assert_eq!(model.asked().len(), faults.len());
    }
}

#[tokio::test]
async fn at_most_four_requests_if_nothing_is_said() {
    let model = Model::new(&[Does::Low; 4]);
    let error = asked(&model).send().data::<serde_json::Value>().await.unwrap_err();
    assert!(matches!(error, Error::Rejected { attempts: 4, .. }));
    let message = "no answer was accepted in 4 attempts: score: score is too low";
    assert_eq!(error.to_string(), message);
    let indexes: Vec<_> =
        model.asked().iter().map(|a| (a.number, a.retry_count, a.max_retries)).collect();
    assert_eq!(indexes, [(1, 0, 3), (2, 1, 3), (3, 2, 3), (4, 3, 3)]);
}

#[tokio::test]
async fn the_next_attempt_learns_what_was_wrong() {
    let corrections = [
        (Does::Refuses, Some("- no value could be read")),
        (Does::Misses, Some("- items is missing")),
        (Does::Blank, Some("- items[1].sku is blank")),
        (Does::WrongType, Some("- score should be ")),
        (Does::Low, Some("- score is too low")),
        // Errors of a validator may hold what is no business of the model.
        (Does::Raises, None),
        (Does::Panics, None),
        (Does::Unreachable, None),
    ];
    for (fault, expected) in corrections {
        let model = Model::new(&[fault, Does::Unreachable, Does::Well]);
        asked(&model).send().answer().await.unwrap();
        let sent = model.asked();
        assert_eq!(sent[0].correction, None);
        for attempt in &sent[1..] {
            let correction = attempt.correction.as_deref();
            assert_eq!(correction.is_some(), expected.is_some(), "{fault:?}");
            let (found, wanted) = (correction.unwrap_or_default(), expected.unwrap_or_default());
            assert!(found.contains(wanted), "{fault:?}: {found}");
            assert!(attempt.full_prompt().starts_with("Write it."));
            assert!(attempt.full_prompt().ends_with(found));
        }
    }
}

#[tokio::test]
async fn silence_is_never_success() {
    for text in ["", "  ", "<think>hm</think>", "no"] {
        let mut asked = 0;
        let request = |_: Attempt| {
            asked += 1;
            async move { Ok::<_, Dead>(Script::of([text])) }
        };
        let result = ask(Spec::json(), request).max_retries(1).send().answer().await;
        let Err(Error::Rejected { rejection, .. }) = result else { panic!("{result:?}") };
        assert_eq!((rejection.cause, asked), (Cause::Parse, 2));
    }
}

#[tokio::test]
async fn a_limit_and_a_slip_in_strict_reading_are_retried() {
    let mut texts = ["{\"a\": nonsense}", "[1]", "{\"a\": 1}"].into_iter();
    let request = |_: Attempt| {
        let text = texts.next().unwrap();
        async move { Ok::<_, Dead>(Script::of([text, "   "])) }
    };
    let mut response = ask(Spec::strict_json(), request).ensure("a").send();
    let events = all(&mut response).await.unwrap();
    assert_eq!(emitted(&events), [Cause::Parse, Cause::Ensure]);
    assert_eq!(response.value().to_string(), "{\"a\":1}");
}

#[tokio::test]
async fn a_path_that_is_none_is_an_error_before_anything_is_sent() {
    let model = Model::new(&[]);
    let mut response = ask(spec(), model.clone()).ensure("a[").ensure("b").send();
    assert!(matches!(response.next().await, Some(Err(Error::Path(_)))));
    assert!(response.next().await.is_none());
    assert_eq!(model.asked().len(), 0);
}

#[tokio::test]
async fn a_model_that_changes_its_format_is_read() {
    let schema =
        Schema::object().field("title", str("").required()).field("body", str("").required());
    let spec = Spec::builder().schema(schema).format(Format::XmlField).build().unwrap();
    let xml = |body: &str| {
        format!(
            "<answer_fields><field name=\"title\">T</field>\n<field name=\"body\">{body}</field></answer_fields>"
        )
    };
    let mut texts = [
        "{\"title\": \"T\"}".to_owned(),
        xml(" "),
        "{\"title\": \"T\", \"body\": \"B\"}".to_owned(),
    ]
    .into_iter();
    let request = |_: Attempt| {
        let text = texts.next().unwrap();
        async move { Ok::<_, Dead>(Script::of([text])) }
    };
    let mut response = ask(spec, request).send();
    let events = all(&mut response).await.unwrap();
    assert_eq!(emitted(&events), [Cause::Ensure, Cause::Ensure]);
    assert_eq!(response.data::<serde_json::Value>().await.unwrap()["body"], "B");
}

#[tokio::test(start_paused = true)]
async fn a_model_that_never_ends_is_ended_by_the_callers_clock() {
    let minute = Duration::from_secs(60);
    // Round the whole: the request is dropped, and made no second time.
    let mut asked = 0;
    let request = |_: Attempt| {
        asked += 1;
        async { Ok(stream::iter([Ok::<_, Dead>("{\"a\": \"so f")]).chain(stream::pending())) }
    };
    let mut response = ask(Spec::json(), request).send();
    assert!(tokio::time::timeout(minute, response.answer()).await.is_err());
    assert_eq!(response.value().to_string(), "{\"a\":\"so f\"}");
    drop(response);
    assert_eq!(asked, 1);
    // In the request, where it is an error of the source: it is asked again.
    let request = |attempt: Attempt| async move {
        let hangs = usize::from(attempt.number == 1);
        let tokens = stream::iter(["{\"a\": \"so f", "ar\"}"].map(Ok)).take(2 - hangs);
        let tokens = tokens.chain(stream::pending().take(hangs));
        let timed = tokio_stream::StreamExt::timeout(tokens, minute);
        Ok(Box::pin(timed.map(|token| token.unwrap_or(Err(Dead)))))
    };
    let start = tokio::time::Instant::now();
    let mut response = ask(Spec::json(), request).send();
    let events = all(&mut response).await.unwrap();
    assert_eq!((emitted(&events), start.elapsed()), (vec![Cause::Source], minute));
    assert_eq!(response.value().to_string(), "{\"a\":\"so far\"}");
}

/// A request that says what happened, and that a second failure is the last.
struct Doomed(u32);

impl Request for Doomed {
    type Error = String;
    type Item = String;
    type Stream = stream::Empty<Result<String, String>>;
    type Future = Ready<Result<Self::Stream, String>>;

    fn attempt(&mut self, attempt: Attempt) -> Self::Future {
        ready(Err(format!("no line, try {}", attempt.number)))
    }

    fn reason(&self, error: &String) -> Option<String> {
        Some(error.to_uppercase())
    }

    fn may_recover(&mut self, _: &String) -> bool {
        self.0 += 1;
        self.0 < 2
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_may_say_why_it_failed_and_that_it_is_over() {
    let mut response = ask(spec(), Doomed(0)).max_retries(9).send();
    let mut reasons = Vec::new();
    while let Some(event) = response.next().await {
        if let Ok(ResponseEvent::Rejected(rejection)) = event {
            reasons.push(rejection.reason.to_string());
        }
    }
    assert_eq!(reasons, ["NO LINE, TRY 1", "NO LINE, TRY 2"]);
    let error = response.answer().await.expect_err("there is no line");
    assert_eq!(error.source_failure().unwrap().to_string(), "no line, try 2");
}

/// Breaks once, and can say why; the second time it is well.
struct Spoken;

impl Request for Spoken {
    type Error = std::io::Error;
    type Item = &'static str;
    type Stream = stream::Iter<std::vec::IntoIter<Result<&'static str, std::io::Error>>>;
    type Future = Ready<Result<Self::Stream, std::io::Error>>;

    fn attempt(&mut self, attempt: Attempt) -> Self::Future {
        // The model does not learn why a stream broke.
        assert_eq!(attempt.correction, None);
        let broken = || vec![Ok("[1, "), Err(std::io::Error::other("the line was cut"))];
        let said = if attempt.number == 1 { broken() } else { vec![Ok("[1, 2]")] };
        ready(Ok(stream::iter(said)))
    }

    fn reason(&self, error: &std::io::Error) -> Option<String> {
        Some(error.to_string())
    }
}

/// What a request says of its errors it says where their type is erased too, whenever that is done.
#[tokio::test]
async fn a_request_says_the_same_of_errors_that_are_erased() {
    for before in 0..5 {
        let mut response = ask(spec(), Doomed(0)).max_retries(9).send();
        let mut reasons = Vec::new();
        let mut hear = |event| {
            if let ResponseEvent::Rejected(rejection) = event {
                reasons.push(rejection.reason.to_string());
            }
        };
        for _ in 0..before {
            if let Some(Ok(event)) = response.next().await {
                hear(event);
            }
        }
        let mut response = response.erase_error();
        while let Some(event) = response.next().await {
            event.into_iter().for_each(&mut hear);
        }
        assert_eq!(reasons, ["NO LINE, TRY 1", "NO LINE, TRY 2"], "after {before}");
    }
    let mut response = ask(Spec::json(), Spoken).send().erase_error();
    let mut reasons = Vec::new();
    while let Some(event) = response.next().await {
        if let ResponseEvent::Rejected(rejection) = event.unwrap() {
            reasons.push(rejection.reason.to_string());
        }
    }
    assert_eq!(reasons, ["the line was cut"]);
    assert!(response.answer().await.is_ok());
}

#[tokio::test]
async fn a_request_may_say_why_its_stream_broke() {
    let mut response = ask(Spec::json(), Spoken).send();
    let mut reasons = Vec::new();
    while let Some(event) = response.next().await {
        if let ResponseEvent::Rejected(rejection) = event.unwrap() {
            reasons.push((rejection.cause, rejection.reason.to_string()));
        }
    }
    assert_eq!(reasons, [(Cause::Source, "the line was cut".to_owned())]);
}
