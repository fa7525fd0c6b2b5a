//! A scalar that is all of the answer: `12`, `"yes"`, `True`, or plain text where the schema wants a string.

use super::repaired::{self, Repair, SlipNotice};
use super::reread::{self, Reread};
use super::text_part::PartText;
use crate::codes::Code;
use crate::document::{Document, ValueKind};
use crate::format::json::Roots;
use crate::leniency::Leniency;
use crate::notice::RepairCost;
use crate::path::PathStack;
use crate::repair::{self, Slip};
use crate::span::Span;
use crate::spec::Settings;

/// The highest cost of a scalar: quotes of another kind, line ends in a string, or a string that was cut.
const MOST_COST: u32 = 55;
/// The highest cost if the schema wants a string: quotes inside it as well.
const MOST_STRING_COST: u32 = 300;

/// A scalar of strict JSON, apart from whitespace or a fence around it.
pub(super) fn strict(raw: &[u8], alone: Span, settings: &Settings) -> Option<Reread> {
    let (inner, start) = inner(raw, alone)?;
    let read = reread::strict(inner, start, settings)?;
    let is_lone_scalar =
        !matches!(read.document.value().kind(), ValueKind::List | ValueKind::Object);
    is_lone_scalar.then_some(Reread { is_lone_scalar, ..read })
}

/// A scalar with slips. Without a schema, the text must have quotes around it or be a literal or number.
pub(super) fn lenient(text: &PartText<'_>, settings: &Settings) -> Option<Repair> {
    let alone = text.part.alone.filter(|_| settings.json.roots != Roots::Concatenated)?;
    let (inner, start) = inner(text.raw, alone)?;
    searched(inner, start, settings).or_else(|| plain(inner, start, settings))
}

/// A scalar that the search finds.
fn searched(inner: &str, start: u64, settings: &Settings) -> Option<Repair> {
    let found = repair::search(inner, 0, repaired::options(settings)).best()?;
    let root = &found.roots[0];
    let value = root.document.value();
    let is_quoted = match inner.chars().next()? {
        '"' | '“' => true,
        '\'' | '`' | '‘' => root.is_complete,
        // `None` and `nil` may be prose.
        _ if value.kind() == ValueKind::Null => settings.json.schema.is_some(),
        _ => value.kind() != ValueKind::String,
    };
    let most = if wants_string(settings) { MOST_STRING_COST } else { MOST_COST };
    let is_all = root.span.end == inner.len() as u64 && found.cost <= most;
    if !is_quoted || !is_all || !fits(value.kind(), settings) {
        return None;
    }
    let repair = repaired::of(found, start, settings)?;
    Some(Repair { root: Reread { is_lone_scalar: true, ..repair.root }, ..repair })
}

/// Text without quotes, where the schema wants a string and nothing else.
fn plain(inner: &str, start: u64, settings: &Settings) -> Option<Repair> {
    let is_allowed = settings.json.rules.allow(Leniency::UnquotedValues);
    if !wants_string(settings) || !is_allowed || inner.is_empty() {
        return None;
    }
    let span = Span::new(start, start + inner.len() as u64);
    let root = Reread {
        document: Document::string(inner),
        span,
        is_complete: true,
        is_lone_scalar: true,
        ..Reread::default()
    };
    let cost = RepairCost { cost: Slip::BareValue.cost(), streamed: None };
    let path = PathStack::default();
    let notices = vec![SlipNotice { code: Code::UnquotedValue, span, path, cost }];
    Some(Repair { root, path: PathStack::default(), cost, notices })
}

/// Whether the schema wants a string, and neither an object nor a list.
fn wants_string(settings: &Settings) -> bool {
    settings.json.schema.as_ref().is_some_and(|schema| {
        let wants = |kind| schema.matches_kind(schema.root(), kind);
        wants(ValueKind::String) && !wants(ValueKind::Object) && !wants(ValueKind::List)
    })
}

fn fits(kind: ValueKind, settings: &Settings) -> bool {
    let is_scalar = !matches!(kind, ValueKind::List | ValueKind::Object);
    let schema = settings.json.schema.as_ref();
    is_scalar && schema.is_none_or(|schema| schema.matches_kind(schema.root(), kind))
}

/// The text without whitespace or a fence around it, and its offset.
fn inner(raw: &[u8], alone: Span) -> Option<(&str, u64)> {
    let text = core::str::from_utf8(&raw[alone.start as usize..alone.end as usize]).ok()?;
    let inner = unfenced(text.trim());
    Some((inner, alone.start + text.find(inner)? as u64))
}

/// The text inside a fence, if the fence is all of the text; else the text.
fn unfenced(text: &str) -> &str {
    let inner = || {
        let (opener, rest) = text.split_once('\n')?;
        let info = opener.strip_prefix("```")?;
        matches!(info.trim(), "" | "json").then_some(())?;
        Some(rest.trim_end().strip_suffix("```")?.trim())
    };
    inner().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::{strict, unfenced};
    use crate::schema::Schema;
    use crate::span::Span;
    use crate::spec::Spec;

    #[test]
    fn scalars_that_are_all_of_a_text() {
        let spec = Spec::json();
        for (text, want) in [
            ("12", Some("12")),
            (" \"a b\"\n", Some("\"a b\"")),
            ("```json\ntrue\n```", Some("true")),
            ("```py\n1\n```", None),
            ("twelve", None),
            ("12 apples", None),
            ("[1]", None),
        ] {
            let alone = Span::new(0, text.len() as u64);
            let read = strict(text.as_bytes(), alone, &spec.0);
            let value = read.map(|read| read.document.value().to_string());
            assert_eq!(value.as_deref(), want, "{text:?}");
        }
        assert_eq!(unfenced("```\na\n```"), "a");
        assert_eq!(unfenced("```\na"), "```\na");
    }

    /// The value of an answer under a schema, and whether it is whole.
    fn value(schema: &str, answer: &str) -> Option<String> {
        let types: Vec<&str> = schema.split(' ').collect();
        let schema = format!("{{\"type\": {types:?}}}");
        let schema = Schema::from_json_schema_text(&schema).expect("a schema");
        let spec = Spec::builder().schema(schema).build().expect("a spec");
        let answer = spec.parse(answer).expect("no limit is met");
        answer.value().exists().then(|| answer.value().to_string())
    }

    #[test]
    fn the_schema_decides_on_text_without_quotes() {
        for (schema, answer, want) in [
            ("string", "plain text, with a comma", Some("\"plain text, with a comma\"")),
            ("string", "```\nplain\n```", Some("\"plain\"")),
            ("string", "\"she said \"no\" to it\"", Some("\"she said \\\"no\\\" to it\"")),
            ("string", "'abc'", Some("\"abc\"")),
            // What a stray closer makes reasoning is no answer.
            ("string", "'abc'</think>", None),
            ("boolean", "True", Some("true")),
            ("null", "None", Some("null")),
            ("boolean", "perhaps", None),
            ("integer", "+7", Some("7")),
            ("integer", "twelve", None),
            ("object", "plain", None),
            ("object", "'abc'", None),
            // Words may be a list or an object that nobody could read.
            ("string integer", "plain", Some("\"plain\"")),
            ("string array", "plain", None),
            ("string object", "plain", None),
        ] {
            assert_eq!(value(schema, answer).as_deref(), want, "{answer:?} as {schema}");
        }
    }
}
