//! A model that plays a script an attempt, and the ways in which it may fail.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use patchwire::schema::{int, list, object, str};
use patchwire::{Schema, Spec};
use patchwire_async::{Answer, Ask, Attempt, Cause, Check, Request, Verdict, ask};

use crate::source::{Counts, Dead, Script, Step, pieces};

/// What it does at an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Does {
    Well,
    /// Writes no payload.
    Refuses,
    /// Leaves a field out.
    Misses,
    /// A text of blanks.
    Blank,
    /// A text where a number should be.
    WrongType,
    /// What a validator does not let pass.
    Low,
    /// What makes a validator raise an error.
    Raises,
    /// What makes a validator panic.
    Panics,
    /// The stream ends in the middle, as if all were well.
    Stops,
    /// The stream breaks in the middle.
    Breaks,
    /// The request fails.
    Unreachable,
}

pub(crate) const FAULTS: [Does; 10] = [
    Does::Refuses,
    Does::Misses,
    Does::Blank,
    Does::WrongType,
    Does::Low,
    Does::Raises,
    Does::Panics,
    Does::Stops,
    Does::Breaks,
    Does::Unreachable,
];

impl Does {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Well => r#"Here: {"title": "Hello", "items": [{"sku": "a1"}], "score": 9}"#,
            Self::Refuses => "I would rather not.",
            Self::Misses => r#"{"title": "Hello", "score": 9}"#,
            Self::Blank => {
                r#"{"title": "Hello", "items": [{"sku": "a1"}, {"sku": " "}], "score": 9}"#
            }
            Self::WrongType => r#"{"title": "Hello", "items": [{"sku": "a1"}], "score": "nine"}"#,
            Self::Low => r#"{"title": "Hello", "items": [{"sku": "a1"}], "score": 1}"#,
            Self::Raises => r#"{"title": "Hello", "items": [{"sku": "a1"}], "score": 2}"#,
            Self::Panics => r#"{"title": "Hello", "items": [{"sku": "a1"}], "score": 3}"#,
            Self::Stops | Self::Breaks => r#"{"title": "Hello", "items": [{"sku": "a1"}, {"sk"#,
            Self::Unreachable => "",
        }
    }

    /// Why it is asked again.
    pub(crate) fn cause(self) -> Option<Cause> {
        Some(match self {
            Self::Well => return None,
            Self::Refuses => Cause::Parse,
            Self::Misses | Self::Blank | Self::Stops => Cause::Ensure,
            Self::WrongType => Cause::Shape,
            Self::Low => Cause::ValidationFailed,
            Self::Raises | Self::Panics => Cause::ValidationError,
            Self::Breaks | Self::Unreachable => Cause::Source,
        })
    }

    /// Whether there is an answer that validators see.
    pub(crate) fn is_judged(self) -> bool {
        matches!(self, Self::Well | Self::Low | Self::Raises | Self::Panics)
    }

    /// Whether there is an answer, good or bad.
    pub(crate) fn is_read(self) -> bool {
        !matches!(self, Self::Breaks | Self::Unreachable)
    }
}

/// Plays one part after another. Ends the program if it is asked more often than it has parts.
#[derive(Clone)]
pub(crate) struct Model {
    parts: Vec<Does>,
    size: usize,
    /// Not ready before anything it does.
    slow: bool,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    asked: Vec<Attempt>,
    sources: Vec<Counts>,
}

impl Model {
    pub(crate) fn new(parts: &[Does]) -> Self {
        Self { parts: parts.to_vec(), size: 4, slow: false, kept: Arc::default() }
    }

    pub(crate) fn slow(self) -> Self {
        Self { slow: true, ..self }
    }

    pub(crate) fn in_pieces(self, size: usize) -> Self {
        Self { size, ..self }
    }

    /// What it was asked.
    pub(crate) fn asked(&self) -> Vec<Attempt> {
        self.kept.lock().unwrap().asked.clone()
    }

    /// How many streams it gave that were not dropped.
    pub(crate) fn open(&self) -> usize {
        self.kept.lock().unwrap().sources.iter().filter(|source| source.drops() == 0).count()
    }

    /// How many handles of it there are: the test's, and those that were forgotten.
    pub(crate) fn handles(&self) -> usize {
        Arc::strong_count(&self.kept)
    }

    /// How often its streams were polled.
    pub(crate) fn polls(&self) -> usize {
        self.kept.lock().unwrap().sources.iter().map(Counts::polls).sum()
    }
}

impl Request for Model {
    type Error = Dead;
    type Item = String;
    type Stream = Script<String>;
    type Future = Begins;

    fn attempt(&mut self, attempt: Attempt) -> Begins {
        let mut kept = self.kept.lock().unwrap();
        let does = self.parts[kept.asked.len()];
        kept.asked.push(attempt);
        let mut steps = Vec::new();
        for piece in pieces(does.text(), self.size) {
            steps.extend(self.slow.then_some(Step::Later));
            steps.push(Step::Item(piece));
        }
        steps.extend((does == Does::Breaks).then_some(Step::Fail));
        let (script, counts) = Script::new(steps);
        kept.sources.push(counts);
        let result = if does == Does::Unreachable { Err(Dead) } else { Ok(script) };
        Begins { result: Some(result), waits: self.slow, _model: self.clone() }
    }
}

/// Holds on to the model as long as it is there.
pub(crate) struct Begins {
    result: Option<Result<Script<String>, Dead>>,
    waits: bool,
    _model: Model,
}

impl Future for Begins {
    type Output = Result<Script<String>, Dead>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if std::mem::replace(&mut self.waits, false) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(self.result.take().expect("polled after the end"))
    }
}

/// What the answer is to be: each fault but a validator's is one of the engine's.
pub(crate) fn spec() -> Spec {
    let item = object().field("sku", str("").required());
    let schema = Schema::object()
        .field("title", str("").required())
        .field("items", list(item).required())
        .field("score", int("").required());
    let builder = Spec::builder().schema(schema).strict_shape(true);
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

#[derive(Debug, thiserror::Error)]
#[error("no such table")]
pub(crate) struct NoTable;

/// Lets pass what the model does well.
pub(crate) fn judge(answer: &Answer, _: &Check) -> Verdict {
    match answer.value().get("score").and_then(|score| score.as_f64()) {
        Some(2.0) => Verdict::raise(NoTable),
        Some(3.0) => panic!("three"),
        Some(4.0..) => Verdict::pass(),
        _ => Verdict::retry("score is too low").validator("score"),
    }
}

/// The model asked as most tests ask it.
pub(crate) fn asked(model: &Model) -> Ask<Model> {
    ask(spec(), model.clone()).prompt("Write it.").validate(judge)
}
