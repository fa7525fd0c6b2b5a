//! YAML with slips, written anew as YAML and read by the machine of the format.
//!
//! Only what the schema or the line itself shows is written anew: keys in another spelling, quotes inside
//! quotes, block texts without an indent, bullets, a key around the whole mapping.

mod blocks;
mod flow;
mod lines;
mod quotes;
mod record_members;
mod writer;

pub(super) use writer::is_word_mark;

use super::names::DeclaredNames;
use crate::document::Document;
use crate::finalize::reread::{self, OffsetText};
use crate::format::Format;
use crate::format::row::UntidyReading;
use crate::schema::Schema;
use crate::spec::Settings;

/// Reads the mapping; `is_well_formed` if nothing in it was skipped. The flag of the result: whether the text of a
/// scalar is another one for certain.
pub(super) fn read(
    text: &str,
    settings: &Settings,
    schema: &Schema,
    is_well_formed: bool,
) -> Option<(Document, bool)> {
    let names = DeclaredNames::of(schema);
    let lines = unwrapped(document(text, &names)?, &names);
    let (mut out, is_sure) = writer::written(&lines, &names, schema, is_well_formed)?;
    out.push_str("...\n");
    let rows = Format::ALL.into_iter().filter_map(Format::row);
    let row = { rows }.find(|row| row.untidy_reading() == UntidyReading::Yaml)?;
    let machine = row.fields_without_envelope(&out, &settings.format_options())?.machine.0;
    let read = reread::root_of(machine, OffsetText { text: &out, start: 0 }, settings)?;
    (!read.document.value().is_empty()).then_some((read.document, is_sure))
}

/// The last of several documents, if all fields of the others are there with values of their types.
pub(super) fn last(text: &str, settings: &Settings, schema: &Schema) -> Option<Document> {
    let all = documents(text);
    let (last, earlier) = all.split_last().filter(|(_, earlier)| !earlier.is_empty())?;
    let last = read(last, settings, schema, true)?.0;
    let is_whole = |earlier: &str| {
        let earlier = read(earlier, settings, schema, true);
        earlier.is_none_or(|(earlier, _)| {
            earlier.value().entries().all(|(key, _)| {
                let member = key.and_then(|key| Some((key, schema.member(schema.root(), key)?)));
                member.is_none_or(|(key, id)| {
                    let value = last.value().get(key);
                    value.is_some_and(|value| super::fits(value, id, schema))
                })
            })
        })
    };
    let has_all = last.value().len() > 1 && earlier.iter().all(|earlier| is_whole(earlier));
    has_all.then_some(last)
}

/// The documents that a text holds in markers or fences, each with the text behind it.
pub(super) fn documents(text: &str) -> Vec<&str> {
    let mut starts = Vec::new();
    let (mut at, mut is_open) = (0, false);
    for line in text.split_inclusive('\n') {
        if !is_open && begins(line.trim_end()) {
            starts.push(at);
            is_open = true;
        } else if is_open && (line.trim_end() == "```" || marks(line, "end")) {
            is_open = false;
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect()
}

/// Whether the value of a line may be a text that YAML reads otherwise: `a: !word`, `- bug #3`.
pub(super) fn has_odd_text(line: &str) -> bool {
    let body = line.trim().trim_start_matches("- ");
    let value = body.split_once(": ").map_or(body, |(_, value)| value.trim());
    writer::is_odd(value)
}

/// Whether a line begins a document.
fn begins(line: &str) -> bool {
    marks(line, "begin") || line.starts_with("```y") || line.starts_with("~~~y")
}

/// The lines of the mapping: from the first line with a declared key to the end of its markers or fence. Without them,
/// words behind an empty line end it.
fn document<'t>(text: &'t str, names: &DeclaredNames<'_>) -> Option<Vec<&'t str>> {
    let lines: Vec<&str> = text.lines().collect();
    let marked = lines.iter().position(|line| begins(line.trim())).map_or(0, |at| at + 1);
    let first = marked + lines[marked..].iter().position(|line| key(line, names).is_some())?;
    let opener = lines[..first].iter().rposition(|line| !line.trim().is_empty());
    let opener = opener.filter(|at| marked == 0 && is_fence(lines[*at].trim()));
    let opener = opener.or_else(|| marked.checked_sub(1)).map(|at| lines[at]);
    let end = first + end_of(&lines[first..], opener, names);
    // A key around the mapping stands on the line before it.
    let first = match (marked, indent(lines[first])) {
        (1.., _) => marked,
        (0, 1..) if first > 0 && !is_fence(lines[first - 1].trim()) => first - 1,
        _ => first,
    };
    let lines = &lines[first..end];
    let next = lines.iter().position(|line| line.starts_with("---"));
    Some(lines[..next.unwrap_or(lines.len())].to_vec())
}

/// Where the document ends that begins behind this line.
fn end_of(lines: &[&str], opener: Option<&str>, names: &DeclaredNames<'_>) -> usize {
    let is_end = |line: &&str| marks(line.trim(), "end") || line.trim() == "...";
    let marker = lines.iter().position(is_end);
    match opener {
        Some(line) if marks(line.trim(), "begin") && marker.is_some() => marker,
        Some(line) if is_fence(line.trim()) => fence_end(lines, line).or(marker),
        Some(_) => fence_end(lines, "```"),
        None => marker.or_else(|| fence_end(lines, "```")).or_else(|| prose(lines, names)),
    }
    .unwrap_or(lines.len())
}

/// Where the fence closes that this line opened. A fence in a text of the document closes itself.
fn fence_end(lines: &[&str], opener: &str) -> Option<usize> {
    let mark = if opener.trim_start().starts_with('~') { "~~~" } else { "```" };
    let is_at = |line: &str| indent(line) <= indent(opener) && line.trim_start().starts_with(mark);
    let mut is_inside = false;
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| is_at(line)) {
        match (line.trim() == mark, is_inside) {
            (true, false) => return Some(at),
            (is_closer, _) => is_inside = !is_closer,
        }
    }
    let fences = lines.iter().filter(|line| line.trim_start().starts_with(mark)).count();
    lines.iter().rposition(|line| line.trim() == mark).filter(|_| is_inside || fences % 2 == 1)
}

/// Where words follow the last member behind an empty line.
fn prose(lines: &[&str], names: &DeclaredNames<'_>) -> Option<usize> {
    let last = lines.iter().rposition(|line| key(line, names).is_some())?;
    let is_word = |line: &str| line.starts_with(|it: char| it.is_alphanumeric() || it == '*');
    let begins = |pair: &[&str]| pair[0].trim().is_empty() && is_word(pair[1]);
    lines[last..].windows(2).position(begins).map(|at| last + at)
}

fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

/// Whether a line is a marker with this word.
fn marks(line: &str, word: &str) -> bool {
    line.strip_prefix("<<<").is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
    })
}

