//! The items of a list that is no JSON: elements, bullets, tables, fenced blocks, words with marks between
//! them.

use crate::finalize::fields::untidy::without_key;

/// The contents of elements that are all of a text: `<item>a</item><item>b</item>`. Each has the name that its
/// attribute `name` says, or its own.
pub(super) fn elements(text: &str) -> Option<Vec<(&str, &str)>> {
    let mut items = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (tag, behind) = rest.strip_prefix('<')?.split_once('>')?;
        let (element, attributes) = tag.split_once([' ', '\n']).unwrap_or((tag, ""));
        let is_part = |it: char| it.is_alphanumeric() || it == '_';
        let is_name = !element.is_empty() && element.chars().all(is_part);
        let (item, behind) = behind.split_once(&*format!("</{element}>")).filter(|_| is_name)?;
        let named = attributes
            .split_once("name=")
            .and_then(|(_, value)| value.strip_prefix(['"', '\''])?.split(['"', '\'']).next());
        items.push((named.unwrap_or(element), item.trim()));
        rest = behind.trim_start();
    }
    (!items.is_empty()).then_some(items)
}

/// The items of a Markdown list. Lines with more indent than the first bullet, and lines directly below an item, belong
/// to that item. A line before the bullets that ends with a colon is skipped, and so is a paragraph after them.
pub(super) fn bullets(text: &str) -> Option<Vec<String>> {
    let mut items: Vec<String> = Vec::new();
    let mut first = None;
    let lines: Vec<&str> = text.lines().collect();
    let lines = without_closing_line(&lines);
    let is_bullet = |line: &&str| bullet(line.trim_start()).is_some();
    let last = lines.iter().rposition(is_bullet)?;
    let mut marks =
        lines.iter().filter(|line| is_bullet(line)).filter_map(|line| symbol(line.trim_start()));
    let first_mark = marks.next();
    let has_dashes = lines.iter().find(|line| is_bullet(line))?.trim_start().starts_with('-');
    if !marks.all(|mark| Some(mark) == first_mark) {
        return None;
    }
    let filled = lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (at, line) in filled {
        let is_apart = lines[..at].last().is_some_and(|above| above.trim().is_empty());
        let indent = line.len() - line.trim_start().len();
        let item = bullet(line.trim_start()).filter(|_| first.is_none_or(|first| indent <= first));
        // Among bullets, a dash without its blank is one, too.
        let item = item.or_else(|| {
            tight(line).filter(|_| has_dashes && first.is_none_or(|first| first == indent))
        });
        let is_inside = first.is_some_and(|first| indent > first);
        let is_label = line.trim_end_matches([' ', '\r', '*']).ends_with([':', '：']) && at < last;
        match (item, items.last_mut()) {
            (Some(item), _) => {
                first = first.or(Some(indent));
                items.push(item.to_owned());
            }
            (None, Some(item)) if is_inside || !is_apart && !is_label => {
                item.push('\n');
                item.push_str(line.trim());
            }
            (None, _) if is_label => {}
            (None, Some(_)) if at > last && is_prose(&lines[at..]) => break,
            _ => return None,
        }
    }
    (!items.is_empty()).then_some(items)
}

/// Lines without a last one behind an empty line whose picture no item has: `✅ All done.`
fn without_closing_line<'l, 't>(lines: &'l [&'t str]) -> &'l [&'t str] {
    let is_item = |line: &&&str| bullet(line.trim_start()).is_some();
    let Some(last) = lines.iter().rposition(|line| !line.trim().is_empty()) else { return lines };
    let has_picture = |line: &str| symbol(line.trim_start()).is_some();
    let above = &lines[..last];
    let is_apart = above.last().is_some_and(|line| line.trim().is_empty());
    let mut items = above.iter().filter(is_item).peekable();
    let is_other = items.peek().is_some() && items.all(|line| !has_picture(line));
    if is_apart && is_other && has_picture(lines[last]) { above } else { lines }
}

/// A horizontal rule: it is no item.
pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2 && ['-', '*', '_'].iter().any(|mark| line.trim_matches(*mark).is_empty())
}

/// A text without what closes it behind an empty line: a horizontal rule, the words below one, or a sentence, if no
/// line before it is one. A text with bullets stays whole: see [`bullets`].
pub(super) fn without_closing(text: &str) -> &str {
    if text.lines().any(|line| bullet(line.trim_start()).is_some()) {
        return text;
    }
    let mut kept = text;
    while let Some((before, last)) = last_paragraph(kept) {
        let is_below_rule = || before.lines().next_back().is_some_and(is_rule);
        let is_sentence = |line: &str| line.trim_end().ends_with(['.', '!', '?']);
        let is_only = || !before.lines().any(is_sentence);
        if !is_rule(last) && !(is_remark(last) && (is_below_rule() || is_only())) {
            break;
        }
        kept = before;
    }
    kept
}

