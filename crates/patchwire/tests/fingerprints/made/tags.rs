//! Tag sets that a seed makes, and texts with their markers.

use std::fmt::Write;

use patchwire::TagSet;

use super::super::damage::Random;
use super::calls::call;
use super::json::json;
use super::xml::body;
use super::{one_in, words};

const MARKERS: [[&str; 2]; 12] = [
    ["<t>", "</t>"],
    ["<tt>", "</tt>"],
    ["<t {id}>", "</t>"],
    ["<call={name}>", "</call>"],
    ["<<A/{name}>>", "<<END/{name}>>"],
    ["[[x]]", "[[/x]]"],
    ["<|a|>", "<|b|>"],
    ["<|a|>{name}<|m|>", "<|b|>"],
    ["◁r▷", "◁/r▷"],
    ["BEGIN\n", "END"],
    ["<answer>", "</answer>"],
    ["```call\n", "```"],
];

/// A setting of a family: its key, and its values as JSON.
type Setting = (&'static str, &'static [&'static str]);

const SETTINGS: [Setting; 20] = [
    (
        "body",
        &["\"text\"", "\"mixed\"", "\"json\"", "\"raw\"", "\"record\"", "\"xml\"", "\"fields\""],
    ),
    ("same", &["\"literal\"", "\"restart\"", "\"nest\"", "\"parallel\"", "\"sibling\""]),
    ("inside", &["\"nest\"", "\"interrupt\""]),
    ("stray", &["\"auto\"", "\"drop\"", "\"literal\"", "\"reclassify\""]),
    ("case", &["\"exact\"", "\"fold\""]),
    ("attributes", &["\"none\"", "\"valued\"", "\"bare\""]),
    ("at", &["\"anywhere\"", "\"line\"", "\"apart\""]),
    ("mismatch", &["\"stray\"", "\"close\""]),
    ("call", &["\"auto\"", "\"none\"", "\"python\"", "\"gemma\"", "\"text\""]),
    ("visible", &["\"yes\"", "\"no\"", "\"optional\""]),
    ("blanks", &["true", "false"]),
    ("guard_closers", &["\"yes\"", "\"no\""]),
    ("group", &["\"g\"", "\"g\"", "\"h\""]),
    ("within", &["[\"f0\"]", "[\"f0\",\"f1\"]"]),
    ("then", &["\"{\"", "[\"<t>\",\"[\"]"]),
    ("keys", &["[\"key\"]", "[\"key\",\"Other\"]"]),
    ("any_key", &["true"]),
    ("names", &["[\"a\",\"b\"]"]),
    ("typed", &["true"]),
    ("call_name", &["\"weather\"", "\"x-{name}\""]),
];

/// The data of a tag set, and a text with its markers.
pub(in super::super) fn tag_set(random: &mut Random) -> (String, String) {
    let count = 1 + random.below(3);
    let chosen: Vec<_> = (0..count).map(|_| random.below(MARKERS.len())).collect();
    let mut families = Vec::new();
    for (at, marker) in chosen.iter().enumerate() {
        families.push(family(at, MARKERS[*marker], random));
    }
    let mut data = format!("{{\"name\":\"made\",\"family\":[{}]", families.join(","));
    if one_in(3, random) {
        let guards = random.pick(&["both", "inline", "fences", "none"]);
        write!(data, ",\"guards\":\"{guards}\"").unwrap();
    }
    if one_in(5, random) {
        data.push_str(random.pick(&[
            ",\"comments\":true",
            ",\"bare_calls\":\"python\"",
            ",\"bare_calls\":\"json\"",
        ]));
    }
    data.push('}');
    let markers: Vec<_> = chosen.into_iter().map(|marker| MARKERS[marker]).collect();
    (data, marked(&markers, random))
}

fn family(at: usize, markers: [&str; 2], random: &mut Random) -> String {
    let [open, close] = markers;
    let channel = random.pick(&["reasoning", "answer", "text", "@parent", "tool", "own"]);
    let mut family = format!(
        "{{\"name\":\"f{at}\",\"open\":{open:?},\"close\":{close:?},\"channel\":\"{channel}\""
    );
    let mut seen = Vec::new();
    for _ in 0..random.below(4) {
        let (key, values) = random.pick(&SETTINGS);
        if !seen.contains(&key) {
            seen.push(key);
            write!(family, ",\"{key}\":{}", random.pick(values)).unwrap();
        }
    }
    family.push('}');
    family
}

/// A text with openers and closers, most of them in pairs.
fn marked(markers: &[[&str; 2]], random: &mut Random) -> String {
    let mut out = String::new();
    for _ in 0..1 + random.below(5) {
        if one_in(2, random) {
            out.push_str(&between(random));
        }
        let [open, close] = random.pick(markers);
        let name = random.pick(&["x", "weather", "a b", ""]);
        let filled = |marker: &str| marker.replace("{name}", name).replace("{id}", "id=\"1\"");
        if !one_in(7, random) {
            out.push_str(&filled(open));
        }
        out.push_str(&between(random));
        if !one_in(6, random) {
            out.push_str(&filled(close));
        }
    }
    if one_in(4, random) { out.to_uppercase() } else { out }
}

fn between(random: &mut Random) -> String {
    match random.below(12) {
        0 => json(random),
        1 => body(random),
        2 => call(random),
        3 => "key: value\nOther: 2\n".to_owned(),
        4 => format!("`{}`", random.pick(&MARKERS)[0]),
        5 => format!("\n```\n{}\n```\n", random.pick(&MARKERS)[1]),
        6 => "\n".to_owned(),
        7 => r#"{"name":"weather","arguments":{"city":"Rome","days":"3"}}"#.to_owned(),
        8 => format!("    {}\n", random.pick(&MARKERS)[0]),
        _ => words(6, random),
    }
}

/// The tag set that the data describes, or why it is none.
pub(in super::super) fn read_set(data: &str) -> Result<TagSet, String> {
    TagSet::from_json(data).map_err(|error| error.to_string())
}
