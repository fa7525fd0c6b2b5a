//! Documents with exactly one slip at a chosen place, and the expected value.

use patchwire::{Code, Leniency};

use super::parts::{Part, Parts, Role};
use crate::oracle::{Json, strict};

/// A kind of slip.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// The leniency that forgives it, if it needs one.
    pub leniency: Option<Leniency>,
    /// The notice that it must have, if any.
    pub code: Option<Code>,
    /// Whether the stream alone must give the expected value. Otherwise the finalizer may.
    pub streamed: bool,
    place: Place,
}

/// The change, and its place.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// Inserts this before any part except the first.
    Between(&'static str),
    /// Replaces a string of the valid text by one of the spoilt text.
    Text(&'static str, &'static str),
    /// Replaces a string in an object.
    TextInObject(&'static str, &'static str),
    /// Replaces a member name.
    Key(&'static str, &'static str),
    /// Replaces a number or literal.
    Scalar(&'static str, &'static str),
    /// Changes both the valid and the spoilt document at a place. False if that is not possible there.
    Other(fn(&mut Parts, usize) -> bool),
}

/// A document with one slip.
#[derive(Debug, Clone)]
pub struct Slip {
    /// The kind of slip.
    pub rule: Rule,
    /// The spoilt text.
    pub text: String,
    /// The expected value.
    pub want: Json,
}

/// Every slip that the document can have.
#[must_use]
pub fn every(document: &str) -> Vec<Slip> {
    let parts = Parts::of(document);
    let places =
        |rule: &Rule| (0..parts.0.len()).filter_map(|at| slip(*rule, &parts, at)).collect();
    RULES.iter().flat_map(|rule| -> Vec<Slip> { places(rule) }).collect()
}

/// The slip of this kind at this part, if it is possible there.
#[must_use]
pub fn slip(rule: Rule, parts: &Parts, at: usize) -> Option<Slip> {
    let (mut valid, mut spoilt) = (parts.clone(), parts.clone());
    let replace = |role: Role, good: &str, bad: &str, valid: &mut Parts, spoilt: &mut Parts| {
        if parts.0[at].role != role || begins_list(parts, at, bad) {
            return false;
        }
        good.clone_into(&mut valid.0[at].text);
        bad.clone_into(&mut spoilt.0[at].text);
        true
    };
    let fits = match rule.place {
        Place::Between(text) => {
            spoilt.0[at].text.insert_str(0, text);
            at > 0
        }
        Place::Text(good, bad) => replace(Role::Text, good, bad, &mut valid, &mut spoilt),
        Place::TextInObject(good, bad) => {
            parts.in_object(at) && replace(Role::Text, good, bad, &mut valid, &mut spoilt)
        }
        Place::Key(good, bad) => replace(Role::Key, good, bad, &mut valid, &mut spoilt),
        Place::Scalar(good, bad) => replace(Role::Scalar, good, bad, &mut valid, &mut spoilt),
        Place::Other(change) => change(&mut spoilt, at),
    };
    if !fits {
        return None;
    }
    let want = strict::read(valid.print().as_bytes(), 64).ok()?.settled();
    Some(Slip { rule, text: spoilt.print(), want })
}

/// A list is only a root before a quote, a digit, a sign, a point, a bracket or a whole literal. A slip right after its
/// opener that begins otherwise turns it into text.
fn begins_list(parts: &Parts, at: usize, bad: &str) -> bool {
    let literals = ["True", "False", "None", "undefined", "NaN", "Infinity"];
    let begins =
        bad.starts_with(|char: char| char.is_ascii_digit() || "+-.\"'`“‘＂".contains(char));
    at == 1 && parts.0[0].text == "[" && !begins && !literals.contains(&bad)
}

/// A trailing comma.
fn trailing_comma(parts: &mut Parts, at: usize) -> bool {
    let fits = parts.0[at].role == Role::Close && parts.before(at) != Some(Role::Open);
    parts.0[at].text.insert(0, ',');
    fits
}

fn double_comma(parts: &mut Parts, at: usize) -> bool {
    parts.0[at].text.push(',');
    parts.0[at].role == Role::Comma
}

fn leading_comma(parts: &mut Parts, at: usize) -> bool {
    let fits = parts.before(at) == Some(Role::Open) && parts.0[at].role != Role::Close;
    parts.0[at].text.insert(0, ',');
    fits
}

