//! The engine and the oracles of the field formats on the same texts: what they read otherwise.
//!
//! [`texts`] makes the texts, [`yaml`] and [`sections`] compare as those formats need it (for
//! `xml_field` that is [`field_agreement::compare`]), [`reduce`] makes a text that differs small.

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

/// A text, and how it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferentialCase {
    /// The format.
    pub format: Format,
    /// What is declared; none if nothing is.
    pub schema: Option<Schema>,
    /// The text.
    pub text: String,
    /// The seed of the cuts under which it is read again.
    pub cuts: u64,
}

/// What is read otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// The engine panics, or so does the oracle.
    Panic,
    /// Another cutting gives other events.
    Cut,
    /// The answer has another value than the oracle's reader.
    Answer,
    /// The stream has another value than the oracle's reader, which the finalizer puts right.
    Stream,
    /// A value came late that had no reason to.
    Late,
}

/// A difference between the engine and an oracle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Of what kind.
    pub what: What,
    /// Whether the engine says that what it has is a guess.
    pub is_flagged: bool,
    /// Whether the oracle's reader takes the document.
    pub is_valid: bool,
    /// Both readings, for people.
    pub why: String,
}

impl Difference {
    /// Whether this is as bad as another one, which reducing a text must not change.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        (self.what, self.is_flagged, self.is_valid)
            == (other.what, other.is_flagged, other.is_valid)
    }
}

/// What the engine and the oracle read otherwise in a text, if anything.
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
        Format::YamlLiteral => yaml::spec(schema),
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

/// Whether a stream says that what it gives may be a guess.
fn is_flagged(run: &Run) -> bool {
    run.events.iter().any(|event| match event {
        // These say nothing of how a text was read.
        Recorded::Notice {
            code: Code::MissingField | Code::UnknownField | Code::TypeMismatch,
            ..
        } => false,
        Recorded::Notice { code, .. } => code.severity() != Severity::Info,
        _ => false,
    })
}

/// How other cuttings tell something else.
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
    // Of a well-formed document what was streamed stays, and only what has to come late does.
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
