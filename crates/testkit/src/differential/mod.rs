//! Compares the engine with the oracles of the field formats on generated texts.
//!
//! [`texts`] makes the texts. [`yaml`] and [`sections`] compare results in those formats; for `xml_field`
//! that is [`field_agreement::compare`]. [`reduce`] shrinks a text with a difference.

pub mod reduce;
pub mod sections;
pub mod texts;
pub mod yaml;

use std::panic::{AssertUnwindSafe, catch_unwind};

use patchwire::{Code, PatchOp, Spec, notice::Severity};

use crate::cuts::Cuts;
use crate::event_log::{Recorded, Run, run_cut, run_whole};
use crate::field_agreement;
use crate::generate::Rng;
use crate::oracle::Json;
use crate::oracle::fields::{self, FieldsReading, Format, Schema, Verdict};

/// A text and its reading mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferentialCase {
    /// The format.
    pub format: Format,
    /// The schema, if there is one.
    pub schema: Option<Schema>,
    /// The text.
    pub text: String,
    /// The seed of the cuts for the second reading.
    pub cuts: u64,
}

/// The kind of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// The engine or the oracle panics.
    Panic,
    /// Another cutting emits other events.
    Cut,
    /// The answer's value differs from the oracle's.
    Answer,
    /// The streamed value differs from the oracle's, and the finalizer corrects it.
    Stream,
    /// A value was emitted late without a reason.
    Late,
}

/// A difference between the engine and an oracle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The kind of the difference.
    pub what: What,
    /// Whether a notice of the engine marks its value as a guess.
    pub is_flagged: bool,
    /// Whether the oracle accepts the document.
    pub is_valid: bool,
    /// Both results, for people.
    pub why: String,
}

impl Difference {
    /// Whether this is as severe as another difference. Reducing a text must preserve that.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        (self.what, self.is_flagged, self.is_valid)
            == (other.what, other.is_flagged, other.is_valid)
    }
}

/// The difference between the engine and the oracle on a text, if there is one.
#[must_use]
pub fn difference(case: &DifferentialCase) -> Option<Difference> {
    catch_unwind(AssertUnwindSafe(|| compare(case))).unwrap_or_else(|why| {
        let text = why.downcast_ref::<String>().cloned();
        let text = text.or_else(|| why.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        let why = format!("panic: {}", text.unwrap_or_default());
        Some(Difference { what: What::Panic, is_flagged: false, is_valid: false, why })
    })
}

fn compare(case: &DifferentialCase) -> Option<Difference> {
    let schema = case.schema.as_ref();
    let spec = match case.format {
        Format::YamlLiteral => yaml::streamed(schema),
        format => field_agreement::spec(format, schema),
    };
    let run = run_whole(&spec, case.text.as_bytes());
    let reading = fields::read(case.format, &case.text, schema);
    let is_valid = reading.verdict == Verdict::Accepted;
    let found = |what: What, why: String| {
        let codes: Vec<_> = field_agreement::notices(&run).into_iter().collect();
        let why = format!("{what:?}: {why}\n  noticed {codes:?}\n  oracle  {reading:?}");
        Difference { what, is_flagged: is_flagged(&run), is_valid, why }
    };
    if let Some(why) = cut(&spec, case, &run) {
        return Some(found(What::Cut, why));
    }
    match case.format {
        Format::YamlLiteral => of_yaml(&spec, &run, &reading, &case.text),
        Format::XmlField => {
            let same = field_agreement::compare(
                case.format,
                schema,
                &case.text,
                field_agreement::is_counted,
            );
            same.err().map(|why| (What::Stream, why))
        }
        Format::Hybrid | Format::Markdown => {
            sections::difference(&run, &reading).map(|why| (What::Stream, why))
        }
    }
    .map(|(what, why)| found(what, why))
}

/// Whether a notice of the stream marks its value as a guess.
fn is_flagged(run: &Run) -> bool {
    run.events.iter().any(|event| match event {
        // These do not concern how the text was read.
        Recorded::Notice {
            code: Code::MissingField | Code::UnknownField | Code::TypeMismatch,
            ..
        } => false,
        Recorded::Notice { code, .. } => code.severity() != Severity::Info,
        _ => false,
    })
}

/// The difference between a reading in random chunks and the whole reading, if there is one.
fn cut(spec: &Spec, case: &DifferentialCase, whole: &Run) -> Option<String> {
    let input = case.text.as_bytes();
    let random = Cuts::at(Rng::new(case.cuts).cuts(input.len()));
    [random, Cuts::bytewise(input.len())].into_iter().find_map(|cuts| {
        let why = whole.difference(&run_cut(spec, input, &cuts))?;
        Some(format!("{cuts}: {why}"))
    })
}

fn of_yaml(spec: &Spec, run: &Run, reading: &FieldsReading, text: &str) -> Option<(What, String)> {
    let answer = spec.parse(text).expect("texts are short");
    let value = yaml::value(&answer);
    if let Some(why) = yaml::wrong(&answer, reading) {
        return Some((What::Answer, format!("{why}\n  engine  {value}")));
    }
    if reading.verdict != Verdict::Accepted || is_flagged(run) {
        return None;
    }
    // For a well-formed document nothing streamed is corrected, and only deferred values come late.
    let late = |event: &&Recorded| match event {
        Recorded::Patch(patch) => matches!(patch.op, PatchOp::Replace | PatchOp::Remove),
        Recorded::Notice { code, .. } => *code == Code::Deferred,
        _ => false,
    };
    if reading.deferred.is_empty()
        && let Some(event) = run.events.iter().find(late)
    {
        return Some((What::Late, format!("{event}\n  engine  {value}")));
    }
    let whole = reading.deferred.iter().any(|it| it.field.is_empty());
    if whole || reading.fields.is_empty() {
        return None;
    }
    let streamed = match field_agreement::members(run) {
        Ok(members) => members,
        Err(why) => return Some((What::Stream, why)),
    };
    let Json::Object(members) = &value else { return None };
    let is_deferred = |name: &str| reading.deferred.iter().any(|it| it.field == name);
    let (name, streamed) = streamed.iter().find(|(name, streamed)| {
        let member = members.iter().find(|(known, _)| known == name);
        !is_deferred(name) && member.is_none_or(|(_, value)| *value != streamed.clone().sorted())
    })?;
    Some((What::Stream, format!("{name}: streamed {streamed}\n  engine  {value}")))
}
