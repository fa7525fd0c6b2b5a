//! Markers that a string of a body ran over: one that ends the element, and behind it the opener of another one.
//!
//! Markers in a string are data, and a document about markers has many of them. So they count against the string
//! only if it also ends badly: a quote behind them that no part of JSON follows.

use super::family::OnReopen;
use super::tag_set::{TagSet, closer, opener};
use crate::lex::marker::{Mask, Walk};

/// How many closers may stand between a call and the next opener.
const MOST_CLOSERS: usize = 4;

/// A marker in a text.
struct FoundInBody {
    marker: u16,
    start: usize,
    end: usize,
}

impl TagSet {
    /// The place in the JSON body of a family's element where a marker would have ended it, had a string not run on to
    /// a quote of the next element.
    pub(crate) fn swallowed_in(&self, family: u16, body: &[u8]) -> Option<usize> {
        let (ends, reopens) = self.ends_of(family);
        let (any_closers, any_openers) = self.sides();
        let quote = *body.iter().find(|byte| matches!(byte, b'"' | b'\''))?;
        let mut at = 0;
        while let Some(found) = self.find_from(body, at, &ends) {
            let opens_next = reopens.contains(found.marker)
                || self.opener_follows(body, found.end, &any_closers, &any_openers);
            at = found.end;
            if opens_next {
                // All markers up to the next quote are in one string.
                let end = next_quote(body, found.end, quote)?;
                if ends_badly(&body[end + 1..]) {
                    return Some(found.start);
                }
                at = end;
            }
        }
        None
    }

    /// Whether a text has the opener of a family: a value without its closer then holds another call.
    pub(crate) fn holds_opener(&self, family: u16, text: &[u8]) -> bool {
        self.find_from(text, 0, &Mask::NONE.with(opener(family))).is_some()
    }

    /// The markers that end an element of a family, and those of them that open another one.
    fn ends_of(&self, family: u16) -> (Mask, Mask) {
        let (mut ends, mut reopens) = (Mask::NONE, Mask::NONE);
        for other in self.numbers().filter(|&other| self.is_grouped(other, family)) {
            ends = ends.with(closer(other));
            if matches!(self.family(other).same(), OnReopen::Restart | OnReopen::Sibling) {
                reopens = reopens.with(opener(other));
            }
        }
        (ends.union(reopens), reopens)
    }

    /// All closers, and all openers.
    fn sides(&self) -> (Mask, Mask) {
        self.numbers().fold((Mask::NONE, Mask::NONE), |(closers, openers), family| {
            (closers.with(closer(family)), openers.with(opener(family)))
        })
    }

    /// Whether an opener comes behind whitespace and a few closers.
    fn opener_follows(&self, body: &[u8], from: usize, closers: &Mask, openers: &Mask) -> bool {
        let mut at = from;
        for _ in 0..=MOST_CLOSERS {
            at += body[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if self.marker_at(body, at, openers).is_some() {
                return true;
            }
            match self.marker_at(body, at, closers) {
                Some(found) => at = found.end,
                None => return false,
            }
        }
        false
    }

    fn find_from(&self, text: &[u8], from: usize, markers: &Mask) -> Option<FoundInBody> {
        let mut at = from;
        loop {
            at += self.0.automaton.find_marker(text.get(at..)?)?;
            match self.marker_at(text, at, markers) {
                Some(found) => return Some(found),
                None => at += 1,
            }
        }
    }

    /// The marker that begins at a place.
    fn marker_at(&self, text: &[u8], start: usize, markers: &Mask) -> Option<FoundInBody> {
        let (automaton, mut walk) = (&self.0.automaton, Walk::START);
        for (at, &byte) in text.iter().enumerate().skip(start) {
            walk = automaton.go(walk, byte);
            if !automaton.reaches(walk.at).meets(markers) {
                return None;
            }
            if let Some(accept) = automaton.accept(walk.at, markers) {
                return Some(FoundInBody { marker: accept.marker, start, end: at + 1 });
            }
        }
        None
    }
}

/// The place of the next quote that no backslash escapes.
fn next_quote(text: &[u8], from: usize, quote: u8) -> Option<usize> {
    let mut at = from;
    loop {
        match *text.get(at)? {
            b'\\' => at += 2,
            byte if byte == quote => return Some(at),
            _ => at += 1,
        }
    }
}

/// Whether the text behind a quote shows that it ends no string of JSON.
fn ends_badly(behind: &[u8]) -> bool {
    let next = behind.iter().find(|byte| !byte.is_ascii_whitespace());
    next.is_some_and(|next| !matches!(next, b',' | b':' | b'}' | b']'))
}

#[cfg(test)]
mod tests {
    use super::{ends_badly, next_quote};
    use crate::tags::TagSet;

    #[test]
    fn strings_that_ran_over_the_next_call() {
        let tags = TagSet::hermes_json();
        let family = tags.number("tool_call").expect("a family");
        let at = |body: &str| tags.swallowed_in(family, body.as_bytes());
        for (body, want) in [
            (r#"{"a": "x}</tool_call><tool_call>{"b": 1}"#, Some(9)),
            (r#"{"a": "x}<tool_call>{"b": 1}"#, Some(9)),
            // A string about markers.
            (r#"{"a": "</tool_call><tool_call>{\"b\": 1}"}"#, None),
            // The same, before a string that ran over.
            (r#"{"a": "</tool_call><tool_call>{}", "b": "x}<tool_call>{"c": 1}"#, Some(43)),
            // No other call.
            (r#"{"a": "x}</tool_call> It is "done"."#, None),
            (r#"{"a": 1}"#, None),
        ] {
            assert_eq!(at(body), want, "{body}");
        }
    }

    #[test]
    fn quotes_that_end_no_string() {
        for (text, want) in [
            (r#"{"b": 1}"#, Some(true)),
            (r#"x"}"#, Some(false)),
            (r#"x\"y" , "#, Some(false)),
            (r#"x""#, Some(false)),
            ("x", None),
        ] {
            let end = next_quote(text.as_bytes(), 0, b'"');
            assert_eq!(end.map(|end| ends_badly(&text.as_bytes()[end + 1..])), want, "{text}");
        }
    }
}