/// What stands before the last empty line of a text, and what stands behind it.
fn last_paragraph(text: &str) -> Option<(&str, &str)> {
    let is_blank =
        |at: usize| text[..at].rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
    let (at, _) = text.rmatch_indices('\n').find(|&(at, _)| is_blank(at))?;
    let before = text[..at].trim_end();
    (!before.is_empty()).then(|| (before, text[at..].trim()))
}

/// Whether a paragraph is a sentence to the reader: `Let me know if you need more!`
fn is_remark(paragraph: &str) -> bool {
    let has_words = paragraph.split_whitespace().count() > 2;
    let ends = paragraph.ends_with(['.', '!', '?']);
    let first = paragraph.lines().next().unwrap_or_default();
    let begins = first.starts_with(|it: char| it.is_uppercase()) && !first.contains(':');
    has_words && ends && begins && is_prose(&[paragraph])
}

/// The text below a first line that ends with a colon and names what follows: `Here are the items:`.
pub(super) fn without_label(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once('\n')?;
    let is_label = |line: &str| line.trim_end().ends_with([':', '：']);
    let has_words = first.starts_with(char::is_alphabetic);
    (has_words && is_label(first) && !rest.lines().any(is_label)).then(|| rest.trim())
}

/// The items of one line that are numbered from 1: `1) a 2) b`.
pub(super) fn numbered_on_line(text: &str) -> Option<Vec<String>> {
    let mark = |number: usize, form: &str| form.replace('1', &number.to_string());
    let form = ["1) ", "1. ", "(1) "].into_iter().find(|form| text.starts_with(form))?;
    let mut items = Vec::new();
    let mut rest = text.strip_prefix(form).filter(|rest| !rest.contains('\n'))?;
    while let Some((item, behind)) = rest.split_once(&format!(" {}", mark(items.len() + 2, form))) {
        items.push(item.trim().trim_end_matches([',', ';']).to_owned());
        rest = behind;
    }
    items.push(rest.trim().to_owned());
    (items.len() > 1 && items.iter().all(|item| !item.is_empty())).then_some(items)
}

/// Whether all lines are words: no code, no table, nothing of JSON.
fn is_prose(lines: &[&str]) -> bool {
    let begins = |line: &str| line.trim_start().starts_with(['`', '~', '|', '{', '[', '<', '#']);
    !lines.iter().any(|line| begins(line))
}

/// The marks of items.
const MARKS: [char; 15] =
    ['-', '*', '+', '•', '–', '—', '◦', '·', '▪', '‣', '●', '○', '→', '►', '■'];

/// The text behind the bullet or number of an item, and behind its check box.
pub(super) fn bullet(line: &str) -> Option<&str> {
    let number = |line: &'_ str| line.bytes().take_while(u8::is_ascii_digit).count();
    let digits = number(line);
    let numbered = |rest: &'_ str| {
        let digits = number(rest);
        (1..=3).contains(&digits).then_some(digits)
    };
    let behind = match digits {
        // `[1] a`
        0 if line.starts_with('[') && numbered(&line[1..]).is_some() => {
            line[1 + number(&line[1..])..].strip_prefix(']')
        }
        // `(1) a`
        0 if line.starts_with('(') && numbered(&line[1..]).is_some() => {
            line[1 + number(&line[1..])..].strip_prefix(')')
        }
        0 => line.strip_prefix(MARKS).or_else(|| {
            let mark = symbol(line)?;
            Some(&line[mark.len()..])
        }),
        1..=4 => line[digits..].strip_prefix(['.', ')']).or_else(|| without_key(&line[digits..])),
        _ => None,
    };
    let item = behind?.strip_prefix([' ', '\t'])?.trim();
    let boxed = ["[ ] ", "[x] ", "[X] "].into_iter().find_map(|it| item.strip_prefix(it));
    Some(boxed.unwrap_or(item))
}

/// The word right behind a dash: `-a`.
fn tight(line: &str) -> Option<&str> {
    let word = line.trim().strip_prefix('-')?;
    word.starts_with(char::is_alphabetic).then_some(word)
}

