//! The engine against the oracles: what is JSON, what it means, what a slip means.

use patchwire::{Format, Leniency, Limit, Limits, Schema, Spec, Strictness, spec::Roots};
use testkit::extent;
use testkit::generate::json::{self, JsonShape};
use testkit::generate::parts::{Part, Parts};
use testkit::generate::{Rng, schema, slip, spoilt};
use testkit::oracle::expect::{self, ExpectedStep};
use testkit::oracle::observe::{self, Seen};
use testkit::oracle::{Json, foreign, strict, table};

/// The engine's default.
const DEPTH: usize = 256;

fn lenient_without(leniency: Leniency) -> Spec {
    Spec::builder().format(Format::Json).forbid(leniency).build().expect("a spec")
}

/// Compares the engine's events for a valid document with the oracle's patches.
fn check_steps(text: &str, value: &Json, seen: &Seen, how: &str) {
    let steps: Vec<&ExpectedStep> = seen.steps();
    let wanted = expect::patches(value);
    let same = steps.len() == wanted.len() && steps.iter().zip(&wanted).all(|(a, b)| **a == *b);
    if !same {
        let wanted: Vec<String> = wanted.iter().map(ToString::to_string).collect();
        panic!("{how} {text:?}\n{}\nwanted\n{}", seen.print(), wanted.join("\n"));
    }
    assert_eq!(seen.value, Some(value.settled()), "{how} {text:?}");
}

#[test]
fn strict_reading_accepts_exactly_json() {
    let cases = table::cases("json/rfc8259/table.ndjson");
    assert!(cases.len() >= 250, "{} cases", cases.len());
    for case in cases {
        let (name, input) = (case.text("name"), case.input());
        let accept = case.get("accept") == Some(&Json::Bool(true));
        let value = strict::read(&input, DEPTH);
        // Every container shows its value when it is done: deep texts cost the square of their depth.
        let run = |spec: &Spec| match case.get("deep") {
            Some(_) => observe::run_bytewise(spec, &input),
            None => observe::run_every_way(spec, &input),
        };
        assert_eq!(value.is_ok(), accept, "{name}: the oracle itself: {value:?}");
        let seen = run(&Spec::strict_json());
        assert_eq!(seen.outcome.is_ok(), accept, "{name}:\n{}", seen.print());
        let foreign = foreign::read(&input);
        // Each reader has a depth limit of its own.
        if accept || case.get("deep").is_none() {
            assert_eq!(foreign.is_ok(), accept, "{name}: serde_json: {foreign:?}");
        }
        let Ok(value) = value else { continue };
        assert_eq!(foreign.as_ref(), Ok(&value), "{name}: serde_json");
        let text = String::from_utf8_lossy(&input);
        check_steps(&text, &value, &seen, name);
        let lenient = run(&Spec::json());
        if value.is_container() {
            check_steps(&text, &value, &lenient, name);
            assert_eq!(lenient.outcome, seen.outcome, "{name}");
        } else {
            assert_eq!(lenient.value, Some(value), "{name}");
        }
    }
}

/// Every leniency switched off, one at a time.
fn switched_off() -> Vec<(Leniency, Spec)> {
    Leniency::ALL.iter().map(|leniency| (*leniency, lenient_without(*leniency))).collect()
}

#[test]
fn valid_documents_mean_what_the_oracles_say() {
    let (strict_spec, lenient_spec, switched_off) =
        (Spec::strict_json(), Spec::json(), switched_off());
    for seed in 0..extent::inputs(4000) {
        let rng = &mut Rng::new(seed);
        let text = json::container(rng, JsonShape::SMALL);
        let value = strict::read(text.as_bytes(), DEPTH).expect("the generator writes JSON");
        assert_eq!(foreign::read(text.as_bytes()), Ok(value.clone()), "seed {seed} {text:?}");
        let whole = observe::run(&strict_spec, text.as_bytes(), &[]);
        check_steps(&text, &value, &whole, "strict");
        let cuts = rng.cuts(text.len());
        for (spec, how) in [(&strict_spec, "strict"), (&lenient_spec, "lenient")] {
            let seen = observe::run(spec, text.as_bytes(), &cuts);
            check_steps(&text, &value, &seen, how);
            assert_eq!(seen.outcome, whole.outcome, "seed {seed} {text:?} {}", seen.print());
            assert_eq!(seen.codes(), whole.codes(), "seed {seed} {text:?}");
        }
        for (leniency, spec) in &switched_off {
            let seen = observe::run(spec, text.as_bytes(), &rng.cuts(text.len()));
            check_steps(&text, &value, &seen, leniency.name());
            assert_eq!(seen.codes(), whole.codes(), "seed {seed} {text:?}");
        }
    }
}

