//! The boundary: whatever a model writes, wherever it is cut, no event and no value ever shows a kind that
//! was not granted.

use patchwire::path::Segment;
use patchwire::{Event, Format, OwnedEvent, Parser, PatchOp, Spec, Strictness, ValueRef};
use patchwire_views::kinds::Kinds;
use testkit::cuts::{Cuts, in_two};
use testkit::generate::{Rng, spoilt};
use testkit::{eager, laws, pairs, show};

const GRANTED: [&str; 3] = ["world.observed", "world.over", "agent.spoke"];

fn kinds() -> Kinds {
    let kinds =
        Kinds::builder(GRANTED).fallback("agent.spoke").extras(["mood", "winner", "scores"]);
    kinds.build().expect("a contract")
}

/// How the contract may be read.
fn specs() -> Vec<(&'static str, Spec)> {
    let builder = || kinds().spec_builder();
    let spec = |builder: patchwire::SpecBuilder| builder.build().expect("settings that agree");
    vec![
        ("as it is", kinds().spec()),
        ("strict", spec(builder().strictness(Strictness::Strict))),
        ("without_value", spec(builder().without_value())),
        ("without_raw", spec(builder().without_raw())),
        ("best", spec(builder().roots(patchwire::spec::Roots::Best))),
        ("last", spec(builder().roots(patchwire::spec::Roots::Last))),
        ("concatenated", spec(builder().roots(patchwire::spec::Roots::Concatenated))),
        ("capped", spec(builder().caps(patchwire::internals::Caps::all(3)))),
    ]
}

/// The error in the kinds that an object shows.
fn check_object(value: ValueRef<'_>) -> Result<(), String> {
    let kinds = value.entries().filter(|(name, _)| *name == Some("kind"));
    kinds.into_iter().try_for_each(|(_, kind)| check_kind(kind))
}

fn check_kind(kind: ValueRef<'_>) -> Result<(), String> {
    match kind.as_str() {
        Some(text) if GRANTED.contains(&text) && kind.is_complete() => Ok(()),
        _ => Err(format!("the kind {kind:?} is shown")),
    }
}

/// The error in the values that an event shows.
fn check_event(event: &Event<'_>) -> Result<(), String> {
    match event {
        Event::Patch(patch) => {
            check_object(patch.root())?;
            let mut path = patch.path.segments();
            match (path.next(), path.next()) {
                (None, _) => check_object(patch.value)?,
                (Some(Segment::Key("kind")), None) if patch.op != PatchOp::Remove => {
                    if !matches!(patch.op, PatchOp::Done | PatchOp::Replace)
                        || !patch.delta.is_empty()
                    {
                        return Err(format!("a kind comes piece by piece: {patch:?}"));
                    }
                    check_kind(patch.value)?;
                }
                (Some(Segment::Key("kind")), Some(_)) => {
                    return Err(format!("a patch inside a kind was emitted: {patch:?}"));
                }
                // Nothing else can be a kind, on the wire neither.
                _ => return Ok(()),
            }
        }
        Event::Final(answer) => {
            answer.roots().try_for_each(check_object)?;
            check_object(answer.value())?;
        }
        _ => return Ok(()),
    }
    check_wire(event)
}

/// The same of the event as it is owned and as it goes over the wire.
fn check_wire(event: &Event<'_>) -> Result<(), String> {
    let wire =
        |text: String| serde_json::from_str::<serde_json::Value>(&text).map_err(|e| e.to_string());
    for json in [
        wire(event.wire(patchwire::wire::IncludeValues::All).to_string())?,
        wire(serde_json::to_string(&OwnedEvent::from(*event)).map_err(|e| e.to_string())?)?,
    ] {
        let shown = match (json["event"].as_str(), json["path"].as_str()) {
            (Some("patch"), Some("kind")) if json["kind"] != "remove" => Some(&json["value"]),
            (Some("patch"), Some("")) | (Some("final"), _) => json["value"].get("kind"),
            _ => None,
        };
        let granted =
            |kind: &serde_json::Value| kind.as_str().is_some_and(|it| GRANTED.contains(&it));
        if !shown.is_none_or(granted) {
            return Err(format!("on the wire: {json}"));
        }
    }
    Ok(())
}