/// The lines without the indent of all of them, and without a key around all others.
fn unwrapped<'t>(lines: Vec<&'t str>, names: &DeclaredNames<'_>) -> Vec<&'t str> {
    let filled = || lines.iter().filter(|line| !line.trim().is_empty());
    let base = filled().map(|line| indent(line)).min().unwrap_or(0);
    let is_wrapper = |line: &&str| {
        let line = line.trim_end();
        indent(line) == base && line.ends_with(':') && key(line, names).is_none()
    };
    let is_wrapped =
        filled().next().is_some_and(is_wrapper) && filled().skip(1).all(|line| indent(line) > base);
    let (from, depth) = if is_wrapped {
        let depth = filled().skip(1).map(|line| indent(line)).min().unwrap_or(0);
        (lines.iter().position(is_wrapper).map_or(0, |at| at + 1), depth)
    } else {
        (0, base)
    };
    let lines: Vec<&str> =
        lines[from..].iter().map(|line| &line[indent(line).min(depth)..]).collect();
    let lines = without_bullets(&lines, names).unwrap_or(lines);
    without_commas(&lines, names).unwrap_or(lines)
}

/// The lines without the commas that end all members but the last, as in JSON.
fn without_commas<'t>(lines: &[&'t str], names: &DeclaredNames<'_>) -> Option<Vec<&'t str>> {
    let is_outer = |line: &&&str| !line.trim().is_empty() && indent(line) == 0;
    let ends = |line: &str| line.trim_end().ends_with(',');
    let outer: Vec<&str> = lines.iter().filter(is_outer).copied().collect();
    let (_, before) = outer.split_last().filter(|(_, before)| before.len() > 1)?;
    let is_member = |line: &&str| ends(line) && key(line, names).is_some();
    let bare = |line: &'t str| line.trim_end().strip_suffix(',').unwrap_or(line);
    let strip = |line: &&'t str| if indent(line) == 0 { bare(line) } else { *line };
    before.iter().all(is_member).then(|| lines.iter().map(strip).collect())
}

/// The lines of a list whose items are the members of the mapping.
fn without_bullets<'t>(lines: &[&'t str], names: &DeclaredNames<'_>) -> Option<Vec<&'t str>> {
    let is_item = |line: &str| line.starts_with("- ") && key(line, names).is_some();
    let mut outer = lines.iter().filter(|line| !line.trim().is_empty() && indent(line) == 0);
    outer.clone().next()?;
    let inner = |line: &&'t str| line.get(2..).unwrap_or("");
    outer.all(|line| is_item(line)).then(|| lines.iter().map(inner).collect())
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// A declared key and the text behind its colon. Emphasis and quotes around the key do not count.
fn key<'t, 's>(line: &'t str, names: &DeclaredNames<'s>) -> Option<(&'s str, &'t str)> {
    const AROUND: [char; 5] = ['*', '_', '`', '"', '\''];
    let is_symbol = |char: char| !char.is_ascii() && !char.is_alphanumeric();
    let body = line.trim_start_matches([' ', '-']).trim_start_matches(is_symbol).trim_start();
    let assigned = body.split_once(" = ").filter(|(name, _)| names.find(name.trim()).is_some());
    if let Some((written, value)) = assigned {
        return names.find(written.trim()).map(|name| (name, value.trim()));
    }
    let (written, behind) = body.split_once([':', '：'])?;
    let written = written.trim_end();
    let bare = written.trim_matches(AROUND);
    let known = |spelling: &str| names.find(spelling.trim_end());
    // `rating (1-5):`
    let without_remark = || {
        let (before, remark) = bare.rsplit_once('(').filter(|_| bare.ends_with(')'))?;
        known(before).filter(|_| !remark.is_empty())
    };
    let name = names.find(written).or_else(|| known(bare)).or_else(without_remark);
    let name = name.or_else(|| known(bare.trim_end_matches('?')))?;
    let is_marked = written.starts_with(['*', '_']);
    let value = if is_marked { behind.trim_start_matches(['*', '_']) } else { behind };
    let is_tight =
        names.is_exact(written) && value.starts_with(|char: char| char.is_alphanumeric());
    let is_value = value.is_empty() || value.starts_with(char::is_whitespace) || is_tight;
    is_value.then(|| (name, value.trim()))
}

#[cfg(test)]
mod tests;
