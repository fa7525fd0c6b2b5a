//! What models put around the name in a header.

use super::names::DeclaredNames;

/// The marks of emphasis.
pub(super) const EMPHASIS: [char; 3] = ['*', '_', '`'];
/// The words of a kind behind a name: `(json)`, `(array of strings)`.
const KINDS: [&str; 21] = [
    "text",
    "plain",
    "json",
    "yaml",
    "markdown",
    "string",
    "str",
    "list",
    "array",
    "object",
    "number",
    "integer",
    "int",
    "float",
    "boolean",
    "bool",
    "enum",
    "of",
    "optional",
    "required",
    "mandatory",
];
/// More such words, which only count in brackets: `(one sentence)`, `(in minutes)`.
const REMARKS: [&str; 42] = [
    "choice",
    "option",
    "date",
    "time",
    "dict",
    "map",
    "bulleted",
    "numbered",
    "bullet",
    "paragraph",
    "sentence",
    "word",
    "multiline",
    "short",
    "long",
    "brief",
    "single",
    "multiple",
    "line",
    "item",
    "value",
    "field",
    "nullable",
    "null",
    "none",
    "or",
    "and",
    "a",
    "an",
    "the",
    "one",
    "two",
    "three",
    "in",
    "day",
    "week",
    "month",
    "year",
    "hour",
    "minute",
    "second",
    "percent",
];
/// Words behind the dash behind a name that only say that a text follows: `n — description`.
const CONTENTS: [&str; 6] = ["description", "value", "content", "contents", "details", "field"];
/// The words that may stand behind a name: `n section`, `Confidence Level`.
const NOUNS: [&str; 7] =
    [" section", " field", " level", " score", " rating", " list", " questions"];
/// Elements of HTML that mean emphasis.
const HTML: [(&str, &str); 5] = [
    ("<b>", "</b>"),
    ("<strong>", "</strong>"),
    ("<u>", "</u>"),
    ("<i>", "</i>"),
    ("<em>", "</em>"),
];
/// The words that may stand before a name: `Section 2: title`.
const LABELS: [&str; 4] = ["section", "field", "part", "step"];
/// The pairs of marks that may enclose a name.
const PAIRS: [(char, char); 8] = [
    ('"', '"'),
    ('“', '”'),
    ('[', ']'),
    ('<', '>'),
    ('{', '}'),
    ('【', '】'),
    ('「', '」'),
    ('《', '》'),
];

/// A text without the number of an item before it.
pub(super) fn without_number(text: &str) -> &str {
    let whole = text;
    // `(1) n`
    let text = whole.strip_prefix('(').unwrap_or(whole);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    // `1️⃣` is a digit in a key.
    let behind =
        text[digits..].strip_prefix(['.', ')', ':']).or_else(|| without_key(&text[digits..]));
    let behind = behind.filter(|_| (1..=3).contains(&digits));
    behind.filter(|rest| rest.starts_with([' ', '\t'])).map_or(whole, |rest| rest.trim_start())
}

/// A text without the mark that makes a key of the digit before it.
pub(in crate::finalize::fields) fn without_key(text: &str) -> Option<&str> {
    text.strip_prefix('\u{FE0F}').unwrap_or(text).strip_prefix('\u{20E3}')
}

pub(super) fn without_marks(line: &str) -> &str {
    line.trim().trim_matches(EMPHASIS).trim_end_matches([':', '：'])
}

/// The declared name in the text of a header.
pub(super) fn named<'s>(text: &str, names: &DeclaredNames<'s>) -> Option<&'s str> {
    let mut rest = text.trim();
    // What surrounds a name is removed layer by layer, because a name may contain such characters, too.
    for _ in 0..8 {
        if let Some(name) = names.find(rest) {
            return Some(name);
        }
        let shorter = layer(rest);
        if shorter.len() == rest.len() {
            break;
        }
        rest = shorter;
    }
    translated(text.trim().trim_matches(EMPHASIS), names)
}

