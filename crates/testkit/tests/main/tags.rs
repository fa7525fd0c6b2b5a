//! The tag layer against its cases, at every cut, and against the oracle.

use std::collections::{BTreeMap, BTreeSet};

use patchwire::{Answer, Spec, answer::AnswerNode};
use testkit::generate::{Rng, tags as generate};
use testkit::oracle::tags::table::{self, Input, TagCase};
use testkit::tag_agreement::{against_oracle, documents, feed, sets, spec, texts};

#[test]
fn each_case_gives_its_events_at_every_cut() {
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
        let (emitted, _) = feed(spec, start_in, chunks.iter().map(String::as_bytes));
        let mut pushes = emitted.pushes;
        let last = pushes.pop().unwrap_or_default();
        same("per_push", case.per_push.as_ref(), &pushes)?;
        same("flush", case.flush.as_ref(), &last)?;
    }
    let whole = feed(spec, start_in, [bytes]).0;
    let emitted = whole.rows.iter().filter(|row| row[0] != "reclassify").cloned();
    let steps = case.steps.clone().map(|steps| texts(steps, documents));
    same("steps", steps.as_ref(), &texts(emitted, documents))?;
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
        let emitted = feed(spec, start_in, [&bytes[..cut], &bytes[cut..]]).0;
        same(&format!("cut at {cut}"), Some(&whole.rows), &emitted.rows)?;
    }
    let emitted = feed(spec, start_in, bytes.chunks(1)).0;
    same("byte by byte", Some(&whole.rows), &emitted.rows)
}

/// The results at the end.
fn check_answer(case: &TagCase, spec: &Spec, bytes: &[u8]) -> Result<(), String> {
    let answer = spec.parse(bytes).map_err(|error| error.to_string())?;
    let outcome = answer.outcome().name().to_owned();
    same("outcome", case.outcome.as_ref(), &outcome)?;
    // Events have the channel of their time; the answer applies later changes.
    let emitted = case.channels.as_ref().filter(|_| case.reclassify.is_none());
    same("channels", emitted, &channels(&answer))?;
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
    fn add<'a>(nodes: impl Iterator<Item = AnswerNode<'a>>, all: &mut BTreeMap<String, String>) {
        for node in nodes {
            match node {
                AnswerNode::Text { channel, text } => {
                    all.entry(channel.to_owned()).or_default().push_str(text);
                }
                AnswerNode::Element(element) if element.value().is_some() => {
                    let raw =
                        String::from_utf8_lossy(element.raw().unwrap_or_default()).into_owned();
                    all.entry(element.channel().to_owned()).or_default().push_str(&raw);
                }
                AnswerNode::Element(element) => add(element.nodes(), all),
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
fn generated_texts_give_the_events_of_the_oracle() {
    let sets = sets();
    let mut report = Vec::new();
    for (name, profile) in table::profiles() {
        let mut rng = Rng::new(7);
        let mut wrong = Vec::new();
        for _ in 0..2_000 {
            let start_in = generate::start_in(&mut rng, &profile);
            let text = generate::text(&mut rng, &profile);
            let spec = spec(&sets[&name], start_in);
            let chunks = [vec![text.as_bytes()], text.as_bytes().chunks(1).collect()];
            if let Err(why) = against_oracle(&profile, &spec, &text, start_in, chunks) {
                wrong.push((text.len(), format!("{name} {why}")));
            }
        }
        wrong.sort();
        report.extend(wrong.into_iter().take(2).map(|(_, line)| line));
    }
    assert!(report.is_empty(), "{}", report.join("\n"));
}