/// The items of lines that count in letters: `a) x`, `B. y`.
pub(super) fn lettered(text: &str) -> Option<Vec<String>> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let item = |(at, line): (usize, &&str)| {
        let letter = line.bytes().next()?.to_ascii_lowercase();
        let behind = line.get(1..)?.strip_prefix(['.', ')'])?.strip_prefix(' ')?;
        (usize::from(letter) == usize::from(b'a') + at && at < 26).then(|| behind.trim().to_owned())
    };
    lines.iter().enumerate().map(item).collect::<Option<Vec<_>>>().filter(|it| it.len() > 1)
}

/// A picture that stands before an item: `✔ a`.
fn symbol(line: &str) -> Option<&str> {
    let is_symbol = |it: char| it >= '\u{2190}' && !it.is_alphanumeric() && it < '\u{3000}';
    let is_picture = |it: char| is_symbol(it) || it >= '\u{1F000}' || it == '\u{FE0F}';
    let len = line.find(|it| !is_picture(it)).unwrap_or(line.len());
    let is_mark = len > 0 && line[len..].starts_with(' ') && !line.starts_with(MARKS);
    is_mark.then(|| &line[..len])
}

/// The cells of a table (GitHub Flavored Markdown 0.29, section 4.10), without the line below its head.
pub(super) fn table(text: &str) -> Option<Vec<Vec<String>>> {
    let mut lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    // Words before and behind the table.
    let has_cells = |line: &&str| line.contains('|');
    lines.truncate(lines.iter().rposition(has_cells)? + 1);
    lines.drain(..lines.iter().position(has_cells)?);
    let is_rule = |line: &str| {
        line.contains('-') && line.chars().all(|char| matches!(char, '|' | '-' | ':' | ' '))
    };
    let is_table = lines.len() > 2 && is_rule(lines[1]);
    if !is_table || !lines.iter().all(|line| line.contains('|')) {
        return None;
    }
    let width = cells(lines[0], false).len();
    let rows = lines.iter().copied().enumerate().filter(|(at, _)| *at != 1);
    Some(rows.map(|(_, line)| row(line, width)).collect())
}

/// The cells of a row. Where it has more than the head, bars in code divide no cells.
fn row(line: &str, width: usize) -> Vec<String> {
    let plain = cells(line, false);
    let hidden = (plain.len() > width).then(|| cells(line, true));
    hidden.filter(|cells| cells.len() == width).unwrap_or(plain)
}

/// The parts between bars. A bar behind a backslash divides nothing.
fn cells(line: &str, code_hides: bool) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut chars = line.strip_prefix('|').unwrap_or(line).chars().peekable();
    let mut marks = line.matches('`').count();
    let mut is_code = false;
    while let Some(char) = chars.next() {
        let is_bar = char == '|' && !is_code;
        if is_bar {
            cells.push(String::new());
            continue;
        }
        if char == '`' && code_hides {
            marks -= 1;
            is_code = !is_code && marks > 0;
        }
        let escaped = chars.next_if(|next| char == '\\' && *next == '|');
        if let Some(cell) = cells.last_mut() {
            cell.push(escaped.unwrap_or(char));
        }
    }
    // Nothing stands behind the bar at the end of the line.
    if cells.len() > 1 && cells.last().is_some_and(|last| last.trim().is_empty()) {
        cells.pop();
    }
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

/// The contents of fenced blocks that are all of a text, one after the other.
pub(super) fn blocks(text: &str) -> Option<String> {
    let is_fence = |line: &str| line.trim_start().starts_with("```");
    if text.lines().filter(|line| is_fence(line)).count() < 4 {
        return None;
    }
    let (mut inside, mut content) = (false, String::new());
    for line in text.lines() {
        if is_fence(line) {
            inside = !inside;
        } else if inside {
            content.push_str(line);
            content.push('\n');
        } else if !line.trim().is_empty() {
            return None;
        }
    }
    (!inside).then_some(content)
}

/// The inside of the only fenced block of a text, if the text around it is prose.
pub(super) fn only_block(text: &str) -> Option<&str> {
    let fences: Vec<(usize, &str)> = text
        .match_indices("```")
        .filter(|(at, _)| text[..*at].trim_end_matches([' ', '\t']).ends_with('\n') || *at == 0)
        .collect();
    let [(open, _), (close, _)] = fences[..] else { return None };
    let from = open + text[open..close].find('\n')?;
    let behind = text[close..].trim_start_matches('`');
    let around = [&text[..open], behind];
    let is_words = |part: &&str| part.lines().all(|line| bullet(line.trim()).is_none());
    let is_apart = behind.trim().is_empty() || behind.trim_start_matches(' ').starts_with('\n');
    (is_apart && around.iter().all(is_words)).then(|| &text[from..close])
}

