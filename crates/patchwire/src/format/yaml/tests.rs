//! A document begins, these bytes come: the tokens that the machine returns, and the text it holds.

use super::YamlFormat;
use crate::format::Machine;
use crate::format::fields::FieldOptions;
use crate::format::json::JsonOptions;
use crate::lex::{Input, Slice, TokenKind};
use crate::limits::{Limit, Limits};
use crate::schema::{object, str};

fn machine() -> YamlFormat {
    YamlFormat::in_document(&FieldOptions::default(), &JsonOptions::standard())
}

/// The tokens of a text, one a word: brackets of containers, `key:`, and strings in quotes. Text that
/// grows in several tokens is joined.
fn tokens(machine: &mut YamlFormat, text: &str, base: u64) -> String {
    let mut input = Input::new(text, base);
    let mut out = String::new();
    let mut open = Vec::new();
    while let Some(token) = machine.step(&mut input).unwrap() {
        let text = match token.text {
            Slice::Empty => "",
            Slice::Input { start, end } => &text[start as usize..end as usize],
            Slice::Buffer { start, end } => &machine.buffer()[start as usize..end as usize],
        };
        match token.kind {
            TokenKind::ObjectOpen => {
                out.push('{');
                open.push('}');
            }
            TokenKind::ListOpen => {
                out.push('[');
                open.push(']');
            }
            TokenKind::Close => out.push(open.pop().unwrap_or('?')),
            TokenKind::Key => out.extend([text, ":"]),
            TokenKind::StringOpen | TokenKind::StringClose => out.push('"'),
            TokenKind::StringText => out.push_str(text),
            TokenKind::Scalar(scalar) if text.is_empty() => out.push_str(&format!("{scalar:?}")),
            TokenKind::Scalar(_) => out.push_str(text),
            kind => out.extend([
                "<",
                kind.notice().map_or_else(|| kind.name(), |code| code.name()),
                ">",
            ]),
        }
    }
    out
}

#[test]
fn bytes_to_tokens_and_held_text() {
    for (bytes, emitted, held) in [
        ("", "", ""),
        ("a", "", "a"),
        ("a:", "", "a:"),
        ("a: ", "{a:", ""),
        ("a: x", "{a:\"x", ""),
        // Null, a bool or a number until a character refutes it.
        ("a: tru", "{a:", "tru"),
        ("a: true\n", "{a:", "true"),
        ("a: truth", "{a:\"truth", ""),
        ("a: 12\nb", "{a:12", "b"),
        // Whitespace and line ends of a scalar are decided by the text after them.
        ("a: x \n", "{a:\"x", ""),
        ("a: x \n y", "{a:\"x y", ""),
        ("a: |", "{a:", "|"),
        ("a: |\n  x\n", "{a:\"x\n", ""),
        ("a: |-\n  x\n", "{a:\"x", ""),
        ("a: >\n  x\n  y", "{a:\"x y", ""),
        ("a: \"x\\", "{a:\"x", ""),
        ("a: \"x\\n", "{a:\"x\n", ""),
        ("a: \"x\"", "{a:\"x\"", ""),
        // Collections in lines stream item by item.
        ("a:\n  b: 1\n  c", "{a:{b:1", "c"),
        ("a:\n- x\n- ", "{a:[\"x\"", "-"),
        // Values that are read whole.
        ("a: [1, 2", "{a:", "[1, 2"),
        ("a: &x y\n", "{a:", "k: &x y\n"),
        ("a: *", "{a:<yaml_unknown_alias>\"*", ""),
        ("a: **", "{a:<yaml_unknown_alias>\"**", ""),
        // Boundaries of the document.
        ("a: |\n  x\n--", "{a:\"x\n", "--"),
        ("a: |\n  x\n<<<END A", "{a:\"x\n", "<<<END A"),
    ] {
        let mut machine = machine();
        assert_eq!(tokens(&mut machine, bytes, 0), emitted, "{bytes:?}");
        let end = bytes.len() as u64;
        let found: Vec<u8> = machine.held(0, end).into_iter().flat_map(|held| held.bytes).collect();
        assert_eq!(String::from_utf8(found).unwrap(), held, "{bytes:?}");
    }
}

