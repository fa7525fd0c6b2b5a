//! The tag layer against its cases, at every cut, and against the oracle.

use std::collections::{BTreeMap, BTreeSet};

use patchwire::{Answer, CloseReason, Event, HeldBy, Node, Parser, Spec, SpecBuilder, TagSet};
use serde_json::{Value, json};
use testkit::generate::{Rng, tags as generate};
use testkit::oracle::tags::profile::Body;
use testkit::oracle::tags::table::{self, Input, TagCase};
use testkit::oracle::tags::{Profile, Step, read};

/// The sets of the corpus, as the engine reads them.
fn sets() -> BTreeMap<String, TagSet> {
    let folder = testkit::corpus::root().join("tags/profiles");
    let mut sets = BTreeMap::new();
    for (name, _) in table::profiles() {
        let text = std::fs::read_to_string(folder.join(format!("{}.json", name)));
        let set =
            TagSet::from_json(&text.expect("a file")).unwrap_or_else(|e| panic!("{name}: {e}"));
        sets.insert(name, set);
    }
    sets
}

fn spec(tags: &TagSet, start_in: Option<&str>) -> Spec {
    let builder: SpecBuilder = Spec::builder().format(patchwire::Format::Text).tags(tags.clone());
    let builder = start_in.into_iter().fold(builder, SpecBuilder::start_in);
    builder.build().expect("the settings agree")
}

/// What was told, as rows of cases, and what each chunk gave out.
#[derive(Default)]
struct Told {
    names: Vec<String>,
    rows: Vec<Value>,
    notices: Vec<String>,
    reclassify: Option<Value>,
    pushes: Vec<Vec<(String, String)>>,
    touching: bool,
}

impl Told {
    fn take(&mut self, event: &Event<'_>) {
        let touching = std::mem::take(&mut self.touching);
        match event {
            Event::Text(text) => self.text(text.channel, &text.delta, touching),
            Event::Reasoning(text) => self.text("reasoning", &text.delta, touching),
            Event::ElementOpen(open) => {
                self.names.resize(open.id.get() as usize - 1, String::new());
                self.names.push(open.name.to_owned());
                let params: Vec<_> = open.params.iter().collect();
                self.rows.push(match params.is_empty() {
                    true => json!(["open", open.name]),
                    false => json!(["open", open.name, params]),
                });
            }
            Event::ElementClose { id, reason, .. } => {
                let name = self.name(id.get());
                self.rows.push(json!(["close", name, reason.name()]));
                let observed = matches!(reason, CloseReason::Observed | CloseReason::Mismatched);
                if !observed {
                    self.notices.push(format!("unclosed_element:{name}"));
                }
            }
            Event::Stray { name, .. } => {
                self.notices.push(format!("stray_closer:{name}"));
                self.rows.push(json!(["stray", name]));
            }
            Event::Comment(comment) => {
                self.touching = !comment.is_complete;
                match self.rows.last_mut() {
                    Some(Value::Array(row)) if row[0] == "comment" && touching => {
                        row[1] = json!(format!("{}{}", row[1].as_str().unwrap(), &*comment.delta));
                    }
                    _ => self.rows.push(json!(["comment", &*comment.delta])),
                }
            }
            Event::Reclassify { from, to, channel } => {
                self.reclassify.get_or_insert_with(|| json!([from, to, channel]));
                self.rows.push(json!(["reclassify", from, to, channel]));
            }
            Event::Notice(_) | Event::ReasoningDone { .. } => self.touching = touching,
            _ => {}
        }
    }

    fn name(&self, id: u32) -> String {
        self.names.get(id as usize - 1).cloned().unwrap_or_default()
    }

    fn text(&mut self, channel: &str, delta: &str, touching: bool) {
        self.touching = true;
        match self.rows.last_mut() {
            Some(Value::Array(row)) if touching && row[0] == "text" && row[1] == channel => {
                row[2] = json!(format!("{}{delta}", row[2].as_str().unwrap()));
            }
            _ => self.rows.push(json!(["text", channel, delta])),
        }
        let push = self.pushes.last_mut().expect("a chunk");
        match push.last_mut() {
            Some((last, text)) if last == channel => text.push_str(delta),
            _ => push.push((channel.to_owned(), delta.to_owned())),
        }
    }
}

