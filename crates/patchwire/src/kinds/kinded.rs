//! What an answer comes to under a contract.

use std::sync::Arc;

use serde::ser::{Serialize, Serializer};

use super::{Contract, RAW_FALLBACK, SCORES, WINNER};
use crate::answer::{Answer, Outcome};
use crate::codes::Code;
use crate::document::{Document, NodeId, NodeKind, Place, Value, ValueKind, ValueRef};
use crate::notice::OwnedNotice;
use crate::span::Span;
use crate::spec::Spec;

/// How much had to be made of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "there is nothing between these and no more beyond")]
pub enum Tier {
    /// Nothing: all of the text is the object, in strict JSON.
    Strict,
    /// The object was found in it: in prose, in a fence, behind reasoning, or with slips that were
    /// forgiven.
    Embedded,
    /// There is no object with a text: the text itself was wrapped.
    Raw,
}

impl Tier {
    /// The name, for logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Embedded => "embedded",
            Self::Raw => "raw",
        }
    }
}

/// An answer under a contract: a kind that was granted, a text, and what else it holds. Made by
/// [`Kinds::read`](super::Kinds::read). Cloning copies a pointer and the notices.
///
/// Serializes as the object `{"kind": …, "text": …, …}`, with `"_raw_fallback": true` last where the text
/// was wrapped; that name is never there otherwise.
///
/// ```
/// use patchwire::kinds::Kinds;
///
/// let kinds = Kinds::builder(["agent.spoke"]).extras(["emotion"]).build()?;
/// let said = kinds.parse(r#"{"kind": "agent.spoke", "text": "Ah.", "emotion": "calm", "n": 1.50}"#);
/// assert_eq!(said.extra("emotion").and_then(|it| it.as_str()), Some("calm"));
/// assert_eq!(said.extra("n").and_then(|it| it.number_text()), Some("1.50"));
/// let wrapped = kinds.parse("Ah.");
/// assert_eq!(
///     wrapped.to_value().to_string(),
///     r#"{"kind":"agent.spoke","text":"Ah.","_raw_fallback":true}"#,
/// );
/// # Ok::<(), patchwire::kinds::KindsError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Kinded {
    value: Value,
    tier: Tier,
    notices: Vec<OwnedNotice>,
}