#[test]
fn valid_documents_are_cut_everywhere() {
    let (strict_spec, lenient_spec) = (Spec::strict_json(), Spec::json());
    for seed in 0..400 {
        let rng = &mut Rng::new(seed ^ 0xC075);
        let text = json::container(rng, JsonShape { depth: 2, width: 3, blanks: 3, repeats: 5 });
        let value = strict::read(text.as_bytes(), DEPTH).expect("the generator writes JSON");
        let strict_seen = observe::run_every_way(&strict_spec, text.as_bytes());
        check_steps(&text, &value, &strict_seen, "strict");
        let lenient_seen = observe::run_every_way(&lenient_spec, text.as_bytes());
        check_steps(&text, &value, &lenient_seen, "lenient");
    }
}

#[test]
fn scalars_alone_are_values() {
    for seed in 0..600 {
        let rng = &mut Rng::new(seed ^ 0x5CA1);
        let text = json::document(rng, JsonShape { depth: 0, width: 1, blanks: 2, repeats: 0 });
        let value = strict::read(text.as_bytes(), DEPTH).expect("the generator writes JSON");
        let seen = observe::run_every_way(&Spec::strict_json(), text.as_bytes());
        check_steps(&text, &value, &seen, "strict");
        let lenient = observe::run_every_way(&Spec::json(), text.as_bytes());
        // A string that holds an object is, to a lenient reader, an object in quotes.
        if text.contains('{') {
            continue;
        }
        assert_eq!(lenient.value, Some(value), "{text:?}\n{}", lenient.print());
    }
}

#[test]
fn nesting_is_read_up_to_the_limit_and_no_further() {
    let limits = Limits::default().with(Limit::Depth, 40);
    let strict_spec = Spec::builder().strictness(Strictness::Strict).limits(limits.clone());
    let lenient_spec = Spec::builder().limits(limits);
    let specs = [strict_spec.build().expect("a spec"), lenient_spec.build().expect("a spec")];
    for depth in (1..60).chain([300, 5000]) {
        let text = json::nested(&mut Rng::new(depth as u64), depth);
        for spec in &specs {
            let seen = observe::run_bytewise(spec, text.as_bytes());
            match strict::read(text.as_bytes(), 40) {
                Ok(value) => check_steps(&text, &value, &seen, "nested"),
                Err(_) => assert!(seen.outcome.is_err(), "{depth} levels"),
            }
        }
    }
}

#[test]
fn documents_that_fit_their_schema_mean_the_same_with_it() {
    for seed in 0..1500 {
        let rng = &mut Rng::new(seed ^ 0x5C4E);
        let (schema, text) = schema::pair(rng);
        let read = Spec::strict_json().parse(&schema).expect("the generator writes JSON");
        let parsed = Schema::from_json_schema(read.value()).expect("a schema");
        let spec = Spec::builder().schema(parsed).build().expect("a spec");
        let value = strict::read(text.as_bytes(), DEPTH).expect("the generator writes JSON");
        let whole = observe::run(&spec, text.as_bytes(), &[]);
        let sorted = whole.value.as_ref().map(Json::sorted);
        let emitted = format!("seed {seed} {schema} {text:?}\n{}", whole.print());
        assert_eq!(sorted, Some(value.sorted()), "{emitted}");
        assert_eq!(whole.codes(), [], "{emitted}");
        let seen = observe::run(&spec, text.as_bytes(), &rng.cuts(text.len()));
        assert!(seen == whole, "{emitted}\n{}", observe::difference(&whole, &seen));
        let prose = format!("Take {{\"x\": 1}} as a pattern.\n\n{text}\n\nOr {{\"y\": [2]}}.");
        let seen = observe::run(&spec, prose.as_bytes(), &rng.cuts(prose.len()));
        assert_eq!(seen.value.as_ref().map(Json::sorted), sorted, "{emitted}\n{}", seen.print());
    }
}

