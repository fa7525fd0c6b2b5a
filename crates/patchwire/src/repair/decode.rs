//! The content of a quoted text. Escapes are decoded as the lexer decodes them.

use super::source::Source;
use super::state::Quote;
use super::trace::Range;
use crate::lex::json::unescape;

/// The content of a text in these quotes.
pub(super) fn decode(source: Source<'_>, range: Range, quote: Quote) -> String {
    let raw = source.slice(range.start, range.end);
    let is_cut = range.end as usize == source.len();
    let mut out = String::with_capacity(raw.len());
    let mut add = |text: &str, escaped: u8| unescape(text, escaped, is_cut, &mut out);
    match quote {
        Quote::Fence => out.push_str(&fence_body(raw)),
        Quote::Csv => add(&raw.replace("\"\"", "\""), b'\''),
        Quote::Escaped => add(&one_layer_off(raw), b'\''),
        Quote::Entity => add(&without_entities(raw), b'\''),
        Quote::Backtick => add(raw, b'`'),
        _ => add(raw, b'\''),
    }
    out
}

/// A text whose quotes and backslashes were escaped once more than the rest of the answer needs.
fn one_layer_off(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        let (text, len) = match tail.as_bytes() {
            [_, b'\\', b'\\', b'"', ..] => ("\\\"", 4),
            [_, b'\\', b'"', ..] => ("\\\"", 3),
            [_, b'\\', ..] => ("\\", 2),
            [_, b'"', ..] => ("\\\"", 2),
            _ => ("\\", 1),
        };
        out.push_str(text);
        rest = &tail[len..];
    }
    out.push_str(rest);
    out
}

fn without_entities(raw: &str) -> String {
    let plain = raw.replace("&quot;", "\\\"").replace("&#39;", "'").replace("&lt;", "<");
    plain.replace("&gt;", ">").replace("&amp;", "&")
}

/// The lines between two fences, without the indent that they share.
fn fence_body(raw: &str) -> String {
    let Some((info, body)) = raw.split_once('\n') else { return raw.trim().to_owned() };
    let (first, body) = if info.contains(['"', '{', '(', ';']) { (info, body) } else { ("", body) };
    let visible = body.lines().filter(|line| !line.trim().is_empty());
    let indent = visible.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let lines = body.lines().map(|line| line.get(indent..).unwrap_or(""));
    let all: Vec<&str> = (!first.is_empty()).then_some(first).into_iter().chain(lines).collect();
    all.join("\n").trim_end().to_owned()
}
