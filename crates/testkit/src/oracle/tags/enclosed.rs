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

/// Whether an opener behind a word and a space is one of a list, or, if its family stands `apart` from words, one of the
/// words of a sentence.
#[must_use]
pub fn is_among_words(before: &[u8], after: &[u8], apart: bool) -> bool {
    let is_behind_word =
        matches!(before, [.., last, b' '] if *last > b' ' && *last != super::code::MARKER);
    let is_before_word = matches!(after, [b' ', next, ..] if next.is_ascii_lowercase());
    is_behind_word && (matches!(after, [b',' | b';', ..]) || apart && is_before_word)
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