impl Kinded {
    /// The kind: always one that was granted.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.value.as_ref().get("kind").and_then(ValueRef::as_str).unwrap_or_default()
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.value.as_ref().get("text").and_then(ValueRef::as_str).unwrap_or_default()
    }

    /// What else it holds, as it came: the fields that were asked for first, in their order.
    pub fn extras(&self) -> impl Iterator<Item = (&str, ValueRef<'_>)> {
        let members = self.value.as_ref().entries();
        let members = members.map(|(name, value)| (name.unwrap_or_default(), value));
        members.filter(|(name, _)| !["kind", "text", RAW_FALLBACK].contains(name))
    }

    /// One of the extras.
    #[must_use]
    pub fn extra(&self, name: &str) -> Option<ValueRef<'_>> {
        self.extras().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// How much had to be made of the answer.
    #[must_use]
    pub const fn tier(&self) -> Tier {
        self.tier
    }

    /// Whether the text was wrapped: the model did not do what it was told.
    #[must_use]
    pub fn is_raw_fallback(&self) -> bool {
        self.tier == Tier::Raw
    }

    /// Whether the model kept to the contract: an object with a text, a kind that was granted, and the
    /// fields that were asked for. If not, a model that can be asked again should be.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let broken =
            |notice: &OwnedNotice| matches!(notice.code, Code::KindNotGranted | Code::MissingField);
        !self.is_raw_fallback() && !self.notices.iter().any(broken)
    }

    /// What was skipped, repaired or guessed: the notices of the answer, and after them those of this
    /// reading. [`Code::KindNotGranted`] says that the kind is not the model's own, and
    /// [`Code::MissingField`] with the path that a field is missing.
    #[must_use]
    pub fn notices(&self) -> &[OwnedNotice] {
        &self.notices
    }

    /// The object, to be read.
    #[must_use]
    pub fn value(&self) -> ValueRef<'_> {
        self.value.as_ref()
    }

    /// The object. Copies a pointer.
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.value.clone()
    }

    pub(super) fn of(contract: &Contract, answer: &Answer) -> Self {
        let value = answer.value();
        let notices = answer.notices().to_vec();
        match value.get("text").and_then(ValueRef::as_str) {
            Some(text) => {
                let tier = if is_strict(answer) { Tier::Strict } else { Tier::Embedded };
                Self::found(contract, (value, text), (tier, notices))
            }
            None => Self::wrapped(contract, &spoken(answer), notices),
        }
    }

    fn found(
        contract: &Contract,
        (value, text): (ValueRef<'_>, &str),
        (tier, mut notices): (Tier, Vec<OwnedNotice>),
    ) -> Self {
        let mut note = |code, path: &str| {
            notices.push(OwnedNotice { code, path: path.to_owned(), span: Span::at(0) });
        };
        let kind = match value.get("kind") {
            None => {
                note(Code::MissingField, "kind");
                None
            }
            // The spec of the contract lets no other kind through; another spec does.
            Some(kind) => {
                let granted = kind.as_str().and_then(|kind| contract.choices.resolve(kind));
                if granted.is_none() {
                    note(Code::KindNotGranted, "kind");
                }
                granted
            }
        };
        let (mut object, root) = begin(kind.unwrap_or(&contract.fallback), text);
        for name in &contract.extras {
            match (name.as_str(), value.get(name)) {
                (SCORES, Some(scores)) if scores.is_null() => {
                    add_default(&mut object, Place::Member(root, SCORES), SCORES)
                }
                (_, Some(value)) => drop(object.graft(Place::Member(root, name), value)),
                (WINNER | SCORES, None) => {
                    add_default(&mut object, Place::Member(root, name), name)
                }
                (name, None) => note(Code::MissingField, name),
            }
        }
        for (name, value) in value.entries() {
            let name = name.unwrap_or_default();
            if name == RAW_FALLBACK {
                note(Code::UnknownField, name);
            } else if !["kind", "text"].contains(&name)
                && !contract.extras.iter().any(|it| it == name)
            {
                object.graft(Place::Member(root, name), value);
            }
        }
        Self { value: Value::of(&Arc::new(object)), tier, notices }
    }

    /// The text itself, in the fallback kind.
    pub(super) fn wrapped(contract: &Contract, text: &str, notices: Vec<OwnedNotice>) -> Self {
        let (mut object, root) = begin(&contract.fallback, text.trim());
        object.scalar(Place::Member(root, RAW_FALLBACK), NodeKind::True, "");
        Self { value: Value::of(&Arc::new(object)), tier: Tier::Raw, notices }
    }
}

impl Serialize for Kinded {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

fn begin(kind: &str, text: &str) -> (Document, NodeId) {
    let mut object = Document::default();
    let root = object.open(Place::Root, NodeKind::Object);
    object.complete(root);
    object.scalar(Place::Member(root, "kind"), NodeKind::String, kind);
    object.scalar(Place::Member(root, "text"), NodeKind::String, text);
    (object, root)
}

/// What a well-known field is that is missing.
pub(super) fn add_default(object: &mut Document, at: Place<'_>, name: &str) {
    let kind = if name == SCORES { NodeKind::Object } else { NodeKind::Null };
    let default = object.open(at, kind);
    object.complete(default);
}

/// Whether all of the text is an object in strict JSON. Without the raw text nobody knows.
fn is_strict(answer: &Answer) -> bool {
    let whole = matches!(answer.outcome(), Outcome::Complete | Outcome::Repaired);
    let Some(raw) = answer.raw().filter(|_| whole && answer.reasoning().is_empty()) else {
        return false;
    };
    let strict = Spec::strict_json().parse(raw);
    strict.is_ok_and(|strict| strict.value().kind() == ValueKind::Object)
}

/// All that the model said, payload and all, but for its reasoning.
fn spoken(answer: &Answer) -> String {
    let Some(raw) = answer.raw() else { return answer.text().to_owned() };
    let elements = answer.elements().filter(|element| element.channel() == "reasoning");
    let reclassified =
        |notice: &&OwnedNotice| matches!(notice.code, Code::Reclassified | Code::StrayCloser);
    let notices = answer.notices().iter().filter(reclassified).map(|notice| notice.span);
    let mut thoughts: Vec<Span> = elements.map(|element| element.span()).chain(notices).collect();
    thoughts.sort_by_key(|thought| thought.start);
    let (mut said, mut from) = (Vec::new(), 0);
    for thought in thoughts {
        let start = (thought.start as usize).clamp(from, raw.len());
        said.extend_from_slice(&raw[from..start]);
        from = (thought.end as usize).clamp(start, raw.len());
    }
    said.extend_from_slice(&raw[from..]);
    String::from_utf8_lossy(&said).into_owned()
}