/// The declared name in brackets behind its translation: `Titel (title)`.
fn translated<'s>(text: &str, names: &DeclaredNames<'s>) -> Option<&'s str> {
    let text = text.trim_end_matches([':', '：']);
    let (before, name) = text
        .strip_suffix(')')
        .and_then(|it| it.rsplit_once('('))
        .or_else(|| text.strip_suffix('）')?.rsplit_once('（'))?;
    let is_word = before.trim_start().starts_with(char::is_alphabetic);
    names.find(name.trim().trim_matches(EMPHASIS)).filter(|_| is_word)
}

/// The text inside elements of HTML that mean emphasis.
pub(super) fn html_emphasis(text: &str) -> Option<&str> {
    HTML.iter().find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close))
}

/// A text without one layer of what may surround a name.
fn layer(text: &str) -> &str {
    let closed = text.trim_end_matches('#');
    if closed.len() < text.len() && closed.ends_with([' ', '\t']) {
        return closed.trim();
    }
    if let Some(rest) = text.strip_suffix([':', '：', '=', '—', '–', '?', '.']) {
        return rest.trim_end();
    }
    if let Some((name, _)) = text.split_once("<!--").filter(|_| text.ends_with("-->")) {
        return name.trim_end();
    }
    if let Some((name, _)) = text.split_once(" {#").filter(|_| text.ends_with('}')) {
        return name.trim_end();
    }
    // A link to a place in the text.
    if let Some((name, _)) = text.strip_prefix('[').and_then(|rest| rest.split_once("](#")) {
        return name;
    }
    if let Some(rest) = without_kind(text).or_else(|| without_label(text)) {
        return rest;
    }
    if let Some(inner) = html_emphasis(text) {
        return inner.trim();
    }
    let noun = |noun: &&str| {
        let at = text.len().checked_sub(noun.len())?;
        let (name, end) = text.split_at_checked(at)?;
        // `📌 Score` is no noun behind a name.
        let is_noun = end.eq_ignore_ascii_case(noun) && name.contains(char::is_alphanumeric);
        is_noun.then_some(name)
    };
    if let Some(rest) = NOUNS.iter().find_map(noun) {
        return rest.trim_end();
    }
    let inner = |(open, close): &(char, char)| text.strip_prefix(*open)?.strip_suffix(*close);
    if let Some(rest) = PAIRS.iter().find_map(inner) {
        return rest.trim();
    }
    let is_symbol = |char: char| !char.is_ascii() && !char.is_alphanumeric();
    let bare = text.trim_matches(EMPHASIS).trim_matches(is_symbol).trim();
    without_number(bare)
}

/// A name without the kind behind it.
fn without_kind(text: &str) -> Option<&str> {
    let (name, kind) = match text.as_bytes().last()? {
        b']' => text.rsplit_once('[')?,
        b')' => text.rsplit_once('(')?,
        b'>' => text.rsplit_once('<')?,
        _ => [" - ", " – ", " — ", " | "].into_iter().find_map(|it| text.rsplit_once(it))?,
    };
    let is_content = |word: &&str| word.eq_ignore_ascii_case(kind.trim());
    // `rating (1-5)`
    let is_range = text.ends_with(')') && kind.contains(|it: char| it.is_ascii_digit());
    let is_known = is_range
        || CONTENTS.iter().any(is_content)
        || is_kind(kind.trim_end_matches(['[', ']', ')', '>']))
        || text.ends_with([']', ')'])
            && is_made_of(&kind[..kind.len() - 1], |it| {
                KINDS.contains(&it) || REMARKS.contains(&it)
            });
    is_known.then(|| name.trim_end())
}

/// Whether a text only says the kind of a section: `array of strings`.
pub(super) fn is_kind(text: &str) -> bool {
    is_made_of(text, |word| KINDS.contains(&word))
}

/// Whether all words of a text are known, in lower case and as one of several.
fn is_made_of(text: &str, is_known: impl Fn(&str) -> bool) -> bool {
    let mut words = text.split([' ', ',', '/', '|']).filter(|it| !it.is_empty());
    let is_word = |word: &str| {
        let word = word.to_lowercase();
        is_known(&word) || word.strip_suffix('s').is_some_and(&is_known)
    };
    words.clone().next().is_some() && words.all(is_word)
}

/// A name without the word, the number and the colon before it.
fn without_label(text: &str) -> Option<&str> {
    let (label, name) = text.split_once([':', '-', '–'])?;
    let word = label.trim().trim_end_matches(|char: char| char.is_ascii_digit()).trim_end();
    let is_label = LABELS.iter().any(|it| it.eq_ignore_ascii_case(word));
    is_label.then(|| name.trim_start())
}

