//! What the syntaxes of calls in text have in common: values inside lists and objects, words, numbers.

use crate::codes::Code;
use crate::document::{Document, NodeId, NodeKind, Placement};

/// A call that was read. `is_complete`: whether its end was read.
pub(super) struct TextCall {
    pub(super) name: String,
    pub(super) arguments: Document,
    pub(super) is_complete: bool,
    /// What was repaired in it.
    pub(super) slip: Option<Code>,
}

/// How deep values nest.
const MOST_DEPTH: u32 = 128;

/// A list or an object: what it is, and what ends it.
#[derive(Clone, Copy)]
pub(super) struct NestedForm {
    pub(super) kind: NodeKind,
    pub(super) end: &'static str,
}

impl NestedForm {
    pub(super) const fn list(end: &'static str) -> Self {
        Self { kind: NodeKind::List, end }
    }

    pub(super) const fn object() -> Self {
        Self { kind: NodeKind::Object, end: "}" }
    }
}

/// A reader of values in one syntax. It reads lists and objects by recursion, at most [`MOST_DEPTH`] deep.
pub(super) trait NestedValues<'t> {
    /// The text that was not read yet.
    fn rest(&self) -> &'t str;

    /// Passes bytes of the rest.
    fn skip(&mut self, len: usize);

    /// The number of lists and objects around this place.
    fn depth(&mut self) -> &mut u32;

    /// A key of an object, and the colon after it.
    fn key(&mut self) -> Option<String>;

    /// A value. Whether it was read to its end.
    fn value(&mut self, to: &mut Document, place: Placement<'_>) -> bool;

    /// Passes whitespace.
    fn blanks(&mut self) {
        let rest = self.rest();
        self.skip(rest.len() - rest.trim_start().len());
    }

    /// Passes a text if it is the next one.
    fn eat(&mut self, text: &str) -> bool {
        let is_here = self.rest().starts_with(text);
        self.skip(if is_here { text.len() } else { 0 });
        is_here
    }

    /// The word before the next of these characters, or before the end.
    fn word(&mut self, ends: &[char]) -> &'t str {
        let rest = self.rest();
        let len = rest.find(ends).unwrap_or(rest.len());
        self.skip(len);
        rest[..len].trim()
    }

    /// A list or an object, whose first byte comes next. Whether it was read to its end.
    fn container(&mut self, to: &mut Document, place: Placement<'_>, form: NestedForm) -> bool {
        let node = to.open(place, form.kind);
        self.skip(1);
        *self.depth() += 1;
        let is_complete = *self.depth() < MOST_DEPTH && self.children(to, node, form);
        *self.depth() -= 1;
        if is_complete {
            to.complete(node);
        }
        is_complete
    }

    /// The items or members of a container, and its end.
    fn children(&mut self, to: &mut Document, node: NodeId, form: NestedForm) -> bool {
        loop {
            self.blanks();
            if self.eat(form.end) {
                return true;
            }
            if !self.child(to, node, form) {
                return false;
            }
            self.blanks();
            if !self.eat(",") && !self.rest().starts_with(form.end) {
                return false;
            }
        }
    }

    fn child(&mut self, to: &mut Document, node: NodeId, form: NestedForm) -> bool {
        if form.kind != NodeKind::Object {
            return self.value(to, Placement::Item(node));
        }
        let Some(key) = self.key() else { return false };
        self.blanks();
        self.value(to, Placement::Member(node, &key))
    }
}

/// The value of a word without quotes.
pub(super) fn scalar(word: &str) -> (NodeKind, String) {
    let plain = word.replace('_', "");
    let is_number = word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
        && plain.parse::<f64>().is_ok_and(f64::is_finite);
    match word {
        "True" | "true" => (NodeKind::True, String::new()),
        "False" | "false" => (NodeKind::False, String::new()),
        "None" | "null" => (NodeKind::Null, String::new()),
        _ if is_number => (NodeKind::Number, json_number(&plain)),
        _ => (NodeKind::String, word.to_owned()),
    }
}

/// A number as JSON writes it: `.5` is `0.5`, `1.` is `1.0`.
fn json_number(text: &str) -> String {
    let text = text.strip_prefix('+').unwrap_or(text);
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let zero = if digits.starts_with('.') { "0" } else { "" };
    let digits = digits.replace(".e", ".0e").replace(".E", ".0E");
    let trimmed = digits.trim_start_matches('0');
    let short = trimmed.starts_with(|c: char| c.is_ascii_digit());
    let digits = if short { trimmed } else { digits.as_str() };
    let end = if digits.ends_with('.') { "0" } else { "" };
    format!("{sign}{zero}{digits}{end}")
}

#[cfg(test)]
mod tests {
    use super::{NodeKind, scalar};

    #[test]
    fn words_are_numbers_as_json_writes_them() {
        for (word, expected) in [
            ("1", "1"),
            ("-0", "-0"),
            ("+7", "7"),
            (".5", "0.5"),
            ("-.5", "-0.5"),
            ("1.", "1.0"),
            ("1_000", "1000"),
            ("007", "7"),
            ("2.e3", "2.0e3"),
            ("1e400", "1e400"),
        ] {
            assert_eq!(scalar(word).1, expected, "{word}");
        }
    }

    #[test]
    fn other_words_are_texts() {
        for word in ["_1", "inf", "e5", "1a", "-", ".", "nan", "+-1"] {
            assert_eq!(scalar(word), (NodeKind::String, word.to_owned()));
        }
    }
}
