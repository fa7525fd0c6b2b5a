//! Lines of lists and records whose indent YAML does not allow.

use super::indent;
use super::writer::{is_block, is_word};

/// Lines of a list whose items stand at less indent than the first one, moved below it with what they hold. None
/// if all stand below each other.
pub(super) fn with_even_items(lines: &[&str]) -> Option<Vec<String>> {
    let is_item = |line: &str| line.trim_start().starts_with("- ");
    let first = lines.iter().find(|line| !line.trim().is_empty()).filter(|line| is_item(line))?;
    let base = indent(first);
    let is_out = |line: &&&str| is_item(line) && indent(line) < base;
    lines.iter().find(is_out)?;
    let mut shift = 0;
    let mut moved = |line: &&str| {
        if is_item(line) && indent(line) <= base {
            shift = base - indent(line);
        }
        if line.trim().is_empty() { String::new() } else { format!("{}{line}", " ".repeat(shift)) }
    };
    Some(lines.iter().map(&mut moved).collect())
}

/// Whether lines below a key begin with a list or mapping in brackets without an indent.
pub(super) fn is_flat_flow(lines: &[&str]) -> bool {
    let first = lines.iter().find(|line| !line.trim().is_empty());
    first.is_some_and(|line| line.starts_with(['[', '{']))
}

/// The lines of a list whose first item stands on the line of its key: `tags: - red`.
pub(super) fn items_from_key(value: &str, lines: &[&str]) -> Option<Vec<String>> {
    let filled = || lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
    let is_list = value.starts_with("- ") && filled().all(|line| line.starts_with("- "));
    let items = core::iter::once(value).chain(filled()).map(|line| format!("  {line}"));
    is_list.then(|| items.collect())
}

/// Lines of records without dashes, with a dash before each key that repeats the first one. None if it is not repeated,
/// or if other lines than members stand beside it.
pub(super) fn with_dashes(lines: &[&str], declares: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let is_blank = |line: &&str| line.trim().is_empty();
    let first = lines.iter().find(|line| !is_blank(line))?;
    let base = indent(first);
    let key = |line: &'_ str| line.trim_start().split(':').next().unwrap_or("").to_owned();
    let name = key(first);
    let mut members = lines.iter().filter(|line| !is_blank(line) && indent(line) <= base);
    let is_member =
        |line: &&str| indent(line) == base && line.contains(':') && declares(&key(line));
    let count = members.clone().filter(|line| key(line) == name).count();
    if base == 0 || count < 2 || !members.all(is_member) {
        return None;
    }
    let pad = " ".repeat(base);
    let line = |line: &&str| match () {
        () if is_blank(line) => String::new(),
        () if indent(line) == base && key(line) == name => format!("{pad}- {}", line.trim_start()),
        () => format!("  {line}"),
    };
    Some(lines.iter().map(line).collect())
}

/// Lines of records whose block texts stand below their key and no deeper, with the indent that they lack. None if
/// there are none. `is_member` tells the key of the next member from a text with a colon.
pub(super) fn with_deeper_texts(
    lines: &[&str],
    is_member: impl Fn(&str) -> bool,
) -> Option<Vec<String>> {
    let mut out: Vec<String> = Vec::new();
    let mut is_changed = false;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        out.push((*line).to_owned());
        at += 1;
        let Some(block) = BlockKey::of(line) else { continue };
        let is_blank = |line: &&str| line.trim().is_empty();
        let rest = &lines[at..];
        let Some(first) = rest.iter().find(|line| !is_blank(line)) else { continue };
        let is_flat = indent(first) <= block.column;
        let least = if is_flat { block.least } else { block.column + 1 };
        let ends = |line: &&str| {
            let key = line.trim_start().split_once(':').map(|(key, _)| key);
            let is_next = match block.is_item {
                true => line.trim_start().starts_with("- "),
                false => key.is_some_and(&is_member),
            };
            let is_out = indent(line) < least || indent(line) <= block.column && is_next;
            !is_blank(line) && is_out
        };
        let len = rest.iter().position(ends).unwrap_or(rest.len());
        is_changed |= is_flat && rest[..len].iter().any(|line| !is_blank(line));
        let base = indent(first);
        let pad = " ".repeat(block.column + 2);
        out.extend(rest[..len].iter().map(|line| match is_blank(line) || !is_flat {
            true => (*line).to_owned(),
            false => format!("{pad}{}", &line[indent(line).min(base)..]),
        }));
        at += len;
    }
    is_changed.then_some(out)
}

/// A key or an item whose value is the header of a block text.
struct BlockKey {
    /// The column of the key, or of the dash of the item.
    column: usize,
    /// The least indent of its text.
    least: usize,
    /// Whether it is an item without a key.
    is_item: bool,
}

