//! Texts of few tokens in random order, for comparisons of machine and oracle.

use super::{Rng, sample};
use crate::oracle::fields::{Format, Schema, Type};

/// The schema of spoilt texts: two strings and another field.
#[must_use]
pub fn schema() -> Schema {
    Schema::new([("a", Type::Str), ("ab", Type::Str), ("j", Type::Any), ("n", Type::Int)])
}

/// The tokens of a format: its markers, near markers, and text between them.
#[must_use]
pub const fn tokens(format: Format) -> &'static [&'static str] {
    match format {
        Format::XmlField => &XML,
        Format::Hybrid | Format::Markdown => &SECTIONS,
        Format::YamlLiteral => &YAML,
    }
}

/// Tokens in random order, mostly inside the delimiters of the format; or a well-formed text, under its own
/// schema, with a piece removed, added or moved.
pub fn spoilt(rng: &mut Rng, format: Format) -> (Schema, String) {
    if rng.once_in(3) {
        return mutated(rng, format);
    }
    let start = if rng.once_in(4) { "" } else { rng.pick(starts(format)) };
    let most = rng.pick(&[4, 8, 16]);
    let inner: String = (0..rng.below(most + 1)).map(|_| rng.pick(tokens(format))).collect();
    let end = if rng.once_in(3) { rng.pick(ends(format)) } else { "" };
    (schema(), format!("{start}{inner}{end}"))
}

/// Every text of at most this many of the tokens in [`small`], inside the delimiters of the format.
#[must_use]
pub fn every(format: Format, most: usize) -> Vec<String> {
    let mut texts = vec![starts(format)[0].to_owned()];
    let mut shorter = 0;
    for _ in 0..most {
        let longer = shorter..texts.len();
        shorter = texts.len();
        for at in longer {
            let text = texts[at].clone();
            texts.extend(small(format).iter().map(|token| format!("{text}{token}")));
        }
    }
    texts
}

/// A small set of tokens for short texts.
#[must_use]
pub const fn small(format: Format) -> &'static [&'static str] {
    match format {
        Format::XmlField => {
            &["</field>", "<field name=\"ab\">", "</answer_fields>", "\n", " ", "x"]
        }
        Format::Hybrid | Format::Markdown => &["### ab", "### j", "```", "\n", " ", "1", "\""],
        Format::YamlLiteral => &["ab:", "- ", "\n", "  ", " ", "|", ">", "x", "'", "#"],
    }
}

/// The delimiters that give the tokens of a format their meaning.
#[must_use]
pub const fn starts(format: Format) -> &'static [&'static str] {
    match format {
        Format::XmlField => &[
            "<answer_fields><field name=\"a\" type=\"text\">",
            "<answer_fields>\n<field name=\"a\">\n",
            "<answer_fields><field name='j' type='json'>",
            "<answer_fields><field name='a'><![CDATA[",
            "<answer_fields>",
        ],
        Format::Hybrid | Format::Markdown => {
            &["### a\n", "### j\n", "### j\n```json\n", "# n\n", "x\n"]
        }
        Format::YamlLiteral => &[
            "<<<BEGIN ANSWER_YAML>>>\na: ",
            "<<<BEGIN ANSWER_YAML>>>\na: |\n  x\n",
            "<<<BEGIN ANSWER_YAML>>>\na: >\n  x\n",
            "<<<BEGIN ANSWER_YAML>>>\nj:\n  ",
            "```yaml\na: ",
            "<<<BEGIN ANSWER_YAML>>>\n",
        ],
    }
}

const fn ends(format: Format) -> &'static [&'static str] {
    match format {
        Format::XmlField => {
            &["</field></answer_fields>", "\n</field>\n</answer_fields>\n", "</field>"]
        }
        Format::Hybrid | Format::Markdown => &["\n", "\n```\n", "\n### ab\nx"],
        Format::YamlLiteral => {
            &["\n<<<END ANSWER_YAML>>>\n", "\nab: y\n<<<END ANSWER_YAML>>>", "\n```\n"]
        }
    }
}

