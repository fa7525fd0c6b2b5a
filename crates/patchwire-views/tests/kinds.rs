//! The contract for small models: every statement of docs/kinds.md.

use patchwire::spec::Roots;
use patchwire::{Code, Event, PatchOp, Schema, Spec};
use patchwire_views::kinds::{Kinds, KindsBuilder, KindsError, Reply, Tally, Tier, Verdict};

fn builder() -> KindsBuilder {
    Kinds::builder(["world.observed", "agent.spoke"]).fallback("agent.spoke")
}

fn kinds() -> Kinds {
    builder().build().unwrap()
}

fn with(extras: &[&str]) -> Kinds {
    builder().extras(extras.iter().copied()).build().unwrap()
}

fn has(reply: &Reply, code: Code) -> bool {
    reply.notices().iter().any(|notice| notice.code == code)
}

/// As JSON, with the tier.
fn read(kinds: &Kinds, text: &str) -> (Tier, String) {
    let reply = kinds.parse(text);
    (reply.tier(), reply.to_value().to_string())
}

// The tiers.

#[test]
fn strict_json_is_taken_as_it_is() {
    let kinds = Kinds::builder(["world.observed"]).build().unwrap();
    for text in [
        r#"{"kind": "world.observed", "text": "The path folds itself into a paper crane."}"#,
        " \n{\"text\": \"The path folds itself into a paper crane.\", \"kind\": \"world.observed\"}\n",
    ] {
        let reply = kinds.parse(text);
        assert_eq!(reply.kind(), "world.observed");
        assert_eq!(reply.text(), "The path folds itself into a paper crane.");
        assert_eq!((reply.tier(), reply.notices()), (Tier::Strict, &[][..]), "{text}");
        assert!(!reply.is_raw_fallback());
    }
}