/// Documents that slips are put into: every kind of part, first, in the middle, last, and nested.
const HOSTS: [&str; 7] = [
    r#"{"first": "one", "m": {"k": "v", "n": 5}, "l": [1, "x", true], "last": "end"}"#,
    r#"["a", {"k": 1, "z": "q"}, [2, 3], null, "b"]"#,
    r#"{"a":{"b":[[1,"s"],{"c":"t"}]},"d":false}"#,
    "{\n  \"a\": [\n    \"x\",\n    \"y\"\n  ],\n  \"b\": \"z\",\n  \"c\": {}\n}",
    r#"[[], {}, "only"]"#,
    r#"{"n": [-1.5]}"#,
    r#"[{"a": 1}]"#,
];

fn check_slip(slip: &slip::Slip) -> Result<(), String> {
    let emitted = |seen: &Seen| {
        format!("{} {:?}\nwant {}\n{}", slip.rule.name, slip.text, slip.want, seen.print())
    };
    let whole = observe::run(&Spec::json(), slip.text.as_bytes(), &[]);
    if whole.value.as_ref() != Some(&slip.want) {
        return Err(emitted(&whole));
    }
    if slip.rule.streamed && whole.was_reconciled() {
        return Err(format!("by the finalizer only: {}", emitted(&whole)));
    }
    if slip.rule.code.is_some_and(|code| !whole.codes().contains(&code)) {
        return Err(format!("not noticed: {}", emitted(&whole)));
    }
    let bytes = slip.text.as_bytes();
    let cut = (1..bytes.len()).map(|cut| observe::run(&Spec::json(), bytes, &[cut]));
    for seen in cut.chain([observe::run_bytewise(&Spec::json(), bytes)]) {
        if seen != whole {
            return Err(format!(
                "cut: {}\n{}",
                emitted(&whole),
                observe::difference(&whole, &seen)
            ));
        }
    }
    let Some(leniency) = slip.rule.leniency else { return Ok(()) };
    // Forbidden, it is an error or something else that is noticed; never the same in silence.
    let seen = observe::run(&lenient_without(leniency), bytes, &[]);
    let forgiven = slip.rule.code.is_some_and(|code| seen.codes().contains(&code));
    let silent = seen.value.as_ref() == Some(&slip.want) && seen.codes().is_empty();
    if seen.outcome.is_ok() && (forgiven || silent) {
        return Err(format!("forbidden, yet forgiven: {}", emitted(&seen)));
    }
    Ok(())
}

fn check_slips(slips: &[slip::Slip]) {
    let failed: Vec<String> = slips.iter().filter_map(|slip| check_slip(slip).err()).collect();
    let all = slips.len();
    let shown = failed.iter().take(40).cloned().collect::<Vec<_>>().join("\n\n");
    assert!(failed.is_empty(), "{} of {all} slips\n{shown}", failed.len());
}

#[test]
fn one_slip_anywhere_gives_the_value_back() {
    let slips: Vec<_> = HOSTS.iter().flat_map(|host| slip::every(host)).collect();
    check_slips(&slips);
}

#[test]
fn every_kind_of_slip_was_tried() {
    let slips: Vec<_> = HOSTS.iter().flat_map(|host| slip::every(host)).collect();
    for rule in slip::RULES {
        assert!(slips.iter().any(|slip| slip.rule.name == rule.name), "{}", rule.name);
    }
    // Slips that give no value back are in the table of slips.
    let without = [Leniency::MissingValues];
    // These are slips of other formats.
    let elsewhere = [
        Leniency::HeaderNames,
        Leniency::HeaderLevels,
        Leniency::HeaderEchoes,
        Leniency::ScaffoldLines,
        Leniency::UntidyFields,
    ];
    // And these are of the schema, at the end.
    let without = [&without[..], &elsewhere, &Leniency::ALIGNMENT].concat();
    for leniency in Leniency::ALL {
        let ruled = slip::RULES.iter().any(|rule| rule.leniency == Some(leniency));
        assert!(ruled || without.contains(&leniency), "{}", leniency.name());
    }
}

#[test]
fn hand_written_slips_mean_what_is_obvious() {
    let mut failed = Vec::new();
    // The second holds today's answers where a person would read another one, with a note why.
    for file in ["json/slips.ndjson", "json/open.ndjson"] {
        for case in table::cases(file) {
            let seen = observe::run_every_way(&Spec::json(), &case.input());
            if seen.value.as_ref() != case.get("want") {
                let input = String::from_utf8_lossy(&case.input()).into_owned();
                failed.push(format!("{file} {}: {input:?}\n{}", case.text("name"), seen.print()));
            }
        }
    }
    assert!(failed.is_empty(), "{} cases\n{}", failed.len(), failed.join("\n\n"));
}

