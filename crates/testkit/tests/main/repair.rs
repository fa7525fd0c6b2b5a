//! The search for the cheapest reading: against strict reading, against all readings, and by kinds of slips.

use std::collections::BTreeMap;

use patchwire::internals::{Explorer, Slip, readings, trial};
use patchwire::{Code, Completion, Leniency, Limit, Limits, PatchOp, Spec};
use serde_json::Value;
use testkit::all_readings::{self, FinalVerdict};
use testkit::corpus::{read_cases, root};
use testkit::event_log::{RecordedPatch, run_whole};
use testkit::fold::Folded;
use testkit::generate::broken::{self, KINDS, is_beginning};
use testkit::generate::json::{JsonShape, container};
use testkit::generate::{Rng, answer};
use testkit::oracle::{Json, foreign};
use testkit::tree::Tree;

#[test]
fn valid_json_costs_nothing_and_means_what_it_says() {
    let mut rng = Rng::new(401);
    for _ in 0..4_000 {
        let text = container(&mut rng, JsonShape { repeats: 0, ..JsonShape::SMALL });
        let start = text.find(['{', '[']).unwrap();
        let found = trial(&text, start, 0);
        assert_eq!(found[0].cost, 0, "{text}");
        let read = foreign::read(found[0].roots[0].as_bytes());
        assert_eq!(read, foreign::read(text.as_bytes()), "{text}");
    }
}

#[test]
fn valid_answers_cost_nothing() {
    let mut rng = Rng::new(402);
    for _ in 0..1_000 {
        let text = answer::document(&mut rng);
        let found = trial(&text, 0, 0);
        assert_eq!(found[0].cost, 0, "{text}");
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&found[0].roots[0]).unwrap(), value);
    }
}

/// A clean root stays as it is, whatever prose without quotes stands behind it.
#[test]
fn text_behind_a_clean_root_changes_nothing() {
    const PARTS: [&str; 14] = [
        "See [a](u)",
        "- [ ] x",
        "(0, 1]",
        "{x}",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        "\\frac{1}{2}",
        "as said",
        "...",
        "\n",
    ];
    let mut rng = Rng::new(404);
    for _ in 0..2_000 {
        let root = answer::document(&mut rng);
        let tail: Vec<&str> = (0..rng.below(12)).map(|_| PARTS[rng.below(PARTS.len())]).collect();
        let text = format!("{root}\n\nNote: {}", tail.join(" "));
        let answer = Spec::json().parse(text.as_bytes()).unwrap();
        let value: Value = serde_json::from_str(&root).unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(&answer.value().to_string()).unwrap(),
            value,
            "{text}"
        );
    }
}

#[test]
fn the_search_finds_the_cheapest_of_all_readings() {
    const MOST_DROPPED: usize = 24;
    let (mut all, mut given_up, mut dropped) = (0, 0, Vec::new());
    each_short_text(403, |text| {
        all += 1;
        match all_readings::cheapest(text).map(|all| all.first().map(|it| it.cost)) {
            None => given_up += 1,
            Some(cost) if cost != Explorer::found(text) => dropped.push((text.to_owned(), cost)),
            Some(_) => {}
        }
    });
    // Habits and doubts are no part of a state: of two that merge, the dearer one may have had the cheaper end.
    assert!(dropped.len() <= MOST_DROPPED, "{dropped:?}");
    assert!(given_up <= all / 5, "{given_up} of {all}");
}

