//! The patches that a value makes, in order, with neighbouring deltas joined.

use core::fmt;

use super::{Json, quoted};

/// The parts of a patch that the value determines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedStep {
    /// The kind's name on the wire.
    pub kind: &'static str,
    /// The path as it prints.
    pub path: String,
    /// New text.
    pub delta: String,
    /// The field's value; none on a delta.
    pub value: Option<Json>,
}

impl fmt::Display for ExpectedStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, path, delta, value } = self;
        let value = value.as_ref().map(ToString::to_string).unwrap_or_default();
        write!(f, "{kind} {path:?} {delta:?} {value}")
    }
}

/// The patches of a valid document. The first of several members with one key is streamed; each later one
/// replaces it at the end.
/// later one takes its place at the end.
#[must_use]
pub fn patches(value: &Json) -> Vec<ExpectedStep> {
    let mut emitted = Emitted::default();
    emitted.value("", value);
    emitted.stream.extend(emitted.end);
    emitted.stream
}

#[derive(Default)]
struct Emitted {
    stream: Vec<ExpectedStep>,
    /// What the end of the input adds.
    end: Vec<ExpectedStep>,
}

impl Emitted {
    fn value(&mut self, path: &str, value: &Json) {
        match value {
            Json::Null | Json::Bool(_) | Json::Number(_) => self.tell("done", path, value.clone()),
            Json::String(text) => {
                self.tell("open", path, value.emptied());
                if !text.is_empty() {
                    let (path, delta) = (path.to_owned(), text.clone());
                    self.stream.push(ExpectedStep { kind: "delta", path, delta, value: None });
                }
                self.tell("done", path, value.clone());
            }
            Json::List(items) => {
                self.tell("open", path, value.emptied());
                for (index, item) in items.iter().enumerate() {
                    self.value(&format!("{path}[{index}]"), item);
                }
                self.tell("done", path, as_streamed(value));
            }
            Json::Object(members) => {
                self.tell("open", path, value.emptied());
                for (at, (key, member)) in members.iter().enumerate() {
                    let path = below(path, key);
                    if members[..at].iter().any(|(known, _)| known == key) {
                        let value = Some(member.settled());
                        self.end.push(ExpectedStep {
                            kind: "replace",
                            path,
                            delta: String::new(),
                            value,
                        });
                    } else {
                        self.value(&path, member);
                    }
                }
                self.tell("done", path, as_streamed(value));
            }
        }
    }

    fn tell(&mut self, kind: &'static str, path: &str, value: Json) {
        let path = path.to_owned();
        self.stream.push(ExpectedStep { kind, path, delta: String::new(), value: Some(value) });
    }
}

/// The value before the end: of repeated members the first.
#[must_use]
pub fn as_streamed(value: &Json) -> Json {
    match value {
        Json::List(items) => Json::List(items.iter().map(as_streamed).collect()),
        Json::Object(members) => {
            let first = |at: usize, key: &str| !members[..at].iter().any(|(known, _)| known == key);
            let streamed = members
                .iter()
                .enumerate()
                .filter(|(at, (key, _))| first(*at, key))
                .map(|(_, (key, value))| (key.clone(), as_streamed(value)));
            Json::Object(streamed.collect())
        }
        scalar => scalar.clone(),
    }
}

/// The path of a member.
#[must_use]
pub fn below(path: &str, key: &str) -> String {
    let bare = key.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-'));
    let digit = key.starts_with(|char: char| char.is_ascii_digit());
    match (bare && !digit && !key.is_empty(), path) {
        (true, "") => key.to_owned(),
        (true, path) => format!("{path}.{key}"),
        (false, path) => format!("{path}[{}]", quoted(key)),
    }
}
