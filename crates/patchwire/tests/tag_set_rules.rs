//! Families that may share a text, and how much of a text a set holds back.

use patchwire::schema::{any, object, str};
use patchwire::tags::{BareCalls, Channel, Family, Guards, TagSetBuilder, TagSetError};
use patchwire::{Format, Outcome, Spec, TagSet};

/// A family in JSON, with more keys.
fn family(name: &str, open: &str, close: &str, more: &str) -> String {
    let comma = if more.is_empty() { "" } else { ", " };
    format!(
        r#"{{"name": "{name}", "open": "{open}", "close": "{close}", "channel": "x"{comma}{more}}}"#
    )
}

/// The names of two families and the marker that they share, or another error in full; empty if all is well.
fn refused(families: &[String]) -> String {
    let families = families.join(",");
    match TagSet::from_json(&format!(r#"{{"guards": "none", "family": [{families}]}}"#)) {
        Ok(_) => String::new(),
        Err(TagSetError::SharedMarker { first, second, marker }) => {
            format!("{first} {second} {marker}")
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn openers_may_share_a_text_where_they_never_meet() {
    let places = [family("p", "<p>", "</p>", ""), family("q", "<q>", "</q>", "")];
    let pair = |first: &str, second: &str| {
        let mut all = places.to_vec();
        all.push(family("a", "<x>", "</a>", first));
        all.push(family("b", "<x>", "</b>", second));
        refused(&all)
    };
    let (in_p, in_q, in_both) =
        (r#""within": ["p"]"#, r#""within": ["q"]"#, r#""within": ["q", "p"]"#);
    for (first, second, wanted) in [
        ("", "", "a b <x>"),
        (in_p, "", "a b <x>"),
        ("", in_q, "a b <x>"),
        (in_p, in_q, ""),
        (in_p, in_p, "a b <x>"),
        (in_both, in_p, "a b <x>"),
        (in_q, in_both, "a b <x>"),
        (r#""group": "g""#, r#""group": "g""#, "a b <x>"),
    ] {
        assert_eq!(pair(first, second), wanted, "{first} and {second}");
    }
}

#[test]
fn closers_may_share_a_text_in_one_group() {
    let places = [family("p", "<p>", "</p>", ""), family("q", "<q>", "</q>", "")];
    let pair = |first: &str, second: &str| {
        let mut all = places.to_vec();
        all.push(family("a", "<a>", "</x>", first));
        all.push(family("b", "<b>", "</x>", second));
        refused(&all)
    };
    let (g, h) = (r#""group": "g""#, r#""group": "h""#);
    for (first, second, wanted) in [
        ("", "", "a b </x>"),
        (g, g, ""),
        (g, h, "a b </x>"),
        (g, "", "a b </x>"),
        ("", g, "a b </x>"),
        (r#""within": ["p"]"#, r#""within": ["q"]"#, ""),
        (r#""within": ["p"]"#, "", "a b </x>"),
    ] {
        assert_eq!(pair(first, second), wanted, "{first} and {second}");
    }
}

#[test]
fn other_texts_that_two_families_share() {
    let named = |name: &str, open: &str, close: &str| {
        family(name, open, close, r#""named_by": "tag", "params": {"tag": {"allow": "a-z"}}"#)
    };
    for (families, wanted) in [
        // An opener and a closer.
        (vec![family("a", "<x>", "</a>", ""), family("b", "<b>", "<x>", "")], "a b <x>"),
        (vec![family("a", "<x>", "<x>", "")], "a a <x>"),
        // Spelt twice in one family.
        (
            vec![
                r#"{"name": "a", "open": ["<x>", "<x>"], "close": "</a>", "channel": "x"}"#
                    .to_owned(),
            ],
            "",
        ),
        // In either case.
        (
            vec![family("a", "<X>", "</a>", r#""case": "fold""#), family("b", "<x>", "</b>", "")],
            "a b <X>",
        ),
        (vec![family("a", "<X>", "</a>", ""), family("b", "<x>", "</b>", "")], ""),
        // A parameter may have the text.
        (vec![family("a", "<{id}>", "</a>", ""), family("b", "<x>", "</b>", "")], "a b <{id}>"),
        // A family that knows its elements wins over one that takes any name.
        (vec![named("a", "<{tag}>", "</{tag}>"), family("b", "<x>", "</x>", "")], ""),
        (vec![family("b", "<x>", "</x>", ""), named("a", "<{tag}>", "</{tag}>")], ""),
        (vec![named("a", "<{tag}>", "</{tag}>"), named("b", "<{tag}>", "</{tag}>")], "a b <{tag}>"),
        (vec![named("a", "<{tag}>", "</{tag}>"), named("b", "<x{tag}>", "</x{tag}>")], ""),
        // A family twice.
        (vec![family("a", "<x>", "</a>", ""), family("a", "<x>", "</a>", "")], ""),
        (
            vec![family("a", "<x>", "</a>", ""), family("a", "<y>", "</a>", "")],
            "there are two families `a`, and they differ",
        ),
        (
            vec![family("a", "<x>", "</a>", r#""within": ["c"]"#)],
            "`within` of the family `a` names `c`, and no family has that name",
        ),
        (vec![family("a", "<x>", "</a>", r#""within": ["a"]"#)], ""),
    ] {
        assert_eq!(refused(&families), wanted, "{families:?}");
    }
}

#[test]
fn lists_and_sets_have_a_bound() {
    let list = |count: usize| {
        let items: Vec<String> = (0..count).map(|at| format!("\"k{at}\"")).collect();
        format!("[{}]", items.join(", "))
    };
    let within = |count: usize| {
        let names: Vec<String> = (0..count).map(|_| "\"a\"".to_owned()).collect();
        format!("\"within\": [{}]", names.join(", "))
    };
    let params = |count: usize| {
        let all: Vec<String> = (0..count).map(|at| format!("\"k{at}\": {{}}")).collect();
        format!("\"params\": {{{}}}", all.join(", "))
    };
    let keys = |count| format!("\"body\": \"fields\", \"keys\": {}", list(count));
    let names = |count| format!("\"body\": \"xml\", \"names\": {}", list(count));
    let then = |count| format!("\"then\": {}", list(count));
    let one = |more: String| refused(&[family("a", "<a>", "</a>", &more)]);
    for (fits, over, wanted) in [
        (within(128), within(129), "family `a`: `within` has more than 128 entries"),
        (then(64), then(65), "family `a`: `then` has more than 64 entries"),
        (params(64), params(65), "family `a`: `params` has more than 64 entries"),
        (keys(1024), keys(1025), "family `a`: `keys` has more than 1024 entries"),
        (names(1024), names(1025), "family `a`: `names` has more than 1024 entries"),
    ] {
        assert_eq!((one(fits), one(over)), (String::new(), wanted.to_owned()));
    }
    let families = |count: usize| -> Vec<String> {
        (0..count)
            .map(|at| family(&format!("f{at}"), &format!("<f{at}>"), &format!("</f{at}>"), ""))
            .collect()
    };
    assert_eq!(refused(&families(128)), "");
    assert_eq!(
        refused(&families(129)),
        "the markers are too many to compile: at most 128 families"
    );
}

#[test]
fn what_a_set_holds_back() {
    let held = |guards: &str, families: &[String]| {
        let json = format!(r#"{{"guards": "{guards}", "family": [{}]}}"#, families.join(","));
        TagSet::from_json(&json).expect("a set").max_held()
    };
    let around = || family("around", "<around>", "</around>", "");
    let one = |more: &str| [around(), family("a", "<a>", "</ab>", more)];
    for (guards, more, wanted) in [
        // The longest marker, `</around>`, without its last byte.
        ("none", "", 8),
        ("fences", "", 8),
        // A code span may end up to 128 bytes later.
        ("inline", "", 136),
        ("both", "", 136),
        // A closer, 64 blanks, and another marker.
        ("none", r#""body": "raw", "within": ["around"]"#, 9 + 64 + 8),
        ("none", r#""body": "raw""#, 8),
        ("none", r#""within": ["around"]"#, 8),
        // An opener, 64 blanks, and what has to follow.
        ("none", r#""then": ["{", "[\"a"]"#, 9 + 64 + 2),
        ("both", r#""body": "raw", "within": ["around"], "then": ["{"]"#, 128 + 9 + 64 + 8),
    ] {
        assert_eq!(held(guards, &one(more)), wanted, "{guards} {more}");
    }
}

/// What code hides, as the builder of a set says.
#[test]
fn guards_say_which_code_hides_markers() {
    let text = "`<t>a</t>` then\n```\n<t>b</t>\n```\n";
    for (guards, found) in [
        (None, &[][..]),
        (Some(Guards::Both), &[]),
        (Some(Guards::Inline), &["b"]),
        (Some(Guards::Fences), &["a"]),
        (Some(Guards::None), &["a", "b"]),
    ] {
        let family = Family::new("t", "<t>", "</t>", Channel::Named("t".into()));
        let builder = TagSet::builder().family(family);
        let builder = guards.into_iter().fold(builder, TagSetBuilder::guards);
        let tags = builder.build().unwrap();
        let spec = Spec::builder().format(Format::Text).tags(tags).build().unwrap();
        let answer = spec.parse(text).unwrap();
        let all: Vec<String> = answer.elements().map(|it| it.text().into_owned()).collect();
        assert_eq!(all, found, "{guards:?}");
    }
}

/// A fence around the whole answer hides none of its markers, also behind a comment, and behind nothing else.
#[test]
fn a_comment_may_stand_before_the_fence_around_the_answer() {
    let answer = Family::new("answer", "<answer>", "</answer>", Channel::Answer);
    let tags = TagSet::builder().comments().family(answer).build().unwrap();
    let spec = Spec::builder().format(Format::Text).tags(tags).build().unwrap();
    let fenced = "\n```\n<answer>yes</answer>\n```";
    for (before, want) in [("", "yes"), ("<!-- c -->", "yes"), ("<!-- c -->x", "x")] {
        let text = spec.parse(format!("{before}{fenced}")).unwrap().text().to_owned();
        let want = if want == "yes" { want.to_owned() } else { format!("{want}{fenced}") };
        assert_eq!(text, want, "{before}");
    }
}

/// JSON that could be a call without markers is the answer where a schema wants a value.
#[test]
fn a_schema_makes_an_answer_of_a_call_without_markers() {
    let tags = TagSet::builder().bare_calls(BareCalls::Json).build().unwrap();
    let builder = || Spec::builder().tags(tags.clone());
    let schema = object().field("name", str("")).field("arguments", any(""));
    let call = r#"{"name": "f", "arguments": {"a": 1}}"#;
    for (spec, want) in [
        (builder().build().unwrap(), Outcome::ToolCalls),
        (builder().schema(schema).build().unwrap(), Outcome::Complete),
    ] {
        let answer = spec.parse(call).unwrap();
        assert_eq!((answer.outcome(), answer.calls().len()), (want, 1));
    }
}