/// The final value is the streamed one, unless a reading exists that is clearly cheaper.
#[test]
fn the_final_value_is_that_of_all_readings() {
    const MOST_DROPPED: usize = 10;
    const MOST_NOT_SEARCHED: usize = 50;
    let (mut dropped, mut not_searched, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    each_short_text(405, |text| match all_readings::verdict(text) {
        FinalVerdict::NotSearched(line) => not_searched.push(line),
        FinalVerdict::Dropped(line) => dropped.push(line),
        FinalVerdict::Wrong(line) => wrong.push(line),
        FinalVerdict::Right | FinalVerdict::TooMany | FinalVerdict::OtherRule => {}
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(dropped.len() <= MOST_DROPPED, "{}", dropped.join("\n"));
    assert!(not_searched.len() <= MOST_NOT_SEARCHED, "{}", not_searched.join("\n"));
}

/// Members that the search adds come behind those of the stream.
#[test]
fn the_order_of_members_does_not_count_in_a_final_value() {
    for text in ["{a:,a,\"\":a", "{\"\":,a,a:{", "{`:`a\n``:a"] {
        assert_eq!(all_readings::verdict(text), FinalVerdict::Right, "{text}");
    }
}

fn each_short_text(seed: u64, mut check: impl FnMut(&str)) {
    let mut rng = Rng::new(seed);
    for alphabet in all_readings::ALPHABETS {
        (0..250).for_each(|_| check(&all_readings::text(&mut rng, alphabet, 6)));
    }
}

#[test]
fn realistic_slips_are_read_as_they_were_meant() {
    let mut wrong = Vec::new();
    let cases = read_cases(&root().join("json/repair.ndjson"));
    assert!(cases.len() > 100);
    for case in cases {
        let Some(want) = &case.want else { continue };
        let answer = Spec::json().parse(case.bytes()).unwrap();
        // Members that the search gave back come behind those that were streamed.
        let want = foreign::read(want.get().as_bytes()).map(|want| want.sorted());
        if Ok(Json::of(answer.value()).sorted()) != want {
            wrong.push(format!("{}: {}", case.name, answer.value()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The least input for each kind of slip. The note of a case is the value that was streamed, if it is not the final
/// one; `nothing` if none was.
#[test]
fn the_least_input_of_each_kind_streams_and_ends_as_its_case_says() {
    let cases = read_cases(&root().join("json/minimal.ndjson"));
    let mut wrong = Vec::new();
    assert!(cases.len() > 70);
    for case in cases {
        let run = run_whole(&Spec::json(), &case.bytes());
        let is_streamed = |it: &&RecordedPatch| it.completion != Some(Completion::Reconciled);
        let streamed = Folded::of(run.patches().filter(is_streamed)).unwrap();
        let streamed = streamed.document(0).and_then(Tree::to_json);
        let ended = run.result.unwrap().value.as_ref().and_then(Tree::to_json);
        let want = case.want.map(|it| serde_json::from_str::<Value>(it.get()).unwrap());
        let known = match &*case.note {
            "" => want.clone(),
            "nothing" => None,
            note => Some(serde_json::from_str(note).unwrap()),
        };
        if streamed != known || ended != want {
            wrong.push(format!("{}: {streamed:?}, then {ended:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_difference_is_the_fewest_patches_with_the_cost_of_each_slip() {
    let text = r#"{"n": 1, "name": "John, "city": "Paris", "tags": ["x", "y"]}"#;
    let run = run_whole(&Spec::json(), text.as_bytes());
    let patches = run.patches().filter(|it| it.completion == Some(Completion::Reconciled));
    let patches: Vec<_> = patches.map(|it| (it.op, it.pointer.as_str(), &it.value)).collect();
    let value = Some(Tree::String("John".to_owned()));
    assert_eq!(patches, [(PatchOp::Replace, "/name", &value)]);
    let answer = run.result.unwrap();
    let costs = answer.notices.iter().filter_map(|it| Some((it.code, it.cost?)));
    let costs: Vec<_> = costs.map(|(code, cost)| (code, cost.cost, cost.streamed)).collect();
    let expected = [
        (Code::ReadAgain, 96, Some(166)),
        (Code::MissingQuote, Slip::MissingQuoteComma.cost(), None),
    ];
    assert_eq!(costs, expected);
}

#[test]
fn a_long_text_keeps_its_streamed_value_with_a_notice() {
    let text = r#"{"name": "John, "city": "Paris"}"#;
    let with = |most: usize| {
        let limits = Limits::default().with(Limit::Repair, most as u64);
        let answer = Spec::builder().limits(limits).build().unwrap().parse(text).unwrap();
        let has_notice = answer.notices().iter().any(|it| it.code == Code::RepairLimit);
        (answer.value().get("name").unwrap().as_str().unwrap().to_owned(), has_notice)
    };
    assert_eq!(with(text.len()), ("John".to_owned(), false));
    assert_eq!(with(text.len() - 1), ("John, ".to_owned(), true));
    assert_eq!(with(0), ("John, ".to_owned(), false));
}

#[test]
fn strict_reading_never_searches() {
    let cases =
        ["minimal", "repair"].map(|file| read_cases(&root().join(format!("json/{file}.ndjson"))));
    for case in cases.into_iter().flatten() {
        let run = run_whole(&Spec::strict_json(), &case.bytes());
        let reconciled = run.patches().filter(|it| it.completion == Some(Completion::Reconciled));
        assert_eq!(reconciled.count(), 0, "{}", case.name);
        let valid = foreign::read(&case.bytes()).is_ok();
        assert_eq!(run.result.is_ok(), valid, "{}", case.name);
    }
}

#[test]
fn a_slip_that_is_forbidden_is_in_no_reading() {
    let files = ["minimal", "repair", "slips"];
    let cases = files.map(|file| read_cases(&root().join(format!("json/{file}.ndjson"))));
    let texts: Vec<String> =
        cases.into_iter().flatten().filter_map(|it| String::from_utf8(it.bytes()).ok()).collect();
    for leniency in Leniency::ALL {
        let spec = Spec::builder().forbid(leniency).build().unwrap();
        let is_forbidden = |slip: Slip| slip.leniency() == Some(leniency);
        for text in texts.iter().filter(|text| text.starts_with(['{', '['])) {
            let nothing = Spec::json().parse("").unwrap();
            for read in readings(&spec, text, nothing.value(), 3) {
                let found = read.slips.iter().find(|(slip, ..)| is_forbidden(*slip));
                assert_eq!(found, None, "{leniency}: {text:?}");
            }
        }
    }
}

/// What the stream gives without the search, and what the search gives without the stream.
fn by_each_reader(text: &[u8]) -> [(&'static str, Option<Json>); 2] {
    let stream = Spec::json().without_repair().parse(text).unwrap();
    let text = core::str::from_utf8(text).unwrap();
    let start = text.find(['{', '[', '(']).unwrap_or(0);
    let found = trial(text, start, 0);
    let root = found.first().and_then(|it| foreign::read(it.roots[0].as_bytes()).ok());
    [("stream", stream.value().exists().then(|| Json::of(stream.value()))), ("search", root)]
}

#[test]
fn the_stream_and_the_search_read_one_set_of_slips() {
    let open = read_cases(&root().join("json/readers.ndjson"));
    // The note of a case is the value that its reader gives; it is empty if there is none.
    let mut open: BTreeMap<_, _> = open.into_iter().map(|case| (case.name, case.note)).collect();
    let mut wrong = Vec::new();
    for file in ["slips", "repair"] {
        for case in read_cases(&root().join(format!("json/{file}.ndjson"))) {
            let (Some(want), Ok(text)) = (&case.want, String::from_utf8(case.bytes())) else {
                continue;
            };
            if !text.starts_with(['{', '[', '(']) {
                continue;
            }
            let want = foreign::read(want.get().as_bytes()).ok();
            for (reader, found) in by_each_reader(text.as_bytes()) {
                let name = format!("{reader}: {}", case.name);
                let known = open.remove(&name);
                let expected = match &known {
                    Some(value) => foreign::read(value.as_bytes()).ok(),
                    None => want.clone(),
                };
                if found != expected {
                    wrong.push(format!("{name}: {text:?} gives {found:?}"));
                }
                if known.is_some() && expected == want {
                    wrong.push(format!("{name} is open no more"));
                }
            }
        }
    }
    let left = open.keys().map(|name| format!("{name}: no such case"));
    wrong.extend(left);
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The share of answers, in percent, that are read as they were meant.
fn share(seed: u64, slips: usize, cut: bool) -> (f64, BTreeMap<&'static str, usize>) {
    let mut rng = Rng::new(seed);
    let (mut all, mut right) = (0, 0);
    let mut by_kind: BTreeMap<&'static str, usize> = BTreeMap::new();
    while all < 20 * KINDS.len() {
        let first = KINDS[all % KINDS.len()];
        let mut kinds = vec![first];
        kinds.extend((1..slips).map(|_| rng.pick(KINDS)));
        let Some(mut answer) = broken::answer(&mut rng, &kinds) else { continue };
        let start = answer.text.find(['{', '[', '(']).unwrap();
        if cut {
            let mut end = start + 1 + rng.below(answer.text.len() - start);
            while !answer.text.is_char_boundary(end) {
                end += 1;
            }
            answer.text.truncate(end);
        }
        let truth: Value = serde_json::from_str(&answer.truth).unwrap();
        let found = trial(&answer.text, start, 0);
        let value = found.first().and_then(|it| serde_json::from_str(&it.roots[0]).ok());
        let is_right = |value: &Value| {
            if cut { is_beginning(value, &truth) } else { *value == truth }
        };
        all += 1;
        match value.as_ref().is_some_and(is_right) {
            true => right += 1,
            false => *by_kind.entry(first.0).or_default() += 1,
        }
    }
    let share = 100.0 * f64::from(right) / all as f64;
    (share, by_kind)
}

#[test]
fn one_slip_is_read_as_it_was_meant() {
    let (share, wrong) = share(411, 1, false);
    assert!(share >= 97.0, "{share:.1} %, wrong: {wrong:?}");
}

#[test]
fn two_slips_are_read_as_they_were_meant() {
    let (share, wrong) = share(412, 2, false);
    assert!(share >= 92.0, "{share:.1} %, wrong: {wrong:?}");
}

#[test]
fn a_cut_answer_is_a_beginning() {
    let (share, wrong) = share(413, 1, true);
    assert!(share >= 95.0, "{share:.1} %, wrong: {wrong:?}");
}

#[test]
fn every_slip_has_a_row_in_the_docs() {
    let docs = include_str!("../../../../docs/repair.md");
    let (start, end) = ("<!-- slips -->\n", "<!-- end of slips -->");
    let table = docs.split_once(start).and_then(|(_, rest)| rest.split_once(end)).unwrap().0;
    let mut wanted = String::from("| slip | cost | leniency | what |\n|---|---:|---|---|\n");
    for slip in Slip::ALL {
        let leniency = slip.leniency().map_or_else(|| "–".to_owned(), |it| format!("`{it}`"));
        let meaning = slip.meaning().trim();
        wanted += &format!("| `{}` | {} | {leniency} | {meaning} |\n", slip.name(), slip.cost());
    }
    assert_eq!(table, wanted, "the table of docs/repair.md should be:\n{wanted}");
}

#[test]
fn every_leniency_has_its_cost_in_the_docs() {
    let docs = include_str!("../../../../docs/json.md");
    let (_, table) = docs.split_once("| name | example | read as | notice | cost |\n").unwrap();
    let rows: BTreeMap<&str, &str> = table
        .lines()
        .take_while(|line| line.starts_with('|'))
        .filter_map(|line| {
            let name = line.split('`').nth(1)?;
            Some((name, line.trim_end_matches('|').rsplit('|').next()?.trim()))
        })
        .collect();
    for leniency in Leniency::ALL {
        let of_leniency = |it: &&Slip| it.leniency() == Some(leniency);
        let costs = || Slip::ALL.iter().filter(of_leniency).map(|it| it.cost());
        let Some((least, most)) = costs().min().zip(costs().max()) else { continue };
        let want = if least == most { least.to_string() } else { format!("{least} to {most}") };
        assert_eq!(rows.get(leniency.name()), Some(&&*want), "{}", leniency.name());
    }
}
