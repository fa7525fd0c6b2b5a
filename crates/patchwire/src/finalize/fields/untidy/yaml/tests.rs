//! YAML with slips, and how it is written anew.

use super::super::names::DeclaredNames;
use super::{document, documents, fence_end, unwrapped, writer};
use crate::schema::{Schema, any, int, list, object, str};

/// The lines of the mapping that a text holds, as they are written anew. Before them stands `!` if a text is another one
/// for certain.
fn written(text: &str, is_well_formed: bool) -> String {
    let record = object().field("k", str("")).field("m", int(""));
    let schema: Schema = object()
        .field("a", str(""))
        .field("n", int(""))
        .field("l", list(str("")))
        .field("r", list(record.clone()))
        .field("o", record)
        .field("x y", any(""))
        .into();
    written_under(&schema, text, is_well_formed)
}

fn written_under(schema: &Schema, text: &str, is_well_formed: bool) -> String {
    let names = DeclaredNames::of(schema);
    let Some(lines) = document(text, &names) else { return "none".to_owned() };
    let lines = unwrapped(lines, &names);
    match writer::written(&lines, &names, schema, is_well_formed) {
        None => "nothing".to_owned(),
        Some((out, is_sure)) => format!("{}{}", if is_sure { "!" } else { "" }, out.trim_end()),
    }
}

fn all(is_well_formed: bool, rows: &[(&str, &str)]) {
    for (text, want) in rows {
        assert_eq!(written(text, is_well_formed), *want, "{text:?}");
    }
}

#[test]
fn documents_and_what_stands_around_them() {
    all(
        false,
        &[
            ("words\na: x\nn: 3\n", "a: x\nn: 3"),
            ("<<<BEGIN X>>>\na: x\n<<<END X>>>\nn: 3\n", "a: x"),
            ("<<<begin X>>>\nz: 1\na: x\n", "z: 1\na: x"),
            ("```yaml\na: x\n```\nn: 3\n", "a: x"),
            ("~~~yaml\na: |\n  ```\n  x\n  ```\n~~~\nn: 3\n", "a: |\n  ```\n  x\n  ```"),
            ("```yaml\na: |\n  x\n  ```\nn: 3\n```\n", "a: |\n  x\n  ```\nn: 3"),
            ("a: x\n...\nn: 3\n", "a: x"),
            ("a: x\n---\nn: 3\n", "a: x"),
            ("a: x\n\nThat is it.\n", "a: x"),
            ("a: x\n\n- that\n", "!a: |-\n  x\n\n  - that"),
            ("a: x\nThat is it.\n", "!a: |-\n  x\n  That is it."),
            ("root:\n  a: x\n  n: 3\n", "a: x\nn: 3"),
            ("root:\n  a: x\nn: 3\n", "root:\n  a: x\nn: 3"),
            ("  a: x\n  n: 3\n", "a: x\nn: 3"),
            ("- a: x\n- n: 3\n", "a: x\nn: 3"),
            ("- a: x\n  n: 3\n", "a: x\nn: 3"),
            ("a: x,\nn: 3,\nl: []\n", "a: x\nn: 3\nl: []"),
            ("a: x,\nn: 3\n", "a: x,\nn: 3"),
            ("a: see\n #3 now\nn: 3\n", "a: >-\n  see\n  #3 now\nn: 3"),
            ("a: see\n#3 now\nn: 3\n", "a: see\n#3 now\nn: 3"),
            ("words\n", "none"),
            ("o:\n{\"k\": \"x\"}\nn: 3\n", "!o:\n  {\"k\": \"x\"}\nn: 3"),
            ("l:\n\n[x,\ny\nn: 3\n", "!l:\n  \n  [x,\n  y\n  ]\nn: 3"),
            ("l:\n  [x, y]\nn: 3\n", "l:\n  [x, y]\nn: 3"),
        ],
    );
    assert_eq!(
        documents("<<<BEGIN X>>>\na\n<<<END X>>>\n```yaml\nb\n```\nc"),
        ["<<<BEGIN X>>>\na\n<<<END X>>>\n", "```yaml\nb\n```\nc"]
    );
    assert_eq!(documents("```yaml\n```y\n```\n"), ["```yaml\n```y\n```\n"]);
    assert!(documents("a: x").is_empty());
}

