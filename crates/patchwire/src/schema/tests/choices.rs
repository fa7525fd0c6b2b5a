//! Texts, and the choices that they mean.

use crate::schema::choices::Choices;
use crate::schema::{Literal, Schema, literal, null, one_of, one_of_or, str, union};

const STATES: [&str; 6] = ["open", "In Progress", "in-review", "done", "re_open", "über"];

#[test]
fn text_resolves_to_the_choice_it_spells() {
    let schema = Schema::from(one_of(STATES));
    let choices = schema.choices(schema.root()).expect("strings only");
    let cases = [
        ("open", Some(("open", true))),
        ("In Progress", Some(("In Progress", true))),
        ("in progress", Some(("In Progress", false))),
        (" \n IN__-- PROGRESS\t", Some(("In Progress", false))),
        ("in_review", Some(("in-review", false))),
        ("RE-OPEN", Some(("re_open", false))),
        ("reopen", None),
        ("inprogress", None),
        ("-open", None),
        ("ope", None),
        ("openn", None),
        ("", None),
        ("über", Some(("über", true))),
        ("ÜBER", None),
        ("in\tprogress", None),
    ];
    for (text, expected) in cases {
        assert_eq!(choices.resolve_spelling(text), expected, "{text:?}");
    }
    assert_eq!(choices.longest(), "In Progress".len());
}

/// A string is held while it may become a choice; one that is longer than 4 KiB is not held.
#[test]
fn long_choices_are_read_like_any_text() {
    for (len, is_held) in [(4096, true), (4097, false)] {
        let long = "x".repeat(len);
        let plain = Schema::from(one_of([long.as_str(), "b"]));
        assert_eq!(plain.choices(plain.root()).is_some(), is_held, "{len}");
        // With a fallback no other text may be emitted, so all are held.
        let guarded = Schema::from(one_of_or([long.as_str(), "b"], "b"));
        assert!(guarded.choices(guarded.root()).is_some(), "{len}");
    }
}

#[test]
fn ambiguous_spellings_resolve_only_exactly() {
    let schema = Schema::from(one_of(["a b", "a-b", "A", "a", "a", "x "]));
    let choices = schema.choices(schema.root()).expect("strings only");
    assert_eq!(choices.literals().len(), 5, "repeats count once");
    assert_eq!(choices.resolve_spelling("a-b"), Some(("a-b", true)));
    assert_eq!(choices.resolve_spelling("a_b"), None);
    assert_eq!(choices.resolve_spelling(" A"), None);
    assert_eq!(choices.resolve_spelling("A"), Some(("A", true)));
    assert_eq!(choices.resolve_spelling("X"), Some(("x ", false)));
}

#[test]
fn what_could_still_become_a_choice() {
    let schema = Schema::from(one_of(STATES));
    let choices = schema.choices(schema.root()).expect("strings only");
    let yes =
        ["", " ", "o", "OPE", "open", "open \n", "in", "in ", "in  -", "In_P", "ü", "re-", "\nin "];
    let no = ["x", "openx", "open-", "open x", "in\t", "in\tp", "inp", "-o", "in-x", "done done"];
    for text in yes {
        assert!(choices.could_become(text), "{text:?}");
    }
    for text in no {
        assert!(!choices.could_become(text), "{text:?}");
    }
}

/// Over all short texts: a text that resolves could become that at each of its prefixes, and a text
/// that could become a choice has a continuation that is one.
#[test]
fn could_become_is_exactly_the_prefixes_of_what_resolves() {
    let schema = Schema::from(one_of(["a", "a b", "B-a", "b__", " \taB"]));
    let choices = schema.choices(schema.root()).expect("strings only");
    let texts = texts_up_to(5, &['a', 'B', ' ', '-', '\t']);
    let spelled = |text: &str| choices.resolve(text).is_some();
    for text in &texts {
        if spelled(text) {
            assert!((0..=text.len()).all(|end| choices.could_become(&text[..end])), "{text:?}");
        }
        if text.len() <= 2 && choices.could_become(text) {
            let found = texts.iter().any(|longer| longer.starts_with(&**text) && spelled(longer));
            assert!(found, "{text:?} leads nowhere");
        }
    }
}

fn texts_up_to(length: usize, alphabet: &[char]) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..length {
        let to = all.len();
        for at in from..to {
            let longer: Vec<_> = alphabet.iter().map(|c| format!("{}{c}", all[at])).collect();
            all.extend(longer);
        }
        from = to;
    }
    all
}

#[test]
fn only_strings_and_null_are_choices() {
    let has = |schema: Schema| schema.choices(schema.root()).is_some();
    assert!(has(literal("a").into()));
    assert!(has(one_of(["a", "b"]).nullable().into()));
    assert!(has(union([literal("a"), union([null(), literal("b")])]).into()));
    assert!(!has(one_of([1, 2]).into()));
    assert!(!has(union([literal("a"), literal(true)]).into()));
    assert!(!has(union([literal("a"), str("")]).into()));
    assert!(!has(null().nullable().into()));
    assert!(!has(one_of::<String>([]).into()));
}

#[test]
fn alternatives_share_one_set_of_choices() {
    let schema: Schema = union([one_of(["b", "a"]), null(), one_of(["a", "ccc"])]).into();
    let choices = schema.choices(schema.root()).expect("strings only");
    assert_eq!(choices.literals().len(), 4);
    assert_eq!(choices.longest(), 3);
    assert_eq!(choices.resolve_spelling("CCC"), Some(("ccc", false)));
}

/// A copy of choices takes one part for each, and more for long ones.
#[test]
fn long_choices_are_several_parts() {
    let parts = |texts: &[&str]| Choices::new(texts.iter().copied()).parts();
    assert_eq!((parts(&[]), parts(&["a", "b"]), parts(&[&"x".repeat(640)])), (0, 2, 11));
    let words = Choices::new([Literal::NULL, true.into(), 12.into(), "ab".into()]);
    assert_eq!(words.bytes(), 4 * 8 + 2 + 2, "words have no text of their own");
}
