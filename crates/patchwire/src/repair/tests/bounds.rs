//! What a search may cost: time and memory grow with the text, whatever is in it.

use crate::leniency::{Leniencies, Leniency};
use crate::repair::{SearchOptions, search};

/// Texts of `len` bytes on which readings multiply.
fn hostile(len: usize) -> Vec<String> {
    let mut state = 7_u64;
    let signs = b"{}[]\",: 'a1\\\n";
    let random = (0..len).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        char::from(signs[(state >> 33) as usize % signs.len()])
    });
    let random: String = random.collect();
    vec![
        "{".repeat(len),
        "[".repeat(len),
        format!("{{\"a\": \"{}", "\"".repeat(len)),
        format!("{{\"a\": \"{}", "\", \"".repeat(len / 4)),
        format!("[{}", "\"t\":\"he said \"hi\", \"ok\" ".repeat(len / 24)),
        format!("{{{random}"),
        format!("[{}]", "a b, ".repeat(len / 5)),
        format!("[{}", "1,".repeat(len / 2)),
    ]
}

#[test]
fn hostile_texts_end() {
    for text in hostile(20_000) {
        let found = search(&text, 0, SearchOptions::default());
        let ends = found.interpretations().map(|read| read.roots[0].span.end);
        assert!(ends.max() <= Some(text.len() as u64), "{}", &text[..20]);
    }
}

#[test]
fn one_slip_in_a_long_list_is_found() {
    let item = r#"{"id": 12, "name": "a longer text", "tags": ["x", "y"]}"#;
    let items = vec![item; 4_000];
    let text = format!("[{}]", items.join(", ")).replacen("longer", "\"longer\"", 1);
    let found = search(&text, 0, SearchOptions::default()).best().unwrap();
    let value = found.roots[0].document.value();
    assert_eq!(value.len(), 4_000);
    let first = value.entries().next().unwrap().1;
    assert_eq!(first.get("name").unwrap().as_str(), Some("a \"longer\" text"));
    assert_eq!(found.slips.len(), 2);
}

#[test]
fn a_slip_that_is_not_allowed_is_not_read() {
    let text = r#"{"a": "say "x" now"}"#;
    let leniencies = Leniencies::ALL.without(Leniency::InnerQuotes);
    let options = SearchOptions { leniencies, ..SearchOptions::default() };
    let found = search(text, 0, options);
    let mut slips = found.interpretations().flat_map(|read| read.slips);
    assert!(slips.all(|it| it.slip.name() != "inner_quote"));
    let strict = SearchOptions { leniencies: Leniencies::NONE, ..SearchOptions::default() };
    assert_eq!(search("{'a': 1}", 0, strict).best(), None);
}

#[test]
fn too_deep_a_text_has_no_reading() {
    let options = SearchOptions { depth: 3, ..SearchOptions::default() };
    assert!(search("[[[1]]]", 0, options).best().is_some());
    assert_eq!(search("[[[[1]]]]", 0, options).best(), None);
}

#[test]
fn a_text_may_begin_and_end_anywhere() {
    let text = "{\"ä\": \"ö “x” \\u00e9\\ud83d\\ude00\", 'ñ': [1, 2.5e3, tru]} — 終";
    for from in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
        for to in (from..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            let found = search(&text[..to], from, SearchOptions::default());
            let ends = found.interpretations().map(|read| read.roots[0].span.end);
            assert!(ends.max() <= Some(to as u64));
        }
    }
}

/// The steps that several readings share are moved together once in a while.
#[test]
fn readings_that_stay_apart_for_long_keep_their_beginning() {
    let numbers: Vec<String> = (0..3_000).map(|number| number.to_string()).collect();
    let text = format!("{{\"a\": [x, {}}}", numbers.join(", "));
    let found = search(&text, 0, SearchOptions::default()).best().unwrap();
    let list = found.roots[0].document.value().to_string();
    assert_eq!(list, format!("{{\"a\":[\"x\",{}]}}", numbers.join(",")));
}

/// A wrong closer in every three bytes is more than the text is worth.
#[test]
fn what_is_hopeless_is_not_read_to_its_end() {
    let others = Leniency::ALL.into_iter().filter(|it| *it != Leniency::MismatchedClosers);
    let leniencies = others.fold(Leniencies::ALL, Leniencies::without);
    let is_found = |items: usize| {
        let options = SearchOptions { leniencies, ..SearchOptions::default() };
        search(&format!("[{}1]", "[},".repeat(items)), 0, options).best().is_some()
    };
    assert_eq!((is_found(50), is_found(400)), (true, false));
}
