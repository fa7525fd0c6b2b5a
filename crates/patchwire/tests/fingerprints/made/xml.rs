//! Fields in tags, and bodies of tags.

use super::super::damage::Random;
use super::json::json_value;
use super::sections::value;
use super::{NAMES, SCALARS, framed, name, one_in, words};

/// An answer whose fields stand in tags.
pub(in super::super) fn fields(random: &mut Random) -> String {
    let is_named = one_in(2, random);
    let mut text = String::new();
    let count = 1 + random.below(5);
    for usual in NAMES.iter().take(count) {
        let name = if one_in(4, random) { name(random) } else { usual };
        let content = match random.below(6) {
            0 => json_value(random),
            1 => format!("\n{}\n", value(random)),
            2 => items(random),
            3 => format!("<![CDATA[{}]]>", words(4, random)),
            4 => format!("<a>{}</a><n>{}</n>", words(2, random), random.pick(&SCALARS)),
            _ => value(random),
        };
        let kind = random.pick(&[
            " type=\"text\"",
            " type=\"json\"",
            "",
            " type='text' x",
            " type=\"int\"",
        ]);
        let open =
            if is_named { format!("<field name=\"{name}\"{kind}>") } else { format!("<{name}>") };
        let close = match random.below(12) {
            0 => String::new(),
            1 => "</>".to_owned(),
            2 => format!("</{usual} >"),
            _ if is_named => "</field>".to_owned(),
            _ => format!("</{name}>"),
        };
        let between = random.pick(&["\n", "", " ", "\n\n", " so ", "\n<!-- x -->\n"]);
        text.push_str(&format!("{open}{content}{close}{between}"));
    }
    let text = match random.below(5) {
        0 => text,
        1 => format!("<answer>\n{text}</answer>"),
        2 => format!("<output>{text}"),
        _ => format!("<agently_output>\n{text}</agently_output>"),
    };
    framed(&text, "xml", random)
}

fn items(random: &mut Random) -> String {
    let tag = random.pick(&["item", "x", "li", "row"]);
    let count = 1 + random.below(3);
    (0..count).map(|_| format!("<{tag}>{}</{tag}>", random.pick(&SCALARS))).collect()
}

/// A body of tags with text between them.
pub(in super::super) fn body(random: &mut Random) -> String {
    let mut out = String::new();
    nodes(3, random, &mut out);
    out
}

fn nodes(depth: usize, random: &mut Random, out: &mut String) {
    for _ in 0..1 + random.below(4) {
        match random.below(if depth == 0 { 6 } else { 12 }) {
            0 | 1 => out.push_str(&words(3, random)),
            2 => out.push_str(random.pick(&SCALARS)),
            3 => out.push_str(random.pick(&[
                "&lt;",
                "&#65;",
                "&#x1F600;",
                "&nope;",
                "& ",
                "&amp",
                "<!-- c -->",
                "<!--",
                "<![CDATA[a<b]]>",
                "<![CDATA[",
                "<?x?>",
                "]]>",
                "< b",
                "<1>",
                "a<b",
                "`<a>`",
                "</b>",
                "<a",
            ])),
            4 => out.push_str(random.pick(&["\n", "  ", "\n  ", "\t"])),
            _ => element(depth.saturating_sub(1), random, out),
        }
    }
}

fn element(depth: usize, random: &mut Random, out: &mut String) {
    let tag = random.pick(&["a", "b", "item", "n", "ok", "xs", "A", "ns:a", "é", "a-b"]);
    let attribute = random.pick(&[
        "",
        "",
        "",
        " k=\"v\"",
        " k='a>b' m",
        " k=v",
        " k",
        " \n k = \"&amp;\" ",
        " k=\"1\" k=\"2\"",
    ]);
    if one_in(8, random) {
        return out.push_str(&format!("<{tag}{attribute}/>"));
    }
    out.push_str(&format!("<{tag}{attribute}>"));
    if one_in(2, random) {
        out.push_str(random.pick(&SCALARS));
    } else {
        nodes(depth, random, out);
    }
    match random.below(10) {
        0 => {}
        1 => out.push_str("</b>"),
        2 => out.push_str(&format!("</{tag} >")),
        _ => out.push_str(&format!("</{tag}>")),
    }
}
