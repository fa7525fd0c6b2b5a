//! Lone surrogates in JSON.
//!
//! RFC 8259 section 8.2 allows an escape that is half of a surrogate pair. Gateways that cut a character
//! between two deltas write such escapes. UTF-8 cannot represent one. So a half stands as a private
//! character until the next delta of its text decides: two halves that belong together are joined, any
//! other becomes U+FFFD.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::delta::{Call, Delta};

/// Length of `\\uXXXX`.
const ESCAPE: usize = 6;

/// The private character for the code unit U+D800; the others follow.
const FIRST: u32 = 0x10_F000;

/// The JSON text with a private character in place of each lone surrogate. None if there is no lone
/// surrogate. If the text has such characters of its own, U+FFFD takes the place of a half, and `has_halves`
/// is false.
pub(crate) fn mended(json: &str) -> Option<Mended> {
    let has_own = json.chars().any(|c| half(c).is_some()) || has_escaped_half(json);
    let mut mended = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = json[at..].find('\\') {
        at += found;
        match unit(json, at) {
            Some(0xD800..=0xDBFF) if matches!(unit(json, at + ESCAPE), Some(0xDC00..=0xDFFF)) => {
                at += 2 * ESCAPE;
            }
            Some(unit @ 0xD800..=0xDFFF) => {
                mended.push_str(&json[copied..at]);
                mended.push(if has_own { char::REPLACEMENT_CHARACTER } else { private(unit) });
                at += ESCAPE;
                copied = at;
            }
            // The backslash, and what it escapes.
            _ => at += 1 + json[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    if copied == 0 {
        return None;
    }
    mended.push_str(&json[copied..]);
    Some(Mended { json: mended, has_halves: !has_own })
}

/// A JSON text without lone surrogates.
#[derive(Debug, PartialEq)]
pub(crate) struct Mended {
    pub(crate) json: String,
    /// Whether private characters stand for halves of characters.
    pub(crate) has_halves: bool,
}

/// Parses JSON with a list of strings that are the deltas of one text. `deltas` returns that list. Halves of a
/// surrogate pair in two deltas are joined, and any other half becomes U+FFFD.
///
/// ```
/// let json = r#"["x\ud83d", "\ude42y"]"#;
/// let deltas: Vec<String> = patchwire_sources::parse_deltas(json, |all| all)?;
/// assert_eq!(deltas, ["x", "🙂y"]);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
///
/// If the text is no JSON of this type. Lines and columns count in the text as it is.
pub fn parse_deltas<T: DeserializeOwned>(
    json: &str,
    deltas: impl FnOnce(&mut T) -> &mut Vec<String>,
) -> serde_json::Result<T> {
    let parsed = serde_json::from_str(json);
    let Some(mended) = parsed.is_err().then(|| mended(json)).flatten() else { return parsed };
    let Ok(mut parsed) = serde_json::from_str(&mended.json) else { return parsed };
    if mended.has_halves {
        let mut halves = Halves::default();
        let deltas = deltas(&mut parsed);
        for delta in &mut *deltas {
            *delta = halves.text(Place::Text, delta, true);
        }
        if let (false, Some(last)) = (halves.waiting.is_empty(), deltas.last_mut()) {
            last.push(char::REPLACEMENT_CHARACTER);
        }
    }
    Ok(parsed)
}

/// The code unit of the `\u` escape at this position, if there is one.
fn unit(json: &str, at: usize) -> Option<u16> {
    let digits = json.get(at..at + ESCAPE)?.strip_prefix("\\u")?;
    if digits.starts_with('+') { None } else { u16::from_str_radix(digits, 16).ok() }
}

/// Whether the text may have a private character as an escaped pair.
fn has_escaped_half(json: &str) -> bool {
    json.match_indices("\\u").any(|(at, _)| matches!(unit(json, at), Some(0xDBFC | 0xDBFD)))
}

fn private(unit: u16) -> char {
    let scalar = FIRST + (u32::from(unit) - 0xD800);
    char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The code unit that a private character stands for.
fn half(c: char) -> Option<u16> {
    let offset = u32::from(c).checked_sub(FIRST)?;
    u16::try_from(offset).ok().filter(|offset| *offset < 0x800).map(|offset| 0xD800 + offset)
}

/// The first halves that wait for the second, by the text that they are in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Halves {
    waiting: BTreeMap<Place, u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Text,
    Reasoning,
    Refusal,
    Call(u32),
}

impl Halves {
    /// Emits a delta of an event. `has_halves`: the event has private characters for halves.
    pub(crate) fn join(&mut self, delta: Delta, has_halves: bool, out: &mut dyn FnMut(Delta)) {
        if !has_halves && self.waiting.is_empty() {
            return out(delta);
        }
        let delta = match delta {
            Delta::Text(text) => Delta::Text(self.text(Place::Text, &text, has_halves)),
            Delta::Reasoning(text) => {
                Delta::Reasoning(self.text(Place::Reasoning, &text, has_halves))
            }
            Delta::Refusal(text) => Delta::Refusal(self.text(Place::Refusal, &text, has_halves)),
            Delta::Call(call) => Delta::Call(self.call(call, has_halves)),
            Delta::Fact { name, value } if has_halves => Delta::Fact { name, value: clean(&value) },
            Delta::Item { kind, value } if has_halves => Delta::Item { kind, value: clean(&value) },
            other => other,
        };
        let is_empty = match &delta {
            Delta::Text(text) | Delta::Reasoning(text) | Delta::Refusal(text) => text.is_empty(),
            _ => false,
        };
        if !is_empty {
            out(delta);
        }
    }

    /// Emits the halves that stayed alone.
    pub(crate) fn finish(&mut self, out: &mut dyn FnMut(Delta)) {
        for place in core::mem::take(&mut self.waiting).into_keys() {
            let text = char::REPLACEMENT_CHARACTER.to_string();
            out(match place {
                Place::Text => Delta::Text(text),
                Place::Reasoning => Delta::Reasoning(text),
                Place::Refusal => Delta::Refusal(text),
                Place::Call(index) => {
                    Delta::Call(Call { index, arguments: text, ..Call::default() })
                }
            });
        }
    }

    fn call(&mut self, call: Call, has_halves: bool) -> Call {
        let arguments = self.text(Place::Call(call.index), &call.arguments, has_halves);
        let clean = |text: String| if has_halves { replaced(&text) } else { text };
        Call { id: call.id.map(clean), name: call.name.map(clean), arguments, ..call }
    }

    fn text(&mut self, place: Place, text: &str, has_halves: bool) -> String {
        let mut joined = String::with_capacity(text.len());
        let mut first = self.waiting.remove(&place);
        for c in text.chars() {
            let unit = half(c).filter(|_| has_halves);
            if let Some(first) = first.take() {
                if let Some(second @ 0xDC00..) = unit {
                    joined.extend(char::decode_utf16([first, second]).filter_map(Result::ok));
                    continue;
                }
                joined.push(char::REPLACEMENT_CHARACTER);
            }
            match unit {
                Some(unit @ ..0xDC00) => first = Some(unit),
                Some(_) => joined.push(char::REPLACEMENT_CHARACTER),
                None => joined.push(c),
            }
        }
        if let Some(first) = first {
            self.waiting.insert(place, first);
        }
        joined
    }
}

/// A text with U+FFFD in place of halves.
fn replaced(text: &str) -> String {
    let c = |c| if half(c).is_some() { char::REPLACEMENT_CHARACTER } else { c };
    text.chars().map(c).collect()
}

/// A value with U+FFFD in place of halves.
fn clean(value: &Json) -> Json {
    serde_json::from_str(&replaced(&value.to_string())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Halves, mended, parse_deltas};
    use crate::delta::Delta;

    /// The text of JSON strings that are deltas of one text.
    fn joined(strings: &[&str]) -> String {
        let mut halves = Halves::default();
        let mut text = String::new();
        let mut out = |delta: Delta| match delta {
            Delta::Text(more) => text.push_str(&more),
            other => panic!("{other:?}"),
        };
        for json in strings {
            let mended = mended(json);
            let (json, has_halves) =
                mended.as_ref().map_or((*json, false), |it| (it.json.as_str(), it.has_halves));
            let read = serde_json::from_str(json).unwrap();
            halves.join(Delta::Text(read), has_halves, &mut out);
        }
        halves.finish(&mut out);
        text
    }

    #[test]
    fn lone_halves_become_replacement_characters_and_nothing_else_changes() {
        let cases = [
            (r#""a\ud83d""#, "a\u{fffd}"),
            (r#""\ude00b""#, "\u{fffd}b"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
            (r#""\ud83d\u0041""#, "\u{fffd}A"),
            (r#""\\\ud83d""#, "\\\u{fffd}"),
            (r#""\uD83Dé\ud83d\n""#, "\u{fffd}é\u{fffd}\n"),
            ("\"\u{10f03d}\\ud83d\"", "\u{10f03d}\u{fffd}"),
            (r#""\udbfc\udc3d\ud83d""#, "\u{10f03d}\u{fffd}"),
        ];
        for (json, expected) in cases {
            assert!(serde_json::from_str::<String>(json).is_err(), "{json}");
            assert_eq!(joined(&[json]), expected, "{json}");
        }
        for json in
            [r#""\ud83d\ude00""#, r#""\\ud83d""#, r#""plain é""#, r#""\""#, r#""\u+d83""#, "\\u"]
        {
            assert_eq!(mended(json), None, "{json}");
        }
    }

    #[test]
    fn halves_in_a_list_of_deltas_are_joined() {
        let cases: [(&str, &[&str]); 5] = [
            (r#"["plain"]"#, &["plain"]),
            (r#"["x\ud83d", "\ude42y", "z"]"#, &["x", "🙂y", "z"]),
            (r#"["x\ud83d"]"#, &["x\u{fffd}"]),
            (r#"["x\ud83d", "y"]"#, &["x", "\u{fffd}y"]),
            ("[\"\u{10f03d}\", \"\\ud83d\"]", &["\u{10f03d}", "\u{fffd}"]),
        ];
        for (json, expected) in cases {
            assert_eq!(parse_deltas::<Vec<String>>(json, |all| all).unwrap(), expected, "{json}");
        }
        for json in ["[", r#"["\ud83d", 1]"#, r#"["\ud83d""#] {
            assert!(parse_deltas::<Vec<String>>(json, |all| all).is_err(), "{json}");
        }
    }

    #[test]
    fn halves_of_one_character_are_joined_across_deltas() {
        let cases: [(&[&str], &str); 9] = [
            (&[r#""x\ud83d""#, r#""\ude42y""#], "x🙂y"),
            (&[r#""\ud83d""#, r#""\ude42""#, r#""!""#], "🙂!"),
            (&[r#""\ud83d""#, r#""""#, r#""\ude42""#], "🙂"),
            (&[r#""\ud83d""#, r#""a\ude42""#], "\u{fffd}a\u{fffd}"),
            (&[r#""\ud83d""#, r#""\ud83d""#, r#""\ude42""#], "\u{fffd}🙂"),
            (&[r#""\ud83d""#, r#""plain""#], "\u{fffd}plain"),
            (&[r#""\ud83d""#, "\"\u{10f642}\""], "\u{fffd}\u{10f642}"),
            (&[r#""\ude42""#, r#""\ud83d""#], "\u{fffd}\u{fffd}"),
            (&[r#""a\ud83d\ude42\ud83d""#, r#""\ude42\ud83d""#, r#""\ude42b""#], "a🙂🙂🙂b"),
        ];
        for (deltas, expected) in cases {
            assert_eq!(joined(deltas), expected, "{deltas:?}");
        }
    }
}