#[cfg(feature = "yaml")]
#[test]
fn values_that_are_read_whole_come_with_the_line_that_ends_them() {
    for (bytes, emitted) in [
        ("a: [1, {b: c}]\n", "{a:<deferred>[1{b:\"c\"}]"),
        ("a: &x 1\nb: *x\n", "{a:<deferred>1b:<deferred>1"),
        ("a: !!str 1\nb", "{a:<deferred>\"1\""),
        ("a: &x one: two\nb", "{a:<bad_yaml>\"one:<yaml_colon_in_plain> two\""),
        ("<<: {k: 1}\na: 2\n...\n", "{a:2k:<deferred>1}<root_complete>"),
    ] {
        assert_eq!(tokens(&mut machine(), bytes, 0), emitted, "{bytes:?}");
    }
}

#[test]
fn a_cut_changes_neither_tokens_nor_state() {
    let text = "a: >-\n  x\n  y\nb: [1,\n 2]\nc: &x \"q\"\nd: 'it''s' # c\n- z\n...\n";
    let mut whole = machine();
    let expected = tokens(&mut whole, text, 0);
    for cut in 0..=text.len() {
        let mut parts = machine();
        let (first, rest) = text.split_at(cut);
        let mut found = tokens(&mut parts, first, 0);
        // Containers that the first part left open have no bracket in the second.
        found.push_str(&tokens(&mut parts, rest, cut as u64).replace('?', "}"));
        assert_eq!(found, expected, "cut at {cut}");
    }
}

/// Of a value in brackets over several lines, the lines that are put around it do not count toward the depth.
#[cfg(feature = "yaml")]
#[test]
fn bad_text_in_the_deepest_brackets_is_text() {
    let options =
        JsonOptions { limits: Limits::default().with(Limit::Depth, 4), ..JsonOptions::standard() };
    for (bytes, emitted) in [
        ("a: [[[1, 2, @]]]\n", "{a:<bad_yaml><deferred>\"[[[1, 2, @]]]\""),
        ("a: [\n [[1, 2, @]]]\n", "{a:<bad_yaml><deferred>\"[\n [[1, 2, @]]]\""),
        ("a: [\n [[1]]]\n", "{a:<deferred>[[[1]]]"),
    ] {
        let mut machine = YamlFormat::in_document(&FieldOptions::default(), &options);
        assert_eq!(tokens(&mut machine, bytes, 0), emitted, "{bytes:?}");
    }
}

/// A merged value is kept until the end, and takes the bytes of its texts and 64 more for each part.
#[cfg(feature = "yaml")]
#[test]
fn merged_members_have_room_or_a_notice() {
    for (most, emitted) in [
        (194, "{a:2k:<deferred>1}<root_complete>"),
        (193, "{a:2<yaml_alias_budget>}<root_complete>"),
    ] {
        let limits = Limits::default().with(Limit::Deferred, most);
        let options = JsonOptions { limits, ..JsonOptions::standard() };
        let mut machine = YamlFormat::in_document(&FieldOptions::default(), &options);
        assert_eq!(tokens(&mut machine, "a: 2\n<<: {k: 1}\n...\n", 0), emitted, "{most}");
    }
}

/// Where text is wanted, only a word without a tag is null.
#[cfg(feature = "yaml")]
#[test]
fn tagged_words_are_text_where_text_is_wanted() {
    let schema = Some(object().field("a", str("")).into());
    let options = JsonOptions { schema, ..JsonOptions::standard() };
    for (bytes, emitted) in [
        ("a: ~\n...\n", "{a:Null}<root_complete>"),
        ("a: !!str ~\n...\n", "{a:<deferred>\"~\"}<root_complete>"),
        ("a: !!null ~\n...\n", "{a:<deferred>\"~\"}<root_complete>"),
        ("a: !!int 5\n...\n", "{a:<deferred>\"5\"}<root_complete>"),
    ] {
        let mut machine = YamlFormat::in_document(&FieldOptions::default(), &options);
        assert_eq!(tokens(&mut machine, bytes, 0), emitted, "{bytes:?}");
    }
    let any = [("a: !!null ~\nb", "{a:<deferred>Null"), ("a: !!int 5\nb", "{a:<deferred>5")];
    for (bytes, emitted) in any {
        assert_eq!(tokens(&mut machine(), bytes, 0), emitted, "{bytes:?}");
    }
}
