//! What the text of a root says about its end, and about text around it.

use super::{
    MARGIN, before_fence_end, best_fit, cheaper, ends_in_closer, ends_in_other_quotes, hides_end,
    is_argument, is_cheapest, is_closed_by_fence, is_first, is_label, is_plausible, last_quote,
    may_be_root, may_belong_to_root, may_open_list, open_around_string, options,
};
use crate::document::sample::document;
use crate::repair;
use crate::schema::{Schema, list, object, str};
use crate::spec::Spec;

/// All texts of a table, each with what is expected of it.
fn all(is: fn(&[u8]) -> bool, rows: &[(&str, bool)]) {
    for (text, want) in rows {
        assert_eq!(is(text.as_bytes()), *want, "{text:?}");
    }
}

#[test]
fn an_open_string_that_hides_the_end() {
    all(
        hides_end,
        &[
            // Closers that the string did not open.
            (r#"{"a": "x}"#, true),
            (r#"{"a": ["x]}"#, true),
            (r#"{"a": ["x}]"#, false),
            (r#"{"a": "x {y}"#, false),
            (r#"{"a": "x {y} z}"#, true),
            // A line end before the closers.
            ("{\"a\": \"x {y\n}", true),
            // A typographic quote before the closers, which nothing in the string opened.
            (r#"{"a": "x {y”}"#, true),
            (r#"{"a": "x {“y”}"#, false),
            (r#"{"a": "x {„y”}"#, false),
            // A quote behind a backslash is part of the string, and a quote behind a quote is none.
            (r#"{"a": "“x\" {y”}"#, false),
            (r#"{"“": "x {y”}"#, true),
            // No closer at the end, or no open string.
            (r#"{"a": "x"#, false),
            (r#"{"a": "x", "b"}"#, true),
            ("{\"a\": \"x}\n```\n", true),
            ("", false),
        ],
    );
}

#[test]
fn an_open_root_that_ends_in_a_closer() {
    all(
        ends_in_closer,
        &[
            // Brackets outside strings that do not match, or no open string.
            (r#"{"a": [1}"#, true),
            (r#"{"a": {"b": 1}"#, true),
            // In a string, only behind an escaped quote, with the closers of all open containers.
            (r#"{"a": "C:\"}"#, true),
            (r#"{"a": ["C:\"]}"#, true),
            (r#"{"a": ["C:\"}"#, false),
            (r#"{"a": "x}"#, false),
            (r#"{"a": 1"#, false),
            ("", false),
        ],
    );
}

#[test]
fn an_open_string_in_other_quotes_that_ends_in_closers() {
    all(
        ends_in_other_quotes,
        &[
            ("{'a': 'x}", true),
            ("{'a': `x}", true),
            ("{'a': 'x\"}", true),
            // As many closers as containers are open around the string.
            ("{'a': ['x}", false),
            ("{'a': ['x]}", true),
            ("{'a': 'x{}", false),
            ("{'a': 'x[]}", true),
            // Containers that were closed before the string are not around it.
            ("{'x': {}, 'a': 'b}", true),
            ("{'x': [], 'a': 'b}", true),
            // A quote behind a backslash closes nothing, nor does one of another kind.
            (r"{'a': 'it\'s}", true),
            (r"{'a': 'x\\', 'b': 1}", false),
            (r"{'a': `it's}", true),
            // Brackets in strings open nothing.
            ("{'{': 'x}", true),
            // A string in common quotes is none of these.
            (r#"{"a": "x}"#, false),
            ("{'a': 'x'}", false),
            ("{'a': 'x", false),
            ("", false),
        ],
    );
}

#[test]
fn the_end_of_a_fence_behind_a_root() {
    for (root, after, want) in [
        ("{\"a\": 1", "```, and more", true),
        ("{\"a\": 1", " \n~~~.", true),
        // Before a line end or a word, the fence may open a value.
        ("{\"a\": 1", "```\n", false),
        ("{\"a\": 1", "```json\n", false),
        ("{\"a\": 1", "```", false),
        // The root had its own closer.
        ("{\"a\": 1}", "```, and more", false),
        ("[1]", "```, and more", false),
        ("(1)", "```, and more", false),
        ("{\"a\": 1", "``, and more", false),
        ("{\"a\": 1", "", false),
    ] {
        let text = format!("{root}{after}");
        let found = is_closed_by_fence(text.as_bytes(), after.as_bytes());
        assert_eq!(found, want, "{root:?} {after:?}");
    }
    for (text, want) in [
        ("a\n```", "a\n"),
        ("a\n```  \r\nb", "a\n"),
        ("a\n```\nb\n```\nc", "a\n```\nb\n"),
        ("a\n```json\nb", "a\n```json\nb"),
        ("a ```", "a ```"),
        ("```\na", "```\na"),
        ("", ""),
    ] {
        assert_eq!(before_fence_end(text.as_bytes()), want.as_bytes(), "{text:?}");
    }
}

#[test]
fn text_behind_a_root_that_may_belong_to_it() {
    all(
        may_belong_to_root,
        &[
            (", \"b\": 2}", true),
            (" and \"so\" on", true),
            (", b: 2}", true),
            (" : 2]", true),
            ("}", true),
            ("\n]", true),
            (", and so on", false),
            (" [a](b)", false),
            ("", false),
        ],
    );
}

#[test]
fn brackets_that_may_open_a_root() {
    for (raw, at, want) in [
        ("[x", 0, true),
        (" \n[x", 2, true),
        ("```json [x", 8, true),
        ("```json\n[x", 8, true),
        ("```json\nx [y", 10, false),
        ("f([x", 2, true),
        ("a.b_c$([x", 7, true),
        ("a b([x", 4, false),
        ("([x", 1, false),
        // Behind a sign or on a line of its own, if a string or an object comes first.
        ("Here: [\"x", 6, true),
        ("Here:\n[ {", 6, true),
        ("Here: [x", 6, false),
        ("Here [\"x", 5, false),
        ("Here {x", 5, true),
        ("(x", 0, true),
        ("Here (x", 5, false),
    ] {
        let bracket = raw.as_bytes()[at];
        assert_eq!(may_be_root(raw, at, bracket), want, "{raw:?}");
    }
    assert!(is_first("```js\t{", 6));
    assert!(!is_first("js {", 3));
    assert!(is_argument("parse( {", 7));
    assert!(!is_argument("{", 0));
    all(
        may_open_list,
        &[
            ("", true),
            ("  ", true),
            ("a:", true),
            ("a = ", true),
            ("<a>", true),
            ("a\n\t", true),
            ("a", false),
            ("a,", false),
        ],
    );
}

#[test]
fn the_last_quote_that_is_not_escaped() {
    for (text, want) in
        [("", 0), ("x", 0), ("\"", 1), ("x\"y", 2), ("\"x\"y", 3), (r#""x\"y"#, 1), (r#"\"y"#, 0)]
    {
        assert_eq!(last_quote(text.as_bytes()), want, "{text:?}");
    }
}

#[test]
fn a_list_of_one_text_is_a_label_up_to_eighty_bytes() {
    let list = |text: &str| document(&format!("[\"{text}\"]"));
    for (text, is_complete, want) in [
        ("draft", true, true),
        ("draft", false, true),
        ("a draft", true, true),
        ("a draft", false, false),
        (r"a\ndraft", true, false),
        (&"x".repeat(80), true, true),
        (&"x".repeat(81), true, false),
    ] {
        assert_eq!(is_label(list(text).value(), is_complete), want, "{text:?} {is_complete}");
    }
}

#[test]
fn of_readings_that_cost_about_as_little_the_schema_chooses() {
    let schema: Schema = object().field("b", str("")).field("d", str("")).into();
    let spec = Spec::builder().schema(schema).build().expect("a spec");
    for (text, want, extra) in [
        // A text where a list is cheaper, but not clearly.
        (r#"{"b"{ "x"}"#, r#"{"b":"x"}"#, 14),
        // A text costs as much more as counts.
        ("{'d': true[", r#"{"d":true}"#, MARGIN),
    ] {
        let found = repair::search(text, 0, options(&spec.0));
        let best = found.best().expect("a reading");
        let costs = best.cost + extra;
        assert!(found.interpretations().any(|it| it.cost == costs), "{text}");
        let chosen = best_fit(&found, best, &spec.0);
        assert_eq!(chosen.roots[0].document.value().to_string(), want, "{text}");
    }
}

#[test]
fn the_containers_around_an_open_string() {
    for (text, want) in [
        (r#"{"a": "x"#, Some("{")),
        (r#"{"a": [{"b": "x"#, Some("{[{")),
        (r#"{"a": [1], "b": "x"#, Some("{")),
        (r#"{"[": "}x"#, Some("{")),
        (r#"{"a": "x\""#, Some("{")),
        (r#"{"a": "x\\""#, None),
        // A backslash outside a string escapes nothing.
        (r#"{\"a": "x"#, Some("{")),
        (r#"{"a": "x""#, None),
        (r#"{"a": [1}, "b": "x"#, None),
        (r#"{"a": {"b": 1], "c": "x"#, None),
        ("", None),
    ] {
        let open = open_around_string(text.as_bytes());
        assert_eq!(open.as_deref(), want.map(str::as_bytes), "{text}");
    }
}

/// A list of one long text may be a remark in brackets.
#[test]
fn a_list_of_one_long_text_needs_a_sign_that_it_is_meant() {
    let long = "x".repeat(81);
    let plausible = |raw: &str, spec: &Spec| {
        let at = raw.find('[').expect("a bracket");
        let best = repair::search(raw, at, options(&spec.0)).best().expect("a reading");
        is_plausible(raw, at, &best, &spec.0)
    };
    for (raw, want) in [
        (format!("[{long}]"), false),
        (format!("f([{long}])"), false),
        (format!("[{long}, y]"), true),
        (format!("[-{long}]"), true),
        (format!("```\n[{long}]\n```"), true),
        ("[draft]".to_owned(), true),
        ("f([draft])".to_owned(), true),
    ] {
        assert_eq!(plausible(&raw, &Spec::json()), want, "{raw}");
    }
    let spec = Spec::json().with_schema(Schema::from(list(str(""))));
    assert!(plausible(&format!("[{long}]"), &spec));
}

/// Whatever reading was streamed: where the short searches stop the whole one, it would have replaced nothing.
#[test]
fn the_short_searches_stop_only_a_search_that_would_change_nothing() {
    let spec = Spec::json();
    let settings = &spec.0;
    let (mut stopped, mut replaced) = (0, 0);
    for text in spoilt_texts() {
        let found = repair::search(&text, 0, options(settings));
        for reading in found.interpretations() {
            let streamed = reading.roots[0].document.value();
            let would_change = cheaper(0, &text, settings, streamed).is_some();
            let stops = is_cheapest(&text, settings, streamed);
            assert!(!(stops && would_change), "{text} as {streamed}");
            stopped += usize::from(stops);
            replaced += usize::from(would_change);
        }
    }
    assert!(stopped > 500 && replaced > 500, "{stopped}, {replaced}");
}

/// Documents that lack one byte, or have one too many.
fn spoilt_texts() -> Vec<String> {
    let documents = [
        r#"{"a": "x, y", "b": [1, "z"], "c": {"d": null}}"#,
        r#"[{id: 7, name: "Ana"}, {id: 8, name: "it's"}]"#,
        "{\n  \"a\": 'x',\n  \"b\": true,\n}\nThat is \"b\".",
    ];
    let spoilt = documents.iter().flat_map(|document| {
        (0..document.len()).flat_map(move |at| {
            let (before, after) = document.split_at(at);
            let without = format!("{before}{}", &after[1..]);
            let more = ['"', '\'', ',', '}', '[', ':', 'w', '\n'];
            let with = more.into_iter().map(move |byte| format!("{before}{byte}{after}"));
            core::iter::once(without).chain(with)
        })
    });
    spoilt.collect()
}
