//! Fields under headers, and the forms in which models write their values.

use super::super::damage::Random;
use super::json::json_value;
use super::{NAMES, SCALARS, framed, name, one_in, words};

/// An answer of some fields, with remarks around it.
pub(in super::super) fn sections(random: &mut Random) -> String {
    let style = random.below(12);
    let mut text = String::new();
    let count = 2 + random.below(5);
    for (at, usual) in NAMES.iter().take(count).enumerate() {
        // Most fields come in the order of the schema.
        let name = if one_in(4, random) { name(random) } else { usual };
        let own = if one_in(8, random) { random.below(12) } else { style };
        text.push_str(&header(name, at + 1, own, random));
        text.push_str(&value(random));
        text.push_str(random.pick(&["\n", "\n\n", "\n \n", "\n---\n", "\n\n"]));
    }
    framed(&text, "markdown", random)
}

/// The name as people write it.
fn spelled(name: &str, random: &mut Random) -> String {
    match random.below(8) {
        0 => name.to_uppercase(),
        1 => name.replace('_', " "),
        2 => name.replace(' ', "_"),
        3 => name[..1.min(name.len())].to_uppercase() + name.get(1..).unwrap_or_default(),
        _ => name.to_owned(),
    }
}

fn header(name: &str, number: usize, style: usize, random: &mut Random) -> String {
    let name = if name.is_ascii() { spelled(name, random) } else { name.to_owned() };
    match style {
        0..=2 => format!("### {name}\n"),
        3 => format!("## {name}\n\n"),
        4 => format!("**{name}:** "),
        5 => format!("**{name}**\n"),
        6 => format!("{number}. **{name}**: "),
        7 => format!("{name}: "),
        8 => format!("# {number}. {name} #\n"),
        9 => format!("{name}\n----\n"),
        10 => format!("- {name}: "),
        _ => format!("### `{name}`:\n[{name}]\n"),
    }
}

fn scalar(random: &mut Random) -> String {
    let scalar = random.pick(&SCALARS);
    match random.below(9) {
        0 => format!("**{scalar}**"),
        1 => format!("{scalar} ({})", words(2, random)),
        2 => format!("{scalar}."),
        3 => format!("`{scalar}`"),
        4 => format!("\"{scalar}\""),
        5 => format!("about {scalar} days"),
        _ => scalar.to_owned(),
    }
}

/// A value in one of the forms that models write.
pub(super) fn value(random: &mut Random) -> String {
    match random.below(20) {
        0..=4 => scalar(random),
        5 | 6 => words(8, random),
        7 => format!("{}\n\n{}", words(6, random), words(6, random)),
        8 | 9 => list(random),
        10 => table(random),
        11 | 12 => records(random),
        13 => on_one_line(random),
        14 => format!("```json\n{}\n```", json_value(random)),
        15 | 16 => json_value(random),
        17 => format!("> {}\n> {}", words(4, random), words(2, random)),
        18 => format!("```\n{}\n```", words(5, random)),
        _ => format!("{}\n{}", words(3, random), list(random)),
    }
}

fn list(random: &mut Random) -> String {
    let style = random.below(9);
    let mut out = String::new();
    for at in 1..=1 + random.below(4) {
        let mark = match style {
            0..=2 => "- ".to_owned(),
            3 => "* ".to_owned(),
            4 => format!("{at}. "),
            5 => format!("{at}) "),
            6 => "• ".to_owned(),
            7 => random.pick(&["- [ ] ", "- [x] "]).to_owned(),
            _ => format!("({at}) "),
        };
        let indent = if one_in(6, random) { "  " } else { "" };
        let text = if one_in(2, random) { scalar(random) } else { words(4, random) };
        out.push_str(&format!("{indent}{mark}{text}\n"));
        if one_in(8, random) {
            out.push_str(random.pick(&["\n", "  more\n", "    - below\n", "\n\n\n"]));
        }
    }
    out
}

fn on_one_line(random: &mut Random) -> String {
    let between = random.pick(&[", ", "; ", " | ", " and ", " / ", " 2) ", ",", " • "]);
    let count = 2 + random.below(3);
    let all: Vec<_> = (0..count).map(|_| scalar(random)).collect();
    let start = random.pick(&["", "", "1) ", "[", "("]);
    format!("{start}{}", all.join(between))
}

fn table(random: &mut Random) -> String {
    let width = 1 + random.below(3);
    let row = |random: &mut Random, cell: fn(&mut Random) -> String| {
        let extra = usize::from(one_in(8, random));
        let cells: Vec<_> = (0..width + extra).map(|_| cell(random)).collect();
        let (left, right) = random.pick(&[("| ", " |"), ("| ", " |"), ("", ""), ("|", "")]);
        format!("{left}{}{right}\n", cells.join(" | "))
    };
    let mut out = row(random, |random| name(random).to_owned());
    if !one_in(5, random) {
        out.push_str(&format!(
            "|{}\n",
            random.pick(&["---|", ":--|", " --- |", "===|"]).repeat(width)
        ));
    }
    for _ in 0..random.below(4) {
        out.push_str(&row(random, scalar));
    }
    out
}

fn records(random: &mut Random) -> String {
    let style = random.below(7);
    let mut out = String::new();
    for at in 1..=1 + random.below(3) {
        let (key, other) = (name(random), name(random));
        let (first, second) = (scalar(random), scalar(random));
        out.push_str(&match style {
            0 => format!("- {key}: {first}\n  {other}: {second}\n"),
            1 => format!("- **{key}**: {first}, **{other}**: {second}\n"),
            2 => format!("{key}: {first}\n{other}: {second}\n\n"),
            3 => format!("{at}. {first} – {second}\n"),
            4 => format!("#### {at}\n- {key}: {first}\n- {other}: {second}\n"),
            5 => format!("- {first}: {second}\n"),
            _ => format!("{at}. **{key}:** {first}\n   - **{other}:** {second}\n"),
        });
    }
    out
}