impl BlockKey {
    fn of(line: &str) -> Option<Self> {
        let body = line.trim_start_matches([' ', '-']);
        let lead = &line[..line.len() - body.len()];
        let dash = lead.trim_end().len().saturating_sub(1);
        let is_item = lead.contains('-');
        if is_item && is_block(body.trim()) {
            return Some(Self { column: dash, least: dash.max(1), is_item: true });
        }
        let (key, value) = body.split_once(':')?;
        // Below `- key: |`, all that is deeper than the dash may be its text.
        let least = if is_item { dash + 1 } else { lead.len().max(1) };
        let is_key = is_word(key) && is_block(value.trim());
        is_key.then_some(Self { column: lead.len(), least, is_item: false })
    }
}

#[cfg(test)]
mod tests {
    use super::{items_from_key, with_dashes, with_deeper_texts, with_even_items};

    #[test]
    fn items_at_less_indent_than_the_first() {
        let moved = |text: &str| {
            let lines: Vec<&str> = text.lines().collect();
            with_even_items(&lines).map(|lines| lines.join("\n"))
        };
        for (text, want) in [
            (
                "    - a: 1\n      b: 2\n  - a: 3\n    b: 4",
                Some("    - a: 1\n      b: 2\n    - a: 3\n      b: 4"),
            ),
            ("  - a\n- b\n  - c", Some("  - a\n  - b\n  - c")),
            ("  - a\n  - b", None),
            ("  - a\n    - b", None),
            ("  a: 1\n- b", None),
            ("", None),
        ] {
            assert_eq!(moved(text).as_deref(), want, "{text}");
        }
    }

    #[test]
    fn items_without_their_dash_or_on_the_line_of_their_key() {
        let dashed = |text: &str| {
            let lines: Vec<&str> = text.lines().collect();
            with_dashes(&lines, |key| key == "a" || key == "b").map(|lines| lines.join("\n"))
        };
        for (text, want) in [
            ("  a: 1\n  b: 2\n\n  a: 3", Some("  - a: 1\n    b: 2\n\n  - a: 3")),
            ("  a: 1\n  b: 2", None),
            ("  a: 1\n  c: 2\n  a: 3", None),
            ("a: 1\na: 3", None),
            (" a: 1\n a: 3", Some(" - a: 1\n - a: 3")),
            ("  a: 1\n    a: 5\n  a: 3", Some("  - a: 1\n      a: 5\n  - a: 3")),
            ("  a: 1\n x: 2\n  a: 3", None),
            ("  a: 1\n  b\n  a: 3", None),
            ("\n  a: 1\n  a: 3", Some("\n  - a: 1\n  - a: 3")),
            ("", None),
        ] {
            assert_eq!(dashed(text).as_deref(), want, "{text}");
        }
        for (value, lines, want) in [
            ("- a", &["- b"][..], Some("  - a\n  - b")),
            ("- a", &["", "      - b"], Some("  - a\n  - b")),
            ("- a", &["b"], None),
            ("a", &["- b"], None),
        ] {
            let found = items_from_key(value, lines).map(|lines| lines.join("\n"));
            assert_eq!(found.as_deref(), want, "{value}");
        }
    }

    #[test]
    fn block_texts_below_their_key() {
        let deeper = |text: &str| {
            let lines: Vec<&str> = text.lines().collect();
            with_deeper_texts(&lines, |key| key == "b").map(|lines| lines.join("\n"))
        };
        for (text, want) in [
            (
                "  - a: |\n    x\n\n    y: 1\n    b: 2",
                Some("  - a: |\n      x\n\n      y: 1\n    b: 2"),
            ),
            ("  - a: |\n   x\n  - b: 1", Some("  - a: |\n      x\n  - b: 1")),
            ("    c: |\n    x\n  - b", Some("    c: |\n      x\n  - b")),
            ("  - a: |\n      x\n    b: 2", None),
            ("  - a: |\n    b: 2", None),
            ("  - a: |\n  - b: 2", None),
            ("  - a: |", None),
            ("  - a: |\n    - x\n    - y", Some("  - a: |\n      - x\n      - y")),
            ("  - |\n  x\n  - y", Some("  - |\n    x\n  - y")),
            ("  - |\n    x\n  - y", None),
            // All that is deeper than the key is its text, also a key at less indent than the first line.
            ("a: |\n   x\n y: |\n z", None),
            // A header without a key and without a dash is none.
            ("  |\n  - a: |\n   x\n  - b: 1", Some("  |\n  - a: |\n      x\n  - b: 1")),
            ("  - a b: |\n   x", None),
            ("  - a: x\n   y", None),
            ("- |\nx\n- y", None),
            ("- |\n x\n- y", None),
            (" - |\n x\n - y", Some(" - |\n   x\n - y")),
            ("  - |\n x\n  - y", None),
            ("a: |\nx", None),
            (" a: |\n x", Some(" a: |\n   x")),
            ("  a: |\n x\nb: 1", None),
            ("  - a: |\n   x\n     y\n    b: 2", Some("  - a: |\n      x\n        y\n    b: 2")),
            ("  - a: |\n\n   x\n", Some("  - a: |\n\n      x")),
        ] {
            assert_eq!(deeper(text).as_deref(), want, "{text}");
        }
    }
}
