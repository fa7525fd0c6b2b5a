//! Roots whose opener was left out: the members of an object without its brace, and the items of a list without
//! its brackets.

use super::repaired::{self, Repair};
use super::reread::{self, Reread};
use super::text_part::PartText;
use crate::document::ValueKind;
use crate::format::json::Roots;
use crate::leniency::Leniency;
use crate::repair::{self, Slip};
use crate::span::Span;
use crate::spec::Settings;

/// The highest cost of an object with one member and no closer: a line of prose with a colon in it costs more.
const MOST_COST: u32 = 120;
/// The highest cost of one with several members, and of one that is closed.
const MOST_COST_OF_SEVERAL: u32 = 160;
const MOST_COST_OF_CLOSED: u32 = 240;

/// The object whose members are all of a text. If a root was streamed, it is the value of one of them: then more
/// than its name has to say so.
pub(super) fn object(text: &PartText<'_>, settings: &Settings) -> Option<Repair> {
    let part = text.part;
    if settings.json.roots == Roots::Concatenated || may_not_be(settings, ValueKind::Object) {
        return None;
    }
    let from = usize::try_from(part.first_text?).ok()?;
    let raw = repaired::within_limit(text.raw.get(from..)?, settings)?;
    let at = first_visible(raw)?;
    let streamed = part.candidates.taken.map(|taken| taken.start);
    let is_before = streamed.is_none_or(|start| start > (from + at) as u64);
    if !is_before || !begins_member(&raw[at..]) || text.is_thought((from + at) as u64) {
        return None;
    }
    let best = repair::search(raw, at, repaired::options(settings)).best()?;
    let root = &best.roots[0];
    let tail = raw.get(root.span.end as usize..).unwrap_or_default().trim();
    let is_closed = root.is_complete && best.slips.iter().any(|it| it.slip == Slip::MissingOpen);
    let most = match root.document.value().len() {
        _ if is_closed => MOST_COST_OF_CLOSED,
        2.. => MOST_COST_OF_SEVERAL,
        _ => MOST_COST,
    };
    let is_meant = best.cost <= most
        && root.document.value().kind() == ValueKind::Object
        && matches!(tail, "" | ";" | "```")
        && (streamed.is_none() || is_closed || root.document.value().len() > 1);
    is_meant.then(|| repaired::of(best, from as u64, settings)).flatten()
}

/// Whether the schema wants a value of another kind.
fn may_not_be(settings: &Settings, kind: ValueKind) -> bool {
    let schema = settings.json.schema.as_ref();
    schema.is_some_and(|schema| !schema.matches_kind(schema.root(), kind))
}

/// The first visible byte of a text, or of the fence that it begins with.
fn first_visible(raw: &str) -> Option<usize> {
    let visible = |from: usize| {
        let rest = raw.get(from..)?;
        Some(from + rest.len() - rest.trim_start().len())
    };
    let at = visible(0)?;
    match raw[at..].starts_with("```") {
        true => visible(at + raw[at..].find('\n')?),
        false => Some(at),
    }
}

/// Whether a text begins with a key in quotes and its colon.
fn begins_member(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('"') else { return false };
    let Some((key, rest)) = rest.split_once('"') else { return false };
    !key.contains('\n') && rest.trim_start().starts_with(':')
}

