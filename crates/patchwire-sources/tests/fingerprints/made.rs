//! Events of a protocol: scripts in their order, pieces of several, and slips in their members.

use std::collections::BTreeMap;

use patchwire_sources::Protocol;
use serde_json::{Value as Json, json};

use super::numbers::Random;

/// What events of a protocol are made of.
pub(super) struct Pool {
    pub(super) protocol: Protocol,
    scripts: Vec<Vec<Json>>,
    /// The values that each member has somewhere.
    known: BTreeMap<String, Vec<Json>>,
    names: Vec<String>,
}

impl Pool {
    pub(super) fn new(protocol: Protocol) -> Self {
        let text = match protocol {
            Protocol::OpenAiChat => include_str!("bodies/openai-chat.ndjson"),
            Protocol::OpenAiResponses => include_str!("bodies/openai-responses.ndjson"),
            Protocol::Anthropic => include_str!("bodies/anthropic.ndjson"),
            Protocol::Ollama => include_str!("bodies/ollama.ndjson"),
            Protocol::Gemini => include_str!("bodies/gemini.ndjson"),
            Protocol::Cohere => include_str!("bodies/cohere.ndjson"),
            Protocol::Bedrock => include_str!("bodies/bedrock.ndjson"),
            other => panic!("{other} has no bodies"),
        };
        let read = |line: &str| serde_json::from_str::<Json>(line).unwrap();
        let scripts: Vec<Vec<Json>> =
            text.split("\n\n").map(|script| script.lines().map(read).collect()).collect();
        let mut known = BTreeMap::new();
        scripts.iter().flatten().for_each(|event| collect(event, &mut known));
        let names = known.keys().cloned().collect();
        Self { protocol, scripts, known, names }
    }

    /// A script, or events of several, with slips more often than without.
    pub(super) fn events(&self, random: &mut Random) -> Vec<Json> {
        let script = &self.scripts[random.below(self.scripts.len())];
        let mut events = match random.below(3) {
            0 => (0..1 + random.below(6)).map(|_| self.event(random)).collect(),
            _ => script.clone(),
        };
        for _ in 0..random.below(4) {
            self.shuffle(&mut events, random);
        }
        for _ in 0..random.below(6) {
            if !events.is_empty() {
                let at = random.below(events.len());
                self.slip(&mut events[at], random);
            }
        }
        events
    }

    fn event(&self, random: &mut Random) -> Json {
        let script = &self.scripts[random.below(self.scripts.len())];
        script[random.below(script.len())].clone()
    }

    /// An event is left out, repeated, moved or put in.
    fn shuffle(&self, events: &mut Vec<Json>, random: &mut Random) {
        let at = random.below(events.len() + 1);
        match random.below(4) {
            0 if at < events.len() => drop(events.remove(at)),
            1 if at < events.len() => events.insert(at, events[at].clone()),
            2 if at < events.len() => {
                let other = random.below(events.len());
                events.swap(at, other);
            }
            _ => events.insert(at, self.event(random)),
        }
    }

    /// A member gets another value, goes, is renamed or comes.
    fn slip(&self, event: &mut Json, random: &mut Random) {
        let mut places = Vec::new();
        pointers(event, String::new(), &mut places);
        if places.is_empty() {
            return;
        }
        let place = &places[random.below(places.len())];
        let (above, last) = place.rsplit_once('/').unwrap();
        let choice = random.below(12);
        let name = &self.names[random.below(self.names.len())];
        let value = match choice {
            0..=4 => self.known.get(last).map(|all| all[random.below(all.len())].clone()),
            10 => self.known.get(name).map(|all| all[random.below(all.len())].clone()),
            _ => None,
        };
        let value = value.unwrap_or_else(|| odd(random));
        match event.pointer_mut(above).unwrap() {
            Json::Object(members) => match choice {
                7 | 8 => drop(members.remove(last)),
                9 => {
                    let moved = members.remove(last).unwrap();
                    members.insert(name.clone(), moved);
                }
                10 => drop(members.insert(name.clone(), value)),
                _ => drop(members.insert(last.to_owned(), value)),
            },
            Json::Array(items) => {
                let at: usize = last.parse().unwrap();
                match choice {
                    7 => drop(items.remove(at)),
                    8 => items.insert(at, items[at].clone()),
                    9 => items.reverse(),
                    _ => items[at] = value,
                }
            }
            _ => {}
        }
    }
}

fn odd(random: &mut Random) -> Json {
    match random.below(14) {
        0 => Json::Null,
        1 => json!(true),
        2 => json!(false),
        3 => json!(0),
        4 => json!(1),
        5 => json!(2),
        6 => json!(-1),
        7 => json!(4_294_967_296_u64),
        8 => json!(500),
        9 => json!("x"),
        10 => json!({}),
        11 => json!([]),
        12 => json!(" "),
        _ => json!(""),
    }
}

/// The values of the members of a value, each once.
fn collect(value: &Json, known: &mut BTreeMap<String, Vec<Json>>) {
    match value {
        Json::Object(members) => {
            for (name, member) in members {
                let all = known.entry(name.clone()).or_default();
                if !all.contains(member) {
                    all.push(member.clone());
                }
                collect(member, known);
            }
        }
        Json::Array(items) => items.iter().for_each(|item| collect(item, known)),
        _ => {}
    }
}

/// Where the values inside a value lie.
fn pointers(value: &Json, at: String, found: &mut Vec<String>) {
    let mut add = |step: &str, inner: &Json| {
        let place = format!("{at}/{step}");
        found.push(place.clone());
        pointers(inner, place, found);
    };
    match value {
        Json::Object(members) => members.iter().for_each(|(name, inner)| add(name, inner)),
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(index, inner)| add(&index.to_string(), inner));
        }
        _ => {}
    }
}
