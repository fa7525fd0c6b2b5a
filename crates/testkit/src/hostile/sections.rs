//! Sections under headers: lines that nearly are headers, fences, whitespace, and many of each.

use patchwire::schema::{any, str};
use patchwire::{Format, Schema, Spec};

use super::{Shape, around, finish, numbered, wide};
use crate::reading_modes::ReadingMode;

/// Shapes for sections.
pub const SHAPES: &[Shape] = &[
    Shape { name: "sections_line", make: |n| around("### a\n", "x", "", n) },
    Shape { name: "sections_lines", make: |n| around("### a\n", "some text\n", "", n) },
    Shape { name: "sections_line_ends", make: |n| around("### a\nx", "\n", "x", n) },
    Shape { name: "sections_returns", make: |n| around("### a\nx", "\r", "x", n) },
    Shape { name: "sections_crlf", make: |n| around("### a\n", "x\r\n", "x", n) },
    Shape { name: "sections_blanks", make: |n| around("### a\nx", " ", "y", n) },
    Shape { name: "sections_lead", make: |n| around("### a\n", " ", "y", n) },
    Shape { name: "sections_blank_lines", make: |n| around("### a\n", "  \t\n", "y", n) },
    Shape { name: "sections_headers", make: |n| numbered("", |at| format!("# k{at}\nx\n"), "", n) },
    Shape { name: "sections_duplicates", make: |n| around("### a\nx\n", "### a\ny\n", "", n) },
    Shape { name: "sections_echoes", make: |n| around("", "### a\n", "", n) },
    Shape { name: "sections_near_headers", make: |n| around("### a\nx\n", "### a x\n", "", n) },
    Shape { name: "sections_marks", make: |n| around("### a\nx\n", "#", "", n) },
    Shape { name: "sections_header_blanks", make: |n| around("### a\nx\n### ", " ", "a", n) },
    Shape { name: "sections_header_tail", make: |n| around("### a\nx\n### b", " ", "x", n) },
    Shape { name: "sections_emphasis", make: |n| around("### a\nx\n### ", "_", "b", n) },
    Shape { name: "sections_closing_marks", make: |n| around("### a\nx\n### b ", "#", "x", n) },
    Shape { name: "sections_fence", make: |n| around("### a\n```\n", "### b\nx\n", "", n) },
    Shape { name: "sections_fences", make: |n| around("### a\n", "```\n### b\n```\n", "", n) },
    Shape { name: "sections_backticks", make: |n| around("### a\n", "`", "", n) },
    Shape { name: "sections_quotes", make: |n| around("### a\n", "> ", "", n) },
    Shape { name: "sections_scaffold", make: |n| around("### a\n<!-- (text) ", "x", "", n) },
    Shape { name: "sections_scaffolds", make: |n| around("### a\n", "<!-- (text) x -->\n", "", n) },
    Shape { name: "sections_json", make: |n| around("### j\n[", "1,\n", "1]", n) },
    Shape { name: "sections_json_string", make: |n| around("### j\n\"", "### a\n", "\"", n) },
    Shape { name: "sections_json_stray", make: |n| around("### j\n", "no json\n", "", n) },
    Shape { name: "sections_json_word", make: |n| around("### j\n", "1", "", n) },
    Shape { name: "sections_json_behind", make: |n| around("### j\n[1]", "\nx", "", n) },
    Shape { name: "sections_json_closers", make: |n| around("### j\n````\n[1]\n", "```\n", "", n) },
    Shape { name: "sections_outside", make: |n| around("", "## \n# # \n", "", n) },
];

/// The reading modes for these shapes.
#[must_use]
pub fn ways() -> Vec<ReadingMode> {
    let schema = || -> Schema {
        Schema::object().field("a", str("")).field("b", str("")).field("j", any("")).into()
    };
    let [hybrid, markdown] =
        [Format::Hybrid, Format::Markdown].map(|format| Spec::builder().format(format));
    let builders = [
        ("sections_hybrid", hybrid.schema(schema())),
        ("sections_free", markdown),
        (
            "sections_bare",
            Spec::builder().format(Format::Hybrid).schema(schema()).without_value().without_raw(),
        ),
    ];
    builders
        .map(|(name, builder)| ReadingMode { name, spec: finish(builder.limits(wide())) })
        .to_vec()
}
