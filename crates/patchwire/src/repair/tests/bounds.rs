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
        assert!(found.len() <= 1, "{}", &text[..20]);
    }
}

#[test]
fn one_slip_in_a_long_list_is_found() {
    let item = r#"{"id": 12, "name": "a longer text", "tags": ["x", "y"]}"#;
    let items = vec![item; 4_000];
    let text = format!("[{}]", items.join(", ")).replacen("longer", "\"longer\"", 1);
    let found = search(&text, 0, SearchOptions::default());
    let value = found[0].roots[0].document.value();
    assert_eq!(value.len(), 4_000);
    let first = value.entries().next().unwrap().1;
    assert_eq!(first.get("name").unwrap().as_str(), Some("a \"longer\" text"));
    assert_eq!(found[0].slips.len(), 2);
}

#[test]
fn a_slip_that_is_not_allowed_is_not_read() {
    let text = r#"{"a": "say "x" now"}"#;
    let leniencies = Leniencies::ALL.without(Leniency::InnerQuotes);
    let options = SearchOptions { leniencies, ..SearchOptions::default() };
    let found = search(text, 0, options);
    assert!(found.iter().all(|read| read.slips.iter().all(|it| it.slip.name() != "inner_quote")));
    let strict = SearchOptions { leniencies: Leniencies::NONE, ..SearchOptions::default() };
    assert!(search("{'a': 1}", 0, strict).is_empty());
}

#[test]
fn too_deep_a_text_has_no_reading() {
    let options = SearchOptions { depth: 3, ..SearchOptions::default() };
    assert_eq!(search("[[[1]]]", 0, options).len(), 1);
    assert!(search("[[[[1]]]]", 0, options).is_empty());
}

#[test]
fn a_text_may_begin_and_end_anywhere() {
    let text = "{\"ä\": \"ö “x” \\u00e9\\ud83d\\ude00\", 'ñ': [1, 2.5e3, tru]} — 終";
    for from in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
        for to in (from..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            let found = search(&text[..to], from, SearchOptions::default());
            assert!(found.len() <= 1);
        }
    }
}
