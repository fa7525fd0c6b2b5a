//! Words before a value, and fields without one.

use super::{Payload, is_mark};
use crate::format::fields::PendingTokens;
use crate::format::json::JsonOptions;

#[test]
fn marks_of_items_are_signs_or_numbers_of_up_to_nine_digits() {
    for (word, is) in [
        ("-", true),
        ("*", true),
        ("+", true),
        (">", true),
        ("1.", true),
        ("1)", true),
        ("123456789.", true),
        ("1234567890.", false),
        ("", false),
        (".", false),
        (")", false),
        ("1", false),
        ("1..", false),
        ("1.)", false),
        ("a.", false),
        ("1a.", false),
        ("--", false),
    ] {
        assert_eq!(is_mark(word), is, "{word:?}");
    }
}

/// Whether a text has words and no JSON, and whether it has a value.
#[test]
fn prose_is_text_without_a_value_or_a_fence() {
    let options = JsonOptions::standard();
    for (text, is_prose, has_value) in [
        ("", false, false),
        (" \n", false, false),
        ("words", true, false),
        ("some words\n", true, false),
        ("tru", false, false),
        ("12", false, true),
        ("words\n12\n", false, true),
        ("words\n[1]\nwords", false, true),
        ("12 words\n", false, true),
        ("[1, 2", false, true),
        ("```\nwords", false, false),
        ("```\nwords\n```\n", false, false),
    ] {
        let (mut payload, mut out) = (Payload::new("a", &options), PendingTokens::default());
        let end = text.len() as u64;
        payload.read(text, 0, &mut out).expect("no limit is near");
        payload.finish(end, &mut out).expect("no limit is near");
        let found = (payload.is_prose(), payload.has_begun());
        assert_eq!(found, (is_prose, has_value), "{text:?}");
    }
}
