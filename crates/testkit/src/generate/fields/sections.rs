//! Fields under headers, in all equivalent notations.

use super::texts::{self, Lone, Use};
use super::{Rng, Sample, order, payload, schema, with_crlf};
use crate::oracle::Json;
use crate::oracle::fields::{Format, Type};

/// A well-formed text.
pub fn sample(rng: &mut Rng, format: Format) -> Sample {
    let schema = schema(rng);
    let crlf = rng.once_in(4);
    let lone = if crlf { Lone::Unwanted } else { Lone::Allowed };
    let hashes = "######"[..1 + rng.below(6)].to_owned();
    let mut text = rng.pick(&["", "", "\n", "Sure, here it is:\n\n", "\u{feff}"]).to_owned();
    let mut fields = Vec::new();
    let chosen = order(rng, &schema);
    let last = chosen.len();
    for (at, (name, kind)) in chosen.into_iter().enumerate() {
        let header = header(rng, &hashes, &name);
        text.push_str(&header);
        text.push('\n');
        echo(rng, &mut text, &header);
        let json = format == Format::Hybrid && kind != Type::Str;
        let value = if json {
            let (json, value) = payload(rng, kind);
            let (open, close) = rng.pick(&FENCES);
            text.push_str(&format!("{open}{json}{close}"));
            value
        } else {
            Json::String(prose(rng, &mut text, kind, lone))
        };
        fields.push((name, value));
        let at_end = at + 1 == last && rng.once_in(3);
        text.push_str(if at_end { "" } else { rng.pick(&["\n", "\n\n", "\n \t\n\n"]) });
    }
    let text = if crlf { with_crlf(&text) } else { text };
    Sample { schema, text, fields }
}

/// Delimiters around JSON.
const FENCES: [(&str, &str); 6] = [
    ("", ""),
    ("\n", "\n"),
    ("```json\n", "\n```"),
    ("\n```\n", "\n```  \n"),
    ("  ~~~ json\n", "\n  ~~~~"),
    ("1. ````json\n\n", "\n\n````\n"),
];

/// A header line.
fn header(rng: &mut Rng, hashes: &str, name: &str) -> String {
    let spelt = match rng.below(5) {
        0 => name.to_ascii_uppercase(),
        1 => name.replace(['_', '-'], " "),
        2 => name.replace(['_', '-'], " - "),
        _ => name.to_owned(),
    };
    let mark = rng.pick(&["", "", "", "**", "`", "_", "*"]);
    let gap = rng.pick(&[" ", " ", "  ", "\t"]);
    let kind = rng.pick(&["", "", "", " [text]", " (json)", "[json]"]);
    let colon = rng.pick(&["", "", ":"]);
    let end = rng.pick(&["", "", "", " ", " ###", " #  "]);
    if rng.once_in(2) {
        return format!("{hashes}{gap}{mark}{spelt}{mark}{colon}{kind}{end}");
    }
    format!("{hashes}{gap}{mark}{spelt}{mark}{kind}{colon}{end}")
}

/// An echo: text of the prompt that small models copy before they begin.
fn echo(rng: &mut Rng, out: &mut String, header: &str) {
    match rng.below(12) {
        0 => out.push_str(&format!("\n{header}\n")),
        1 => out.push_str("<!-- (text) what goes here -->\n"),
        2 => out.push_str("\n  (your content here)\n\n"),
        _ => {}
    }
}

fn prose(rng: &mut Rng, out: &mut String, kind: Type, lone: Lone) -> String {
    out.push_str(rng.pick(&["", "", "\n", " \n\n"]));
    let value = if kind == Type::Str || rng.once_in(3) {
        texts::tidy(&texts::lines(rng, Use::Sections, lone))
    } else {
        payload(rng, kind).1.to_string()
    };
    out.push_str(&value);
    value
}
