//! What an answer comes to under a contract.

use patchwire::notice::OwnedNotice;
use patchwire::{Answer, Code, Outcome, Span, Spec, Value, ValueKind, ValueRef};
use serde::ser::{Serialize, Serializer};

use super::{Contract, RAW_FALLBACK, SCORES, WINNER, default_of};

/// How much of a [`Reply`] had to be guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "the three tiers cover every answer")]
pub enum Tier {
    /// Nothing: all of the text is the object, in strict JSON.
    Strict,
    /// The object was found in prose, in a fence or behind reasoning, or its syntax was repaired.
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

/// An answer under a contract: a granted kind, a text, and the extra fields. Made by
/// [`Kinds::read`](super::Kinds::read). Cloning copies a pointer and the notices.
///
/// Serializes as the object `{"kind": …, "text": …, …}`. A wrapped text has `"_raw_fallback": true` as its
/// last member; no other reply has a member of that name.
///
/// ```
/// use patchwire_views::kinds::Kinds;
///
/// let kinds = Kinds::builder(["agent.spoke"]).extras(["emotion"]).build()?;
/// let reply = kinds.parse(r#"{"kind": "agent.spoke", "text": "Ah.", "emotion": "calm", "n": 1.50}"#);
/// assert_eq!(reply.extra("emotion").and_then(|it| it.as_str()), Some("calm"));
/// assert_eq!(reply.extra("n").and_then(|it| it.number_text()), Some("1.50"));
/// let wrapped = kinds.parse("Ah.");
/// assert_eq!(
///     wrapped.to_value().to_string(),
///     r#"{"kind":"agent.spoke","text":"Ah.","_raw_fallback":true}"#,
/// );
/// # Ok::<(), patchwire_views::kinds::KindsError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    value: Value,
    tier: Tier,
    notices: Vec<OwnedNotice>,
}

impl Reply {
    /// The kind, which is always a granted one.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.value.as_ref().get("kind").and_then(ValueRef::as_str).unwrap_or_default()
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.value.as_ref().get("text").and_then(ValueRef::as_str).unwrap_or_default()
    }

    /// The other members, as the model wrote them: first the extra fields of the contract, in its order.
    pub fn extras(&self) -> impl Iterator<Item = (&str, ValueRef<'_>)> {
        let members = self.value.as_ref().entries();
        let members = members.map(|(name, value)| (name.unwrap_or_default(), value));
        members.filter(|(name, _)| !["kind", "text", RAW_FALLBACK].contains(name))
    }

    /// One of the other members.
    #[must_use]
    pub fn extra(&self, name: &str) -> Option<ValueRef<'_>> {
        self.extras().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// How much had to be guessed.
    #[must_use]
    pub const fn tier(&self) -> Tier {
        self.tier
    }

    /// Whether the text was wrapped, because the model wrote no object with a text.
    #[must_use]
    pub fn is_raw_fallback(&self) -> bool {
        self.tier == Tier::Raw
    }

    /// Whether the model kept the contract: an object with a text, a granted kind, and every extra field
    /// that is required, each of its type. If not, ask the model again where that is possible.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let broken = |notice: &OwnedNotice| {
            matches!(notice.code, Code::KindNotGranted | Code::MissingField | Code::TypeMismatch)
        };
        !self.is_raw_fallback() && !self.notices.iter().any(broken)
    }

    /// What was skipped, repaired or guessed: first the notices of the answer, then those of this
    /// reading. [`Code::KindNotGranted`] marks a kind that is the fallback, and [`Code::MissingField`] has
    /// the path of a missing field, [`Code::TypeMismatch`] that of one with a value of another type, and
    /// [`Code::Unwrapped`] says that the object was in another one.
    #[must_use]
    pub fn notices(&self) -> &[OwnedNotice] {
        &self.notices
    }

    /// The object, borrowed.
    #[must_use]
    pub fn value(&self) -> ValueRef<'_> {
        self.value.as_ref()
    }

    /// The object, owned. Copies a pointer.
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.value.clone()
    }

    pub(super) fn of(contract: &Contract, answer: &Answer) -> Self {
        let mut notices = answer.notices().to_vec();
        let inner = unwrapped(answer.value());
        let value = inner.unwrap_or_else(|| answer.value());
        match value.get("text").and_then(ValueRef::as_str) {
            Some(text) => {
                let is_whole = inner.is_none() && is_strict(answer);
                let tier = if is_whole { Tier::Strict } else { Tier::Embedded };
                if inner.is_some() {
                    notices.push(OwnedNotice::of(Code::Unwrapped));
                }
                let value = object_of(contract, value, text, &mut notices);
                Self { value, tier, notices }
            }
            None => Self::wrapped(contract, &text_without_reasoning(answer), notices),
        }
    }

    /// The text itself, in the fallback kind.
    pub(super) fn wrapped(contract: &Contract, text: &str, notices: Vec<OwnedNotice>) -> Self {
        let (kind, text) = (Value::from(&*contract.fallback), Value::from(text.trim()));
        let flag = Value::from(true);
        let members = [("kind", &kind), ("text", &text), (RAW_FALLBACK, &flag)];
        let value = members.into_iter().map(|(name, value)| (name, value.as_ref())).collect();
        Self { value, tier: Tier::Raw, notices }
    }
}