#[test]
fn an_object_in_prose_is_found() {
    let object = r#"{"kind": "agent.spoke", "text": "I collect echoes."}"#;
    for text in [
        format!("Certainly! Here is the JSON: {object}"),
        format!("Here is my response: {object}."),
        format!("```json\n{object}\n```"),
        format!("<think>{{\"kind\": \"x\", \"text\": \"no\"}}</think>{object}"),
        object.replace('"', "'"),
        format!("{object}{object}"),
        object[..object.len() - 2].to_owned(),
    ] {
        let want =
            (Tier::Embedded, r#"{"kind":"agent.spoke","text":"I collect echoes."}"#.to_owned());
        assert_eq!(read(&kinds(), &text), want, "{text}");
    }
}

#[test]
fn text_without_an_object_is_wrapped_in_the_fallback_kind() {
    let reply = kinds().parse("The mushrooms charge admission to their bioluminescent shows.\n");
    assert_eq!(
        reply.to_value().to_string(),
        r#"{"kind":"agent.spoke","text":"The mushrooms charge admission to their bioluminescent shows.","_raw_fallback":true}"#
    );
    assert!(reply.is_raw_fallback());
    for blank in ["", " \n"] {
        assert_eq!(kinds().parse(blank).text(), "");
        assert!(kinds().parse(blank).is_raw_fallback());
    }
}

#[test]
fn an_object_without_a_text_is_wrapped_whole() {
    for text in [
        r#"{"kind": "world.observed"}"#,
        r#"{"kind": "world.observed", "text": null}"#,
        r#"{"kind": "world.observed", "text": 12, "emotion": "calm"}"#,
        r#"Sure: {"kind": "world.observed", "text": ["a"]} as you asked"#,
        r#"["world.observed", "text"]"#,
        "\"world.observed\"",
        "12",
        r#"{"kind": "world.obs"#,
        r#"{"kind": "judge.verdict""#,
    ] {
        let reply = kinds().parse(text);
        assert_eq!((reply.kind(), reply.text()), ("agent.spoke", text), "{text}");
        assert!(reply.is_raw_fallback());
    }
}

#[test]
fn an_object_around_an_answer_is_removed() {
    let reply = kinds().parse(r#"{"text": {"kind": "world.observed", "text": "inside"}}"#);
    assert_eq!((reply.kind(), reply.text()), ("world.observed", "inside"));
    assert!(!reply.is_raw_fallback());
}

#[test]
fn reasoning_is_no_part_of_the_text_that_is_wrapped() {
    for text in [
        "<think>{\"kind\": \"x\"} hm</think>The bell rings.",
        "I plan this.</think>The bell rings.",
        "<think>so</think>The bell <think>or not</think>rings.",
    ] {
        assert_eq!(kinds().parse(text).text(), "The bell rings.", "{text}");
    }
    let reply = kinds().parse("<think>so</think>{\"kind\": \"world.observed\", \"tex\": \"x\"}");
    assert_eq!(reply.text(), r#"{"kind": "world.observed", "tex": "x"}"#);
}

#[test]
fn bytes_that_are_no_text_and_texts_beyond_the_limits_are_wrapped() {
    assert_eq!(kinds().parse(b"a\xff").text(), "a\u{fffd}");
    let deep = format!("{{\"text\": \"x\", \"deep\": {}", "[".repeat(400));
    let reply = kinds().parse(&deep);
    assert_eq!((reply.tier(), reply.kind(), reply.text()), (Tier::Raw, "agent.spoke", &*deep));
}

#[test]
fn the_flag_is_there_only_where_it_is_true() {
    let text = r#"{"kind": "world.observed", "text": "x", "_raw_fallback": true}"#;
    let reply = kinds().parse(text);
    assert!(!reply.is_raw_fallback());
    assert_eq!(reply.to_value().to_string(), r#"{"kind":"world.observed","text":"x"}"#);
    assert!(has(&reply, Code::UnknownField));
    let json = serde_json::to_value(kinds().parse("x")).unwrap();
    assert_eq!(json["_raw_fallback"], serde_json::Value::Bool(true));
    assert_eq!(serde_json::to_string(&reply).unwrap(), reply.to_value().to_string());
}

// Kinds.

#[test]
fn a_kind_that_was_not_granted_becomes_the_fallback_and_is_noted() {
    let kinds = Kinds::builder(["world.observed"]).fallback("world.observed").build().unwrap();
    for kind in [r#""judge.verdict""#, "null", "12", "true", "{}", r#"["world.observed"]"#, r#""""#]
    {
        let text = format!(r#"{{"kind": {kind}, "text": "I judge."}}"#);
        let reply = kinds.parse(&text);
        assert_eq!((reply.kind(), reply.text()), ("world.observed", "I judge."), "{text}");
        assert_eq!(reply.tier(), Tier::Strict, "{text}");
        assert!(has(&reply, Code::KindNotGranted), "{text}");
    }
}

#[test]
fn what_only_the_end_shows_is_refused_and_noted_too() {
    for text in [
        r#"{"note": 1} {"kind": "judge.verdict", "text": "x"}"#,
        r#"{"text": "x"}, "kind": "judge.verdict"}"#,
        r#"{"kind": "world.observed", "text": "x", "kind": ["judge.verdict"]}"#,
    ] {
        let reply = kinds().parse(text);
        assert_eq!((reply.kind(), reply.text()), ("agent.spoke", "x"), "{text}");
        assert!(has(&reply, Code::KindNotGranted), "{text}");
    }
}

/// A kind is emitted once, whole, when it is complete; another one as the fallback.
#[test]
fn while_it_streams_a_kind_comes_whole() {
    for (kind, want) in
        [(r#""world.observed""#, "world.observed"), (r#""world.obs""#, "agent.spoke")]
    {
        let mut parser = kinds().spec().parser();
        let mut emitted = Vec::new();
        let text = format!(r#"{{"kind": {kind}, "text": "Ah."}}"#);
        for (at, byte) in (1..).zip(text.as_bytes().chunks(1)) {
            let tell = |event: Event<'_>| match event {
                Event::Patch(patch) if patch.path == *"kind" => {
                    emitted.push((at, patch.op, patch.value.as_str().map(str::to_owned)));
                }
                _ => {}
            };
            parser.feed(byte, tell).unwrap();
        }
        // The quote that ends it is known as such with the comma behind it, and a key behind that.
        let end = text.find(", ").unwrap() + 3;
        assert_eq!(emitted, [(end, PatchOp::Done, Some(want.to_owned()))], "{text}");
    }
}

#[test]
fn a_missing_kind_is_the_fallback_without_the_flag() {
    let reply = kinds().parse(r#"{"text": "Ah."}"#);
    assert_eq!(
        (reply.kind(), reply.text(), reply.is_raw_fallback()),
        ("agent.spoke", "Ah.", false)
    );
    assert!(has(&reply, Code::MissingField));
}

#[test]
fn a_kind_in_another_spelling_is_the_one_it_can_only_be() {
    let reply = kinds().parse(r#"{"kind": " World.Observed", "text": "x"}"#);
    assert_eq!(reply.kind(), "world.observed");
    assert!(has(&reply, Code::EnumSpelling));
    let alike = Kinds::builder(["a b", "a_b"]).build().unwrap();
    let reply = alike.parse(r#"{"kind": "A-B", "text": "x"}"#);
    assert_eq!(reply.kind(), "a b");
    assert!(has(&reply, Code::KindNotGranted));
}

#[test]
fn answers_read_with_another_spec_are_held_to_the_contract_too() {
    for (kind, want) in
        [(r#""judge.verdict""#, "agent.spoke"), (r#""World.observed""#, "world.observed")]
    {
        let text = format!(r#"{{"kind": {kind}, "text": "x"}}"#);
        let answer = Spec::json().parse(&text).unwrap();
        let reply = kinds().read(&answer);
        assert_eq!(reply.kind(), want);
        assert_eq!(has(&reply, Code::KindNotGranted), want == "agent.spoke");
    }
}

#[test]
fn of_several_objects_the_first_that_fits_is_the_answer() {
    let kinds = with(&["mood"]);
    let one = r#"{"kind": "world.observed", "text": "one", "mood": "m"}"#;
    let two = r#"{"kind": "agent.spoke", "text": "two", "mood": "m", "scores": {}}"#;
    let bare = r#"{"kind": "agent.spoke", "text": "bare"}"#;
    for (texts, want) in [
        (vec![one, two], "one"),
        (vec![two, one], "two"),
        (vec![bare, two, one], "two"),
        (vec![bare, bare], "bare"),
        (vec![r#"{"note": 1}"#, one], "one"),
        (vec![r#"{"kind": "agent.spoke", "text": null, "mood": ""}"#, bare], "bare"),
        (vec![r#"{"kind": "agent.spoke", "mood": ""}"#, r#"{"text": "bare", "mood": 3}"#], "bare"),
        (vec![r#"{"kind": "agent.spoke", "text": ["x"], "mood": ""}"#, one, two], "one"),
        (
            vec![
                one,
                "```json\n{\"kind\": \"agent.spoke\", \"text\": \"two\", \"mood\": \"\"}\n```",
            ],
            "one",
        ),
    ] {
        let text = texts.join("\nor: ");
        assert_eq!(kinds.parse(&text).text(), want, "{text}");
    }
}

/// What was passed over as text, for its first members, comes before what was streamed.
#[test]
fn of_equals_one_that_was_too_long_to_be_streamed_is_still_the_first() {
    let long = "x".repeat(5000);
    let first = format!(r#"Hm: {{"note": "{long}", "kind": "world.observed", "text": "one"}}"#);
    let text = format!("{first} or {{\"kind\": \"agent.spoke\", \"text\": \"two\"}}");
    assert_eq!(kinds().parse(&text).text(), "one");
    let last = Spec::builder().schema(kinds().schema()).roots(Roots::Best).build().unwrap();
    assert_eq!(last.parse(&text).unwrap().value().at("text").unwrap().as_str(), Some("two"));
}

// Extras.

#[test]
fn extras_are_kept_as_they_came_the_unknown_too() {
    let text = r#"{"wants": ["a"], "n": 1.50, "kind": "agent.spoke", "emotion": {"is": null}, "text": "x"}"#;
    let reply = with(&["emotion", "wants"]).parse(text);
    assert_eq!(
        reply.to_value().to_string(),
        r#"{"kind":"agent.spoke","text":"x","emotion":{"is":null},"wants":["a"],"n":1.50}"#
    );
    assert_eq!(reply.extras().map(|(name, _)| name).collect::<Vec<_>>(), ["emotion", "wants", "n"]);
    assert_eq!(reply.extra("n").unwrap().number_text(), Some("1.50"));
    assert!(reply.extra("kind").is_none());
}

#[test]
fn a_missing_extra_is_noted_and_not_made_up() {
    let reply = with(&["emotion"]).parse(r#"{"kind": "agent.spoke", "text": "x"}"#);
    assert_eq!(reply.to_value().to_string(), r#"{"kind":"agent.spoke","text":"x"}"#);
    let missing = reply.notices().iter().find(|notice| notice.code == Code::MissingField).unwrap();
    assert_eq!(missing.path, "emotion");
}

#[test]
fn winner_and_scores_have_defaults_and_no_others() {
    let kinds = with(&["mood", "winner", "scores"]);
    let reply = kinds.parse(r#"{"kind": "agent.spoke", "text": "x", "mood": "m"}"#);
    let whole = r#"{"kind":"agent.spoke","text":"x","mood":"m","winner":null,"scores":{}}"#;
    assert_eq!(reply.to_value().to_string(), whole);
    assert_eq!(reply.notices(), []);
    let null = r#"{"kind":"agent.spoke","text":"x","mood":"m","winner":null,"scores":null}"#;
    assert_eq!(kinds.parse(null).to_value().to_string(), whole);
    let full =
        r#"{"kind":"agent.spoke","text":"x","mood":"m","winner":"Ada","scores":{"Ada":7.5}}"#;
    assert_eq!(kinds.parse(full).to_value().to_string(), full);
    assert_eq!(kinds.parse(full).winner(), Some("Ada"));
    // Not asked for, they are extras as any, and wrapped text has none.
    assert_eq!(with(&[]).parse(r#"{"text": "x"}"#).extras().count(), 0);
    assert_eq!(kinds.parse("x").extras().count(), 0);
}

// What the contract looks like.

#[test]
fn the_schema_says_the_same() {
    let json = with(&["emotion", "winner", "scores"]).json_schema();
    assert_eq!(
        json.to_string(),
        concat!(
            r#"{"type":"object","properties":{"#,
            r#""kind":{"type":"string","enum":["world.observed","agent.spoke"]},"#,
            r#""text":{"type":"string","description":"one or two sentences, vivid and specific"},"#,
            r#""emotion":{"type":"string"},"#,
            r#""winner":{"description":"a player's name, or null","anyOf":[{"type":"string"},{"type":"null"}],"default":null},"#,
            r#""scores":{"type":"object","description":"points by player","#,
            r#""additionalProperties":{"type":"number","description":"0 to 10"},"default":{}}},"#,
            r#""required":["kind","text","emotion"]}"#,
        )
    );
    let kinds = with(&["emotion", "winner", "scores"]);
    let again = Schema::from_json_schema(json.as_ref()).unwrap();
    assert_eq!(again.unsupported(), []);
    assert_eq!(again.to_json_schema(), kinds.schema().to_json_schema());
    assert_eq!(kinds.spec().schema(), Some(&kinds.schema()));
    let one = Kinds::builder(["a"]).build().unwrap().json_schema();
    assert_eq!(one.as_ref().at("properties.kind.const").unwrap().as_str(), Some("a"));
}

#[test]
fn the_prompt_has_these_lines() {
    let kinds = Kinds::builder(["world.observed", "judge.verdict"])
        .extras(["mood", "winner", "scores"])
        .text_rule("one line.")
        .build()
        .unwrap();
    assert_eq!(
        kinds.prompt(),
        "OUTPUT FORMAT\n\
         Reply with a single JSON object and nothing else: no prose before or after it.\n\
         Schema: {\"kind\": \"...\", \"text\": \"...\", \"mood\": \"...\", \
         \"winner\": \"<a player's name, or null>\", \"scores\": {\"<player>\": 0-10}}\n\
         kind must be one of: world.observed | judge.verdict\n\
         text must be one line.\n\
         Example: {\"kind\": \"world.observed\", \"text\": \"A bell rings, though nobody is at the rope.\", \
         \"mood\": \"...\", \"winner\": null, \"scores\": {}}\n"
    );
}

#[test]
fn the_example_of_a_prompt_is_an_answer_that_fits() {
    let own =
        "{\"kind\": \"agent.spoke\",\n \"text\": \"x\", \"mood\": \"\\\"\", \"winner\": \"Ada\"}";
    for kinds in [
        kinds(),
        with(&["mood", "winner", "scores", "a \"b\""]),
        builder().extras(["mood", "winner"]).example(own).build().unwrap(),
    ] {
        let prompt = kinds.prompt();
        let example = prompt.lines().last().unwrap().strip_prefix("Example: ").unwrap();
        let reply = kinds.parse(example);
        assert_eq!((reply.tier(), reply.notices()), (Tier::Strict, &[][..]), "{prompt}");
    }
}

#[test]
fn what_cannot_be_a_contract_is_an_error() {
    assert_eq!(Kinds::builder::<&str>([]).build().err(), Some(KindsError::NoKinds));
    let fallback = Kinds::builder(["a"]).fallback("b").build().err();
    assert_eq!(fallback, Some(KindsError::FallbackNotGranted("b".to_owned())));
    for name in ["kind", "text", "_raw_fallback"] {
        let reserved = builder().extras([name]).build().err();
        assert_eq!(reserved, Some(KindsError::ReservedExtra(name.to_owned())));
    }
    for example in [
        "a bell",
        r#"{"kind": "judge.verdict", "text": "x", "mood": ""}"#,
        r#"{"kind": "agent.spoke", "text": "x"}"#,
        r#"{'kind': 'agent.spoke', 'text': 'x', 'mood': ''}"#,
    ] {
        let unfit = builder().extras(["mood"]).example(example).build().err();
        assert_eq!(unfit, Some(KindsError::UnfitExample(example.to_owned())));
    }
}

// Verdicts, and counting.

#[test]
fn a_winner_from_outside_the_cast_is_asked_for_once_more() {
    let kinds = with(&["winner"]);
    let cast = ["Ada".to_owned(), "Brook Hill".to_owned()];
    let judged = |winner: &str, attempt| {
        let text = format!(r#"{{"kind": "agent.spoke", "text": "x", "winner": {winner}}}"#);
        kinds.parse(text).verdict(&cast, attempt)
    };
    for attempt in [1, 2, 3] {
        assert_eq!(judged("\"Ada\"", attempt), Verdict::Winner("Ada"));
        assert_eq!(judged("\" brook-hill\"", attempt), Verdict::Winner("Brook Hill"));
        assert_eq!(judged("null", attempt), Verdict::NoWinner);
    }
    for outside in ["\"Cy\"", "\"\"", "3", "[\"Ada\"]", "{}"] {
        assert_eq!(judged(outside, 1), Verdict::AskAgain, "{outside}");
        assert_eq!(judged(outside, 2), Verdict::NoContest, "{outside}");
        assert_eq!(judged(outside, 7), Verdict::NoContest, "{outside}");
    }
    assert_eq!(kinds.parse(r#"{"text": "x"}"#).verdict(&cast, 1), Verdict::NoWinner);
}

#[test]
fn threads_count_together() {
    let (kinds, tally) = (kinds(), Tally::default());
    let texts =
        [r#"{"kind": "agent.spoke", "text": "x"}"#, "x", r#"ah {"kind": "no", "text": "x"}"#];
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| texts.iter().for_each(|text| tally.count(&kinds.parse(text))));
        }
    });
    assert_eq!((tally.replies(), tally.raw_fallbacks(), tally.not_granted()), (12, 4, 4));
    assert_eq!([Tier::Strict, Tier::Embedded, Tier::Raw].map(|tier| tally.of(tier)), [4, 4, 4]);
}