/// In strings of random punctuation a slip may have a cheaper meaning than the one that was made: at most
/// one slip in a hundred. No cut may matter for any.
#[test]
fn one_slip_in_any_document_gives_the_value_back() {
    let shape = JsonShape { depth: 2, width: 3, blanks: 3, repeats: 0 };
    let spec = Spec::json();
    let (mut failed, mut tried) = (Vec::new(), 0);
    for seed in 0..400 {
        let rng = &mut Rng::new(seed ^ 0x511B);
        let host = json::container(rng, shape);
        // Beyond that, bounds on what is held decide; and text that begins with a colon
        // looks like what follows a key.
        let parts = Parts::of(host.trim());
        let colon = |part: &Part| part.text[1..].trim_start().starts_with(':');
        if host.len() > 240 || parts.0.iter().any(colon) {
            continue;
        }
        for slip in slip::every(host.trim()) {
            let bytes = slip.text.as_bytes();
            let whole = observe::run(&spec, bytes, &[]);
            let cut = observe::run(&spec, bytes, &rng.cuts(bytes.len()));
            tried += 1;
            assert_eq!(cut, whole, "{:?}", slip.text);
            if whole.value.as_ref() != Some(&slip.want) {
                let (name, text, want) = (slip.rule.name, &slip.text, &slip.want);
                failed.push(format!("{name} {text:?}\nwant {want}\n{}", whole.print()));
            }
        }
    }
    let shown = failed.iter().take(40).cloned().collect::<Vec<_>>().join("\n\n");
    assert!(failed.len() * 100 <= tried, "{} of {tried} slips\n{shown}", failed.len());
}

/// Lenient first; then every way to read otherwise.
fn specs() -> Vec<Spec> {
    let schema = r#"{"type": "object", "properties": {
        "a": {"type": "string"}, "b": {"enum": ["x", "yes"]}, "c": {"type": "array"}
    }, "required": ["a"]}"#;
    let read = Spec::strict_json().parse(schema).expect("JSON");
    let schema = Schema::from_json_schema(read.value()).expect("a schema");
    let builders = [
        Spec::builder().schema(schema),
        Spec::builder().without_tags(),
        Spec::builder().roots(Roots::First),
        Spec::builder().roots(Roots::Last),
        Spec::builder().roots(Roots::Concatenated),
        Spec::builder().strictness(Strictness::Strict),
        Spec::builder().strictness(Strictness::Strict).roots(Roots::Concatenated),
    ];
    let built = builders.into_iter().map(|builder| builder.build().expect("a spec"));
    let forbidden = Leniency::ALL.iter().map(|leniency| lenient_without(*leniency));
    [Spec::json()].into_iter().chain(built).chain(forbidden).collect()
}