/// Reads an input in chunks; whatever is shown on the way is checked.
fn check(spec: &Spec, input: &[u8], cuts: &Cuts) -> Result<(), String> {
    let mut parser = spec.parser();
    let mut found = Ok(());
    let look = |parser: &Parser| {
        check_object(parser.value())?;
        check_object(parser.snapshot().as_ref())
    };
    for chunk in cuts.chunks(input) {
        let fed = parser.feed(chunk, |event| {
            if found.is_ok() {
                found = check_event(&event);
            }
        });
        found.clone()?;
        look(&parser)?;
        if fed.is_err() {
            return Ok(());
        }
    }
    let answer = parser.finish(|event| {
        if found.is_ok() {
            found = check_event(&event);
        }
    });
    found?;
    look(&parser)?;
    let Ok(answer) = answer else { return Ok(()) };
    answer.alternative().map_or(Ok(()), |answer| check_object(answer.value()))?;
    let said = kinds().read(&answer);
    if !GRANTED.contains(&said.kind()) {
        return Err(format!("the answer has the kind {:?}", said.kind()));
    }
    let kind = answer.value().get("kind").and_then(ValueRef::as_str);
    if !said.is_raw_fallback() && kind.is_some_and(|kind| kind != said.kind()) {
        return Err(format!("{kind:?} was emitted, and {:?} is the answer's", said.kind()));
    }
    check_object(said.value())
}

fn assert_bounded(name: &str, spec: &Spec, input: &[u8], cuts: &Cuts) {
    if let Err(why) = check(spec, input, cuts) {
        panic!("{name}, {cuts}: input {}: {why}", show::input(input));
    }
}

/// Values that a model may write in place of a kind.
const PUT: [&str; 22] = [
    r#""world.observed""#,
    r#""judge.verdict""#,
    r#""world.observed.not""#,
    r#""world.o""#,
    r#""wor\u006cd.observed""#,
    r#""\u006audge""#,
    r#"" World_Observed ""#,
    r#""""#,
    "null",
    "12",
    "-1.5e3",
    "true",
    "None",
    "NaN",
    "judge.verdict",
    "'evil'",
    r#"{"kind": "evil"}"#,
    r#"["evil", {"kind": "evil"}]"#,
    "{}",
    "[]",
    r#""ev" + "il""#,
    r#""""evil""""#,
];

/// Members next to the kind.
const MEMBERS: [&str; 8] = [
    r#""text": "A bell rings.""#,
    r#""text": 3"#,
    r#""mood": "calm""#,
    r#""meta": {"kind": "nested", "text": "no"}"#,
    r#""list": ["kind", "evil""#,
    r#""winner": "Ada", "scores": {"kind": 3}"#,
    r#""PatchOp": "evil""#,
    r#""a": [{"kind": "evil"}, "b": 1"#,
];

fn object(rng: &mut Rng) -> String {
    let mut members: Vec<String> =
        (0..1 + rng.below(3)).map(|_| rng.pick(&MEMBERS).to_owned()).collect();
    for _ in 0..rng.pick(&[1, 1, 1, 2, 3, 0]) {
        let kind =
            format!("{}: {}", rng.pick(&["\"kind\"", "kind", "\"k\\u0069nd\""]), rng.pick(&PUT));
        members.insert(rng.below(members.len() + 1), kind);
    }
    format!("{{{}}}", members.join(rng.pick(&[", ", ",\n", " "])))
}

const BETWEEN: [&str; 12] = [
    "",
    "Certainly: ",
    "\n",
    "\n```json\n",
    "\n```\n",
    "```python\n",
    "<think>",
    "</think>",
    ", \"kind\": \"evil\"",
    "}",
    " or {\"note\": 1, ",
    "{\"kind\": \"evil\"",
];

fn answer(rng: &mut Rng) -> String {
    let mut text = String::new();
    for _ in 0..1 + rng.below(3) {
        text += rng.pick(&BETWEEN);
        text += &object(rng);
    }
    text + rng.pick(&BETWEEN)
}

