//! Validators: their input and verdicts, when they run, and which part of a verdict later attempts receive.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use patchwire::{Code, Outcome, Spec};
use patchwire_async::{
    Answer, Attempt, Cause, Check, Error, OnExhausted, REPLAY_BYTES, Rejection, ResponseEvent,
    TokenStreamExt as _, Verdict, Warning, ask,
};
use serde_json::{Value, json};

use crate::model::{Does, Model, NoTable, asked, judge, spec};
use crate::source::{Dead, Script, all};

/// Counts its calls, and lets pass what `judge` does.
fn counted() -> (Arc<AtomicUsize>, impl Fn(&Answer, &Check) -> Verdict + Send + Sync + 'static) {
    let calls = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&calls);
    let check = move |answer: &Answer, check: &Check| {
        own.fetch_add(1, Ordering::SeqCst);
        judge(answer, check)
    };
    (calls, check)
}

/// The rejections of two attempts that both get this verdict, and how the response ends.
async fn verdict<V: Into<Verdict>>(
    say: impl Fn() -> V + Send + Sync + 'static,
) -> (Vec<Arc<Rejection>>, Result<Answer, Error<Dead>>) {
    let model = Model::new(&[Does::Well, Does::Well]);
    let mut response = ask(spec(), model).max_retries(1).validate(move |_, _| say().into()).send();
    let mut emitted = Vec::new();
    while let Some(Ok(event)) = response.next().await {
        if let ResponseEvent::Rejected(rejection) = event {
            emitted.push(rejection);
        }
    }
    (emitted, response.answer().await)
}

#[tokio::test]
async fn passing_is_silent() {
    let fine: Result<(), &str> = Ok(());
    let sure: Result<bool, NoTable> = Ok(true);
    let whole: Result<Verdict, NoTable> = Ok(Verdict::pass().payload(1).validator("v").no_retry());
    let (emitted, _) = verdict(|| true).await;
    assert_eq!(emitted, []);
    assert!(verdict(move || fine).await.1.is_ok());
    assert!(
        verdict(|| json!({"ok": true, "reason": "fine", "validator_name": "v"})).await.1.is_ok()
    );
    for (emitted, end) in [
        verdict(move || Verdict::from(Ok::<_, NoTable>(sure.is_ok()))).await,
        verdict(move || whole.as_ref().map(Clone::clone).map_err(|_| NoTable)).await,
    ] {
        assert!(emitted.is_empty() && end.is_ok());
    }
}

#[tokio::test]
async fn what_does_not_pass() {
    use Cause::{ValidationError as Failed, ValidationFailed as No};
    let short = json!({"ok": false, "reason": "short", "payload": {"n": 1}, "validator_name": "v"});
    let anyhow = anyhow::Error::new(NoTable).context("looked for it");
    let boxed: Box<dyn std::error::Error> = "short".into();
    let cases: [(Verdict, Cause, _, &str, _); 14] = [
        (false.into(), No, None, "not accepted", None),
        (Err::<(), _>("short").into(), No, None, "short", None),
        (
            Verdict::retry("short").validator("v").payload(json!([1])),
            No,
            Some("v"),
            "short",
            Some("[1]"),
        ),
        (json!(false).into(), No, None, "not accepted", None),
        (short.into(), No, Some("v"), "short", Some("{\"n\":1}")),
        (json!({"ok": false}).into(), No, None, "not accepted", None),
        (
            json!({"ok": false, "raise": "no such table"}).into(),
            Failed,
            None,
            "no such table",
            None,
        ),
        // An error of a validator is for the model, whatever its type.
        (Err::<bool, _>(NoTable).into(), No, None, "no such table", None),
        (Err::<(), _>(NoTable).into(), No, None, "no such table", None),
        (Err::<Verdict, _>(NoTable).into(), No, None, "no such table", None),
        (Err::<(), _>(boxed).into(), No, None, "short", None),
        (Err::<(), _>(anyhow).into(), No, None, "looked for it: no such table", None),
        (Verdict::raise("no such table").validator("v"), Failed, Some("v"), "no such table", None),
        (json!(7).into(), Failed, None, "the validator returned no verdict", Some("7")),
    ];
    for (said, cause, validator, reason, payload) in cases {
        let (emitted, end) = verdict(move || said.clone()).await;
        assert_eq!(emitted.len(), 2, "both attempts failed: {emitted:?}");
        for (attempt, found) in (1..).zip(&emitted) {
            assert_eq!((found.attempt, found.cause, &*found.reason), (attempt, cause, reason));
            assert_eq!(found.validator.as_deref(), validator);
            let shown = found.payload.as_ref().map(ToString::to_string);
            assert_eq!(shown.as_deref(), payload);
        }
        let Err(Error::Rejected { attempts: 2, rejection, .. }) = end else { panic!("{end:?}") };
        assert_eq!(Some(&rejection), emitted.last());
    }
}

