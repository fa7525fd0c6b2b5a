//! Checks of one stream, event by event.

use serde_json::{Value as Json, json};

use crate::support::Emitted;

/// The answer of a stream: its own name, in every text.
pub(crate) fn answer(name: &str, items: usize) -> Json {
    let items: Vec<Json> = (0..items)
        .map(|at| json!({"of": format!("{name}/{at}"), "text": format!("{name} ").repeat(1 + at % 40), "at": at}))
        .collect();
    json!({"id": name, "items": items, "end": name})
}

/// What was seen of a stream.
pub(crate) struct Checked {
    name: String,
    items: usize,
    /// The number of the last event.
    pub(crate) last: u64,
    /// The text that grows.
    text: String,
}

/// What a stream must not do.
pub(crate) type Broken = String;

impl Checked {
    pub(crate) const fn new(name: String, items: usize) -> Self {
        Self { name, items, last: 0, text: String::new() }
    }

    /// Looks at the next event. Whether it is the last one.
    pub(crate) fn event(&mut self, emitted: &Emitted) -> Result<bool, Broken> {
        let Self { name, items, last, text } = self;
        if emitted.id != *last + 1 {
            return Err(format!("{name}: event {} follows event {last}", emitted.id));
        }
        *last += 1;
        *text += emitted.data["delta"].as_str().unwrap_or_default();
        if let ("done", Some(value)) =
            (emitted.data["kind"].as_str().unwrap_or_default(), emitted.data["value"].as_str())
        {
            if !value.starts_with(&**name) {
                return Err(format!("{name}: the text `{value}` is of another stream"));
            }
            if core::mem::take(text) != value {
                return Err(format!(
                    "{name}: the deltas of event {last} do not add up to `{value}`"
                ));
            }
        }
        match &*emitted.name {
            "final" if emitted.data["value"] == answer(name, *items) => Ok(true),
            "final" => Err(format!("{name}: the value at the end is another")),
            "error" => Err(format!("{name}: {}", emitted.data)),
            _ => Ok(false),
        }
    }
}
