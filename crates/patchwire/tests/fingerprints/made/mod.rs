//! Answers that a seed writes, as models write them: with the slips, the styles and the remarks that occur in answers, each
//! rarely. The corpus has one thing a case; here several come together.

mod calls;
mod json;
mod sections;
mod tags;
mod xml;
mod yaml;

pub(super) use calls::call;
pub(super) use json::json;
pub(super) use sections::sections;
pub(super) use tags::{read_set, tag_set};
pub(super) use xml::{body, fields};
pub(super) use yaml::yaml;

use super::damage::Random;

/// Names of fields, those of the schemas first.
pub(super) const NAMES: [&str; 14] = [
    "title",
    "n",
    "ok",
    "xs",
    "rows",
    "m",
    "note",
    "kind",
    "when",
    "any",
    "a",
    "first name",
    "total_count",
    "é",
];

/// Schemas whose fields are named as the answers name them.
pub(super) const SCHEMAS: [&str; 8] = [
    r#"{"title":"str","note":"str"}"#,
    r#"{"title":"str","n":"int","ok":"bool","xs":["str"]}"#,
    r#"{"title":"str","rows":[{"a":"str","n":"int","ok":"bool"}],"note":"str"}"#,
    r#"{"title":"str","m":{"a":"str","n":"number","xs":["int"]},"any":"any"}"#,
    r#"{"title":"str","xs":["int"],"kind":"str","n":"float"}"#,
    r#"{"type":"object","required":["title","n"],"properties":{"title":{"type":"string"},"n":{"type":["integer","null"]},
        "kind":{"enum":["red","light green",7]},"when":{"type":"string","format":"date"},"xs":{"type":"array","items":
        {"enum":["a","b","c d"]}}}}"#,
    r#"{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","required":["a"],"properties":{"a":
        {"type":"string"},"n":{"type":"number"},"xs":{"type":"array","items":{"type":"string"}}}}},"m":{"type":"object",
        "additionalProperties":{"type":"integer"}},"ok":{"type":"boolean"}}}"#,
    r#"{"type":"object","properties":{"any":{"anyOf":[{"type":"string"},{"type":"object","properties":{"a":{"type":"string"}}},
        {"type":"array","items":{"type":"number"}}]},"first name":{"type":"string"},"total_count":{"type":"integer"},"é":{}}}"#,
];

const WORDS: [&str; 30] = [
    "the",
    "a",
    "Paris",
    "it's",
    "“so”",
    "\"quoted\"",
    "e.g.",
    "and",
    "x",
    "3",
    "4/5",
    "C:\\new",
    "a:b",
    "key: value",
    "café",
    "<b>bold</b>",
    "`code`",
    "**strong**",
    "— dash",
    "1,234",
    "100%",
    "[1]",
    "(see)",
    "{x}",
    "&amp;",
    "#1",
    "end.",
    "why?",
    "so;",
    "日本",
];

/// Scalars as people write them.
const SCALARS: [&str; 44] = [
    "0",
    "7",
    "-3",
    "12",
    "1.5",
    "1e3",
    "007",
    "+4",
    ".5",
    "5.",
    "1_000",
    "1,234",
    "1,234.50",
    "1.234,50",
    "1 234",
    "4/5",
    "3 of 5",
    "~5",
    "5k",
    "2.5M",
    "12%",
    "$5",
    "5 €",
    "−3",
    "twelve",
    "twenty-one",
    "1–2",
    "true",
    "False",
    "yes",
    "No",
    "null",
    "None",
    "n/a",
    "low",
    "High",
    "very high (really)",
    "red",
    "Light green",
    "2024-05-01",
    "May 1, 2024",
    "NaN",
    "",
    "-",
];

fn one_in(bound: usize, random: &mut Random) -> bool {
    random.below(bound) == 0
}

/// Adds one of the choices, one time in `bound`.
fn push_one_in(bound: usize, choices: &[&str], out: &mut String, random: &mut Random) {
    if one_in(bound, random) {
        out.push_str(random.pick(choices));
    }
}

fn name(random: &mut Random) -> &'static str {
    let most = random.pick(&[6, 10, NAMES.len()]);
    random.pick(&NAMES[..most])
}

/// Some words.
fn words(most: usize, random: &mut Random) -> String {
    let count = 1 + random.below(most);
    (0..count).map(|_| random.pick(&WORDS)).collect::<Vec<_>>().join(" ")
}

/// A schema of these, and whether there is one.
pub(super) fn schema(random: &mut Random) -> &'static str {
    random.pick(&SCHEMAS)
}

/// The text with remarks around it, or in a fence.
fn framed(text: &str, fence: &str, random: &mut Random) -> String {
    let mut out = String::new();
    let before = [
        "Here it is:\n",
        "<think>hm</think>\n",
        "Sure!\n\n",
        "```\n",
        "\u{feff}",
        "\n\n",
        "> ",
        "Answer: ",
    ];
    push_one_in(3, &before, &mut out, random);
    match random.below(6) {
        0 => out = format!("{out}```{fence}\n{text}\n```"),
        1 => out = format!("{out}~~~~{fence}\n{text}\n~~~~\n"),
        _ => out.push_str(text),
    }
    let behind = [
        "\n\nHope that helps!",
        "\n```",
        "\n---\nNote: {x}",
        "<|im_end|>",
        "\n\nEdit:\n",
        "  ",
        "\n}",
        "\n{\"title\":1}",
    ];
    push_one_in(4, &behind, &mut out, random);
    if one_in(12, random) {
        let mut end = random.below(out.len() + 1);
        while !out.is_char_boundary(end) {
            end -= 1;
        }
        out.truncate(end);
    }
    out
}
