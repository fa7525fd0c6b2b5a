//! Fields in tags: near closers, near openers, whitespace, and many of each.

use patchwire::schema::{any, str};
use patchwire::{Format, Schema, Spec};

use super::{Shape, around, finish, nested, numbered, wide};
use crate::reading_modes::ReadingMode;

const FIELD: &str = "<answer_fields><field name=\"a\">";
const JSON: &str = "<answer_fields><field name=\"j\" type=\"json\">";
const END: &str = "</field></answer_fields>";

/// A field with `head`, copies of `unit` up to `n` bytes in total, and `tail`; then its closer.
fn inside(head: &str, unit: &str, tail: &str, n: usize) -> Vec<u8> {
    around(&format!("{FIELD}{head}"), unit, &format!("{tail}{END}"), n)
}

/// Shapes for fields in tags.
pub const SHAPES: &[Shape] = &[
    Shape { name: "field_unclosed", make: |n| around(FIELD, "some words\n", "", n) },
    Shape { name: "field_line", make: |n| inside("", "x", "", n) },
    Shape { name: "field_lines", make: |n| inside("", "some text\n", "", n) },
    Shape { name: "field_blanks", make: |n| inside("x", " ", "y", n) },
    Shape { name: "field_line_ends", make: |n| inside("x", "\n", "y", n) },
    Shape { name: "field_lead", make: |n| inside("\n", " ", "y", n) },
    Shape { name: "field_blank_lines", make: |n| inside("", "  \t\n", "y", n) },
    Shape { name: "field_returns", make: |n| inside("x", "\r", "y", n) },
    Shape { name: "field_crlf", make: |n| inside("", "x\r\n", "", n) },
    Shape { name: "field_less", make: |n| inside("", "<", "", n) },
    Shape { name: "field_closers", make: |n| inside("", "</field>", "x", n) },
    Shape { name: "field_closers_in_words", make: |n| inside("", "use </field> to ", "", n) },
    Shape { name: "field_closers_begun", make: |n| inside("", "</field", "x", n) },
    Shape { name: "field_closer_blanks", make: |n| inside("x</field", " ", "y", n) },
    Shape { name: "field_behind_closer", make: |n| inside("x</field>", " ", "y", n) },
    Shape {
        name: "field_closers_far_apart",
        make: |n| inside("", &format!("</field>{}", " ".repeat(1_000)), "y", n),
    },
    Shape { name: "field_followers_begun", make: |n| inside("", "</field> </answer_fie", "", n) },
    Shape { name: "field_fence_at_end", make: |n| inside("x</field>```", "\n", "y", n) },
    Shape { name: "field_fences_at_end", make: |n| inside("", "</field>\n```\n", "y", n) },
    Shape { name: "field_tags_begun", make: |n| inside("", "\n<field name=\"", "", n) },
    Shape { name: "field_tags_of_quotes", make: |n| inside("", "\n<field x='<field y=\"", "", n) },
    Shape { name: "field_tags_inside", make: |n| inside("", "\n<field name=\"a\">", "", n) },
    Shape { name: "field_sections", make: |n| inside("<![CDATA[", "]]", "", n) },
    Shape { name: "field_section_ends", make: |n| inside("<![CDATA[", "]]>", "", n) },
    Shape { name: "field_section_blanks", make: |n| inside("<![CDATA[x]]>", " ", "y", n) },
    Shape {
        name: "fields",
        make: |n| {
            numbered("<answer_fields>", |at| format!("<field name=\"k{at}\">x</field>\n"), "", n)
        },
    },
    Shape { name: "fields_of_one_name", make: |n| around(FIELD, "x</field><field name=a>", "", n) },
    Shape { name: "fields_empty", make: |n| around("<answer_fields>", "<field/>", "", n) },
    Shape {
        name: "fields_unclosed",
        make: |n| numbered("<answer_fields>", |at| format!("<field name=\"k{at}\">\nx\n"), "", n),
    },
    Shape {
        name: "fields_tag_without_end",
        make: |n| around("<answer_fields>", "<field name=", "", n),
    },
    Shape {
        name: "fields_quote_without_end",
        make: |n| around("<answer_fields>", "<field '", "", n),
    },
    Shape {
        name: "fields_attributes",
        make: |n| around("<answer_fields>", "<field a=1 b c='2'>", "", n),
    },
    Shape { name: "fields_strays", make: |n| around("<answer_fields>", "x <fiel `` ", "", n) },
    Shape {
        name: "fields_comments",
        make: |n| around("<answer_fields>", "<!-- - <fiel -->", "", n),
    },
    Shape { name: "fields_comment", make: |n| around("<answer_fields><!--", "<field-", "", n) },
    Shape { name: "roots_begun", make: |n| around("", "<answer_fie", "", n) },
    Shape { name: "roots_of_quotes", make: |n| around("", "<answer_fields '", "", n) },
    Shape { name: "roots", make: |n| around("", "<answer_fields/>", "", n) },
    Shape {
        name: "field_json_nested",
        make: |n| [JSON.as_bytes(), &nested("[", "1", "]", n), END.as_bytes()].concat(),
    },
    Shape { name: "field_json_items", make: |n| around(JSON, "{\"k\": [1, \"x\"]},\n", END, n) },
    Shape { name: "field_json_string", make: |n| around(JSON, "\"</field> ", END, n) },
    Shape { name: "field_json_behind", make: |n| around(&format!("{JSON}[1]"), "\nx", END, n) },
    Shape { name: "field_json_stray", make: |n| around(JSON, "no json\n", END, n) },
];

/// The reading modes for these shapes.
#[must_use]
pub fn ways() -> Vec<ReadingMode> {
    let schema = || -> Schema {
        let fields = Schema::object().field("a", str("")).field("j", any(""));
        (0..8).fold(fields, |fields, at| fields.field(&format!("k{at}"), str(""))).into()
    };
    let format = || Spec::builder().format(Format::XmlField);
    let builders = [
        ("fields", format().schema(schema())),
        ("fields_free", format()),
        ("fields_bare", format().schema(schema()).without_value().without_raw()),
    ];
    builders
        .map(|(name, builder)| ReadingMode { name, spec: finish(builder.limits(wide())) })
        .to_vec()
}