/// The list whose items are all roots of a text: only commas stand between them. If the schema wants a list, the
/// commas may be missing.
pub(super) fn list(text: &PartText<'_>, settings: &Settings) -> Option<Reread> {
    let taken = text.part.candidates.taken?;
    let schema = settings.json.schema.as_ref();
    let wants_list = schema.is_some_and(|schema| schema.is_only_list(schema.root()));
    let is_forbidden = !settings.json.rules.allow(Leniency::MissingClosers);
    if settings.json.roots != Roots::Best || is_forbidden || may_not_be(settings, ValueKind::List) {
        return None;
    }
    let start = usize::try_from(taken.start).ok()?;
    let end = usize::try_from(taken.end?).ok()?;
    if text.raw.get(start) != Some(&b'{') || !is_followed(text.raw.get(end..)?, wants_list) {
        return None;
    }
    let raw = repaired::within_limit(text.raw.get(start..)?, settings)?.trim_end();
    let raw = raw.strip_suffix("```").unwrap_or(raw).trim_end();
    let raw = raw.strip_suffix(',').unwrap_or(raw);
    let free = settings.without_schema();
    let brackets = match wants_list {
        true => format!("[{}]", without_markers(raw)),
        false => format!("[{raw}]"),
    };
    let found = match wants_list {
        true => reread::root(brackets.as_bytes(), 0, &free),
        false => reread::strict(&brackets, 0, &free),
    }?;
    let items = found.document.value();
    let are_objects = items.entries().all(|(_, item)| item.kind() == ValueKind::Object);
    let is_whole =
        found.is_complete && !found.is_lossy && found.span.len() == brackets.len() as u64;
    if !is_whole || !are_objects || items.len() < 2 {
        return None;
    }
    let read = reread::strict(&items.to_string(), 0, settings)?;
    let span = Span::new(taken.start, taken.start + raw.len() as u64);
    Some(Reread { span, ..read })
}

/// Whether the next object follows a root: after a comma, or if the schema wants a list, on the next line.
fn is_followed(after: &[u8], wants_list: bool) -> bool {
    let after = after.trim_ascii_start();
    match after.strip_prefix(b",") {
        Some(rest) => rest.trim_ascii_start().starts_with(b"{"),
        None => wants_list && without_marker(after).starts_with(b"{"),
    }
}

/// A text without the bullets and numbers before objects that begin a line.
fn without_markers(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let rest = without_marker(line.as_bytes());
        if rest.starts_with(b"{") { &line[line.len() - rest.len()..] } else { line }
    });
    lines.collect()
}

/// The rest of a line behind the marker of an item of Markdown.
fn without_marker(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii_start();
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = match (digits, line.get(digits)) {
        (0, Some(b'-' | b'*')) | (1..=4, Some(b'.' | b')')) => &line[digits + 1..],
        _ => return line,
    };
    if rest.starts_with(b" ") { rest.trim_ascii_start() } else { line }
}

#[cfg(test)]
mod tests {
    use super::{
        begins_member, first_visible, is_followed, object, without_marker, without_markers,
    };
    use crate::finalize::text_part::{PartText, TextPart};
    use crate::format::json::Candidates;
    use crate::leniency::Leniency;
    use crate::schema::{Node, Schema, any, int, list, map};
    use crate::span::Span;
    use crate::spec::{Spec, SpecBuilder};

    /// The object that a text is without its opener; nothing was streamed.
    fn unopened(raw: &str, thoughts: &[Span]) -> Option<String> {
        let end = raw.len() as u64;
        let part = TextPart {
            element: None,
            document: None,
            span: Span::new(0, end),
            first_text: Some(0),
            alone: None,
            has_payload: false,
            hidden: None,
            candidates: Candidates::default(),
            leaf: None,
            is_truncated: false,
        };
        let text = PartText { raw: raw.as_bytes(), part: &part, thoughts };
        object(&text, &Spec::json().0).map(|found| found.root.document.value().to_string())
    }

