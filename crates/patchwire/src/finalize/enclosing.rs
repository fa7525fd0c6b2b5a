//! The object around a streamed root: its opener looked like prose, and one of its values like the answer.

use super::parts::{Part, Parts};
use super::repaired::{self, Repair};
use super::text_part::PartText;
use crate::document::{ValueKind, ValueRef};
use crate::format::json::Roots;
use crate::repair;
use crate::spec::Settings;

/// The highest cost of the object.
const MOST_COST: u32 = 120;
/// How many openers before the root are tried.
const TRIES: usize = 4;

/// The object that begins before the streamed root and has it as one of its values: `cfg = {a: 1, b: [1, 2]}`.
pub(super) fn object(
    text: &PartText<'_>,
    root: ValueRef<'_>,
    settings: &Settings,
) -> Option<Repair> {
    let part = text.part;
    let taken = part.candidates.taken.filter(|_| settings.json.roots == Roots::Best)?;
    let from = usize::try_from(part.first_text?).ok()?;
    let start = usize::try_from(taken.start).ok()?.checked_sub(from)?;
    let raw = repaired::within_limit(text.raw.get(from..)?, settings)?;
    let before = raw.get(..start)?;
    if root.is_empty() || !is_value(before) {
        return None;
    }
    for at in open_braces(before).into_iter().take(TRIES) {
        if text.is_thought((from + at) as u64) {
            continue;
        }
        let Some(best) = repair::search(raw, at, repaired::options(settings)).best() else {
            continue;
        };
        let found = &best.roots[0];
        let value = found.document.value();
        let is_around = value.kind() == ValueKind::Object && found.span.end as usize > start;
        if best.cost <= MOST_COST && is_around && has(value, root) {
            return repaired::of(best, from as u64, settings);
        }
    }
    None
}

/// Whether a value may begin behind this text: after a colon, a comma or an opener.
fn is_value(before: &str) -> bool {
    before.trim_end().ends_with([':', ',', '[', '{'])
}

/// The openers that nothing closed, the outermost first.
fn open_braces(text: &str) -> Vec<usize> {
    let mut open = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => open.push(at),
            b'}' => drop(open.pop()),
            _ => {}
        }
    }
    open
}

/// Whether an object has the streamed root inside, or its first value, if the root took what comes behind it.
fn has(object: ValueRef<'_>, root: ValueRef<'_>) -> bool {
    if Parts::of(object).find(root) == Some(Part::Inside) {
        return true;
    }
    let first = root.entries().next().map(|(_, child)| child);
    let lists = object.entries().map(|(_, child)| child).filter(|it| it.kind() == root.kind());
    lists.into_iter().any(|list| list.entries().next().map(|(_, child)| child) == first)
}

#[cfg(test)]
mod tests {
    use super::{is_value, open_braces};
    use crate::spec::Spec;
    use crate::tags::TagSet;

    #[test]
    fn openers_before_a_root() {
        for (text, open) in [
            ("cfg = {a: ", vec![6]),
            ("{x} and {a: {b: ", vec![8, 12]),
            ("{a}", vec![]),
            ("} {", vec![2]),
        ] {
            assert_eq!(open_braces(text), open, "{text}");
        }
    }

    #[test]
    fn an_opener_in_reasoning_is_none_around_the_answer() {
        let spec = Spec::builder().tags(TagSet::scratchpad()).build().expect("a spec");
        for (text, want) in [
            ("Intro. <scratch_pad>y</scratch_pad> c = {a: x, b: [1, 2]}", r#"{"a":"x","b":[1,2]}"#),
            // The stray closer makes reasoning of the text behind the element.
            ("Intro. <scratch_pad>y</scratch_pad> c = {a: x</think>, b: [1, 2]}", "[1,2]"),
        ] {
            let answer = spec.parse(text).expect("no limit is met");
            assert_eq!(answer.value().to_string(), want, "{text}");
        }
    }

    #[test]
    fn places_of_values() {
        for text in ["{a: ", "{a: 1, ", "{a: [", "{ "] {
            assert!(is_value(text), "{text}");
        }
        for text in ["", "{a", "{a: 1 "] {
            assert!(!is_value(text), "{text}");
        }
    }
}
