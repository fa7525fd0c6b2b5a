//! YAML as models write it, and more of YAML than they write.

use super::super::damage::Random;
use super::json::json_value;
use super::{NAMES, SCALARS, framed, name, one_in, words};

/// A YAML document with remarks or markers around it.
pub(in super::super) fn yaml(random: &mut Random) -> String {
    let mut text = String::new();
    mapping(0, 3, random, &mut text);
    match random.below(10) {
        0 => text = format!("<<<BEGIN AGENTLY_YAML>>>\n{text}<<<END AGENTLY_YAML>>>\n"),
        1 => text = format!("<<<BEGIN doc>>>\n{text}"),
        2 => text = format!("---\n{text}...\n"),
        3 => text = format!("%YAML 1.2\n---\n{text}"),
        4 => text = format!("{text}---\n{text}"),
        5 => text = text.lines().map(|line| format!("  {line}\n")).collect(),
        _ => {}
    }
    framed(&text, "yaml", random)
}

fn indent(depth: usize, random: &mut Random, out: &mut String) {
    out.push_str(&"  ".repeat(depth));
    if one_in(25, random) {
        out.push_str(random.pick(&["\t", " ", "  ", "   "]));
    }
}

fn mapping(depth: usize, most: usize, random: &mut Random, out: &mut String) {
    let count = 1 + random.below(5);
    for usual in NAMES.iter().take(count) {
        let name = if one_in(3, random) { name(random) } else { usual };
        indent(depth, random, out);
        out.push_str(&match random.below(14) {
            0 => format!("\"{name}\":"),
            1 => format!("'{name}' :"),
            2 => format!("? {name}\n{}:", "  ".repeat(depth)),
            3 => format!("**{name}**:"),
            4 => format!("{name} :"),
            _ => format!("{name}:"),
        });
        node(depth, most, random, out);
        remark(depth, random, out);
    }
}

/// A comment, an empty line, or a line that does not belong here.
fn remark(depth: usize, random: &mut Random, out: &mut String) {
    if one_in(10, random) {
        out.push_str(&"  ".repeat(depth));
        out.push_str(random.pick(&[
            "# note\n",
            "\n",
            "\t\n",
            "...\n",
            "plain words\n",
            "<<: *b\n",
            " \n",
            "- x\n",
        ]));
    }
}

/// What follows a key or a bullet, up to the end of its last line.
fn node(depth: usize, most: usize, random: &mut Random, out: &mut String) {
    if one_in(10, random) {
        let marks = [
            " &b",
            " !!str",
            " *b",
            " !!int",
            " !own",
            " &b !!map",
            " !!seq",
            " |-",
            "\t",
            " # note",
        ];
        out.push_str(random.pick(&marks));
    }
    match random.below(if most == 0 { 11 } else { 16 }) {
        0..=3 => out.push_str(&format!(" {}\n", random.pick(&SCALARS))),
        4 | 5 => out.push_str(&format!(" {}\n", words(5, random))),
        6 => quoted(depth, random, out),
        7 | 8 => block(depth, random, out),
        9 => out.push_str(&format!(
            " {}\n{}  {}\n",
            words(3, random),
            "  ".repeat(depth),
            words(3, random)
        )),
        10 => flow(random, out),
        11 | 12 => {
            out.push('\n');
            mapping(depth + 1, most - 1, random, out);
        }
        _ => {
            out.push('\n');
            let same_column = one_in(3, random);
            sequence(if same_column { depth } else { depth + 1 }, most - 1, random, out);
        }
    }
}

fn sequence(depth: usize, most: usize, random: &mut Random, out: &mut String) {
    for _ in 0..1 + random.below(3) {
        indent(depth, random, out);
        out.push('-');
        if most > 0 && one_in(3, random) {
            let mut inner = String::new();
            mapping(depth + 1, most - 1, random, &mut inner);
            // The first key stands behind the bullet.
            out.push(' ');
            out.push_str(inner.trim_start());
        } else {
            node(depth, most, random, out);
        }
        remark(depth, random, out);
    }
}

fn quoted(depth: usize, random: &mut Random, out: &mut String) {
    let text = words(4, random);
    let text = if one_in(3, random) { text } else { text.replace(['"', '\'', '\\'], "") };
    let escape =
        random.pick(&["", "", "\\n", "\\\"", "''", "\\x41", "\\u00e9", "\\\n", "\\q", "\n"]);
    let quote = random.pick(&['"', '\'']);
    let next =
        if one_in(3, random) { format!("\n{}  more", "  ".repeat(depth)) } else { String::new() };
    let behind = random.pick(&["", "", "", " # note", " words", "  ", ":", "\t"]);
    out.push_str(&format!(" {quote}{text}{escape}{next}{quote}{behind}\n"));
}

fn block(depth: usize, random: &mut Random, out: &mut String) {
    out.push_str(random.pick(&[
        " |\n",
        " >\n",
        " |-\n",
        " >-\n",
        " |+\n",
        " |2\n",
        " >1-\n",
        " | # note\n",
        " |9\n",
    ]));
    let deeper = random.pick(&[1, 1, 1, 2, 0]);
    for _ in 0..random.below(4) {
        out.push_str(&"  ".repeat(depth + deeper));
        out.push_str(random.pick(&["", "", "", " ", "  ", "\t"]));
        out.push_str(&words(4, random));
        out.push_str(random.pick(&["\n", "\n", "\n\n", " \n", "\n  \n", "\r\n"]));
    }
}

fn flow(random: &mut Random, out: &mut String) {
    let mut text = json_value(random);
    if one_in(2, random) {
        text = text.replace('"', "");
    }
    if one_in(4, random) {
        text.push_str(random.pick(&["\n  , x]", " # note", " &c x", "]", "\n"]));
    }
    out.push_str(&format!(" {text}\n"));
}
