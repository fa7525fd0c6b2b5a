//! Markdown in a text: what is heading, emphasis, code or a mark of a list. Nothing is hidden, so that a text is
//! shown as it was written.

use core::ops::Range;

/// A part of a line, in bytes, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) at: Range<usize>,
    pub(super) is: MarkKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkKind {
    Heading,
    Strong,
    Emphasis,
    Code,
    /// The characters of Markdown itself.
    Sign,
}

/// The parts of a line of a text. `begins`: it is the beginning of a line of the text, and not of the rest of one
/// that was wrapped.
pub(super) fn marks(line: &str, begins: bool) -> Vec<Mark> {
    let mut marks = Vec::new();
    let body = line.trim_start_matches(' ');
    let at = line.len() - body.len();
    if begins {
        let hashes = body.bytes().take_while(|byte| *byte == b'#').count();
        if (1..=6).contains(&hashes) && body[hashes..].starts_with(' ') {
            marks.push(Mark { at: at..at + hashes, is: MarkKind::Sign });
            marks.push(Mark { at: at + hashes..line.len(), is: MarkKind::Heading });
            return marks;
        }
        if body.starts_with("```") {
            return vec![Mark { at: at..line.len(), is: MarkKind::Sign }];
        }
        let sign = sign(body);
        if sign > 0 {
            marks.push(Mark { at: at..at + sign, is: MarkKind::Sign });
        }
    }
    inline(line, &mut marks);
    marks
}

/// The length of the mark of a list item or a quotation.
fn sign(body: &str) -> usize {
    if ["- ", "* ", "+ ", "> "].iter().any(|sign| body.starts_with(sign)) {
        return 1;
    }
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let is_number =
        (1..=3).contains(&digits) && [". ", ") "].iter().any(|it| body[digits..].starts_with(it));
    if is_number { digits + 1 } else { 0 }
}

/// Emphasis and code that begin and end on this line.
fn inline(line: &str, marks: &mut Vec<Mark>) {
    let mut at = 0;
    while let Some(found) = line[at..].find(['`', '*', '_']) {
        at += found;
        let sign = &line[at..];
        let (len, is) = match sign.as_bytes() {
            [b'`', ..] => (1, MarkKind::Code),
            [b'*', b'*', ..] | [b'_', b'_', ..] => (2, MarkKind::Strong),
            _ => (1, MarkKind::Emphasis),
        };
        match end(line, at, len, is) {
            Some(end) => {
                marks.push(Mark { at: at..at + len, is: MarkKind::Sign });
                marks.push(Mark { at: at + len..end, is });
                marks.push(Mark { at: end..end + len, is: MarkKind::Sign });
                at = end + len;
            }
            None => at += sign.bytes().take_while(|byte| *byte == sign.as_bytes()[0]).count(),
        }
    }
}

/// Where the sign at `at` is closed; `None` if it is no sign of Markdown.
fn end(line: &str, at: usize, len: usize, is: MarkKind) -> Option<usize> {
    let (before, rest) = (line[..at].chars().next_back(), &line[at + len..]);
    let sign = &line[at..at + len];
    let is_word = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    if is == MarkKind::Code {
        return rest.find('`').filter(|len| *len > 0).map(|found| at + len + found);
    }
    // `2 * 3` and `snake_case` are no emphasis.
    let begins =
        rest.chars().next().is_some_and(|char| !char.is_whitespace() && !sign.starts_with(char));
    if !begins || is_word(before) {
        return None;
    }
    let ends = |found: &usize| {
        let (inside, after) = (&rest[..*found], &rest[found + len..]);
        let is_tight = inside.chars().next_back().is_some_and(|char| !char.is_whitespace());
        let goes_on = after.starts_with(&sign[..1]) || inside.ends_with(&sign[..1]);
        is_tight && !goes_on && !is_word(after.chars().next())
    };
    rest.match_indices(sign).map(|(found, _)| found).find(ends).map(|found| at + len + found)
}

#[cfg(test)]
mod tests {
    use super::{MarkKind, marks};

    /// The parts of a line, each with the first letter of what it is.
    fn shown(line: &str) -> Vec<String> {
        let name = |is| match is {
            MarkKind::Heading => "h",
            MarkKind::Strong => "b",
            MarkKind::Emphasis => "i",
            MarkKind::Code => "c",
            MarkKind::Sign => "s",
        };
        marks(line, true)
            .into_iter()
            .map(|mark| format!("{}:{}", name(mark.is), &line[mark.at]))
            .collect()
    }

    #[test]
    fn what_markdown_marks_is_found() {
        for (line, expected) in [
            ("## The mill", &["s:##", "h: The mill"][..]),
            ("- one **two** *three*", &["s:-", "s:**", "b:two", "s:**", "s:*", "i:three", "s:*"]),
            ("12. `a * b`", &["s:12.", "s:`", "c:a * b", "s:`"]),
            ("> quoted", &["s:>"]),
            ("```rust", &["s:```rust"]),
            ("__bold__ _it_", &["s:__", "b:bold", "s:__", "s:_", "i:it", "s:_"]),
            ("**caf\u{e9}**", &["s:**", "b:caf\u{e9}", "s:**"]),
        ] {
            assert_eq!(shown(line), expected, "{line}");
        }
    }

    #[test]
    fn what_only_looks_like_it_is_text() {
        for line in [
            "2 * 3 * 4",
            "snake_case_name",
            "#hash",
            "a ** b",
            "**",
            "****",
            "`",
            "x*y*z",
            "-1",
            "1.5",
            "* * *x",
        ] {
            let found = shown(line);
            assert!(found.iter().all(|mark| mark.starts_with("s:")), "{line}: {found:?}");
        }
        assert!(marks("# rest of a line", false).is_empty());
    }
}
