//! The items of a list that is no JSON: elements, bullets, tables, fenced blocks, words with marks between
//! them.

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

/// The items of a list in Markdown. Lines with more indent than the first bullet go on with an item.
pub(super) fn bullets(text: &str) -> Option<Vec<String>> {
    let mut items: Vec<String> = Vec::new();
    let mut first = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let indent = line.len() - line.trim_start().len();
        let item = bullet(line.trim_start()).filter(|_| first.is_none_or(|first| indent <= first));
        match (item, items.last_mut()) {
            (Some(item), _) => {
                first = first.or(Some(indent));
                items.push(item.to_owned());
            }
            (None, Some(last)) if first.is_some_and(|first| indent > first) => {
                last.push('\n');
                last.push_str(line.trim());
            }
            _ => return None,
        }
    }
    (!items.is_empty()).then_some(items)
}

/// The text behind the bullet or number of an item, and behind its check box.
pub(super) fn bullet(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let behind = match digits {
        0 => line.strip_prefix(['-', '*', '+', '•', '–', '◦']),
        1..=4 => line[digits..].strip_prefix(['.', ')']),
        _ => None,
    };
    let item = behind?.strip_prefix([' ', '\t'])?.trim();
    let boxed = ["[ ] ", "[x] ", "[X] "].into_iter().find_map(|it| item.strip_prefix(it));
    Some(boxed.unwrap_or(item))
}

/// The cells of a table (GitHub Flavored Markdown 0.29, section 4.10), without the line below its head.
pub(super) fn table(text: &str) -> Option<Vec<Vec<&str>>> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_rule = |line: &str| {
        line.contains('-') && line.chars().all(|char| matches!(char, '|' | '-' | ':' | ' '))
    };
    let is_table = lines.len() > 2 && lines[0].contains('|') && is_rule(lines[1]);
    if !is_table || !lines.iter().all(|line| line.contains('|')) {
        return None;
    }
    fn cells(line: &str) -> Vec<&str> {
        let line = line.strip_prefix('|').unwrap_or(line);
        line.strip_suffix('|').unwrap_or(line).split('|').map(str::trim).collect()
    }
    let rows = lines.iter().copied().enumerate().filter(|(at, _)| *at != 1);
    Some(rows.map(|(_, line)| cells(line)).collect())
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

/// The parts of a text with commas, semicolons or hash marks between them.
pub(super) fn parts(text: &str) -> Vec<String> {
    let words = || text.split_whitespace();
    let is_tag = |word: &str| word.len() > 1 && word.starts_with('#') && !word[1..].contains('#');
    if words().count() > 1 && words().all(is_tag) {
        return words().map(|word| word[1..].trim_end_matches(',').to_owned()).collect();
    }
    let mark = if text.contains(',') { ',' } else { ';' };
    text.split(mark).map(|it| it.trim().to_owned()).collect()
}