#[test]
fn keys_as_they_are_declared() {
    all(
        false,
        &[
            ("**A**: x\nN = 3\n", "a: x\nn: 3"),
            ("\"a\": x\n'n': 3\n", "a: x\nn: 3"),
            ("📝 a: x\n", "a: x"),
            ("a (text): x\na: y\n", "a: x\na: y"),
            ("a?: x\n", "a: x"),
            ("a:x\nn: 3\n", "a: x\nn: 3"),
            ("A:x\nn: 3\n", "n: 3"),
            ("a：x\n", "a: x"),
            ("x y: 1\n", "'x y': 1"),
            ("x_y: 1\n", "'x y': 1"),
            ("a: x\n  n: 3\n", "a: x\nn: 3"),
            ("a:\na: x\n", "a:\na: x"),
            ("a:\n\nn: 3\n", "a:\n\nn: 3"),
        ],
    );
}

#[test]
fn texts_of_several_lines() {
    let rows = [
        ("a: |\nx\ny: 1\nn: 3\n", "!a: |\n  x\n  y: 1\nn: 3"),
        ("a: |\n  x\n y\n\nz\nn: 3\n", "!a: |\n  x\n  y\n\n  z\nn: 3"),
        ("a: |2\n    x\n  y\nn: 3\n", "a: |2\n    x\n  y\nn: 3"),
        // Below a line without the indent, a deeper one keeps all of its own, also behind a blank line.
        ("a: |\n  x\ny\n\n    z\nn: 3\n", "!a: |\n  x\n  y\n\n      z\nn: 3"),
        ("a: |-\n  x\nother: 1\nn: 3\n", "a: |-\n  x\nother: 1\nn: 3"),
        ("a: |\n  x\nOther: 1\nn: 3\n", "!a: |\n  x\n  Other: 1\nn: 3"),
        ("a: |\n  x\n# y\nn: 3\n", "!a: |\n  x\n  # y\nn: 3"),
        ("a: |\nx\n```\n  y\n```\n  z\nn: 3\n", "!a: |\n  x"),
        // In a fence, all lines keep their indents.
        (
            "~~~yaml\na: |\n  x\n```\n\n  y\n```\n  z\nn: 3\n~~~\n",
            "!a: |\n  x\n  ```\n\n    y\n  ```\n  z\nn: 3",
        ),
        ("a: |\n  x\ny\n\n  z\nn: 3\n", "!a: |\n  x\n  y\n\n  z\nn: 3"),
        ("a: | x\n  y\nn: 3\n", "a: |\n  x\n  y\nn: 3"),
        ("a: | x\nn: 3\n", "a: | x\nn: 3"),
        ("a: one #2\n  three\nn: 3\n", "a: >-\n  one #2\n  three\nn: 3"),
        ("a: one\n  #3 two\nn: 3\n", "a: >-\n  one\n  #3 two\nn: 3"),
        ("a: one\n\ntwo\nn: 3\n", "!a: |-\n  one\n\n  two\nn: 3"),
        ("a: one\n- two\n  three\nn: 3\n", "!a: |-\n  one\n  - two\n    three\nn: 3"),
        ("a: \"\"\"one\n  two\"\"\"\nn: 3\n", "!a: |-\n  one\n    two\nn: 3"),
        ("a: \"\"\"\none\n\"\"\"\nn: 3\n", "!a: |-\n  one\nn: 3"),
        ("a: it's: so\n  and on\nn: 3\n", "a: it's: so\n  and on\nn: 3"),
        ("a: so: it's\n\n  and: on\nn: 3\n", "a: so: it's\n\n  and: on\nn: 3"),
        ("a: \"x\" y\nn: 3\n", "!a: '\"x\" y'\nn: 3"),
        ("a: !x\nn: 3\n", "a: '!x'\nn: 3"),
        ("a: @x\nn: 3\n", "a: @x\nn: 3"),
    ];
    all(false, &rows.map(|(text, want)| (text, want)));
}

#[test]
fn texts_of_lines_that_are_all_yaml() {
    all(
        true,
        &[
            ("a: |\n  x\nother: 1\nn: 3\n", "a: |\n  x\nother: 1\nn: 3"),
            ("a: |\n  x\n# y\nn: 3\n", "a: |\n  x\n# y\nn: 3"),
            ("```yaml\na: |\n  x\n...\nn: 3\n```\n", "a: |\n  x\n...\nn: 3"),
            ("a: one\n  two\nn: 3\n", "a: one\n  two\nn: 3"),
            ("a: one #2\n  three\nn: 3\n", "a: >-\n  one #2\n  three\nn: 3"),
            ("r:\n  k: x\n  m: 1\n  k: y\n", "r:\n  - k: x\n    m: 1\n  - k: y"),
            ("l:\n  - a: x\n  - y\n", "l:\n  - 'a: x'\n  - y"),
        ],
    );
}