#[tokio::test]
async fn what_is_no_verdict_is_an_error_of_the_validator() {
    for said in [
        json!(null),
        json!("ok"),
        json!([]),
        json!({}),
        json!({"ok": "yes"}),
        json!({"reason": "no"}),
        json!({"ok": false, "why": "unknown"}),
        json!({"ok": true, "error": "both"}),
    ] {
        let (emitted, end) = verdict(move || said.clone()).await;
        assert_eq!(emitted[0].cause, Cause::ValidationError);
        assert!(end.is_err());
    }
}

#[tokio::test]
async fn a_stop_asks_no_more() {
    for (said, raised) in [
        (Verdict::stop("policy"), false),
        (Verdict::retry("policy").no_retry(), false),
        (Verdict::raise(NoTable).no_retry(), true),
        (json!({"ok": false, "reason": "policy", "no_retry": true}).into(), false),
        (json!({"ok": false, "stop": true}).into(), false),
    ] {
        let (emitted, end) = verdict(move || said.clone()).await;
        let Err(error) = end else { panic!("it does not pass") };
        assert!(matches!(error, Error::Rejected { attempts: 1, .. }));
        assert_eq!((emitted.len(), error.raised().is_some()), (1, raised));
        let source = std::error::Error::source(&error);
        assert_eq!(source.map(ToString::to_string), raised.then(|| "no such table".to_owned()));
    }
}

#[tokio::test]
async fn the_context_says_what_was_asked_and_what_came() {
    let seen = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&seen);
    let look = move |answer: &Answer, check: &Check| {
        let index = own.fetch_add(1, Ordering::SeqCst) + 1;
        assert_eq!(check.attempt as usize, index);
        assert_eq!((check.retry_count as usize, check.max_retries), (index - 1, 2));
        assert_eq!(check.is_last_attempt(), index == 3);
        assert_eq!((&*check.prompt, &check.settings["t"]), ("Grade.", &json!(0.9)));
        assert_eq!((&check.input["id"], &check.meta["agent"]), (&json!(7), &json!("a")));
        assert_eq!(&*check.response_id, "r-1");
        assert_eq!(check.value(), answer.value());
        assert_eq!(check.raw_text(), "<think>hm</think>{'n': 1}");
        assert_eq!(check.reasoning(), "hm");
        assert!(check.notices().iter().any(|notice| notice.code == Code::SingleQuotes));
        // Anything goes at the last attempt.
        check.is_last_attempt()
    };
    let request = |attempt: Attempt| async move {
        assert_eq!((&*attempt.response_id, &*attempt.prompt), ("r-1", "Grade."));
        Ok::<_, Dead>(Script::of(["<think>hm</think>{'n': 1}"]))
    };
    let mut response = ask(Spec::json(), request)
        .prompt("Grade.")
        .settings(json!({"t": 0.9}))
        .input(json!({"id": 7}))
        .meta(json!({"agent": "a"}))
        .response_id("r-1")
        .max_retries(2)
        .validate(look)
        .send();
    assert_eq!(response.data::<Value>().await.unwrap(), json!({"n": 1}));
    assert_eq!(seen.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn responses_have_names_of_their_own() {
    let model = Model::new(&[Does::Well, Does::Low, Does::Well]);
    asked(&model).send().answer().await.unwrap();
    asked(&model).send().answer().await.unwrap();
    let names: Vec<_> = model.asked().into_iter().map(|attempt| attempt.response_id).collect();
    assert_ne!(names[0], names[1]);
    assert_eq!(names[1], names[2]);
}

#[tokio::test]
async fn changes_hold_for_later_attempts_of_the_response_alone() {
    let model = Model::new(&[Does::Low, Does::Low, Does::Well, Does::Low, Does::Well]);
    let request = || {
        asked(&model).settings(json!({"model": "m", "options": {"t": 0.9, "p": 1}})).validate(judge)
    };
    let change = |_: &Answer, check: &Check| match check.attempt {
        1 => Verdict::retry("cooler").with_settings(json!({"options": {"t": 0.2, "p": null}})),
        _ => Verdict::pass(),
    };
    // Said by a validator that lets the answer pass, before one that does not.
    let reword = |_: &Answer, check: &Check| match check.attempt {
        2 => Verdict::pass().with_prompt("Write it well."),
        _ => Verdict::pass(),
    };
    let first = ask(spec(), model.clone())
        .prompt("Write it.")
        .settings(json!({"model": "m", "options": {"t": 0.9, "p": 1}}))
        .validate(reword)
        .validate(change)
        .validate(judge);
    first.send().answer().await.unwrap();
    request().send().answer().await.unwrap();
    let sent = model.asked();
    let cold = json!({"model": "m", "options": {"t": 0.2}});
    let warm = json!({"model": "m", "options": {"t": 0.9, "p": 1}});
    let settings: Vec<&Value> = sent.iter().map(|attempt| &attempt.settings).collect();
    assert_eq!(settings, [&warm, &cold, &cold, &warm, &warm]);
    let prompts: Vec<&str> = sent.iter().map(|attempt| &*attempt.prompt).collect();
    assert_eq!(prompts[..3], ["Write it.", "Write it.", "Write it well."]);
    assert_eq!(prompts[3..], ["Write it.", "Write it."]);
}

#[tokio::test]
async fn in_their_order_and_not_past_the_first_that_says_no() {
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let says = |name: &'static str, passes: u32| {
        let order = Arc::clone(&order);
        move |_: &Answer, check: &Check| {
            order.lock().unwrap().push(name);
            check.attempt >= passes
        }
    };
    let model = Model::new(&[Does::Misses, Does::Well, Does::Well, Does::Well]);
    let later = says("async", 3);
    let mut response = ask(spec(), model)
        .validate(says("first", 1))
        .validate_async(move |answer, check| {
            let verdict = later(&answer, &check);
            async move {
                tokio::task::yield_now().await;
                verdict
            }
        })
        .send();
    response.validate(says("for this call", 4));
    response.answer().await.unwrap();
    // The engine found fault with the first answer: nobody is asked about it.
    let expected =
        ["first", "async", "first", "async", "for this call", "first", "async", "for this call"];
    assert_eq!(*order.lock().unwrap(), expected);
}

