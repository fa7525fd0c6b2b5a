//! Fields in tags, in all equivalent notations.

use super::texts::{self, Lone, Use};
use super::{Rng, Sample, order, payload, schema, with_crlf};
use crate::oracle::Json;
use crate::oracle::fields::Type;

/// A well-formed text.
pub fn sample(rng: &mut Rng) -> Sample {
    let schema = schema(rng);
    let crlf = rng.once_in(4);
    let lone = if crlf { Lone::Unwanted } else { Lone::Allowed };
    let mut text = String::new();
    let before =
        rng.pick(&["", "", "Here is <b>it</b>:\n", "```xml\n", "\u{feff}", "<agently x>\n"]);
    text.push_str(before);
    text.push_str(rng.pick(&ROOTS));
    let mut fields = Vec::new();
    for (name, kind) in order(rng, &schema) {
        text.push_str(rng.pick(&GAPS));
        if rng.once_in(8) {
            text.push_str("<field name=\"nobody\" type=\"text\">no\nbody</field>\n");
        }
        let value = field(rng, &mut text, (&name, kind), lone);
        fields.push((name, value));
    }
    text.push_str(rng.pick(&GAPS));
    text.push_str(rng.pick(&[
        "</answer_fields>",
        "</agently_output>",
        "</Answer_Fields >",
        "</agently_output\n>",
    ]));
    text.push_str(rng.pick(&["", "\n", "\n```\n", "\nBye <field name=\"a\">no</field>"]));
    let text = if crlf { with_crlf(&text) } else { text };
    Sample { schema, text, fields }
}

const ROOTS: [&str; 6] = [
    "<answer_fields>",
    "<agently_output>",
    "<ANSWER_FIELDS>",
    "<answer_fields version=\"1 > 0\">",
    "<agently_output\n>",
    "<agently_output a='/>'>",
];
const GAPS: [&str; 6] = ["", "\n", "\n\n", "  \n\t", "<!-- next -->", "\n<!-- a > b -->\n"];

fn field(rng: &mut Rng, out: &mut String, (name, kind): (&str, Type), lone: Lone) -> Json {
    if kind == Type::Str {
        let value = texts::tidy(&texts::lines(rng, Use::Tags, lone));
        text(rng, out, name, &value);
        return Json::String(value);
    }
    let (json, value) = payload(rng, kind);
    let tag = tag(rng, name, "json");
    let (open, close) = rng.pick(&FENCES);
    out.push_str(&format!("<{tag}>{open}{json}{close}</field>"));
    value
}

/// Delimiters around JSON.
const FENCES: [(&str, &str); 6] = [
    ("", ""),
    ("\n", "\n"),
    (" ", " \n"),
    ("\n```json\n", "\n```\n"),
    ("```\n", "\n```"),
    ("\n\n  ~~~ json\n", "\n~~~~ \n"),
];

fn text(rng: &mut Rng, out: &mut String, name: &str, value: &str) {
    let tag = tag(rng, name, "text");
    if value.is_empty() && rng.once_in(2) {
        out.push_str(&format!("<{tag}/>"));
        return;
    }
    let own_line = value.starts_with([' ', '\t', '\r']) || rng.once_in(2);
    let lead = if own_line { rng.pick(&["\n", "\n\n", " \n"]) } else { rng.pick(&["", " "]) };
    let behind = rng.pick(&["", "\n", "\n  ", " "]);
    let close = rng.pick(&["</field>", "</field>", "</FIELD>", "</field \n>"]);
    // A section cannot contain another one, and a text that begins like a section is one.
    if rng.once_in(5) && !value.contains("]]>") {
        out.push_str(&format!("<{tag}>\n<![CDATA[{lead}{value}{behind}]]>\n{close}"));
        return;
    }
    out.push_str(&format!("<{tag}>{lead}{value}{behind}{close}"));
}

/// The content of an opening tag, between its brackets.
fn tag(rng: &mut Rng, name: &str, kind: &str) -> String {
    let quote = rng.pick(&["\"", "\"", "'"]);
    let name = match rng.below(6) {
        0 if !name.contains('-') => format!("name={name} "),
        1 => format!("NAME = {quote}{name}{quote}"),
        _ => format!("name={quote}{name}{quote}"),
    };
    let kind = match rng.below(5) {
        0 => String::new(),
        _ => format!(" type={quote}{kind}{quote}"),
    };
    let more = rng.pick(&["", "", " note=\"a>b\"", " required", "\n"]);
    match rng.below(3) {
        0 => format!("field{kind}{more} {name}"),
        1 => format!("FIELD {name}{kind}{more}"),
        _ => format!("field {name}{more}{kind}"),
    }
}
