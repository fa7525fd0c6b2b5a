//! JSON Schemas, and documents that fit them.

use super::Rng;
use super::json;
use crate::oracle::quoted;

const NAMES: [&str; 8] = ["title", "count", "done", "items", "tags", "note", "author", "score"];
const LISTED: [&str; 3] = ["low", "medium", "high"];

/// A schema with an object as its root, and a document that fits it.
pub fn pair(rng: &mut Rng) -> (String, String) {
    object(rng, 3)
}

fn any(rng: &mut Rng, depth: usize) -> (String, String) {
    match rng.below(if depth == 0 { 5 } else { 7 }) {
        0 => ("{\"type\":\"string\"}".to_owned(), quoted(&json::text(rng))),
        1 => ("{\"type\":\"integer\"}".to_owned(), rng.below(1000).to_string()),
        2 => (
            "{\"type\":\"number\"}".to_owned(),
            rng.pick(&["0.5", "-1e3", "12", "1.10"]).to_owned(),
        ),
        3 => ("{\"type\":\"boolean\"}".to_owned(), rng.pick(&["true", "false"]).to_owned()),
        4 => {
            let listed: Vec<String> = LISTED.iter().map(|name| quoted(name)).collect();
            (format!("{{\"enum\":[{}]}}", listed.join(",")), quoted(rng.pick(&LISTED)))
        }
        5 => {
            let seed = rng.next();
            let (schema, item) = any(&mut Rng::new(seed), depth - 1);
            let items = vec![item; rng.below(4)];
            (
                format!("{{\"type\":\"array\",\"items\":{schema}}}"),
                format!("[{}]", items.join(", ")),
            )
        }
        _ => object(rng, depth - 1),
    }
}

fn object(rng: &mut Rng, depth: usize) -> (String, String) {
    let from = rng.below(NAMES.len());
    let names = (0..1 + rng.below(5)).map(|at| NAMES[(from + at) % NAMES.len()]);
    let mut properties = Vec::new();
    let mut members = Vec::new();
    let mut required = Vec::new();
    for name in names {
        let (schema, value) = any(rng, depth.saturating_sub(1));
        properties.push(format!("{}:{schema}", quoted(name)));
        members.push(format!("{}: {value}", quoted(name)));
        required.push(quoted(name));
    }
    // Models write members in any order.
    if rng.once_in(2) {
        members.reverse();
    }
    let (properties, required) = (properties.join(","), required.join(","));
    let schema = format!(
        "{{\"type\":\"object\",\"properties\":{{{properties}}},\"required\":[{required}]}}"
    );
    (schema, format!("{{{}}}", members.join(", ")))
}
