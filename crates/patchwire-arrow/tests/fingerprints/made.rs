//! Schemas of all kinds of columns, and texts that fit some of them.

use super::numbers::Random;

const NAMES: [&str; 6] = ["a", "b", "c", "title", "n", "é"];
const LEAVES: [&str; 17] = [
    "{\"type\": \"string\"}",
    "{\"type\": \"integer\"}",
    "{\"type\": \"number\"}",
    "{\"type\": \"boolean\"}",
    "{\"type\": \"null\"}",
    "{}",
    "{\"enum\": [\"x\", \"y\", null]}",
    "{\"enum\": [1, 2]}",
    "{\"enum\": [1, 2.5]}",
    "{\"enum\": [\"x\", 1]}",
    "{\"const\": true}",
    "{\"type\": [\"integer\", \"null\"]}",
    "{\"type\": [\"integer\", \"number\"]}",
    "{\"type\": [\"string\", \"integer\"]}",
    "{\"type\": \"object\"}",
    "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"integer\"}}",
    "{\"$ref\": \"#/$defs/node\"}",
];
const VALUES: [&str; 26] = [
    "\"x\"",
    "\"y\"",
    "\"\"",
    "\"12\"",
    "\"é\\ud83d\\ude00\"",
    "1",
    "2.5",
    "-0",
    "3.0",
    "3e2",
    "1e400",
    "1e30",
    "9007199254740992.0",
    "9007199254740993.0",
    "-9007199254740992.0",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "true",
    "false",
    "null",
    "\"true\"",
    "[]",
    "{}",
    "0.5",
    "18014398509481984.0",
];

/// A schema whose root is an object more often than not.
pub(super) fn schema(random: &mut Random) -> String {
    let depth = random.below(4);
    let mut root = if random.below(6) == 0 { node(depth, random) } else { object(depth, random) };
    if root.contains("$defs") {
        let node = "{\"type\": \"object\", \"properties\": {\"n\": {\"type\": \"integer\"}, \"c\": {\"anyOf\": \
                    [{\"$ref\": \"#/$defs/node\"}, {\"type\": \"null\"}]}}}";
        root = format!("{{\"$defs\": {{\"node\": {node}}}, {}", &root[1..]);
    }
    root
}

fn node(depth: usize, random: &mut Random) -> String {
    match random.below(if depth == 0 { 1 } else { 5 }) {
        0 | 1 => random.pick(&LEAVES).to_owned(),
        2 => format!("{{\"type\": \"array\", \"items\": {}}}", node(depth - 1, random)),
        3 => object(depth - 1, random),
        _ => {
            let (one, other) = (node(depth - 1, random), random.pick(&LEAVES));
            format!("{{\"anyOf\": [{one}, {other}]}}")
        }
    }
}

fn object(depth: usize, random: &mut Random) -> String {
    let from = random.below(NAMES.len());
    let members = (0..random.below(5)).map(|at| {
        let name = NAMES[(from + at) % NAMES.len()];
        format!("\"{name}\": {}", node(depth, random))
    });
    let members: Vec<String> = members.collect();
    format!("{{\"type\": \"object\", \"properties\": {{{}}}}}", members.join(", "))
}

/// A row: a null, prose, or a value with members of these names.
pub(super) fn text(random: &mut Random) -> Option<String> {
    let text = match random.below(12) {
        0 => return None,
        1 => random
            .pick(&["", " \n", "No.", "<think>Hm.</think>I cannot do that.", "7", "\"x\""])
            .to_owned(),
        2 => "<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": 1}}</tool_call>".to_owned(),
        3 => format!(
            "<tool_call>{{\"name\": \"g\"}}</tool_call>{}<a>1</a><b>x</b>",
            value(2, random)
        ),
        4 => format!("<think>so</think>Sure: {}", value(3, random)),
        _ => value(3, random),
    };
    let end = if random.below(6) == 0 { random.below(text.len() + 1) } else { text.len() };
    let end = (0..=end).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    Some(text[..end].to_owned())
}

fn value(depth: usize, random: &mut Random) -> String {
    match random.below(if depth == 0 { 1 } else { 5 }) {
        0 | 1 => random.pick(&VALUES).to_owned(),
        2 => {
            let items: Vec<String> =
                (0..random.below(4)).map(|_| value(depth - 1, random)).collect();
            format!("[{}]", items.join(", "))
        }
        _ => {
            let members = (0..random.below(6)).map(|_| {
                let name = random.pick(&NAMES);
                format!("\"{name}\": {}", value(depth - 1, random))
            });
            let members: Vec<String> = members.collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}
