//! Markers that are mentioned: quotes, emphasis, brackets or the lines of a table stand around them.

/// Whether the sign at the end of the text before a marker closes right behind the marker.
#[must_use]
pub fn is_enclosed(before: &[u8], after: &[u8]) -> bool {
    let pairs: [(&str, &[&str]); 11] = [
        ("\"", &["\""]),
        ("'", &["'"]),
        ("*", &["*"]),
        ("_", &["_"]),
        ("(", &[")"]),
        ("[", &["]"]),
        ("“", &["”", "\""]),
        ("„", &["“", "”"]),
        ("«", &["»"]),
        ("‘", &["’", "'"]),
        ("|", &["|", " |"]),
    ];
    // In a table one space may stand between the line and the marker.
    let before = match before {
        [rest @ .., b' '] if rest.ends_with(b"|") => rest,
        before => before,
    };
    let encloses = |(open, close): (&str, &[&str])| {
        before.ends_with(open.as_bytes())
            && close.iter().any(|sign| after.starts_with(sign.as_bytes()))
    };
    pairs.into_iter().any(encloses)
}

/// Whether an opener behind a word and a space is one of a list, stands before a noun for markers or before a closer,
/// or, if its family stands `apart` from words, is one of the words of a sentence.
#[must_use]
pub fn is_opener_among_words(before: &[u8], after: &[u8], apart: bool) -> bool {
    let nouns = ["tag", "block", "element", "marker", "token"];
    let is_noun = |noun: &str| after.starts_with(format!(" {noun}").as_bytes());
    is_behind_word(before)
        && (is_listed(after)
            || nouns.into_iter().any(is_noun)
            || is_pair(before, after)
            || apart && is_before_word(after))
}

/// Whether an opener behind a word and a space stands before a closer, with nothing between but `and`, `or` or an
/// ellipsis.
#[must_use]
pub fn is_pair(before: &[u8], after: &[u8]) -> bool {
    let closes = |rest: &[u8], any: bool| rest.starts_with(b"</") || any && rest.starts_with(b"[/");
    let between = [("", true), (" and ", true), (" or ", true), ("...", true), ("…", true)];
    let spaced = [(" ... ", false), (" … ", false)];
    let is_between = |(text, any): (&str, bool)| {
        after.strip_prefix(text.as_bytes()).is_some_and(|rest| closes(rest, any))
    };
    is_behind_word(before) && between.into_iter().chain(spaced).any(is_between)
}

fn is_behind_word(before: &[u8]) -> bool {
    // A line of a table encloses, and is no word.
    matches!(before, [.., last, b' '] if *last > b' ' && *last != super::code::MARKER)
        && !before.ends_with(b"| ")
}

fn is_before_word(after: &[u8]) -> bool {
    matches!(after, [b' ', next, ..] if next.is_ascii_lowercase())
}

const fn is_listed(after: &[u8]) -> bool {
    matches!(after, [b',' | b';', ..])
}

/// Whether a closer that closes nothing is one of a list, one of the words of a sentence, or the last.
#[must_use]
pub fn is_closer_among_words(before: &[u8], after: &[u8]) -> bool {
    let is_word = |last: u8| last.is_ascii_alphabetic() || matches!(last, b'-' | b'*');
    let is_behind_word = matches!(before, [.., last, b' '] if is_word(*last));
    let is_last = matches!(after, [b'.' | b':' | b'!' | b'?' | b')', ..]);
    is_behind_word && (is_listed(after) || is_last || is_before_word(after))
}

/// Whether an opener is followed by one of some texts, behind at most 64 bytes of whitespace. The text may end
/// before that is known.
#[must_use]
pub fn is_followed(then: &[String], after: &[u8]) -> bool {
    let blank = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let blanks = after.iter().position(blank).unwrap_or(after.len());
    let rest = &after[blanks..];
    let fits =
        |text: &String| rest.starts_with(text.as_bytes()) || text.as_bytes().starts_with(rest);
    then.is_empty() || blanks <= 64 && then.iter().any(fits)
}