/// Inserts an ellipsis before an item that follows a comma.
fn ellipsis(parts: &mut Parts, at: usize, sign: &str) -> bool {
    let fits = parts.before(at) == Some(Role::Comma) && !parts.in_object(at);
    parts.0[at].text.insert_str(0, sign);
    fits
}

fn ellipsis_last(parts: &mut Parts, at: usize) -> bool {
    let list = parts.0[at].text == "]" && parts.before(at) != Some(Role::Open);
    parts.0[at].text.insert_str(0, ", ...");
    list
}

/// In a list, a quote without a comma after it is only a closer if another string follows.
fn missing_comma(parts: &mut Parts, at: usize, instead: &str) -> bool {
    instead.clone_into(&mut parts.0[at].text);
    let emitted = parts.in_object(at)
        || parts.before(at) != Some(Role::Text)
        || parts.behind(at) == Some(Role::Text);
    // The look-ahead is limited: a longer key is not recognized.
    let short = parts.0.get(at + 1).is_some_and(|next| next.text.len() < 60);
    parts.0[at].role == Role::Comma && emitted && (short || parts.behind(at) != Some(Role::Key))
}

fn missing_colon(parts: &mut Parts, at: usize, instead: &str) -> bool {
    instead.clone_into(&mut parts.0[at].text);
    parts.0[at].role == Role::Colon
}

fn tuple(parts: &mut Parts, at: usize) -> bool {
    // Not first in a list that is the root, which would turn it into text.
    if at < 2 || parts.0[at].text != "[" {
        return false;
    }
    let close = parts.closer_of(at);
    "(".clone_into(&mut parts.0[at].text);
    ")".clone_into(&mut parts.0[close].text);
    true
}

/// `[1, 2, "key": …`: the list must have an item, and a key must follow.
fn missing_bracket(parts: &mut Parts, at: usize) -> bool {
    let list = parts.0[at].text == "]" && parts.before(at) != Some(Role::Open);
    parts.0[at].text.clear();
    let open = parts.open_at(at);
    let above = open.len().checked_sub(2).map(|above| parts.0[open[above]].text == "{");
    // The look-ahead for the colon is limited, and ends at a second line end.
    let near = |key: &Part| key.text.len() < 60 && key.blanks.matches('\n').count() < 2;
    list && above == Some(true)
        && parts.behind(at) == Some(Role::Comma)
        && parts.behind(at + 1) == Some(Role::Key)
        && near(&parts.0[at + 2])
}

/// Removes all closers up to the end.
fn missing_end(parts: &mut Parts, at: usize) -> bool {
    let all = parts.0[at..].iter().all(|part| part.role == Role::Close);
    parts.0.truncate(at);
    // An opener alone is not a root.
    all && at > 1
}

/// Adds a closer after a member or item of the root.
fn surplus_close(parts: &mut Parts, at: usize, object: &str, list: &str) -> bool {
    let fits = parts.0[at].role == Role::Comma && parts.open_at(at).len() == 1;
    let closer = if parts.in_object(at) { object } else { list };
    parts.0[at].text.insert_str(0, closer);
    fits
}

fn surplus_end(parts: &mut Parts, at: usize) -> bool {
    parts.0[at].text.push_str("}]");
    at + 1 == parts.0.len()
}

/// Replaces a closer by the other kind, if no outer container could close instead.
fn other_closer(parts: &mut Parts, at: usize) -> bool {
    let Some(other) = swapped(parts, at) else { return false };
    let opener = if other == "}" { "{" } else { "[" };
    let outer = parts.open_at(at).iter().any(|open| parts.0[*open].text == opener);
    other.clone_into(&mut parts.0[at].text);
    !outer && at > 1
}

/// Replaces a closer by the other kind, which closes an outer container that has only closers left.
fn outer_closer(parts: &mut Parts, at: usize) -> bool {
    let Some(other) = swapped(parts, at) else { return false };
    let opener = if other == "}" { "{" } else { "[" };
    let open = parts.open_at(at);
    let Some(outer) = open.iter().rev().find(|open| parts.0[**open].text == opener) else {
        return false;
    };
    let close = parts.closer_of(*outer);
    let fits = parts.0[at..close].iter().all(|part| part.role == Role::Close);
    other.clone_into(&mut parts.0[at].text);
    // The closer of the outer container is then surplus. Further inside, that would be a second slip.
    fits && close + 1 == parts.0.len()
}

