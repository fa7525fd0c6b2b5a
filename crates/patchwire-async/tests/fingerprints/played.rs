//! A model that plays what a seed writes: answers of several kinds, calls, reasoning and facts, in attempts that may fail.

use std::fmt::Write as _;
use std::future::{Ready, ready};
use std::sync::{Arc, Mutex};

use patchwire::schema::{int, list, object, str};
use patchwire::tags::TokenRun;
use patchwire::{Format, Limit, Limits, Schema, Spec, SpecBuilder, Strictness, TagSet};
use patchwire_async::{
    Answer, Ask, Attempt, Check, Inputs, OnExhausted, Request, Response, Verdict, ask,
};
use serde_json::{Value as Json, json};

use super::shared::Random;
use crate::source::{Dead, Script, Step};

/// A part of what a source sends.
#[derive(Debug, Clone)]
pub(super) enum Part {
    Text(Vec<u8>),
    Run(TokenRun, String),
    Reasoning(String),
    Call { key: u32, id: Option<&'static str>, name: Option<&'static str>, arguments: String },
    Custom(u32, String),
    Fact(&'static str, Json),
    Several(Vec<Self>),
}

pub(super) type Splits = fn(Part, &mut Inputs);
pub(super) type Read = Response<Model, Splits>;

fn split(part: Part, out: &mut Inputs) {
    match part {
        Part::Text(text) => out.text(text),
        Part::Run(run, text) => out.text_as(run, text),
        Part::Reasoning(text) => out.reasoning(text),
        Part::Call { key, id, name, arguments } => out.tool(key, id, name, arguments),
        Part::Custom(key, input) => out.custom_tool(key, Some("c"), Some("shell"), input),
        Part::Fact(name, fact) => out.fact(name, fact),
        Part::Several(parts) => parts.into_iter().for_each(|part| split(part, out)),
    }
}

/// What a source does in one attempt: the steps, or an error in place of a stream.
type Steps = Option<Vec<PlayedStep>>;

#[derive(Debug, Clone)]
enum PlayedStep {
    Part(Part),
    Later,
    Fail,
}

pub(super) struct Model {
    attempts: Vec<Steps>,
    recovers: bool,
    /// What was asked.
    pub(super) asked: Arc<Mutex<String>>,
}

impl Request for Model {
    type Error = Dead;
    type Item = Part;
    type Stream = Script<Part>;
    type Future = Ready<Result<Self::Stream, Dead>>;

    fn attempt(&mut self, attempt: Attempt) -> Self::Future {
        writeln!(self.asked.lock().unwrap(), "{attempt:?} {}", attempt.full_prompt()).unwrap();
        let at = (attempt.number as usize - 1).min(self.attempts.len() - 1);
        let Some(steps) = self.attempts[at].clone() else { return ready(Err(Dead)) };
        let steps = steps.into_iter().map(|step| match step {
            PlayedStep::Part(part) => Step::Item(part),
            PlayedStep::Later => Step::Later,
            PlayedStep::Fail => Step::Fail,
        });
        ready(Ok(Script::new(steps).0))
    }

    fn reason(&self, _: &Dead) -> Option<String> {
        self.recovers.then(|| "the line \"broke\"".to_owned())
    }