fn feed<'c>(
    spec: &Spec,
    start_in: Option<&str>,
    chunks: impl IntoIterator<Item = &'c [u8]>,
) -> (Told, Parser) {
    let mut told =
        Told { names: start_in.map(str::to_owned).into_iter().collect(), ..Told::default() };
    let mut parser = spec.parser();
    for chunk in chunks {
        told.pushes.push(Vec::new());
        parser.feed(chunk, |event| told.take(&event)).expect("no limit is near");
        let marker = parser.held().into_iter().find(|held| held.by == HeldBy::Marker);
        let held = marker.map_or(0, |held| held.bytes.len());
        assert!(held <= parser.max_held(), "{:?}", parser.held());
    }
    told.pushes.push(Vec::new());
    parser.finish(|event| told.take(&event)).expect("no limit is near");
    (told, parser)
}

/// Channels of bodies that are documents: their text is not told as such.
fn documents(profile: &Profile) -> BTreeSet<String> {
    let families = profile.families.iter();
    families.filter(|family| family.body == Body::Json).map(|f| f.channel.clone()).collect()
}

/// Whether what stands in documents is JSON, or begins no JSON: what lies between, the engine reads
/// leniently, and the oracle does not.
fn has_plain_documents(
    profile: &Profile,
    text: &str,
    start_in: Option<&str>,
    documents: &BTreeSet<String>,
) -> bool {
    let steps = read(profile, text, start_in).steps;
    steps.iter().all(|step| match step {
        Step::Text { channel, text } if documents.contains(channel) => {
            let begins = text.trim_start().starts_with(['{', '[', '"']);
            !begins || serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
        }
        _ => true,
    })
}

/// The rows, but for text of documents.
fn texts(rows: impl IntoIterator<Item = Value>, documents: &BTreeSet<String>) -> Vec<Value> {
    let is_document =
        |row: &Value| row[0] == "text" && row[1].as_str().is_some_and(|c| documents.contains(c));
    rows.into_iter().filter(|row| !is_document(row)).collect()
}

fn all_rows(profile: &Profile, text: &str, start_in: Option<&str>) -> Vec<Value> {
    read(profile, text, start_in).steps.iter().map(Step::row).collect()
}