/// Replaces a closer by the other kind, which closes the root. The root ends too early, and the finalizer
/// continues it.
fn root_closer(parts: &mut Parts, at: usize) -> bool {
    let Some(other) = swapped(parts, at) else { return false };
    let opener = if other == "}" { "{" } else { "[" };
    let fits = parts.open_at(at).len() == 2
        && parts.0[0].text == opener
        && parts.behind(at) == Some(Role::Comma);
    other.clone_into(&mut parts.0[at].text);
    fits
}

fn swapped(parts: &Parts, at: usize) -> Option<&'static str> {
    match parts.0[at].text.as_str() {
        "}" => Some("]"),
        "]" => Some("}"),
        _ => None,
    }
}

/// Adds text after a scalar or container.
fn trailing_text(parts: &mut Parts, at: usize, text: &str) -> bool {
    let fits = matches!(parts.0[at].role, Role::Comma | Role::Close)
        && matches!(parts.before(at), Some(Role::Scalar | Role::Close));
    parts.0[at].text.insert_str(0, text);
    fits
}

/// Adds text around the whole document.
fn around(parts: &mut Parts, at: usize, before: &str, after: &str) -> bool {
    let last = parts.0.len() - 1;
    parts.0[0].text.insert_str(0, before);
    parts.0[last].text.push_str(after);
    at == 0
}

/// Adds an object before the document. The document must be an object, too: between equal roots the last
/// wins.
fn candidate(parts: &mut Parts, at: usize) -> bool {
    // An empty object would not win.
    let full = parts.0.len() > 2;
    full && at == 0 && parts.0[0].text == "{" && around(parts, at, "{\"x\": [0]}\n\n", "")
}

macro_rules! rules {
    ($($name:ident, $leniency:expr, $code:expr, $streamed:literal, $place:expr;)*) => {
        /// All kinds of slips.
        pub const RULES: &[Rule] = {
            use Code as C;
            use Leniency as L;
            use Place::*;
            &[$(Rule {
                name: stringify!($name),
                leniency: $leniency,
                code: $code,
                streamed: $streamed,
                place: $place,
            },)*]
        };
    };
}