    fn may_recover(&mut self, _: &Dead) -> bool {
        self.recovers
    }
}

/// Answers with the members that the paths of the tests name.
fn object_text(random: &mut Random) -> String {
    let mut members = vec![
        format!(
            "\"title\": {}",
            random.pick(&[
                "\"Spring, é\"",
                "\"a\\nb\"",
                "\"Line,\n and \\q raw\u{1}.\"",
                "\"\"",
                "7",
                "null"
            ])
        ),
        format!("\"n\": {}", random.pick(&["3", "-1.5", "true", "\"nine\"", "null", "12345"])),
        format!(
            "\"items\": {}",
            random.pick(&[
                "[{\"sku\": \"a1\", \"n\": 1}, {\"sku\": \"b2\"}, {\"sku\": \" \", \"n\": 300}]",
                "[{\"sku\": \"a1\"}]",
                "[]",
                "[1, \"x\", null]",
                "\"none\"",
                "{\"one\": {\"sku\": \"a\"}, \"two\": {\"sku\": \"b\"}}",
                "null",
            ])
        ),
        format!(
            "\"deep\": {}",
            random.pick(&[
                "{\"a\": {\"b\": \"text of b\"}, \"c\": [1]}",
                "{\"a\": [{\"b\": 1}, {\"b\": 2}]}",
                "{}",
            ])
        ),
        format!(
            "\"tags\": {}",
            random.pick(&["[\"x\", \"yy\"]", "[[1], [2, 3]]", "[\"x\", 1, null]"])
        ),
    ];
    for _ in 0..random.below(3) {
        members.remove(random.below(members.len()));
    }
    let at = random.below(members.len());
    members.swap(0, at);
    if random.one_of(12) {
        // The same name again.
        let again = members[0].clone();
        members.push(again);
    }
    format!("{{{}}}", members.join(random.pick(&[", ", ",\n  ", ","])))
}

/// The answer in another form than JSON.
const OTHERS: [(&str, Format); 4] = [
    (
        "title: Spring, é\nn: 3\nitems:\n  - sku: a1\n    n: 1\n  - sku: b2\ntags:\n  - x\n",
        Format::YamlLiteral,
    ),
    ("<title>Spring, é</title>\n<n>3</n>\n<items>[{\"sku\": \"a1\"}]</items>", Format::XmlField),
    (
        "### title\nSpring, é\nand more\n\n### n\n3\n\n### items\n[{\"sku\": \"a1\"}, {\"sku\": \"b2\"}]\n",
        Format::Hybrid,
    ),
    ("Just words, é.\nAnd more.", Format::Text),
];

/// An answer, and the format of most of its readers.
fn text(random: &mut Random) -> (Vec<u8>, Format) {
    let (text, format) = match random.below(12) {
        0..=2 => random.pick(&OTHERS),
        3 => ("I would rather not.", Format::Json),
        4 => ("", Format::Json),
        5 => ("[{\"sku\": \"a1\"}, {\"sku\": \"b2\"}, \"x\"]", Format::Json),
        6 => ("<think>Hm, é.</think>{\"title\": \"a\"} {\"title\": \"b\", \"n\": 2}", Format::Json),
        _ => {
            let text = object_text(random);
            let (before, after) = random.pick(&[
                ("", ""),
                ("", ""),
                ("Here: ", "\nDone."),
                ("```json\n", "\n```"),
                ("<tool_call>{\"name\": \"find\", \"arguments\": {\"q\": \"x\"}}</tool_call>", ""),
            ]);
            return (slips(format!("{before}{text}{after}"), random), Format::Json);
        }
    };
    (slips(text.to_owned(), random), format)
}

fn slips(text: String, random: &mut Random) -> Vec<u8> {
    let mut bytes = text.into_bytes();
    match random.below(8) {
        0 => random.damaged(&bytes),
        1 => {
            bytes.truncate(random.below(bytes.len() + 1));
            bytes
        }
        _ => bytes,
    }
}

/// The parts of an attempt, in order.
fn parts(text: &[u8], random: &mut Random) -> Vec<Part> {
    let most = random.pick(&[1, 4, 12, 40, 1 << 20]);
    let mut parts: Vec<Part> = random.chunks(text, most).into_iter().map(Part::Text).collect();
    let at = |parts: &Vec<Part>, random: &mut Random| random.below(parts.len() + 1);
    if random.one_of(3) {
        for piece in ["So, ", "é", ""] {
            let place = at(&parts, random).min(3);
            parts.insert(place, Part::Reasoning(piece.to_owned()));
        }
    }
    if random.one_of(3) {
        let calls = calls(random);
        let mut place = 0;
        for call in calls {
            place = (place + random.below(4)).min(parts.len());
            parts.insert(place, call);
        }
    }
    for (name, fact) in [
        ("usage", json!({"output_tokens": 3})),
        ("stop_reason", json!("stop")),
        ("usage", json!(7)),
    ] {
        if random.one_of(3) {
            let place = at(&parts, random);
            parts.insert(place, Part::Fact(name, fact));
        }
    }
    if random.one_of(12) {
        let run = random.pick(&[TokenRun::Special, TokenRun::Plain]);
        let place = at(&parts, random);
        parts.insert(place, Part::Run(run, random.pick(&["<think>", "</think>", "x"]).to_owned()));
    }
    if random.one_of(3) {
        let mut joined: Vec<Part> = Vec::new();
        let mut rest = parts.into_iter().peekable();
        while rest.peek().is_some() {
            let many = 1 + random.below(3);
            joined.push(Part::Several(rest.by_ref().take(many).collect()));
        }
        return joined;
    }
    parts
}

/// Parts of calls: one or many, in turn.
fn calls(random: &mut Random) -> Vec<Part> {
    let many = random.pick(&[1, 1, 2, 3, 11]);
    let arguments = |random: &mut Random| {
        let text = random.pick(&[
            "{\"q\": \"é x\", \"n\": [1, 2]}",
            "{\"n\": \"7\", \"q\": 1}",
            "\"{\\\"q\\\": 1}\"",
            "",
            "{\"q\": \"cut",
            "{\"q\": 1} {\"q\": 2}",
            "not JSON",
        ]);
        let most = random.pick(&[2, 7, 100]);
        random.pieces(text, most)
    };
    let mut open: Vec<(u32, Vec<String>, bool)> =
        (0..many).map(|key| (key, arguments(random), false)).collect();
    let mut parts = Vec::new();
    while !open.is_empty() && parts.len() < 80 {
        let at = if random.one_of(2) { 0 } else { random.below(open.len()) };
        let (key, rest, has_begun) = &mut open[at];
        let is_first = !std::mem::replace(has_begun, true);
        let arguments = if rest.is_empty() { String::new() } else { rest.remove(0) };
        let (key, is_done) = (*key, rest.is_empty());
        parts.push(if key == 9 {
            Part::Custom(key, arguments)
        } else {
            Part::Call {
                key,
                id: is_first.then(|| random.pick(&["c1", "c2", "", "c3"])),
                name: is_first.then(|| random.pick(&["find", "find", "look", ""])),
                arguments,
            }
        });
        if is_done {
            open.remove(at);
        }
    }
    parts
}

fn steps(text: &[u8], random: &mut Random) -> Steps {
    if random.one_of(24) {
        return None;
    }
    let waits = random.pick(&[0, 0, 1]);
    let mut steps = Vec::new();
    for part in parts(text, random) {
        if waits > 0 && random.one_of(2) {
            steps.push(PlayedStep::Later);
        }
        steps.push(PlayedStep::Part(part));
    }
    if random.one_of(12) {
        steps.truncate(random.below(steps.len() + 1));
        steps.push(PlayedStep::Fail);
    }
    Some(steps)
}

/// What the answers are read with.
fn spec(format: Format, random: &mut Random) -> SpecBuilder {
    let format = if random.one_of(10) { random.pick(&Format::ALL) } else { format };
    let mut spec = Spec::builder().format(format);
    if format != Format::Json || random.one_of(2) {
        let item = object().field("sku", str("").required()).field("n", int(""));
        spec = spec.schema(
            Schema::object()
                .field("title", str("").required())
                .field("n", int(""))
                .field("items", list(item).required())
                .field("tags", list(str(""))),
        );
    }
    match random.below(12) {
        0 => spec = spec.strictness(Strictness::Strict),
        1 => spec = spec.without_value(),
        2 => spec = spec.tags(TagSet::preset("hermes").unwrap()),
        3 => {
            spec = spec
                .tool("find", Schema::object().field("q", str("").required()).field("n", int("")))
        }
        4 => {
            let limit = random.pick(&[Limit::Total, Limit::Kept, Limit::Calls]);
            spec = spec.limits(Limits::default().with(limit, random.below(900) as u64));
        }
        5 => spec = spec.strict_shape(true).valid(true),
        _ => {}
    }
    spec
}

/// What a validator says of an attempt.
fn judged(kind: usize, answer: &Answer, check: &Check) -> Verdict {
    let (is_last, number) = (check.is_last_attempt(), check.attempt);
    match kind {
        0 if number < 3 => Verdict::retry(format!("not the {number}"))
            .payload(json!({"n": number}))
            .validator("late"),
        1 if !is_last => Verdict::retry("again")
            .with_prompt("Other.")
            .with_settings(json!({"t": number, "x": null})),
        2 => Verdict::stop("no more"),
        3 => Verdict::raise("it is raised"),
        4 => Verdict::from(answer.value().get("n").is_some()),
        5 => {
            Verdict::from(json!({"ok": false, "reason": "so", "payload": [1], "no_retry": is_last}))
        }
        6 => Verdict::from(json!({"odd": 1})),
        _ => Verdict::pass(),
    }
}

/// A response that was not read yet, and what stands behind it.
pub(super) fn response(random: &mut Random, out: &mut String) -> (Read, Arc<Mutex<String>>) {
    let (first, format) = text(random);
    let retries = random.pick(&[0, 0, 1, 2, 3]);
    let mut attempts = vec![steps(&first, random)];
    for _ in 0..retries {
        let again = if random.one_of(3) { first.clone() } else { text(random).0 };
        attempts.push(steps(&again, random));
    }
    let asked = Arc::new(Mutex::new(String::new()));
    let spec = spec(format, random).build();
    writeln!(out, "{attempts:?}").unwrap();
    let model = Model { attempts, recovers: !random.one_of(4), asked: Arc::clone(&asked) };
    let spec = spec.unwrap_or_else(|_| Spec::json());
    if retries == 0 && random.one_of(2) {
        let response = Response::of_split(model, spec, split as Splits);
        return (response, asked);
    }
    let ask = ask(spec, model).split(split as Splits).response_id("r").max_retries(retries as u32);
    (settings(ask, random).send(), asked)
}

fn settings(mut ask: Ask<Model, Splits>, random: &mut Random) -> Ask<Model, Splits> {
    if random.one_of(2) {
        ask = ask.prompt("Write.").settings(json!({"t": 0, "x": 1}));
    }
    if random.one_of(2) {
        let kind = random.below(12);
        ask = ask.validate(move |answer: &Answer, check: &Check| judged(kind, answer, check));
    }
    if random.one_of(4) {
        ask = ask.ensure(random.pick(&["title", "items[*].sku", "deep.a", "nope", "items["]));
    }
    if random.one_of(3) {
        ask = ask.on_exhausted(OnExhausted::Last);
    }
    if random.one_of(3) {
        ask = ask.calls_are_answers(true);
    }
    if random.one_of(4) {
        ask = ask.allow_partial();
    }
    if random.one_of(8) {
        ask = ask.call_spec(Spec::strict_json());
    }
    ask
}