/// The parts of a text with commas or other marks between them.
pub(super) fn parts(text: &str) -> Vec<String> {
    let words = || text.split_whitespace();
    let is_tag = |word: &str| word.len() > 1 && word.starts_with('#') && !word[1..].contains('#');
    let is_own = |word: &str| {
        let bare = word[1..].trim_end_matches(',');
        let is_color =
            matches!(bare.len(), 3 | 6 | 8) && bare.bytes().all(|it| it.is_ascii_hexdigit());
        is_color || bare.bytes().all(|it| it.is_ascii_digit())
    };
    if words().count() > 1 && words().all(is_tag) && !words().all(is_own) {
        return words().map(|word| word[1..].trim_end_matches(',').to_owned()).collect();
    }
    if let Some(spans) = code_spans(text) {
        return spans;
    }
    for marks in [
        &[";", "；", "؛"][..],
        &[","],
        &["、"],
        &["，", "،"],
        &[" / "],
        &[" | "],
        &[" · "],
        &[" • "],
    ] {
        let parts = split_outside(text, marks);
        if parts.len() > 1 && !is_sentence(text, &parts) {
            return without_and(parts);
        }
    }
    vec![text.trim().to_owned()]
}

/// Whether two parts are the halves of one sentence: `This deletes data; back up first.`
fn is_sentence(text: &str, parts: &[String]) -> bool {
    let [_, second] = parts else { return false };
    let words = second.split_whitespace().count();
    let goes_on = second.starts_with(char::is_lowercase) && words > 1;
    goes_on && text.trim_end().ends_with(['.', '!', '?'])
}

/// The contents of code spans that are all of a text but blanks and commas.
fn code_spans(text: &str) -> Option<Vec<String>> {
    let pieces: Vec<&str> = text.trim().split('`').collect();
    let is_between = |piece: &&str| piece.trim().trim_matches([',', ';', '/', '|']).is_empty();
    let is_all = pieces.len() > 4 && pieces.len() % 2 == 1;
    let all_between = pieces.iter().step_by(2).all(is_between);
    let spans = || pieces.iter().skip(1).step_by(2).map(|span| span.trim().to_owned());
    (is_all && all_between && spans().all(|span| !span.is_empty())).then(|| spans().collect())
}

/// The parts of a text between marks, outside brackets and quotes. Brackets without a partner hide nothing.
fn split_outside(text: &str, marks: &[&str]) -> Vec<String> {
    let split = |hides: bool| {
        let (mut parts, mut from, mut at) = (Vec::new(), 0, 0);
        let (mut depth, mut quote) = (0_usize, None);
        while let Some(char) = text[at..].chars().next() {
            let mark = marks.iter().find(|mark| text[at..].starts_with(**mark));
            if let Some(mark) = mark.filter(|_| !hides || depth == 0 && quote.is_none()) {
                parts.push(text[from..at].trim().to_owned());
                at += mark.len();
                from = at;
                continue;
            }
            match char {
                '(' | '[' | '（' => depth += 1,
                ')' | ']' | '）' => depth = depth.saturating_sub(1),
                '"' | '“' | '”' | '„' if quote.is_some() => quote = None,
                '"' | '“' | '„' => quote = Some(char),
                _ => {}
            }
            at += char.len_utf8();
        }
        parts.push(text[from..].trim().to_owned());
        (depth == 0 && quote.is_none() || !hides).then_some(parts)
    };
    split(true).or_else(|| split(false)).unwrap_or_default()
}

/// The parts of `a, b, and c` and `a, b and c` without the word before the last.
fn without_and(mut parts: Vec<String>) -> Vec<String> {
    // A mark at the end closes the last part.
    if parts.last().is_some_and(|last| last.is_empty()) {
        parts.pop();
    }
    // `a, b and c`
    let is_short = |part: &String| part.split_whitespace().count() <= 3;
    let are_short = parts.len() > 1 && parts.iter().all(is_short);
    let joined = parts.last().filter(|_| are_short).and_then(|last| {
        let (one, other) =
            [" and ", " or ", " & "].into_iter().find_map(|it| last.split_once(it))?;
        Some((one.trim().to_owned(), other.trim().trim_end_matches('.').to_owned()))
    });
    if let Some((one, other)) = joined {
        parts.pop();
        parts.extend([one, other]);
    } else if parts.len() > 2
        && let Some(last) = parts.last_mut()
        && let Some(rest) = ["and ", "or ", "& "].into_iter().find_map(|it| last.strip_prefix(it))
    {
        *last = rest.trim_end_matches('.').to_owned();
    }
    parts
}

#[cfg(test)]
mod tests;