#[test]
fn each_case_is_told_as_it_says_at_every_cut() {
    let (sets, profiles) = (sets(), BTreeMap::from_iter(table::profiles()));
    let mut wrong = Vec::new();
    for case in table::cases() {
        let Some(profile) = profiles.get(&case.profile) else { continue };
        let start_in = case.start_in.as_deref();
        let spec = spec(&sets[&case.profile], start_in);
        if let Err(difference) = check_case(&case, &spec, &documents(profile)) {
            wrong.push(format!("{} ({}): {difference}", case.name, case.profile));
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

fn check_case(case: &TagCase, spec: &Spec, documents: &BTreeSet<String>) -> Result<(), String> {
    let text = case.input.text();
    let bytes = text.as_bytes();
    let start_in = case.start_in.as_deref();
    if let Input::Chunks(chunks) = &case.input {
        let (told, _) = feed(spec, start_in, chunks.iter().map(String::as_bytes));
        let mut pushes = told.pushes;
        let last = pushes.pop().unwrap_or_default();
        same("per_push", case.per_push.as_ref(), &pushes)?;
        same("flush", case.flush.as_ref(), &last)?;
    }
    let whole = feed(spec, start_in, [bytes]).0;
    let told = whole.rows.iter().filter(|row| row[0] != "reclassify").cloned();
    let steps = case.steps.clone().map(|steps| texts(steps, documents));
    same("steps", steps.as_ref(), &texts(told, documents))?;
    let strays = |all: &Vec<String>| -> Vec<String> {
        all.iter()
            .filter(|n| n.starts_with("unclosed") || n.starts_with("stray"))
            .cloned()
            .collect()
    };
    if whole.rows.iter().any(|row| row[0] == "stray") || !strays(&whole.notices).is_empty() {
        same("notices", case.notices.as_ref().map(strays).as_ref(), &strays(&whole.notices))?;
    }
    same("reclassify", case.reclassify.as_ref(), &whole.reclassify.clone().unwrap_or_default())?;
    check_answer(case, spec, bytes)?;
    for cut in 0..=bytes.len() {
        let told = feed(spec, start_in, [&bytes[..cut], &bytes[cut..]]).0;
        same(&format!("cut at {cut}"), Some(&whole.rows), &told.rows)?;
    }
    let told = feed(spec, start_in, bytes.chunks(1)).0;
    same("byte by byte", Some(&whole.rows), &told.rows)
}

/// What comes of it at the end.
fn check_answer(case: &TagCase, spec: &Spec, bytes: &[u8]) -> Result<(), String> {
    let answer = spec.parse(bytes).map_err(|error| error.to_string())?;
    let outcome = answer.outcome().name().to_owned();
    same("outcome", case.outcome.as_ref(), &outcome)?;
    // What is told is of the channel it was told in; the answer knows better.
    let told = case.channels.as_ref().filter(|_| case.reclassify.is_none());
    same("channels", told, &channels(&answer))?;
    let beside = answer.alternative().map(channels).unwrap_or_default();
    same("alternative", case.alternative.as_ref().map(|other| &other.channels), &beside)?;
    for (channel, want) in case.segments.iter().flatten() {
        let elements = answer.elements().filter(|element| element.channel() == channel);
        let texts: Vec<String> = elements.map(|element| element.text().into_owned()).collect();
        same("segments", Some(want), &texts)?;
    }
    Ok(())
}

/// Text by channel; of a body that is a document, its bytes.
fn channels(answer: &Answer) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    fn add<'a>(nodes: impl Iterator<Item = Node<'a>>, all: &mut BTreeMap<String, String>) {
        for node in nodes {
            match node {
                Node::Text { channel, text } => {
                    all.entry(channel.to_owned()).or_default().push_str(text);
                }
                Node::Element(element) if element.value().is_some() => {
                    let raw =
                        String::from_utf8_lossy(element.raw().unwrap_or_default()).into_owned();
                    all.entry(element.channel().to_owned()).or_default().push_str(&raw);
                }
                Node::Element(element) => add(element.nodes(), all),
                _ => {}
            }
        }
    }
    add(answer.nodes(), &mut all);
    all
}

fn same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    want: Option<&T>,
    got: &T,
) -> Result<(), String> {
    match want {
        Some(want) if want != got => Err(format!("{what}\n  want {want:?}\n  got  {got:?}")),
        _ => Ok(()),
    }
}

#[test]
fn generated_texts_are_told_as_the_oracle_reads_them() {
    let sets = sets();
    let (mut wrong, mut report) = (Vec::new(), Vec::new());
    for (name, profile) in table::profiles() {
        let documents = documents(&profile);
        let mut rng = Rng::new(7);
        for _ in 0..2_000 {
            let start_in = generate::start_in(&mut rng, &profile);
            let text = generate::text(&mut rng, &profile);
            let spec = spec(&sets[&name], start_in);
            if !has_plain_documents(&profile, &text, start_in, &documents) {
                continue;
            }
            let want = texts(all_rows(&profile, &text, start_in), &documents);
            let told = feed(&spec, start_in, [text.as_bytes()]).0.rows;
            let told = texts(told, &documents);
            if told != want {
                wrong.push((
                    text.len(),
                    format!(
                        "{name} {start_in:?}: {text:?}\n want {}\n got  {}",
                        json!(want),
                        json!(told)
                    ),
                ));
            }
            let bytewise = feed(&spec, start_in, text.as_bytes().chunks(1)).0.rows;
            let bytewise = texts(bytewise, &documents);
            if told != bytewise {
                wrong.push((
                    text.len(),
                    format!(
                        "{name} {start_in:?}: {text:?}\n whole {}\n bytes {}",
                        json!(told),
                        json!(bytewise)
                    ),
                ));
            }
        }
        wrong.sort();
        report.extend(wrong.drain(..wrong.len().min(2)).map(|(_, line)| line));
        wrong.clear();
    }
    assert!(report.is_empty(), "{}", report.join("\n"));
}
