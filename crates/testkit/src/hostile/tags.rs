//! Texts with elements: near misses, strays, nesting, attributes, parameters, code, comments.

use patchwire::{Format, Spec, TagSet};

use super::{Shape, around, finish, nested, numbered, wide};
use crate::reading_modes::{ReadingMode, everything, presets};

/// Shapes for tag sets.
pub const SHAPES: &[Shape] = &[
    Shape { name: "tags_less", make: |n| around("", "<", "", n) },
    Shape { name: "tags_less_in_output", make: |n| around("<output>", "a<b ", "", n) },
    Shape { name: "tags_near_closers", make: |n| around("<think>", "</thin ", "", n) },
    Shape { name: "tags_near_openers", make: |n| around("", "<thin <<STEP_STAR", "", n) },
    Shape { name: "tags_backticks", make: |n| around("", "`", "", n) },
    Shape { name: "tags_runs_of_backticks", make: |n| around("", "` `` ``` ", "", n) },
    Shape {
        name: "tags_runs_of_many_lengths",
        make: |n| numbered("", |at| format!("{} ", "`".repeat(at % 300 + 1)), "", n),
    },
    Shape { name: "tags_spans", make: |n| around("", "`<think>` ", "", n) },
    Shape { name: "tags_fence", make: |n| around("```\n", "<think> text\n", "", n) },
    Shape { name: "tags_fences", make: |n| around("", "```\n</think>\n```\n", "", n) },
    Shape { name: "tags_elements", make: |n| around("", "<think>a</think>b", "", n) },
    Shape { name: "tags_restarts", make: |n| around("", "<output>a", "", n) },
    Shape { name: "tags_nested", make: |n| nested("{{box}}", "x", "{{/box}}", n) },
    Shape { name: "tags_open", make: |n| around("", "{{box}}", "", n) },
    Shape { name: "tags_groups", make: |n| around("", "<think><thought></reasoning>", "", n) },
    Shape { name: "tags_blanks", make: |n| around("", "<  \t  think  \t", "", n) },
    Shape { name: "tags_blank_endless", make: |n| around("<think", " ", "", n) },
    Shape { name: "tags_attributes_endless", make: |n| around("<think", " a='1'", "", n) },
    Shape { name: "tags_attribute_endless", make: |n| around("<think a='", "x", "", n) },
    Shape { name: "tags_attributes_begun", make: |n| around("", "<think a='", "", n) },
    Shape { name: "tags_attributes_woven", make: |n| around("", "<think a='<think b=\"", "", n) },
    Shape {
        name: "tags_attributes",
        make: |n| around("", "<think a='1' b=\"2\">x</think>", "", n),
    },
    Shape {
        name: "tags_parameters_at_their_cap",
        make: |n| around("", format!("<<TOOL_STEP_START/{}", "p".repeat(129)), "", n),
    },
    Shape { name: "tags_parameters_begun", make: |n| around("", "<<TOOL_STEP_START/a:", "", n) },
    Shape {
        name: "tags_parameters",
        make: |n| numbered("", |at| format!("<<TOOL_STEP_START/t:{at}>>"), "", n),
    },
    Shape { name: "tags_strays", make: |n| around("", "</think>a", "", n) },
    Shape {
        name: "tags_strays_inside",
        make: |n| around("<output>", "</scratch_pad></note>", "", n),
    },
    Shape {
        name: "tags_strays_of_tools",
        make: |n| numbered("", |at| format!("<<TOOL_STEP_END/t:{at}>>"), "", n),
    },
    Shape { name: "tags_raw_closers", make: |n| around("<answer><code>", "</code>x", "", n) },
    Shape { name: "tags_raw_blanks", make: |n| around("<answer><code>", "</code>  \n  ", "", n) },
    Shape { name: "tags_siblings", make: |n| around("<list>", "<item>x", "", n) },
    Shape { name: "tags_void", make: |n| around("", "<br/>", "", n) },
    Shape { name: "tags_comment", make: |n| around("<!--", "- ->", "", n) },
    Shape { name: "tags_comments", make: |n| around("", "<!-- a -->", "", n) },
    Shape { name: "tags_records", make: |n| around("<log>", "Key: value\n", "", n) },
    Shape { name: "tags_bodies", make: |n| around("<answer>", "<args>{\"a\":[1]}</args>", "", n) },
    Shape { name: "tags_in_strings", make: |n| around("<answer><args>\"", "</args>", "", n) },
    Shape {
        name: "tags_payloads",
        make: |n| around("", "<output>```json\n{\"a\":1}\n```</output>", "", n),
    },
    Shape {
        name: "tags_payloads_to_compare",
        make: |n| around("", "<output>{\"a\":1} {\"a\":2}</output>", "", n),
    },
    Shape { name: "tags_payloads_in_one", make: |n| around("<output>", "{\"a\":1} ", "", n) },
    Shape {
        name: "tags_payloads_closed_early",
        make: |n| around("", "<output>[1],2]</output>", "", n),
    },
    Shape { name: "tags_payloads_cut", make: |n| around("", "<output>{\"a\":[1</output>", "", n) },
    Shape { name: "tags_scalars", make: |n| around("", "<output>1</output>", "", n) },
    Shape {
        name: "tags_strays_in_payload",
        make: |n| around("<output>{\"a\":1", "</think>", "}", n),
    },
    Shape { name: "tags_strays_behind_payloads", make: |n| around("", "{\"a\":1}</think>", "", n) },
    Shape { name: "tags_bodies_around", make: |n| around("<answer>", "x<args>1</args>{}", "", n) },
    Shape { name: "tags_backticks_behind_payloads", make: |n| around("<output>", "{}`\n", "", n) },
];

/// The reading modes for these shapes.
#[must_use]
pub fn ways() -> Vec<ReadingMode> {
    let text = |tags| Spec::builder().format(Format::Text).tags(tags);
    let builders = [
        ("tags_presets", text(presets())),
        ("tags_everything", text(everything())),
        ("tags_hermes", text(TagSet::hermes())),
        ("tags_json", Spec::builder().tags(TagSet::scratchpad())),
        ("tags_everything_json", Spec::builder().tags(everything())),
        ("tags_bare", text(presets()).without_value().without_raw()),
    ];
    builders
        .map(|(name, builder)| ReadingMode { name, spec: finish(builder.limits(wide())) })
        .to_vec()
}