#[test]
fn no_cut_matters_however_spoilt_a_document_is() {
    let specs = specs();
    for seed in 0..extent::inputs(30_000) {
        let rng = &mut Rng::new(seed ^ 0xBAD);
        let bytes = spoilt::document(rng);
        let spec = if rng.once_in(2) { &specs[0] } else { &specs[rng.below(specs.len())] };
        let whole = observe::run(spec, &bytes, &[]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(whole.tiles(bytes.len()), "seed {seed} {text:?}\n{}", whole.print());
        let sorted = |value: &Option<Json>| value.as_ref().map(Json::sorted);
        if whole.outcome.is_ok() {
            let emitted = whole.print();
            assert_eq!(
                sorted(&whole.folded),
                sorted(&whole.value),
                "seed {seed} {text:?}\n{emitted}"
            );
        }
        for _ in 0..6 {
            let cuts = rng.cuts(bytes.len());
            let seen = observe::run(spec, &bytes, &cuts);
            let emitted = || observe::difference(&whole, &seen);
            assert!(seen == whole, "seed {seed} {text:?} cut at {cuts:?}\n{}", emitted());
        }
        let seen = observe::run_bytewise(spec, &bytes);
        assert!(seen == whole, "seed {seed} {text:?}\n{}", observe::difference(&whole, &seen));
    }
}

/// Texts that have broken peers at one prefix or another, and generated ones.
fn growing() -> Vec<String> {
    let known = [
        r#"{"title":"Hi \"you\" \u00e9 \ud83d\ude00!","n":[1,12,-1.5e10,0],"ok":true,"no":null}"#,
        r#"{"text":"caf\u00e9\n\ttab\\back\/slash","empty":"","list":[],"map":{}}"#,
        r#"[{"a":"x"},{"a":"y","b":[true,false,null]},"end",100]"#,
        "{\"é\":\"日本\",\"mixed\":[\"a\",[\"b\",[\"c\"]]],\"last\":1.25}",
        r#"{"a":{"b":{"c":{"d":"deep"}}},"z":"\\\"\\"}"#,
    ];
    let generated = (0..300).map(|seed| {
        let rng = &mut Rng::new(seed ^ 0xF11C);
        json::container(rng, JsonShape { repeats: 0, ..JsonShape::SMALL })
    });
    known.iter().map(|text| (*text).to_owned()).chain(generated).collect()
}

#[test]
fn nothing_flickers_while_a_document_grows() {
    for text in growing() {
        let whole = strict::read(text.as_bytes(), DEPTH).expect("JSON");
        for spec in [Spec::strict_json(), Spec::json()] {
            let mut parser = spec.parser();
            let mut shown: Option<Json> = None;
            for (at, byte) in text.as_bytes().iter().enumerate() {
                parser.feed([*byte], |_| {}).expect("valid JSON");
                let now = parser.value().exists().then(|| Json::of(parser.value()));
                let emitted = || format!("{text:?} at {at}: {shown:?}, then {now:?}");
                if let Some(now) = &now {
                    assert!(now.is_part_of(&whole), "{}", emitted());
                }
                if let Some(shown) = &shown {
                    assert!(now.as_ref().is_some_and(|now| shown.is_part_of(now)), "{}", emitted());
                }
                shown = now;
            }
            assert_eq!(shown, Some(whole.clone()), "{text:?}");
        }
    }
}

#[test]
fn a_document_that_breaks_off_keeps_what_was_there() {
    for text in growing() {
        let whole = strict::read(text.as_bytes(), DEPTH).expect("JSON");
        for end in 1..text.len() {
            let prefix = &text.as_bytes()[..end];
            let mut parser = Spec::json().parser();
            parser.feed(prefix, |_| {}).expect("lenient");
            let live = parser.value().exists().then(|| Json::of(parser.value()));
            let answer = parser.finish(|_| {}).expect("lenient");
            let last = answer.value().exists().then(|| Json::of(answer.value()));
            let emitted = || format!("{text:?} up to {end}: {live:?}, in the end {last:?}");
            if let Some(live) = live.as_ref().filter(|_| !lacks_only_a_quote(prefix)) {
                assert!(last.as_ref().is_some_and(|last| live.is_part_of(last)), "{}", emitted());
            }
            if let Some(last) = &last {
                assert!(could_be_cut_from(last, &whole), "{}", emitted());
            }
        }
    }
}

/// Whether a text ends in closers that one quote before them would make those of its containers. Then the quote is
/// taken for forgotten, and what was streamed of the closers is no text in the end.
fn lacks_only_a_quote(text: &[u8]) -> bool {
    let is_closer = |byte: &&u8| matches!(byte, b'}' | b']' | b' ' | b',');
    let most = text.iter().rev().take_while(is_closer).count();
    (text.len() - most..text.len()).any(|at| {
        let closed = [&text[..at], b"\"", &text[at..]].concat();
        strict::read(&closed, DEPTH).is_ok()
    })
}

/// Whether a prefix of `whole` may have this value: like [`Json::is_part_of`], but the last number may lack
/// digits, and the bytes of a code point may be cut.
fn could_be_cut_from(part: &Json, whole: &Json) -> bool {
    match (part, whole) {
        (Json::Number(part), Json::Number(whole)) => whole.starts_with(part.as_str()),
        (Json::String(part), Json::String(whole)) => {
            whole.starts_with(part.strip_suffix('\u{fffd}').unwrap_or(part))
        }
        (Json::List(part), Json::List(whole)) => {
            part.len() <= whole.len()
                && part.iter().zip(whole).all(|(a, b)| could_be_cut_from(a, b))
        }
        (Json::Object(part), Json::Object(whole)) => {
            let same = |((a, part), (b, whole)): (&(String, Json), &(String, Json))| {
                a == b && could_be_cut_from(part, whole)
            };
            part.len() <= whole.len() && part.iter().zip(whole).all(same)
        }
        (part, whole) => part == whole,
    }
}
