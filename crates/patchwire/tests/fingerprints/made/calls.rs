//! Calls in the syntax of Python, and in that of Gemma.

use super::super::damage::Random;
use super::{one_in, words};

/// A call or some, as text.
pub(in super::super) fn call(random: &mut Random) -> String {
    let is_gemma = one_in(4, random);
    let count = 1 + random.below(3);
    let calls: Vec<_> =
        (0..count).map(|_| if is_gemma { gemma(random) } else { python(random) }).collect();
    let joined = calls.join(random.pick(&[", ", ",", "; ", "\n", " ", ",\n  "]));
    match random.below(6) {
        0 => joined,
        1 => format!("[{joined}"),
        2 => format!("[{joined}] so"),
        _ => format!("[{joined}]"),
    }
}

fn tool(random: &mut Random) -> &'static str {
    random.pick(&["f", "weather", "a.b", "get_time", "Über", "g-1"])
}

fn key(random: &mut Random) -> &'static str {
    random.pick(&["city", "days", "a", "list", "deep", "x_y", "1", ""])
}

fn python(random: &mut Random) -> String {
    let argument = |random: &mut Random| match random.below(12) {
        0 => value(2, random),
        1 => format!("{} {}", key(random), value(2, random)),
        2 => format!("{} = {}", key(random), value(2, random)),
        _ => format!("{}={}", key(random), value(2, random)),
    };
    let count = random.below(4);
    let arguments: Vec<_> = (0..count).map(|_| argument(random)).collect();
    let close = if one_in(10, random) { random.pick(&["", "]", "))", ",)", ""]) } else { ")" };
    format!("{}({}{close}", tool(random), arguments.join(random.pick(&[", ", ",", ",\n", "  ,  "])))
}

fn value(depth: usize, random: &mut Random) -> String {
    match random.below(if depth == 0 { 5 } else { 8 }) {
        0 | 1 => string(random),
        2..=4 => random
            .pick(&[
                "1",
                "-2.5",
                "1_000",
                ".5",
                "True",
                "None",
                "false",
                "null",
                "word",
                "two words",
                "0x1f",
                "1e5",
                "",
            ])
            .to_owned(),
        5 => enclosed(["[", "]"], depth, random),
        6 => enclosed(random.pick(&[["(", ")"], ["{", "}"]]), depth, random),
        _ => {
            let (key, first) = (string(random), value(depth - 1, random));
            format!("{{{key}: {first}, 'k': {}}}", value(depth - 1, random))
        }
    }
}

fn enclosed(brackets: [&str; 2], depth: usize, random: &mut Random) -> String {
    let [open, close] = brackets;
    let count = random.below(4);
    let items: Vec<_> = (0..count).map(|_| value(depth - 1, random)).collect();
    let close = if one_in(12, random) { "" } else { close };
    format!("{open}{}{close}", items.join(", "))
}

fn string(random: &mut Random) -> String {
    let text = words(4, random);
    let quote = random.pick(&["\"", "'", "'", "'''", "\"\"\""]);
    let text = if one_in(3, random) { text } else { text.replace(['"', '\'', '\\'], "") };
    let escape = random.pick(&[
        "",
        "",
        "\\n",
        "\\x41",
        "\\u00e9",
        "\\'",
        "\\U0001F600",
        "\\uZZ",
        "\\d",
        "\\\n",
        "', 'x",
        "', b='y",
    ]);
    let end = if one_in(14, random) { "" } else { quote };
    format!("{quote}{text}{escape}{end}")
}

fn gemma(random: &mut Random) -> String {
    let value = |random: &mut Random| match random.below(5) {
        0 => "3".to_owned(),
        1 => format!("[<|\"|>{}<|\"|>,true]", words(2, random)),
        2 => format!("{{a:{{b:<|\"|>{}<|\"|>}}}}", words(2, random)),
        3 => random.pick(&["null", "<|\"|>open", "word", "-1.5", "<escape>x<escape>"]).to_owned(),
        _ => format!("<|\"|>{}<|\"|>", words(3, random)),
    };
    let count = random.below(4);
    let members: Vec<_> =
        (0..count).map(|_| format!("{}:{}", key(random), value(random))).collect();
    let close = if one_in(8, random) { "" } else { "}" };
    format!("call:{}{{{}{close}", tool(random), members.join(","))
}
