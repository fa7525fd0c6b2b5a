//! Bodies read as trees: the cases, the laws, and the oracle.

use patchwire::Answer;
use patchwire::internals::{Tree, TreeNode, XmlBody};
use testkit::corpus::{Case, cases, read_cases, root};
use testkit::cuts::in_two;
use testkit::eager::{Alphabet, check_xml};
use testkit::event_log::{run_cut, run_whole};
use testkit::generate::{Rng, xml as generate};
use testkit::oracle::xml::{self as oracle, Rules};
use testkit::oracle::{Json, foreign};
use testkit::reading_modes::{self, ReadingMode};
use testkit::{extent, hostile, laws, pairs, show};

fn codes(answer: &Answer) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    for notice in answer.notices() {
        if !codes.iter().any(|code| code == notice.code.name()) {
            codes.push(notice.code.name().to_owned());
        }
    }
    codes
}

#[test]
fn bodies_give_what_the_cases_say() {
    for (file, body, schema) in reading_modes::xml_files() {
        let spec = reading_modes::xml_spec(&body, schema);
        for case in read_cases(&root().join(format!("xml/{file}.ndjson"))) {
            let name = format!("{file}: {}", case.name);
            let answer = spec.parse(case.bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
            let want = foreign::read(case.want.as_ref().expect("a value").get().as_bytes());
            assert_eq!(Ok(Json::of(answer.value()).sorted()), want.map(|it| it.sorted()), "{name}");
            assert_eq!(Some(codes(&answer)), case.notices, "{name}");
            trees(&body, &case, &name);
        }
    }
}

fn trees(body: &XmlBody, case: &Case, name: &str) {
    let Some(want) = &case.tree else { return };
    let text = String::from_utf8(case.bytes()).expect("text");
    let tree = body.tree(&text);
    let found = foreign::read(elements(&tree).as_bytes());
    assert_eq!(found, foreign::read(want.get().as_bytes()), "{name}");
}

/// The elements of a body, without the text around them.
fn elements(tree: &Tree) -> String {
    let single = tree.body().children().filter_map(|child| match child.node() {
        TreeNode::Element(name) => Some(format!("{{{name:?}:{child}}}")),
        _ => None,
    });
    match &single.collect::<Vec<_>>()[..] {
        [one] => one.clone(),
        all => format!("[{}]", all.join(",")),
    }
}

#[test]
fn the_cases_obey_the_laws() {
    for setup in reading_modes::xml() {
        for case in cases("xml") {
            if let Err(why) = laws::all(&setup.spec, &case.bytes()) {
                panic!("{}, under {}: {why}", case.name, setup.name);
            }
        }
    }
}

#[test]
fn a_review_cut_anywhere_is_the_same_review() {
    let modes = reading_modes::xml();
    for case in read_cases(&root().join("xml/review.ndjson")) {
        let input = case.bytes();
        for ReadingMode { name, spec } in &modes {
            let whole = run_whole(spec, &input);
            for cuts in in_two(input.len()) {
                let found = whole.difference(&run_cut(spec, &input, &cuts));
                assert_eq!(found, None, "{}, under {name}, {cuts}", case.name);
            }
        }
    }
}

#[test]
fn no_cutting_of_the_cases_matters() {
    for ReadingMode { name, spec } in reading_modes::xml() {
        for case in cases("xml").into_iter().filter(|case| case.bytes().len() <= 120) {
            if let Err(why) = pairs::prove(&spec, &case.bytes()) {
                panic!("{}, under {name}: {why}", case.name);
            }
        }
    }
}

const SEED: u64 = 20_261_121;

/// A generated body: well-formed for the most part, cut short now and then, or noise.
fn generated(rng: &mut Rng) -> String {
    let mut text = if rng.once_in(3) { generate::noise(rng) } else { generate::body(rng, 4) };
    if rng.once_in(4) {
        let end = rng.below(text.len() + 1);
        text.truncate((end..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(0));
    }
    text
}

#[test]
fn bodies_are_what_the_oracle_reads() {
    let names = ["a", "ab", "c", "item", "n"];
    let ways = [
        (XmlBody::any(), Rules::default()),
        (XmlBody::known(names), Rules { known: Some(&names), typed: false }),
        (XmlBody::any().typed_by_content(), Rules { known: None, typed: true }),
    ];
    let mut rng = Rng::new(SEED);
    for at in 0..10_000 {
        let text = generated(&mut rng);
        let shown = show::input(text.as_bytes());
        for (way, (body, rules)) in ways.iter().enumerate() {
            let name = format!("body {at} of seed {SEED}, way {way}: {shown}");
            let spec = reading_modes::xml_spec(body, None);
            let mut parser = spec.parser();
            let mut from = 0;
            for cut in rng.cuts(text.len()).into_iter().chain([text.len()]) {
                parser.feed(&text.as_bytes()[from..cut], |_| {}).expect("no limit");
                from = cut;
            }
            let answer = parser.finish(|_| {}).expect("no limit");
            let read = oracle::read(&text, *rules);
            assert_eq!(Json::of(answer.value()), read.value(*rules), "{name}");
            assert_eq!(body.tree(&text).body().to_string(), read.ordered(), "{name}");
        }
    }
}

#[test]
fn generated_bodies_obey_the_laws() {
    let setups = reading_modes::xml();
    let mut rng = Rng::new(SEED);
    for at in 0..extent::inputs(120) {
        let text = generated(&mut rng);
        for setup in &setups {
            if let Err(why) = laws::all(&setup.spec, text.as_bytes()) {
                panic!("body {at} of seed {SEED}, under {}: {why}", setup.name);
            }
        }
        let setup = &setups[rng.below(setups.len())];
        let short = &text.as_bytes()[..text.len().min(60)];
        if let Err(why) = pairs::prove(&setup.spec, short) {
            panic!("body {at} of seed {SEED}, under {}: {why}", setup.name);
        }
    }
}

#[test]
fn small_hostile_bodies_obey_the_laws() {
    let setups = reading_modes::xml();
    for shape in hostile::xml::SHAPES {
        let input = (shape.make)(56);
        for setup in &setups {
            if let Err(why) = laws::all(&setup.spec, &input) {
                panic!("{}, under {}: {why}", shape.name, setup.name);
            }
        }
    }
}

/// All inputs of some symbols after a start, under one way of reading.
fn eager(setup: &str, start: &str, symbols: &[&str], most: usize) {
    let setups = reading_modes::xml();
    let setup = setups.iter().find(|found| found.name == setup).expect("a setup of that name");
    if let Err(why) = check_xml(&setup.spec, Alphabet { start, symbols, most }) {
        panic!("{}, from {start:?}: {why}", setup.name);
    }
}

const TAG_SYMBOLS: [&str; 7] = ["<", "a", "/", ">", " ", "=", "'"];

#[test]
fn nothing_is_held_but_what_may_be_a_tag() {
    for setup in ["any", "known", "schema", "capped"] {
        eager(setup, "<a>x", &TAG_SYMBOLS, 6);
        eager(setup, "x", &TAG_SYMBOLS, 5);
    }
}

#[test]
fn nothing_is_held_but_what_may_be_markup() {
    eager("any", "<a>x<a", &TAG_SYMBOLS, 6);
    eager("known", "<a>x<a a='", &["'", "<", ">", " ", "/", "a", "\""], 6);
    for start in ["<a>x", "<a>x<!", "<a>x<!--", "<a><![CDATA["] {
        eager("any", start, &["<", "!", "-", ">", "]", "x", "[CDATA["], 7);
    }
    // Behind `&am` the `&` is sure, whatever follows; it is held all the same.
    eager("any", "<a>x&", &["&", "#", "6", "x", ";", "a", "l"], 6);
    eager("typed", "<a>1", &["1", ".", "-", "0", " ", "<", "x"], 5);
}