const XML: [&str; 46] = [
    "x",
    " ",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "  ",
    "<",
    ">",
    "/",
    "</field>",
    "</field>",
    "</field >",
    "</FIELD>",
    "</field",
    "</fiel",
    "</fieldset>",
    "<field name=\"ab\">",
    "<field name=\"ab\" type=\"text\">",
    "<field type='json' name='j'>",
    "<field name=\"n\"/>",
    "<field name=\"zz\">",
    "<field name=\"a\">",
    "<field>",
    "<field",
    "<field name=\"",
    "<field name='ab' x='",
    "name=\"ab\">",
    "\"",
    "'",
    "</answer_fields>",
    "</answer_fields",
    "</agently",
    "<answer_fields>",
    "<!--",
    "-->",
    "<!-- x -->",
    "<![CDATA[",
    "]]>",
    "]]",
    "]",
    "```",
    "```\n",
    "12",
    "[1, \"</field>\"]",
];

const SECTIONS: [&str; 44] = [
    "x",
    " ",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "### a\n",
    "### ab\n",
    "### j\n",
    "### n\n",
    "### zz\n",
    "\n### ab",
    "\n### a",
    "# a\n",
    "#### a\n",
    "###a\n",
    "#",
    "###",
    "a",
    "ab:",
    "**a**",
    "[json]",
    " (text)",
    "```",
    "```\n",
    "\n```\n",
    "\n```json\n",
    "~~~\n",
    "\n````\n",
    "``` x`y\n",
    "- ```sh\n",
    "> ```\n",
    "  ```",
    "1",
    "1.5",
    "true",
    "{\"k\": 1}",
    "{\"k\": \"",
    "\"",
    "[",
    "]\n",
    "<!-- (text) x -->\n",
];

const YAML: [&str; 64] = [
    "x",
    "y z",
    " ",
    "  ",
    "   ",
    "\n",
    "\n",
    "\n",
    "\n  ",
    "\n  ",
    "\n ",
    "\n    ",
    "\r\n",
    "\r",
    "\t",
    "\nab: ",
    "\nj: ",
    "\nj:\n  ",
    "\nn: 12\n",
    "\na: ",
    "\nzz: ",
    "\n  k: ",
    "\n- ",
    "\n  - ",
    "- ",
    "-",
    ":",
    ": ",
    "#",
    " # c",
    "|",
    ">",
    "|-\n",
    "|+\n",
    "|2\n",
    ">-\n",
    ">+\n",
    ">1\n",
    "|2-",
    "\"",
    "\"",
    "'",
    "''",
    "\\",
    "\\n",
    "\\ud83d",
    "\\ude00",
    "\\x4",
    "[",
    "]",
    "{",
    "}",
    ",",
    "&n ",
    "*n",
    "**x**",
    "!!str ",
    "!t ",
    "null",
    "~",
    "\n---\n",
    "\n...\n",
    "\n<<<END ANSWER_YAML>>>",
    "<<<END",
];

fn mutated(rng: &mut Rng, format: Format) -> (Schema, String) {
    let sample = sample(rng, format);
    let mut lines: Vec<String> = sample.text.split_inclusive('\n').map(str::to_owned).collect();
    for _ in 0..1 + rng.below(2) {
        let at = rng.below(lines.len().max(1));
        let Some(line) = lines.get(at).cloned() else { break };
        match rng.below(6) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, line),
            2 => lines.swap(at, 0),
            3 => lines[at].insert_str(0, rng.pick(tokens(format))),
            4 => lines.insert(at, rng.pick(tokens(format)).to_owned()),
            _ => lines.truncate(at + 1),
        }
    }
    let mut text = lines.concat();
    if rng.once_in(3) {
        let end = rng.below(text.len() + 1);
        text.truncate((end..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(0));
    }
    (sample.schema, text)
}