#[tokio::test]
async fn once_an_answer_however_often_it_is_read() {
    let (calls, check) = counted();
    let model = Model::new(&[Does::Low, Does::Well]);
    let mut response = ask(spec(), model.clone()).validate(check).send();
    for _ in 0..3 {
        assert_eq!(response.data::<Value>().await.unwrap()["score"], 9);
        response.answer().await.unwrap();
        response.unchecked().await.unwrap();
        assert!(response.next().await.is_none());
    }
    assert_eq!((calls.load(Ordering::SeqCst), model.asked().len()), (2, 2));
    let polls = model.polls();
    let shared = response.share(REPLAY_BYTES);
    shared.data::<Value>().await.unwrap();
    assert_eq!((calls.load(Ordering::SeqCst), model.polls()), (2, polls));
    // An error is kept as well.
    let (calls, check) = counted();
    let mut response = ask(spec(), Model::new(&[Does::Low])).max_retries(0).validate(check).send();
    for _ in 0..3 {
        let error = response.data::<Value>().await.unwrap_err();
        assert_eq!(error.rejected().unwrap().value().get("score").unwrap().as_f64(), Some(1.0));
    }
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_cut_answer_is_asked_for_again_if_a_validator_refuses_it() {
    let texts = [r#"{"title": "Spr"#, r#"{"title": "Spring"}"#];
    let request = move |attempt: Attempt| async move {
        Ok::<_, Dead>(tokio_stream::iter([Ok::<_, Dead>(texts[attempt.retry_count as usize])]))
    };
    let is_whole = |answer: &Answer, _: &Check| answer.outcome() != Outcome::Truncated;
    let mut asked_again = ask(Spec::json(), request).max_retries(1).validate(is_whole).send();
    assert_eq!(asked_again.data::<Value>().await.unwrap(), json!({"title": "Spring"}));
    let mut asked_once = ask(Spec::json(), request).max_retries(1).send();
    assert!(matches!(asked_once.data::<Value>().await, Err(Error::Cut(_))));
}

#[tokio::test]
async fn text_is_read_without_them() {
    let (calls, check) = counted();
    let model = Model::new(&[Does::Unreachable, Does::Low, Does::Well]);
    let mut response = ask(spec(), model.clone()).validate(check).send();
    for _ in 0..2 {
        let answer = response.unchecked().await.unwrap();
        assert_eq!(answer.raw().unwrap(), Does::Low.text().as_bytes());
    }
    assert_eq!((calls.load(Ordering::SeqCst), model.asked().len()), (0, 2));
    // Asked for data, it is judged after all.
    assert_eq!(response.data::<Value>().await.unwrap()["score"], 9);
    assert_eq!((calls.load(Ordering::SeqCst), model.asked().len()), (2, 3));
    // After the end it is the last answer, whatever was wrong with it.
    let mut response = asked(&Model::new(&[Does::Low])).max_retries(0).send();
    assert!(response.answer().await.is_err());
    assert_eq!(response.unchecked().await.unwrap().raw().unwrap(), Does::Low.text().as_bytes());
}

#[tokio::test]
async fn one_that_comes_too_late_is_not_run_and_a_warning_says_so() {
    let (calls, check) = counted();
    let mut response = asked(&Model::new(&[Does::Well])).send();
    response.answer().await.unwrap();
    assert!(response.warnings().is_empty());
    response.validate(check).validate_async(|_, _| async { false });
    assert!(response.answer().await.is_ok());
    assert_eq!(response.warnings(), [Warning::ValidatorIgnored; 2]);
    assert_eq!(response.warnings()[0].name(), "validator_ignored");
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_stream_can_be_validated_and_is_asked_for_once() {
    for (does, passes) in [(Does::Well, true), (Does::Low, false), (Does::Misses, false)] {
        let mut response = Script::of([does.text()]).fields(spec());
        response.validate(judge);
        assert_eq!(all(&mut response).await.is_ok(), passes, "{does:?}");
    }
    // Without one nothing is judged, as ever.
    assert!(all(&mut Script::of([Does::Misses.text()]).fields(spec())).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn those_that_wait_are_waited_for() {
    let later = |_: Answer, check: Check| async move {
        tokio::time::sleep(Duration::from_secs(5)).await;
        if check.attempt == 2 {
            panic!("while it waits");
        }
        check.attempt == 3
    };
    let start = tokio::time::Instant::now();
    let mut response = ask(spec(), Model::new(&[Does::Well; 3])).validate_async(later).send();
    let events = all(&mut response).await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_secs(15));
    let reasons = events.iter().filter_map(|event| match event {
        ResponseEvent::Rejected(rejection) => Some((rejection.cause, &*rejection.reason)),
        _ => None,
    });
    let panicked = "the validator panicked: while it waits";
    let expected = [(Cause::ValidationFailed, "not accepted"), (Cause::ValidationError, panicked)];
    assert_eq!(reasons.collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn a_raised_error_is_no_answer_even_if_the_last_is_wanted() {
    let model = Model::new(&[Does::Raises]);
    let mut response = asked(&model).max_retries(0).on_exhausted(OnExhausted::Last).send();
    let error = response.answer().await.unwrap_err();
    assert!(error.raised().unwrap().downcast_ref::<NoTable>().is_some());
}

#[derive(serde::Deserialize)]
struct Graded {
    score: f64,
}

/// A validator with a name, and an error of its own.
fn is_high(graded: &Graded) -> Result<(), NoTable> {
    if graded.score > 5.0 { Ok(()) } else { Err(NoTable) }
}

#[tokio::test]
async fn those_that_take_a_type_may_return_every_kind_of_result() {
    let low = || ask(spec(), Model::new(&[Does::Low])).max_retries(0);
    let reason = async |ask: patchwire_async::Ask<Model>| match ask.send().answer().await {
        Err(Error::Rejected { rejection, .. }) => rejection.to_string(),
        other => panic!("{other:?}"),
    };
    let said = [
        reason(low().validate_as::<Graded>(|graded| graded.score > 5.0)).await,
        reason(low().validate_as::<Graded>(|graded| match graded.score {
            5.0.. => Ok(()),
            score => Err(format!("{score} is low")),
        }))
        .await,
        reason(low().validate_as::<Graded>(|graded| -> anyhow::Result<()> {
            anyhow::ensure!(graded.score > 5.0, "{} is low", graded.score);
            Ok(())
        }))
        .await,
        reason(low().validate_as::<Graded>(|_| -> Result<(), Box<dyn std::error::Error>> {
            Err("it is low")?
        }))
        .await,
        reason(low().validate_as(is_high)).await,
        reason(low().validate_as_async::<Graded>(|graded| async move { graded.score > 5.0 })).await,
        reason(low().validate_as_async::<Graded>(|graded| async move {
            tokio::task::yield_now().await;
            anyhow::ensure!(graded.score > 5.0, "{} is low", graded.score);
            anyhow::Ok(())
        }))
        .await,
        reason(low().validate(|_, _| -> anyhow::Result<()> { anyhow::bail!("low") })).await,
        reason(low().validate_async(|_, _| async { Err::<(), _>(NoTable) })).await,
        // What does not fit the type is said to the model.
        reason(low().validate_as::<Vec<u8>>(|_| true)).await,
    ];
    let expected = [
        "not accepted",
        "1 is low",
        "1 is low",
        "it is low",
        "no such table",
        "not accepted",
        "1 is low",
        "low",
        "no such table",
        "invalid type: object, expected a sequence",
    ];
    assert_eq!(said, expected);
    let mut response = Script::of(["{\"score\": 3}"]).fields(Spec::json());
    response.validate_as(is_high).validate_as_async::<Graded>(|_| async { true });
    assert!(response.answer().await.is_err());
}