rules! {
    line_comment, Some(L::Comments), Some(C::Comment), true, Between(" // it's \"x\", {y}: [z\n");
    block_comment, Some(L::Comments), Some(C::Comment), true, Between(" /* it's \"x\", * {y}: [z **/");
    hash_comment, Some(L::Comments), Some(C::Comment), true, Between(" # it's \"x\", {y}: [z\n");
    no_break_space, Some(L::UnicodeSpaces), Some(C::UnicodeSpace), true, Between("\u{a0}");
    ideographic_space, Some(L::UnicodeSpaces), Some(C::UnicodeSpace), true, Between(" \u{3000}\u{200b} ");
    single_quotes, Some(L::SingleQuotes), Some(C::SingleQuotes), true, Text(r#""one two""#, "'one two'");
    single_empty, Some(L::SingleQuotes), Some(C::SingleQuotes), true, Text(r#""""#, "''");
    single_apostrophe, Some(L::SingleQuotes), Some(C::SingleQuotes), true, Text(r#""it's ok""#, "'it's ok'");
    single_escaped, Some(L::SingleQuotes), Some(C::SingleQuotes), true, Text(r#""it's ok""#, r"'it\'s ok'");
    single_double_inside, Some(L::SingleQuotes), Some(C::SingleQuotes), true, Text(r#""a \"b\" c""#, "'a \"b\" c'");
    single_key, Some(L::SingleQuotes), Some(C::SingleQuotes), true, Key(r#""one two""#, "'one two'");
    single_key_apostrophe, Some(L::SingleQuotes), Some(C::SingleQuotes), true, Key(r#""it's""#, "'it's'");
    smart_quotes, Some(L::SmartQuotes), Some(C::SmartQuotes), true, Text(r#""one two""#, "“one two”");
    smart_german, Some(L::SmartQuotes), Some(C::SmartQuotes), true, Text(r#""one two""#, "„one two“");
    smart_half, Some(L::SmartQuotes), Some(C::SmartQuotes), true, Text(r#""one two""#, "“one two\"");
    smart_single, Some(L::SmartQuotes), Some(C::SmartQuotes), true, Text(r#""one two""#, "‘one two’");
    smart_apostrophe, Some(L::SmartQuotes), Some(C::SmartQuotes), true, Text(r#""it’s ok""#, "‘it’s ok’");
    full_width, Some(L::SmartQuotes), Some(C::SmartQuotes), true, Text(r#""one two""#, "＂one two＂");
    smart_key, Some(L::SmartQuotes), Some(C::SmartQuotes), true, Key(r#""key""#, "“key”");
    smart_german_key, Some(L::SmartQuotes), Some(C::SmartQuotes), true, Key(r#""key""#, "„key“");
    full_width_key, Some(L::SmartQuotes), Some(C::SmartQuotes), true, Key(r#""key""#, "＂key＂");
    backticks, Some(L::BacktickQuotes), Some(C::BacktickQuotes), true, Text(r#""one two""#, "`one two`");
    backtick_empty, Some(L::BacktickQuotes), Some(C::BacktickQuotes), true, Text(r#""""#, "``");
    backtick_quotes_inside, Some(L::BacktickQuotes), Some(C::BacktickQuotes), true, Text(r#""a \"b\" it's""#, "`a \"b\" it's`");
    backtick_key, Some(L::BacktickQuotes), Some(C::BacktickQuotes), true, Key(r#""key""#, "`key`");
    triple_quotes, Some(L::TripleQuotes), Some(C::TripleQuotes), true, Text(r#""one two""#, r#""""one two""""#);
    triple_inside, Some(L::TripleQuotes), Some(C::TripleQuotes), true, Text(r#""a \"b\", \"c\": d""#, r#""""a "b", "c": d""""#);
    triple_single, Some(L::TripleQuotes), Some(C::TripleQuotes), true, Text(r#""it's one""#, "'''it's one'''");
    unquoted_key, Some(L::UnquotedKeys), Some(C::UnquotedKey), true, Key(r#""key_1""#, "key_1");
    unquoted_odd_key, Some(L::UnquotedKeys), Some(C::UnquotedKey), true, Key(r#""naïve-x.y""#, "naïve-x.y");
    unquoted_text, Some(L::UnquotedValues), Some(C::UnquotedValue), true, Text(r#""hello there""#, "hello there");
    unquoted_word, Some(L::UnquotedValues), Some(C::UnquotedValue), true, Text(r#""truest""#, "truest");
    unquoted_date, Some(L::UnquotedValues), Some(C::UnquotedValue), true, Text(r#""2024-01-02""#, "2024-01-02");
    unquoted_time, Some(L::UnquotedValues), Some(C::UnquotedValue), true, Text(r#""10:30 pm""#, "10:30 pm");
    unquoted_path, Some(L::UnquotedValues), Some(C::UnquotedValue), true, Text(r#""/usr/bin""#, "/usr/bin");
    unquoted_url, Some(L::UnquotedValues), Some(C::UnquotedValue), true, Text(r#""http://x.y/?a=b#c""#, "http://x.y/?a=b#c");
    trailing_comma, Some(L::ExtraCommas), Some(C::TrailingComma), true, Other(trailing_comma);
    double_comma, Some(L::ExtraCommas), Some(C::ExtraComma), true, Other(double_comma);
    leading_comma, Some(L::ExtraCommas), Some(C::ExtraComma), true, Other(leading_comma);
    ellipsis, Some(L::Ellipses), Some(C::Ellipsis), true, Other(|it, at| ellipsis(it, at, "..., "));
    ellipsis_sign, Some(L::Ellipses), Some(C::Ellipsis), true, Other(|it, at| ellipsis(it, at, "…, "));
    ellipsis_last, Some(L::Ellipses), Some(C::Ellipsis), true, Other(ellipsis_last);
    missing_comma, Some(L::MissingCommas), Some(C::MissingComma), true, Other(|it, at| missing_comma(it, at, " "));
    missing_comma_line, Some(L::MissingCommas), Some(C::MissingComma), true, Other(|it, at| missing_comma(it, at, "\n"));
    missing_colon, Some(L::MissingColons), Some(C::MissingColon), true, Other(|it, at| missing_colon(it, at, " "));
    equals_sign, Some(L::MissingColons), Some(C::MissingColon), true, Other(|it, at| missing_colon(it, at, " = "));
    python_true, Some(L::ForeignLiterals), Some(C::ForeignLiteral), true, Scalar("true", "True");
    python_false, Some(L::ForeignLiterals), Some(C::ForeignLiteral), true, Scalar("false", "False");
    python_none, Some(L::ForeignLiterals), Some(C::ForeignLiteral), true, Scalar("null", "None");
    undefined, Some(L::ForeignLiterals), Some(C::ForeignLiteral), true, Scalar("null", "undefined");
    upper_case, Some(L::ForeignLiterals), Some(C::ForeignLiteral), true, Scalar("null", "NULL");
    not_a_number, Some(L::NonFinite), Some(C::NonFinite), true, Scalar("null", "NaN");
    infinity, Some(L::NonFinite), Some(C::NonFinite), true, Scalar("null", "Infinity");
    minus_infinity, Some(L::NonFinite), Some(C::NonFinite), true, Scalar("null", "-Infinity");
    hex, Some(L::ForeignNumbers), Some(C::HexNumber), true, Scalar("31", "0x1F");
    minus_hex, Some(L::ForeignNumbers), Some(C::HexNumber), true, Scalar("-255", "-0xff");
    plus, Some(L::ForeignNumbers), Some(C::PlusSign), true, Scalar("1.5", "+1.5");
    leading_zeros, Some(L::ForeignNumbers), Some(C::LeadingZero), true, Scalar("7", "007");
    only_zeros, Some(L::ForeignNumbers), Some(C::LeadingZero), true, Scalar("0", "00");
    trailing_dot, Some(L::ForeignNumbers), Some(C::BareDot), true, Scalar("5", "5.");
    trailing_dot_exponent, Some(L::ForeignNumbers), Some(C::BareDot), true, Scalar("5e3", "5.e3");
    leading_dot, Some(L::ForeignNumbers), Some(C::BareDot), true, Scalar("0.5", ".5");
    minus_dot, Some(L::ForeignNumbers), Some(C::BareDot), true, Scalar("-0.5", "-.5");
    raw_newline, Some(L::RawControls), Some(C::RawControl), true, Text(r#""one\ntwo\n\n three""#, "\"one\ntwo\n\n three\"");
    raw_tab, Some(L::RawControls), Some(C::RawControl), true, Text(r#""one\ttwo""#, "\"one\ttwo\"");
    raw_bell, Some(L::RawControls), Some(C::RawControl), true, Text(r#""one\u0007two""#, "\"one\u{7}two\"");
    raw_tab_key, Some(L::RawControls), Some(C::RawControl), true, Key(r#""one\ttwo""#, "\"one\ttwo\"");
    pattern_escapes, Some(L::InvalidEscapes), Some(C::InvalidEscape), true, Text(r#""\\d+\\.\\w""#, r#""\d+\.\w""#);
    path_escapes, Some(L::InvalidEscapes), Some(C::InvalidEscape), true, Text(r#""C:\\Windows\\system""#, r#""C:\Windows\system""#);
    half_escape, Some(L::InvalidEscapes), Some(C::InvalidEscape), true, Text(r#""a\\u12x b""#, r#""a\u12x b""#);
    short_escape, Some(L::InvalidEscapes), Some(C::InvalidEscape), true, Text(r#""a\\u12""#, r#""a\u12""#);
    key_escape, Some(L::InvalidEscapes), Some(C::InvalidEscape), true, Key(r#""a\\d""#, r#""a\d""#);
    lone_high, Some(L::LoneSurrogates), Some(C::LoneSurrogate), true, Text(r#""a\ufffdb""#, r#""a\ud83db""#);
    lone_low, Some(L::LoneSurrogates), Some(C::LoneSurrogate), true, Text(r#""a\ufffdb""#, r#""a\ude00b""#);
    last_high, Some(L::LoneSurrogates), Some(C::LoneSurrogate), true, Text(r#""a\ufffd""#, r#""a\ud83d""#);
    two_highs, Some(L::LoneSurrogates), Some(C::LoneSurrogate), true, Text(r#""a\ufffd😀""#, r#""a\ud83d\ud83d\ude00""#);
    high_and_escape, Some(L::LoneSurrogates), Some(C::LoneSurrogate), true, Text(r#""\ufffd\n\ufffdé""#, r#""\ud83d\n\ud83d\u00e9""#);
    key_surrogate, Some(L::LoneSurrogates), Some(C::LoneSurrogate), true, Key(r#""a\ufffdb""#, r#""a\ud83db""#);
    inner_quotes, Some(L::InnerQuotes), Some(C::InnerQuote), true, Text(r#""he said \"hi\" to me""#, r#""he said "hi" to me""#);
    inner_first, Some(L::InnerQuotes), Some(C::InnerQuote), true, Text(r#""\"hi\" he said""#, r#"""hi" he said""#);
    inner_last, Some(L::InnerQuotes), Some(C::InnerQuote), true, Text(r#""he said \"hi\"""#, r#""he said "hi"""#);
    inner_one, Some(L::InnerQuotes), Some(C::InnerQuote), true, Text(r#""a 5\" screen""#, r#""a 5" screen""#);
    inner_comma, Some(L::InnerQuotes), Some(C::InnerQuote), true, TextInObject(r#""say \"hi\", then go""#, r#""say "hi", then go""#);
    inner_colon, Some(L::InnerQuotes), Some(C::InnerQuote), true, TextInObject(r#""say \"hi\": then go""#, r#""say "hi": then go""#);
    inner_attribute, Some(L::InnerQuotes), Some(C::InnerQuote), true, Text(r#""<a href=\"x\">y</a>""#, r#""<a href="x">y</a>""#);
    inner_key, Some(L::InnerQuotes), Some(C::InnerQuote), true, Key(r#""the \"big\" one""#, r#""the "big" one""#);
    inner_key_last, Some(L::InnerQuotes), Some(C::InnerQuote), true, Key(r#""the \"big\"""#, r#""the "big"""#);
    string_concat, Some(L::StringConcat), Some(C::StringConcat), true, Text(r#""onetwo""#, r#""one" + "two""#);
    string_concat_lines, Some(L::StringConcat), Some(C::StringConcat), true, Text(r#""onetwothree""#, "\"one\"\n  + \"two\" +\n \"three\"");
    tuple, Some(L::Tuples), Some(C::Tuple), true, Other(tuple);
    missing_bracket, Some(L::MissingClosers), Some(C::MissingClose), false, Other(missing_bracket);
    missing_end, None, Some(C::Truncated), true, Other(missing_end);
    surplus_close, None, Some(C::ContinuedRoot), false, Other(|it, at| surplus_close(it, at, "}", "]"));
    surplus_other_close, Some(L::MismatchedClosers), Some(C::MismatchedClose), false, Other(|it, at| surplus_close(it, at, "]", "}"));
    surplus_end, Some(L::SurplusClosers), Some(C::SurplusClose), true, Other(surplus_end);
    mismatched_close, Some(L::MismatchedClosers), Some(C::MismatchedClose), true, Other(other_closer);
    outer_close, Some(L::MissingClosers), Some(C::MissingClose), true, Other(outer_closer);
    root_close, Some(L::MissingClosers), Some(C::MissingClose), false, Other(root_closer);
    trailing_word, Some(L::UnexpectedText), Some(C::TrailingAfterValue), true, Other(|it, at| trailing_text(it, at, " units"));
    trailing_note, Some(L::UnexpectedText), Some(C::TrailingAfterValue), true, Other(|it, at| trailing_text(it, at, " (a note)"));
    fence, None, None, true, Other(|it, at| around(it, at, "```json\n", "\n```"));
    fence_line_end, None, None, true, Other(|it, at| around(it, at, "```\r\n", "\r\n```\r\n"));
    fence_upper, None, None, true, Other(|it, at| around(it, at, "```JSON\n", "\n```\n"));
    fence_tildes, None, None, true, Other(|it, at| around(it, at, "~~~~\n", "\n~~~~\n"));
    fence_one_line, None, None, true, Other(|it, at| around(it, at, "```json ", " ```"));
    fence_open, None, None, true, Other(|it, at| around(it, at, "```json\n", "\n"));
    fence_and_prose, None, None, true, Other(|it, at| around(it, at, "Here's it:\n\n```json\n", "\n```\n\nI hope {that} helps: [1]!"));
    prose_before_fence, None, None, true, Other(|it, at| around(it, at, "Use {braces} and [lists], it's \"easy\" :-{\n```json\n", "\n```"));
    blanks, None, None, true, Other(|it, at| around(it, at, "\n\n  ", "\n\n"));
    byte_order_mark, None, Some(C::Bom), true, Other(|it, at| around(it, at, "\u{feff}", ""));
    thinking, None, None, true, Other(|it, at| around(it, at, "<think>maybe {\"x\": 0} or [1]?</think>", ""));
    thinking_lines, None, None, true, Other(|it, at| around(it, at, "<think>\n{\"x\": 0}\n</think>\n\n", "\n"));
    prose, None, None, true, Other(|it, at| it.0[0].text == "{" && around(it, at, "Sure! Here's [the] {thing}: ", " That's it."));
    prose_line, None, None, true, Other(|it, at| it.0[0].text == "{" && around(it, at, "As JSON:\n", "\nDone."));
    prose_list, None, None, true, Other(|it, at| it.0[0].text == "[" && it.role(Some(1)) == Some(Role::Text) && around(it, at, "See [1] and [a](b). The list: ", " That's it."));
    candidate_before, None, Some(C::BetterCandidate), false, Other(candidate);
}