#[cfg(test)]
mod tests {
    use super::super::names::DeclaredNames;
    use super::{html_emphasis, is_kind, layer, named, without_key, without_number};
    use crate::schema::{Schema, object, str};

    #[test]
    fn one_layer_around_a_name() {
        for (text, want) in [
            ("n ##", "n"),
            ("n##", "n##"),
            ("n:", "n"),
            ("n —", "n"),
            ("n?", "n"),
            ("n <!-- x -->", "n"),
            ("n <!-- x", "n <!-- x"),
            ("n {#anchor}", "n"),
            ("n {#anchor", "n {#anchor"),
            ("[n](#there)", "n"),
            ("[n](there)", "[n](there)"),
            ("n (json)", "n"),
            ("n [array of strings]", "n"),
            ("n (a short sentence)", "n"),
            ("n [in minutes]", "n"),
            ("n <text>", "n"),
            ("n <minutes>", "n <minutes>"),
            ("n (1-5)", "n"),
            ("n [1-5]", "n [1-5]"),
            ("n (other)", "n (other)"),
            ("n ()", "n ()"),
            ("n — description", "n"),
            ("n - Details", "n"),
            ("n | json", "n"),
            ("n - other", "n - other"),
            ("Section 2: n", "n"),
            ("step - n", "n"),
            ("chapter 2: n", "chapter 2: n"),
            ("<b>n</b>", "n"),
            ("<em> n </em>", "n"),
            ("<b>n</i>", "b>n</i"),
            ("n Section", "n"),
            ("n questions", "n"),
            ("📌 Score", "Score"),
            (" score", "score"),
            ("\"n\"", "n"),
            ("《n》", "n"),
            ("[ n ]", "n"),
            ("[n>", "[n>"),
            ("**n**", "n"),
            ("📌 n", "n"),
            ("2. n", "n"),
            ("n", "n"),
        ] {
            assert_eq!(layer(text), want, "{text}");
        }
    }

    #[test]
    fn numbers_before_a_name() {
        for (text, want) in [
            ("1. n", "n"),
            ("123) n", "n"),
            ("12:  n", "n"),
            ("1.\tn", "n"),
            ("1234. n", "1234. n"),
            ("1.n", "1.n"),
            (". n", ". n"),
            ("(1) n", "n"),
            ("1\u{FE0F}\u{20E3} n", "n"),
            ("1\u{20E3} n", "n"),
            ("1\u{FE0F} n", "1\u{FE0F} n"),
            ("n", "n"),
        ] {
            assert_eq!(without_number(text), want, "{text}");
        }
        assert_eq!(without_key("\u{20E3}a"), Some("a"));
        assert_eq!(without_key("a"), None);
    }

    #[test]
    fn kinds_and_emphasis() {
        for (text, want) in [
            ("json", true),
            ("Array of Strings", true),
            ("list, optional", true),
            ("string|null", false),
            ("int / float", true),
            ("", false),
            (" ,", false),
            ("sentence", false),
        ] {
            assert_eq!(is_kind(text), want, "{text}");
        }
        assert_eq!(html_emphasis("<strong>n</strong>"), Some("n"));
        assert_eq!(html_emphasis("<strong>n"), None);
    }

    #[test]
    fn names_in_what_surrounds_them() {
        let schema: Schema = object().field("n", str("")).field("due date", str("")).into();
        let names = DeclaredNames::of(&schema);
        for (text, want) in [
            ("n", Some("n")),
            (" **N**: ", Some("n")),
            ("**\"n\"** (json) —", Some("n")),
            ("Due_Date", Some("due date")),
            ("Name (n)", Some("n")),
            ("Name (**n**):", Some("n")),
            ("名（n）", Some("n")),
            ("1 (n)", None),
            ("(n)", Some("n")),
            ("Name (m)", None),
            ("n m", None),
            // Eight layers are removed, and no more.
            ("n:::::::", Some("n")),
            ("n::::::::", None),
            ("", None),
        ] {
            assert_eq!(named(text, &names), want, "{text}");
        }
    }
}