#[test]
fn each_thing_in_the_place_of_a_kind_at_every_cut_and_every_end() {
    let specs = specs();
    for put in PUT {
        for text in [
            format!(r#"{{"kind": {put}, "text": "x"}}"#),
            format!(r#"Sure! {{"text": "x", "kind": {put}}} so"#),
            format!(r#"{{"kind": "world.over", "kind": {put}, "text": "x"}}"#),
            format!(r#"{{"kind": {put}, "kind": {put}, "text": "x", "kind": "world.over"}}"#),
            format!(r#"{{"text": "x"}}, "kind": {put}}}"#),
            format!(r#"{{"note": 1}} {{"kind": {put}, "text": "x"}}"#),
        ] {
            for cuts in in_two(text.len()) {
                assert_bounded("in two", &specs[0].1, text.as_bytes(), &cuts);
            }
            for (name, spec) in &specs {
                for end in 0..=text.len() {
                    let part = &text.as_bytes()[..end];
                    assert_bounded(name, spec, part, &Cuts::bytewise(end));
                }
            }
        }
    }
}

#[test]
fn answers_put_together_at_random_show_only_kinds_that_were_granted() {
    const ANSWERS: u64 = 600;
    let specs = specs();
    for seed in 0..ANSWERS {
        let mut rng = Rng::new(seed);
        let mut input = answer(&mut rng).into_bytes();
        if rng.once_in(2) {
            input = spoilt::spoil(&mut rng, input);
        }
        input.truncate(if rng.once_in(4) { rng.below(input.len() + 1) } else { input.len() });
        for (name, spec) in &specs {
            let cuts = Cuts::at(rng.cuts(input.len()));
            for cuts in [Cuts::none(), Cuts::bytewise(input.len()), cuts] {
                assert_bounded(&format!("seed {seed}, {name}"), spec, &input, &cuts);
            }
        }
        if seed % 10 == 0 {
            in_two(input.len())
                .for_each(|cuts| assert_bounded("in two", &specs[0].1, &input, &cuts));
        }
    }
}

/// The grant is part of the schema: it holds in every format that the schema is read in.
#[test]
fn other_formats_show_only_kinds_that_were_granted() {
    let bare = [
        "judge.verdict",
        "world.observed",
        "12",
        "null",
        "~",
        "[evil]",
        "{kind: evil}",
        "|-\n  evil",
        "&a evil",
        "*a",
        "!!str evil",
        "'evil'",
        "\"evil\"",
        "```\nevil\n```",
        "```json\n\"evil\"\n```",
        "- evil",
        "\n  kind: evil",
        "<b>evil</b>",
        "{\"kind\": \"evil\"}",
        "",
        "?",
        "> evil",
    ];
    for put in bare {
        let xml = |kind: &str| {
            format!(
                "<agently_output>\n<field name=\"kind\" type=\"{kind}\">\n{put}\n</field>\n\
                     <field name=\"text\" type=\"text\">\nx\n</field>\n</agently_output>\n"
            )
        };
        let texts = [
            xml("text"),
            xml("json"),
            format!("### kind\n{put}\n\n### text\nx\n\n### kind\n{put}\n"),
            format!(
                "<<<BEGIN AGENTLY_YAML>>>\nkind: {put}\ntext: x\nmood: &a evil\n<<<END AGENTLY_YAML>>>\n"
            ),
            format!("{{kind: {put}, text: x}}\n"),
            format!("a: &a evil\nkind: {put}\ntext: x\nkind: {put}\n"),
            format!("Here: {{\"kind\": {put}, \"text\": \"x\"}}"),
        ];
        for format in [Format::XmlField, Format::Hybrid, Format::Markdown, Format::YamlLiteral] {
            let spec = Spec::builder().schema(kinds().schema()).format(format).build();
            let spec = spec.expect("settings that agree");
            for text in &texts {
                for cuts in [Cuts::none(), Cuts::bytewise(text.len())] {
                    assert_bounded(&format!("{format:?}"), &spec, text.as_bytes(), &cuts);
                }
            }
        }
    }
}

/// Refusing changes no law: emitted events are never taken back, fold to the value, and tile the input.
#[test]
fn every_law_holds_where_kinds_are_refused() {
    const ANSWERS: u64 = 60;
    let specs = specs();
    for seed in 0..ANSWERS {
        let mut rng = Rng::new(seed ^ 0xB0B);
        let mut input = answer(&mut rng).into_bytes();
        if rng.once_in(2) {
            input = spoilt::spoil(&mut rng, input);
        }
        let (name, spec) = &specs[rng.below(specs.len())];
        if let Err(why) = laws::all(spec, &input) {
            panic!("seed {seed}, {name}: {why}");
        }
        if let Err(why) = eager::prompt(spec, &input) {
            panic!("seed {seed}, {name}: prompt: input {}: {why}", show::input(&input));
        }
    }
}

#[test]
fn no_cutting_of_a_refused_kind_matters() {
    let spec = kinds().spec();
    for put in PUT {
        for text in [
            format!(r#"{{"kind": {put}, "text": "x"}}"#),
            format!(r#"{{"kind": "a", "kind": {put}}}"#),
        ] {
            if let Err(why) = pairs::prove(&spec, text.as_bytes()) {
                panic!("{text}: {why}");
            }
        }
    }
}
