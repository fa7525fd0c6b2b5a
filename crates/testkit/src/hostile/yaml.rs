//! YAML documents: large amounts of held text, nesting, keys, and deferred values.

use patchwire::{Format, Spec};

use super::{Shape, around, finish, nested, numbered, wide};
use crate::reading_modes::ReadingMode;

const BEGIN: &str = "<<<BEGIN ANSWER_YAML>>>\n";
const END: &str = "\n<<<END ANSWER_YAML>>>\n";

/// A document with `head`, copies of `unit` up to `n` bytes in total, and `tail`, between its markers.
fn inside(head: &str, unit: &str, tail: &str, n: usize) -> Vec<u8> {
    around(&format!("{BEGIN}{head}"), unit, &format!("{tail}{END}"), n)
}

/// Repeats a unit, each time on a line with more indent.
fn deeper(unit: &str, n: usize) -> Vec<u8> {
    // The indent grows with each line, so the size grows with the square of the lines.
    let levels = (2 * n).isqrt();
    let lines = (0..levels).map(|at| format!("{}{unit}\n", " ".repeat(at)));
    format!("{BEGIN}{}{END}", lines.collect::<String>()).into_bytes()
}

/// Shapes for documents.
pub const SHAPES: &[Shape] = &[
    Shape { name: "yaml_line", make: |n| inside("a: |\n  ", "x", "", n) },
    Shape { name: "yaml_lines", make: |n| inside("a: |\n", "  x\n", "", n) },
    Shape { name: "yaml_folded", make: |n| inside("a: >\n", "  x\n\n   y\n", "", n) },
    Shape { name: "yaml_blank_lines", make: |n| inside("a: |-\n  x\n", "\n", "  y", n) },
    Shape { name: "yaml_blank_lines_kept", make: |n| inside("a: |+\n", "\n", "", n) },
    Shape { name: "yaml_lead", make: |n| inside("a: |\n", "  \n", "  y", n) },
    Shape { name: "yaml_spaces", make: |n| inside("a: |\n  x\n", " ", "y", n) },
    Shape { name: "yaml_spaces_before_text", make: |n| inside("a: |\n", " ", "y", n) },
    Shape { name: "yaml_plain", make: |n| inside("a: x", " y", "", n) },
    Shape { name: "yaml_plain_blanks", make: |n| inside("a: x", " ", "y", n) },
    Shape { name: "yaml_plain_lines", make: |n| inside("a: x\n", "  y: z\n", "", n) },
    Shape { name: "yaml_plain_colons", make: |n| inside("a: x", ": ", "", n) },
    Shape { name: "yaml_number", make: |n| inside("a: ", "1", "", n) },
    Shape {
        name: "yaml_hexadecimal",
        make: |n| numbered(BEGIN, |at| format!("k{at}: 0x{}\n", "f".repeat(1000)), END, n),
    },
    Shape { name: "yaml_double", make: |n| inside("a: \"", "x \\n\\q\\u00e9\n", "\"", n) },
    Shape { name: "yaml_double_open", make: |n| inside("a: \"", " \\", "", n) },
    Shape { name: "yaml_single", make: |n| inside("a: '", "x ''\n", "'", n) },
    Shape { name: "yaml_quoted_breaks", make: |n| inside("a: \"x", "\n", "y\"", n) },
    Shape { name: "yaml_surrogates", make: |n| inside("a: \"", "\\ud83d", "\"", n) },
    Shape { name: "yaml_comments", make: |n| inside("a: x\n", "# c\n", "", n) },
    Shape { name: "yaml_comment", make: |n| inside("a: x #", " c", "", n) },
    Shape { name: "yaml_markers_begun", make: |n| inside("a: |\n", "  <<<END ANSWER\n", "", n) },
    Shape { name: "yaml_marker_blanks", make: |n| inside("a: |\n  <<<END", " ", "", n) },
    Shape { name: "yaml_dashes", make: |n| inside("a: |\n  x\n", "--\n", "", n) },
    Shape { name: "yaml_begins", make: |n| around("", "<<<BEGIN ANSWER_YAML\n", "", n) },
    Shape { name: "yaml_fences", make: |n| around("", "```yam\n", "", n) },
    Shape { name: "yaml_keys", make: |n| numbered(BEGIN, |at| format!("k{at}: x\n"), END, n) },
    Shape { name: "yaml_same_key", make: |n| inside("", "k: |\n  x\n", "", n) },
    Shape { name: "yaml_strays", make: |n| inside("a: \"x\"\n", "stray\n", "", n) },
    Shape { name: "yaml_long_key", make: |n| inside("", "k", ": x", n) },
    Shape { name: "yaml_items", make: |n| inside("a:\n", "- x\n", "", n) },
    Shape {
        name: "yaml_items_of_text",
        make: |n| inside("a:\n", "- some words\n  and more\n", "", n),
    },
    Shape { name: "yaml_items_in_items", make: |n| inside("a:\n", "- - - x\n    - y\n", "", n) },
    Shape { name: "yaml_dash_run", make: |n| inside("a:\n  ", "- ", "x", n) },
    Shape { name: "yaml_objects", make: |n| inside("a:\n", "- k: 1\n  l: x\n", "", n) },
    Shape { name: "yaml_deeper", make: |n| deeper("k:", n) },
    Shape { name: "yaml_deeper_items", make: |n| deeper("-", n) },
    Shape { name: "yaml_brackets", make: |n| inside("a: [", "1, ", "]", n.min(900_000)) },
    Shape { name: "yaml_long_brackets", make: |n| inside("a: [", "1, ", "]", n) },
    Shape { name: "yaml_brackets_open", make: |n| inside("a: [", "x\n", "", n) },
    Shape {
        name: "yaml_short_brackets",
        make: |n| numbered(BEGIN, |at| format!("k{at}: [1, {{a: b}}]\n"), END, n),
    },
    Shape { name: "yaml_tags", make: |n| numbered(BEGIN, |at| format!("k{at}: !t x\n"), END, n) },
    Shape {
        name: "yaml_anchors",
        make: |n| numbered(BEGIN, |at| format!("k{at}: &a{at} x\n"), END, n),
    },
    Shape {
        name: "yaml_aliases",
        make: |n| {
            numbered(
                BEGIN,
                |at| if at == 0 { "k: &a [1, 2]\n".to_owned() } else { format!("k{at}: *a\n") },
                END,
                n,
            )
        },
    },
    Shape {
        name: "yaml_laughs",
        make: |n| {
            numbered(
                BEGIN,
                |at| match at {
                    0 => "k0: &a0 [x, x]\n".to_owned(),
                    _ => format!("k{at}: &a{at} [*a{0}, *a{0}]\n", at - 1),
                },
                END,
                n,
            )
        },
    },
    Shape {
        name: "yaml_complex_keys",
        make: |n| numbered(BEGIN, |at| format!("? k{at}\n: x\n"), END, n),
    },
    Shape { name: "yaml_root_list", make: |n| inside("", "- x\n", "", n.min(900_000)) },
    Shape { name: "yaml_root_braces", make: |n| around(BEGIN, "{", END, n) },
    Shape {
        name: "yaml_nested_brackets",
        make: |n| {
            [format!("{BEGIN}a: ").into_bytes(), nested("[", "1", "]", n), END.into()].concat()
        },
    },
    Shape { name: "yaml_returns", make: |n| inside("a: |\r", "  x\r", "", n) },
];

/// The reading modes for these shapes.
#[must_use]
pub fn ways() -> Vec<ReadingMode> {
    let free = || Spec::builder().format(Format::YamlLiteral).limits(wide());
    let declared = patchwire::Schema::object().field("a", patchwire::schema::str(""));
    vec![
        ReadingMode { name: "yaml", spec: finish(free()) },
        ReadingMode { name: "yaml_schema", spec: finish(free().schema(declared)) },
        ReadingMode { name: "yaml_bare", spec: finish(free().without_value().without_raw()) },
    ]
}
