use core::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher, RandomState};

use super::*;

/// Texts around the bound, of characters of every width.
fn texts() -> impl Iterator<Item = String> {
    ["x", "ü", "€", "🙂"].into_iter().flat_map(|unit| {
        (0..=SharedText::SHORT + 2).flat_map(move |len| {
            // As many characters as fit, and the rest in bytes.
            let text = unit.repeat(len / unit.len()) + &"y".repeat(len % unit.len());
            [text.clone(), format!("{}z", text)]
        })
    })
}

/// Both forms that a short text could have had: the second one is made by hand.
fn both_forms(text: &str) -> [SharedText; 2] {
    [SharedText::from(text), SharedText(Held::Long(ByteString::from(text)))]
}

#[test]
fn a_text_is_no_bigger_than_its_buffer() {
    assert_eq!(size_of::<SharedText>(), size_of::<ByteString>());
}

#[test]
fn up_to_20_bytes_lie_in_the_value() {
    for text in texts() {
        for shared in [
            SharedText::from(text.as_str()),
            SharedText::from(text.clone()),
            SharedText::from(ByteString::from(text.as_str())),
        ] {
            assert_eq!(shared.buffer().is_none(), text.len() <= 20, "{text}");
            assert_eq!((shared.as_str(), shared.len()), (text.as_str(), text.len()));
        }
    }
}

#[test]
fn a_character_across_the_bound_is_not_cut() {
    let text = "nineteen bytes long";
    assert_eq!(text.len(), 19);
    for (end, is_short) in [("", true), ("y", true), ("ü", false), ("🙂", false)] {
        let shared = SharedText::from(format!("{text}{end}"));
        assert_eq!(shared, format!("{text}{end}"));
        assert_eq!(shared.buffer().is_none(), is_short, "{end}");
    }
}

#[test]
fn a_long_text_keeps_its_buffer() {
    let buffer = ByteString::from("a text of more than twenty bytes");
    let shared = SharedText::from(buffer.clone());
    assert_eq!(shared.as_ptr(), buffer.as_bytes().as_ptr());
    let copy = shared.clone();
    assert_eq!(copy.as_ptr(), buffer.as_bytes().as_ptr());
    assert_eq!(ByteString::from(shared).as_bytes().as_ptr(), buffer.as_bytes().as_ptr());
    // A short one does not keep a buffer alive.
    let short = buffer.slice_ref(&buffer[..20]);
    assert_eq!(SharedText::from(short).buffer(), None);
}

#[test]
fn it_compares_and_hashes_as_its_text() {
    let hasher = RandomState::new();
    let mut all: Vec<String> = texts().collect();
    all.dedup();
    for one in &all {
        for other in &all {
            for (one_shared, other_shared) in both_forms(one)
                .into_iter()
                .flat_map(|it| both_forms(other).map(|to| (it.clone(), to)))
            {
                assert_eq!(one_shared == other_shared, one == other, "{one} {other}");
                assert_eq!(one_shared.cmp(&other_shared), one.cmp(other), "{one} {other}");
                assert_eq!(one_shared.partial_cmp(&other_shared), Some(one.cmp(other)));
            }
        }
        for shared in both_forms(one) {
            assert_eq!(hasher.hash_one(&shared), hasher.hash_one(one));
        }
    }
    assert_eq!(SharedText::from("b").cmp(&SharedText::from("a")), Ordering::Greater);
}

#[test]
fn it_is_found_by_its_text() {
    let (long, short) = ("a key of more than twenty bytes", "key");
    let hashed: HashSet<SharedText> = [long, short].map(SharedText::from).into();
    let sorted: BTreeSet<SharedText> = [long, short].map(SharedText::from).into();
    for key in [long, short] {
        assert!(hashed.contains(key) && sorted.contains(key), "{key}");
    }
    assert!(!hashed.contains("ke") && !sorted.contains("ke"));
}

#[test]
fn it_equals_what_has_its_text() {
    fn equal(shared: &SharedText, text: &str) -> [bool; 6] {
        let (string, buffer) = (text.to_owned(), ByteString::from(text));
        [
            *shared == *text,
            *shared == text,
            *shared == string,
            *shared == buffer,
            *text == *shared,
            text == *shared,
        ]
    }
    for shared in both_forms("one") {
        assert_eq!(equal(&shared, "one"), [true; 6]);
        assert_eq!(equal(&shared, "two"), [false; 6]);
    }
}

#[test]
fn it_prints_as_its_text() {
    for shared in both_forms("a \"b\"\n") {
        assert_eq!(format!("{shared:?}"), r#""a \"b\"\n""#);
        assert_eq!(format!("{shared}|{shared:>8}|{shared:.1}"), "a \"b\"\n|  a \"b\"\n|a");
    }
}

#[test]
fn an_empty_text_is_the_default() {
    assert_eq!(SharedText::default(), "");
    assert!(SharedText::default().is_empty());
    assert_eq!(SharedText::default().buffer(), None);
    assert_eq!(SharedText::default(), SharedText::from(String::new()));
}

#[test]
fn it_becomes_other_texts() {
    for text in ["", "short", "a text of more than twenty bytes"] {
        for shared in both_forms(text) {
            assert_eq!(String::from(shared.clone()), text);
            assert_eq!(ByteString::from(shared.clone()), text);
            assert_eq!(AsRef::<str>::as_ref(&shared), text);
            assert_eq!(shared.to_uppercase(), text.to_uppercase());
            let json = serde_json::to_string(&shared).unwrap();
            assert_eq!(json, serde_json::to_string(text).unwrap());
            assert_eq!(serde_json::from_str::<SharedText>(&json).unwrap(), shared);
        }
    }
}