    #[test]
    fn members_without_an_opener() {
        for (raw, want) in [
            (r#""a": 1, "b": 2"#, Some(r#"{"a":1,"b":2}"#)),
            (r#""a": 1}"#, Some(r#"{"a":1}"#)),
            ("```json\n\"a\": 1}\n```", Some(r#"{"a":1}"#)),
            (r#""a": see below}"#, Some(r#"{"a":"see below"}"#)),
            // Without a closer, words behind a name in quotes are prose.
            (r#""a": see below"#, None),
            (r#""a": {"b": 1}"#, None),
            // One member without a closer may have few slips of its own, one with a closer more.
            (r#""a": "x \"y\" z""#, Some(r#"{"a":"x \"y\" z"}"#)),
            (r#""a": "x \"y\" \z\z\z\z""#, None),
            (r#""a": "x \"y\" \z\z\z\z"}"#, Some(r#"{"a":"x \"y\" \\z\\z\\z\\z"}"#)),
            (r#""a": 1} and so on"#, None),
            ("a: 1}", None),
        ] {
            assert_eq!(unopened(raw, &[]).as_deref(), want, "{raw}");
            assert_eq!(unopened(raw, &[Span::new(0, 99)]), None, "{raw}");
        }
    }

    #[test]
    fn objects_one_after_the_other_are_a_list_unless_closers_may_not_be_missing() {
        let value = |spec: SpecBuilder, text: &str| {
            let spec = spec.build().expect("a spec");
            spec.parse(text).expect("no limit is met").value().to_string()
        };
        let both = r#"[{"a":1},{"a":2}]"#;
        let text = r#"{"a": 1}, {"a": 2}"#;
        assert_eq!(value(Spec::builder(), text), both);
        let strict = || Spec::builder().forbid(Leniency::MissingClosers);
        assert_eq!(value(strict(), text), r#"{"a":2}"#);
        let schema = || Schema::from(list(any("")));
        let lines = "{\"a\": 1}\n{\"a\": 2}";
        assert_eq!(value(Spec::builder().schema(schema()), lines), both);
        assert_ne!(value(strict().schema(schema()), lines), both);
    }

    #[test]
    fn a_schema_of_another_kind_wants_no_object_without_an_opener_and_no_list_of_roots() {
        let value = |schema: Node, text: &str| {
            let spec = Spec::builder().schema(schema).build().expect("a spec");
            spec.parse(text).expect("no limit is met").value().to_string()
        };
        let members = r#""a": 1, "b": 2}"#;
        assert_eq!(value(any(""), members), r#"{"a":1,"b":2}"#);
        assert_eq!(value(list(int("")), members), "null");
        let roots = r#"{"a": 1}, {"a": 2}"#;
        assert_eq!(value(any(""), roots), r#"[{"a":1},{"a":2}]"#);
        assert_eq!(value(map(int("")), roots), r#"{"a":2}"#);
    }

    #[test]
    fn lines_without_the_marker_of_an_item() {
        for (line, want) in [
            ("- {", "{"),
            ("* x", "x"),
            ("  -   x", "x"),
            ("1. {", "{"),
            ("12) {", "{"),
            ("1234. {", "{"),
            ("12345. {", "12345. {"),
            ("-{", "-{"),
            ("1.{", "1.{"),
            ("+ {", "+ {"),
            ("1- {", "1- {"),
            ("1", "1"),
            (" {", "{"),
            ("", ""),
        ] {
            let found = without_marker(line.as_bytes());
            assert_eq!(String::from_utf8_lossy(found), want, "{line:?}");
        }
        let lines = "- {\"a\": 1}\n2. {\"a\": 2}\n - x\n";
        assert_eq!(without_markers(lines), "{\"a\": 1}\n{\"a\": 2}\n - x\n");
    }

    #[test]
    fn the_next_object_behind_a_root() {
        for (after, wants_list, want) in [
            (", {", false, true),
            ("\n,\n{", false, true),
            (",", true, false),
            (", x", true, false),
            (",, {", true, false),
            ("\n{", true, true),
            ("\n{", false, false),
            ("\n- {", true, true),
            (" x {", true, false),
            ("", true, false),
        ] {
            assert_eq!(is_followed(after.as_bytes(), wants_list), want, "{after:?} {wants_list}");
        }
    }

    #[test]
    fn what_a_text_begins_with() {
        for (text, want) in [
            ("\"a\": 1", true),
            ("\"a b\" : 1", true),
            ("\"a\nb\": 1", false),
            ("\"a\" 1", false),
            ("\"a", false),
            ("a: 1", false),
        ] {
            assert_eq!(begins_member(text), want, "{text:?}");
        }
        for (text, want) in [
            ("x", Some(0)),
            (" \n x", Some(3)),
            ("```json\n x", Some(9)),
            ("\n```\nx", Some(5)),
            ("```", None),
            ("", Some(0)),
        ] {
            assert_eq!(first_visible(text), want, "{text:?}");
        }
    }
}