/// A block text ends at a key that is written as the declared ones are.
#[test]
fn keys_with_a_capital_beside_declared_ones() {
    let text = "A: |\n  x\nOther: 1\nN: 3\n";
    let schema: Schema = object().field("A", str("")).field("N", int("")).into();
    assert_eq!(written_under(&schema, text, false), "A: |\n  x\nOther: 1\nN: 3");
    let schema: Schema = object().field("a", str("")).field("n", int("")).into();
    assert_eq!(written_under(&schema, text, false), "!a: |\n  x\n  Other: 1\nn: 3");
}

#[test]
fn lists_and_records() {
    all(
        false,
        &[
            ("l: - one\n  - two\n", "!l:\n  - one\n  - two"),
            ("l: [one, two: x]\nn: 3\n", "l: [one, two: x]\nn: 3"),
            ("l: [one,\n  two\nn: 3\n", "!l: [one,\n  two\n  ]\nn: 3"),
            ("l:\n* one\n* two\nn: 3\n", "l:\n- one\n- two\nn: 3"),
            ("l:\n  • one\n    more\n  • two\n", "l:\n  - one\n    more\n  - two"),
            ("l:\n  1. one\n  12) two\n", "l:\n  -  one\n  -   two"),
            ("l:\n  1234. one\n", "l:\n  1234. one"),
            ("l:\n  -one\n  - two\n", "!l:\n  - one\n  - two"),
            ("l:\n- one\n-two\n- three\n", "!l:\n- one\n- two\n- three"),
            ("l:\n• one\n-two\n", "!l:\n- one\n- two"),
            ("l:\n- one\n-2\n", "l:\n- one\n-2"),
            ("l:\n  -one\n  two\n", "l:\n  -one\n  two"),
            (
                "l:\n  - one: x\n  - it's: so\n    and on\n",
                "l:\n  - 'one: x'\n  - 'it''s: so\n    and on'",
            ),
            ("l:\n  - one: |\n    x\n", "!l:\n  - one: |\n      x"),
            ("l:\n    - one\n  - two\n", "!l:\n    - one\n    - two"),
            ("r:\n  - k: x, m: 1\n", "!r:\n  - k: x\n    m: 1"),
            ("r:\n  - K: x\n    M: 1\n", "r:\n  - k: x\n    m: 1"),
            ("r:\n  - k: a: b\n    m: 1\n", "r:\n  - k: a: b\n    m: 1"),
            ("r:\n  k: x\n  m: 1\n  k: y\n", "!r:\n  - k: x\n    m: 1\n  - k: y"),
            ("r:\n  - k: |\n    x\n    m: 1\n", "!r:\n  - k: |\n      x\n    m: 1"),
            ("r:\n  - k: x\n      m: 1\n", "!r:\n  - k: x\n    m: 1"),
            ("o: {k: x, y, m: 1}\n", "!o: {k: 'x, y', m: 1}"),
            ("o: {k: x\nn: 3\n", "!o: {k: x\n  }\nn: 3"),
            ("o:\n  'k': \"x\" y\n  m: 1\n", "!o:\n  k: '\"x\" y'\n  m: 1"),
        ],
    );
}

#[test]
fn the_line_that_closes_a_fence() {
    for (opener, lines, want) in [
        ("```yaml", &["a: 1", "```", "b", "```"][..], Some(1)),
        // A fence inside closes itself.
        ("```yaml", &["a: |", "```py", "x", "```", "```"], Some(4)),
        ("```yaml", &["a: |", "```py", "x", "```"], None),
        // The last mark of an odd number closes it, wherever it stands.
        ("```yaml", &["a: 1", "  ```"], Some(1)),
        ("```yaml", &["a: |", "  ```py", "  x", "  ```"], None),
        // So does the last one where a fence inside is open.
        ("```yaml", &["a: |", "```py", "x", "  ```"], Some(3)),
        ("~~~", &["a: 1", "```", "~~~"], Some(2)),
        ("~~~", &["a: 1"], None),
    ] {
        assert_eq!(fence_end(lines, opener), want, "{opener} {lines:?}");
    }
}