impl Serialize for Reply {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

/// The object with a kind inside an object of one member: `{"response": {…}}`. Whether there is a text, the caller asks.
fn unwrapped(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let inner = value.entries().next().map(|(_, inner)| inner).filter(|_| value.len() == 1)?;
    inner.get("kind").is_some().then_some(inner)
}

/// Whether the value of an extra field is of its type.
fn fits(name: &str, value: ValueRef<'_>) -> bool {
    match name {
        WINNER => matches!(value.kind(), ValueKind::String | ValueKind::Null),
        SCORES => {
            let is_number = |(_, score): (_, ValueRef<'_>)| score.kind() == ValueKind::Number;
            value.kind() == ValueKind::Object && value.entries().all(is_number)
        }
        _ => value.kind() == ValueKind::String,
    }
}

/// The object of an answer that has a text: its kind checked, its extra fields in order.
fn object_of(
    contract: &Contract,
    value: ValueRef<'_>,
    text: &str,
    notices: &mut Vec<OwnedNotice>,
) -> Value {
    let mut note = |code, path: &str| {
        let mut notice = OwnedNotice::of(code);
        path.clone_into(&mut notice.path);
        notices.push(notice);
    };
    let kind = match value.get("kind") {
        None => {
            note(Code::MissingField, "kind");
            None
        }
        // The contract's own spec emits granted kinds only; the caller may have used another spec.
        Some(kind) => {
            let granted = kind.as_str().and_then(|kind| contract.choices.resolve(kind));
            if granted.is_none() {
                note(Code::KindNotGranted, "kind");
            }
            granted
        }
    };
    let kind = Value::from(kind.unwrap_or(&contract.fallback));
    let text = Value::from(text);
    let defaults = [(WINNER, default_of(WINNER)), (SCORES, default_of(SCORES))];
    let mut members = vec![("kind", kind.as_ref()), ("text", text.as_ref())];
    for name in &contract.extras {
        let default = defaults.iter().find(|(known, _)| known == name);
        // Endpoints that require every field make the model write `null` for missing scores.
        let found = value.get(name).filter(|value| name != SCORES || !value.is_null());
        match (found, default) {
            (Some(value), _) => {
                if !fits(name, value) {
                    note(Code::TypeMismatch, name);
                }
                members.push((name, value));
            }
            (None, Some((_, default))) => members.push((name, default.as_ref())),
            (None, None) => note(Code::MissingField, name),
        }
    }
    for (name, value) in value.entries() {
        let name = name.unwrap_or_default();
        if name == RAW_FALLBACK {
            note(Code::UnknownField, name);
        } else if !["kind", "text"].contains(&name) && !contract.extras.iter().any(|it| it == name)
        {
            members.push((name, value));
        }
    }
    members.into_iter().collect()
}

/// Whether all of the text is an object in strict JSON. Without the raw text that is unknown, and false.
fn is_strict(answer: &Answer) -> bool {
    let whole = matches!(answer.outcome(), Outcome::Complete | Outcome::Repaired);
    let Some(raw) = answer.raw().filter(|_| whole && answer.reasoning().is_empty()) else {
        return false;
    };
    let strict = Spec::strict_json().parse(raw);
    strict.is_ok_and(|strict| strict.value().kind() == ValueKind::Object)
}

/// Everything that the model wrote, the payload included, except its reasoning.
fn text_without_reasoning(answer: &Answer) -> String {
    let Some(raw) = answer.raw() else { return answer.text().to_owned() };
    let elements = answer.elements().filter(|element| element.channel() == "reasoning");
    let reclassified =
        |notice: &&OwnedNotice| matches!(notice.code, Code::Reclassified | Code::StrayCloser);
    let notices = answer.notices().iter().filter(reclassified).map(|notice| notice.span);
    let mut thoughts: Vec<Span> = elements.map(|element| element.span()).chain(notices).collect();
    thoughts.sort_by_key(|thought| thought.start);
    let (mut text, mut from) = (Vec::new(), 0);
    for thought in thoughts {
        let start = (thought.start as usize).clamp(from, raw.len());
        text.extend_from_slice(&raw[from..start]);
        from = (thought.end as usize).clamp(start, raw.len());
    }
    text.extend_from_slice(&raw[from..]);
    String::from_utf8_lossy(&text).into_owned()
}
