//! Markers that are mentioned: quotes, emphasis, brackets or the lines of a table stand around them.

/// Whether the sign at the end of the text before a marker closes right behind the marker.
#[must_use]
pub fn is_enclosed(before: &[u8], after: &[u8]) -> bool {
    let pairs: [(&str, &[&str]); 11] = [
        ("\"", &["\"", r#"\n""#]),
        ("'", &["'", r"\n'"]),
        ("*", &["*"]),
        ("_", &["_"]),
        ("(", &[")", ","]),
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

/// Whether an opener behind a word and a space is one of a list, ends a sentence, stands before a noun for markers or before a closer,
/// or, if its family stands `apart` from words, is one of the words of a sentence.
#[must_use]
pub fn is_opener_among_words(before: &[u8], after: &[u8], apart: bool) -> bool {
    let nouns = ["tag", "block", "element", "marker", "token", "is ", "was ", "means "];
    let is_noun = |noun: &str| after.starts_with(format!(" {noun}").as_bytes());
    is_behind_word(before)
        && (is_listed(after)
            || matches!(after, [b'?' | b')', ..] | [b'.', b' ' | b'\n', ..])
            || is_before_opener(after)
            || nouns.into_iter().any(is_noun)
            || is_pair(before, after)
            || apart && is_before_word(after))
}

/// Whether an opener behind a word and a space stands before a closer, with nothing between but `and`, `or` or an
/// ellipsis.
#[must_use]
pub fn is_pair(before: &[u8], after: &[u8]) -> bool {
    let between: [(&str, &[&str]); 7] = [
        ("", &["</", "[/", "◁/"]),
        (" and ", &["</", "[/", "◁/"]),
        (" or ", &["</", "[/", "◁/"]),
        ("...", &["</", "[/"]),
        ("…", &["</", "[/"]),
        (" ... ", &["</"]),
        (" … ", &["</"]),
    ];
    let is_between = |(text, closers): (&str, &[&str])| {
        let rest = after.strip_prefix(text.as_bytes());
        rest.is_some_and(|rest| closers.iter().any(|it| rest.starts_with(it.as_bytes())))
    };
    is_behind_word(before) && between.into_iter().any(is_between)
}

/// Whether `and` or `or` and another opener follow.
fn is_before_opener(after: &[u8]) -> bool {
    let between = [" and <", " or <"].into_iter();
    let mut rests = between.filter_map(|text| after.strip_prefix(text.as_bytes()));
    rests.any(|rest| rest.first().is_some_and(u8::is_ascii_alphabetic))
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
