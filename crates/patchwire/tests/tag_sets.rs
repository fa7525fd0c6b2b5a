//! Tag sets written as TOML and as JSON, and those that are refused.

use patchwire::tags::{
    Anchor, Attributes, BodyFormat, CallForm, Channel, Family, InReasoning, LetterCase, OnMismatch,
    OnReopen, OnStray, TagSetError, Visibility,
};
use patchwire::{Answer, Format, Spec, TagSet};

const TOML: &str = r#"
name = "notes"
comments = true
case = "fold"
[[family]]
name = "note"
open = ["<note>", "<n>"]
close = "</note>"
channel = "reasoning"
[[family]]
name = "call"
open = "<call:{name}>"
close = "</call>"
channel = "tool"
body = "json"
within = ["note"]
"#;

const JSON: &str = r#"{
    "name": "notes", "comments": true, "case": "fold", "family": [
        {"name": "note", "open": ["<note>", "<n>"], "close": "</note>", "channel": "reasoning"},
        {"name": "call", "open": "<call:{name}>", "close": "</call>", "channel": "tool", "body": "json",
            "within": ["note"]}
    ]
}"#;

#[test]
fn both_forms_say_the_same() {
    for set in [TagSet::from_toml(TOML).unwrap(), TagSet::from_json(JSON).unwrap()] {
        assert_eq!(set.name(), "notes");
        let names: Vec<_> = set.families().iter().map(|family| family.name()).collect();
        assert_eq!(names, ["comment", "note", "call"]);
        let spec = Spec::builder().format(Format::Text).tags(set).build().unwrap();
        let answer = spec.parse("a <NOTE>b <call:x>[1]</call></note> <!-- c --> <call:y>").unwrap();
        assert_eq!((answer.reasoning(), answer.text()), ("b ", "a   <call:y>"));
        // A comment is no element.
        let elements: Vec<_> = answer.elements().map(|element| element.name()).collect();
        assert_eq!(elements, ["note", "call"]);
    }
}

#[test]
fn what_is_wrong_with_a_set_is_said() {
    for (json, said) in [
        ("{", "EOF while parsing an object at line 1 column 1"),
        (
            r#"{"family": [{"name": "a", "open": "<a>", "chanel": "text"}]}"#,
            "unknown field `chanel`",
        ),
        (r#"{"include": ["nothing"]}"#, "nothing"),
        (
            r#"{"family": [{"name": "a", "open": "<a>", "close": "</a>", "channel": "text", "within": ["b"]}]}"#,
            "`b`",
        ),
        (
            r#"{"family": [{"name": "a", "open": "<a>", "close": "</a>", "channel": "text"},
                {"name": "b", "open": "<a>", "close": "</b>", "channel": "text"}]}"#,
            "<a>",
        ),
    ] {
        let error = TagSet::from_json(json).unwrap_err().to_string();
        assert!(error.contains(said), "{json}: {error}");
    }
}

fn named(channel: &str) -> Channel {
    Channel::Named(channel.to_owned())
}

/// A gap takes blanks, so that a parameter behind it begins with none.
#[test]
fn a_parameter_behind_a_gap() {
    let family = Family::new("call", "<call={_}{name}>", "</call>", named("tool"));
    let tags = TagSet::new([family]).unwrap();
    let spec = Spec::builder().format(Format::Text).tags(tags).build().unwrap();
    for (text, is_call) in [
        ("<call=x>a</call>", true),
        ("<call= \tx>a</call>", true),
        ("<call=        x>a</call>", true),
        ("<call=         x>a</call>", false),
        ("<call= >a</call>", false),
    ] {
        let answer = spec.parse(text).unwrap();
        assert_eq!(answer.elements().count() == 1, is_call, "{text}");
    }
}

/// In reasoning that is text, only openers count that interrupt it.
#[test]
fn openers_in_reasoning_that_is_text() {
    let family = |name: &str, channel: Channel| {
        Family::new(name, format!("<{name}>"), format!("</{name}>"), channel)
    };
    let tags = TagSet::new([
        family("think", Channel::Reasoning).with_body(BodyFormat::Text),
        family("tool", named("tool")).with_inside(InReasoning::Interrupt),
        family("note", named("note")),
    ]);
    let spec = Spec::builder().format(Format::Text).tags(tags.unwrap()).build().unwrap();
    let answer = spec.parse("<think>a<note>b</note><tool>c</tool>d").unwrap();
    assert_eq!((answer.reasoning(), answer.text()), ("a<note>b</note>", "d"));
    let elements: Vec<_> = answer.elements().map(|element| element.name()).collect();
    assert_eq!(elements, ["think", "tool"]);
}

/// A class whose range runs backwards is none, whatever else is in it.
#[test]
fn ranges_of_a_class() {
    for (class, is_class) in [("a-z0", true), ("z-a0", false), ("0z-a", false), ("a-a", true)] {
        let json = format!(
            "{{\"family\": [{{\"name\": \"a\", \"open\": \"<a {{x}}>\", \"close\": \"</a>\", \"channel\": \"text\", \
             \"params\": {{\"x\": {{\"allow\": \"{class}\"}}}}}}]}}"
        );
        assert_eq!(TagSet::from_json(&json).is_ok(), is_class, "{class}");
    }
}

#[test]
fn lists_of_a_family_are_bounded() {
    for (list, most, entry) in [
        ("within", 128, "\"a\""),
        ("then", 64, "\"x\""),
        ("keys", 1_024, "\"k\""),
        ("names", 1_024, "\"n\""),
    ] {
        let body = match list {
            "keys" => ", \"body\": \"record\"",
            "names" => ", \"body\": \"xml\"",
            _ => "",
        };
        let built = |len: usize| {
            let entries = vec![entry; len].join(",");
            let family = format!(
                "{{\"name\": \"a\", \"open\": \"<a>\", \"close\": \"</a>\", \"channel\": \"text\"{body}, \
                 \"{list}\": [{entries}]}}"
            );
            TagSet::from_json(&format!("{{\"family\": [{family}]}}")).map(|_| ())
        };
        assert_eq!(built(most), Ok(()), "{list}");
        let error = built(most + 1).unwrap_err();
        assert_eq!(error, TagSetError::LongList { family: "a".to_owned(), list, most });
        assert_eq!(error.to_string(), format!("family `a`: `{list}` has more than {most} entries"));
    }
}

#[test]
fn families_are_bounded_and_repetitions_are_none() {
    let built = |len: usize| {
        let family = |at: usize| {
            Family::new(format!("f{at}"), format!("<f{at}>"), format!("</f{at}>"), Channel::Text)
        };
        TagSet::new((0..len).map(family).chain((0..10).map(family)))
    };
    assert_eq!(built(128).map(|set| set.families().len()), Ok(128));
    assert_eq!(built(129).map(|_| ()), Err(TagSetError::TooLarge { most: 128 }));
}

/// Two families may share a marker where never both of them count.
#[test]
fn a_marker_may_mean_two_things_in_two_places() {
    let family = |name: &str, within: &str| {
        format!(
            "[[family]]\nname = \"{name}\"\nopen = \"<x>\"\nclose = \"</x>\"\nchannel = \"{name}\"\nwithin = [\"{within}\"]\n"
        )
    };
    let outer = |name: &str| {
        format!(
            "[[family]]\nname = \"{name}\"\nopen = \"<{name}>\"\nclose = \"</{name}>\"\nchannel = \"text\"\n"
        )
    };
    let apart = [outer("a"), outer("b"), family("in_a", "a"), family("in_b", "b")].concat();
    let spec = Spec::builder().format(Format::Text).tags(TagSet::from_toml(&apart).unwrap());
    let answer = spec.build().unwrap().parse("<a><x>1</x></a><b><x>2</x></b>").unwrap();
    let families: Vec<_> = answer.elements().map(|element| element.name().to_owned()).collect();
    assert_eq!(families, ["a", "in_a", "b", "in_b"]);
    let together = [outer("a"), family("in_a", "a"), family("also_in_a", "a")].concat();
    assert!(TagSet::from_toml(&together).is_err());
}

/// Everything that data can say about a family.
const SETTINGS: &str = r#"
[[family]]
name = "outer"
open = "<outer>"
close = "</outer>"
channel = "content"

[[family]]
name = "all"
open = ["<all {id}>", "<{id}-all>"]
close = ["</all>", "</end>"]
channel = "reasoning"
visible = "optional"
body = "record"
group = "together"
within = ["outer"]
same = "sibling"
inside = "interrupt"
case = "fold"
blanks = true
attributes = "bare"
mismatch = "close"
stray = "literal"
guard_closers = "yes"
params = { id = { allow = "a-z", cap = 9 } }
at = "line"
then = ["{", "["]
named_by = "id"
keys = ["Name", "Due"]
any_key = true
names = ["item"]
typed = true
call = "text"
call_name = "tool.{id}"
call_id = "{id}"
"#;

#[test]
fn settings_of_a_family_are_those_of_its_data() {
    let letters: Vec<u8> = (b'a'..=b'z').collect();
    let outer = Family::new("outer", "<outer>", "</outer>", Channel::Named("content".to_owned()));
    let all = Family::new("all", "<all {id}>", "</all>", Channel::Reasoning)
        .or_open("<{id}-all>")
        .or_close("</end>")
        .with_visible(Visibility::Optional)
        .with_body(BodyFormat::Record)
        .in_group("together")
        .within("outer")
        .with_same(OnReopen::Sibling)
        .with_inside(InReasoning::Interrupt)
        .with_case(LetterCase::Fold)
        .with_blanks()
        .with_attributes(Attributes::Bare)
        .with_mismatch(OnMismatch::Close)
        .with_stray(OnStray::Literal)
        .with_guarded_closers(true)
        .with_param("id", Some(&letters), Some(9))
        .with_at(Anchor::Line)
        .with_then("{")
        .with_then("[")
        .named_by("id")
        .with_key("Name")
        .with_key("Due")
        .with_any_key(true)
        .with_name("item")
        .with_typed(true)
        .with_call(CallForm::Text)
        .with_call_name("tool.{id}")
        .with_call_id("{id}");
    let set = TagSet::from_toml(SETTINGS).unwrap();
    assert_eq!(set.families(), [outer.clone(), all.clone()]);
    assert_eq!(TagSet::new([outer.clone(), all.clone()]).unwrap().families(), set.families());
    assert_eq!(
        (all.name(), all.body(), all.visible()),
        ("all", BodyFormat::Record, Visibility::Optional)
    );
    assert_eq!((outer.body(), outer.visible()), (BodyFormat::Mixed, Visibility::Yes));
    let hidden = Family::new("think", "<think>", "</think>", Channel::Reasoning);
    assert_eq!((hidden.visible(), hidden.channel().name()), (Visibility::No, "reasoning"));
}

#[test]
fn words_in_data_have_the_names_that_are_printed() {
    let names = [
        Visibility::Optional.name(),
        BodyFormat::Fields.name(),
        OnReopen::Restart.name(),
        InReasoning::Interrupt.name(),
        OnStray::Reclassify.name(),
        LetterCase::Fold.name(),
        Attributes::Valued.name(),
        Anchor::Line.name(),
        OnMismatch::Close.name(),
        CallForm::Python.name(),
    ];
    let words = [
        "optional",
        "fields",
        "restart",
        "interrupt",
        "reclassify",
        "fold",
        "valued",
        "line",
        "close",
        "python",
    ];
    assert_eq!(names, words);
}

/// What code around a closer does with it, in text that users see.
#[test]
fn code_hides_closers_where_the_closer_would_end_an_element() {
    let toml = "[[family]]\nname = \"x\"\nopen = \"<x>\"\nclose = \"</x>\"\nchannel = \"x\"\n";
    let set = TagSet::from_toml(toml).unwrap();
    let spec = Spec::builder().format(Format::Text).tags(set).build().unwrap();
    for (text, inside) in [
        ("<x>a `</x>` b</x>c", "a `</x>` b"),
        ("<x>a `b</x> c\n`d", "a `b</x> c\n`d"),
        ("<x>a ``</x>`` b</x>c", "a ``</x>`` b"),
        ("<x>a\n```\n</x>\n```\nb</x>c", "a\n```\n</x>\n```\nb"),
    ] {
        let whole = spec.parse(text).unwrap();
        let mut parser = spec.parser();
        text.bytes().for_each(|byte| parser.feed([byte], |_| {}).unwrap());
        for answer in [whole, parser.finish(|_| {}).unwrap()] {
            let element = answer.elements().next().unwrap();
            assert_eq!(element.text(), inside, "{text:?}");
        }
    }
}

#[test]
fn markers_that_begin_others_are_listed() {
    let family =
        |name: &str, open: &str, close: &str| Family::new(name, open, close, Channel::Text);
    let set = TagSet::new([family("a", "<a>", "</a>"), family("b", "<a>b", "</b>")]).unwrap();
    assert_eq!(set.prefixes(), [("<a>".to_owned(), "<a>b".to_owned())]);
    assert!(TagSet::think().prefixes().is_empty());
}

#[test]
fn an_element_that_is_parallel_to_the_closed_one_goes_on() {
    let json = r#"{"family": [{"name": "q", "open": "<q:{id}>", "close": "</q:{id}>", "channel": "content", "same": "parallel"},
        {"name": "x", "open": "<x>", "close": "</x>", "channel": "content"}]}"#;
    let tags = TagSet::from_json(json).unwrap();
    let spec = Spec::builder().format(Format::Text).tags(tags).build().unwrap();
    let read = |text: &str| -> Vec<(u64, u64)> {
        let answer = spec.parse(text).unwrap();
        answer.elements().map(|it| (it.span().start, it.span().end)).collect()
    };
    // The second one is inside the first, and its rest is the third.
    assert_eq!(read("<q:1>a<q:2>b</q:1>c</q:2>d"), [(0, 18), (6, 12), (18, 25)]);
    assert_eq!(read("<q:1>a<x>b</q:1>c"), [(0, 16), (6, 10)]);
}

#[test]
fn a_longer_marker_holds_more_text() {
    let held = |opener: &str| {
        let family = format!(
            r#"{{"name": "a", "open": "{opener}", "close": "</a>", "channel": "content"}}"#
        );
        let tags = TagSet::from_json(&format!(r#"{{"family": [{family}]}}"#)).unwrap();
        tags.max_held()
    };
    assert_eq!(held("<abcdef>") - held("<abc>"), 3);
    // All but the last byte, and 128 bytes in which a code span around the marker may end.
    assert_eq!(held("<abc>"), 4 + 2 * 64);
}

#[test]
fn sets_are_equal_if_they_say_the_same() {
    let set = |tag: &str, guards: &str| {
        let family =
            format!(r#"{{"name": "t", "open": "<{tag}>", "close": "</{tag}>", "channel": "x"}}"#);
        TagSet::from_json(&format!(r#"{{"guards": "{guards}", "family": [{family}]}}"#)).unwrap()
    };
    assert_eq!(set("t", "both"), set("t", "both"));
    assert_ne!(set("t", "both"), set("u", "both"));
    assert_ne!(set("t", "both"), set("t", "none"));
    assert_ne!(TagSet::think(), TagSet::qwen());
}

/// Each parameter is counted from its own beginning. Six of them may be open in one text.
#[test]
fn parameters_that_may_be_open_together_are_bounded() {
    let set = |count: usize| {
        let family = |at| {
            let open = format!("<x{}{{id}}/{at}>", "a".repeat(at));
            format!(r#"{{"name": "f{at}", "open": "{open}", "channel": "x"}}"#)
        };
        let families: Vec<String> = (0..count).map(family).collect();
        let set = TagSet::from_json(&format!(r#"{{"family": [{}]}}"#, families.join(",")));
        set.map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(set(6), Ok(()));
    let error = "the markers are too many to compile: at most 128 families";
    assert_eq!(set(7), Err(error.to_owned()));
}

const NESTED: &str = r#"
[[family]]
name = "o"
open = "<o>"
close = "</o>"
channel = "content"
[[family]]
name = "raw"
open = "<raw>"
close = "</raw>"
channel = "content"
body = "raw"
same = "sibling"
[[family]]
name = "j"
open = "<j>"
close = "</j>"
channel = "content"
body = "json"
same = "sibling"
within = ["o"]
"#;

#[test]
fn elements_in_another_one_end_where_they_are_said_to() {
    let tags = TagSet::from_toml(NESTED).unwrap();
    let spec = Spec::builder().format(Format::Text).tags(tags).build().unwrap();
    let read = |text: &str| -> Vec<String> {
        let answer = spec.parse(text).unwrap();
        let said = |it: patchwire::answer::Element<'_>| match it.value() {
            Some(value) => format!("{} {value}", it.name()),
            None => format!("{} {}", it.name(), it.text()),
        };
        answer.elements().map(said).collect()
    };
    // The closer of an element without a place needs nothing behind it.
    assert_eq!(read("<o><raw>x</raw> y</o>"), ["o  y", "raw x"]);
    // An opener of its own family ends the body of an element, in a place and without one.
    assert_eq!(read("<raw>x<raw>y</raw>"), ["raw x", "raw y"]);
    assert_eq!(read("<o><j>x<j>y</j></o>"), ["o ", r#"j "x""#, r#"j "y""#]);
}

/// The answer of a text that comes in these parts.
fn read_parts(spec: &Spec, parts: &[&str]) -> Answer {
    let mut parser = spec.parser();
    for part in parts {
        parser.feed(part, |_| {}).unwrap();
    }
    parser.finish(|_| {}).unwrap()
}

/// Text that begins like a long marker may contain a short one. If the long one never comes, the short one counts, unless
/// it lies in a string of the payload: there it is data.
#[test]
fn a_marker_in_the_beginning_of_another_counts_by_its_own_place() {
    let toml = r#"
        name = "two"
        [[family]]
        name = "long"
        open = "[t:{name}]]"
        close = "[/t]"
        channel = "content"
        [[family]]
        name = "short"
        open = "[u]"
        close = "[/u]"
        channel = "content"
    "#;
    let spec = Spec::builder().tags(TagSet::from_toml(toml).unwrap()).build().unwrap();
    for (text, value, elements) in [
        (r#"[t:{"a": "[u] x", "b": 1}"#, r#"{"a":"[u] x","b":1}"#, &[][..]),
        (r#"[t:{"a": "x [u]", "b": ["[u]", "[/u]"]}"#, r#"{"a":"x [u]","b":["[u]","[/u]"]}"#, &[]),
        (r#"[t: [u]x[/u] {"a": 1}"#, r#"{"a":1}"#, &["short x"]),
        (r#"[t:{"a": "b"} [u]x[/u]"#, r#"{"a":"b"}"#, &["short x"]),
        (r#"[t: {"a": "b"} [u]x[/u]"#, r#"{"a":"b"}"#, &["short x"]),
        (r#"so [t:{"a": 1}[u]x[/u] [u]y[/u]"#, r#"{"a":1}"#, &["short x", "short y"]),
        (r#"[t:n]]x[/t] {"a": "[u]"}"#, r#"{"a":"[u]"}"#, &["long x"]),
    ] {
        for cut in 0..=text.len() {
            let answer = read_parts(&spec, &[&text[..cut], &text[cut..]]);
            let read: Vec<String> =
                answer.elements().map(|it| format!("{} {}", it.name(), it.text())).collect();
            assert_eq!(
                (&*answer.value().to_string(), read.join(";")),
                (value, elements.join(";")),
                "{text} at {cut}"
            );
        }
    }
}

/// A closer of an element may contain the beginning of another closer. In a string of the body neither counts.
#[test]
fn a_closer_in_the_beginning_of_another_counts_by_its_own_place() {
    let toml = r#"
        name = "closers"
        [[family]]
        name = "j"
        open = "<j {name}>"
        close = ["[/j]", "[\"{name}\"]!"]
        channel = "content"
        body = "json"
    "#;
    let tags = TagSet::from_toml(toml).unwrap();
    let spec = Spec::builder().format(Format::Text).tags(tags).build().unwrap();
    for (text, value, rest) in [
        (r#"<j n>{"a": ["x [/j] y", 1]}[/j] z"#, r#"{"a":["x [/j] y",1]}"#, " z"),
        (r#"<j n>{"a": ["x", "[/j]", ["n"]]}[/j] z"#, r#"{"a":["x","[/j]",["n"]]}"#, " z"),
        (r#"<j n>{"a": 1}["n"]! z"#, r#"{"a":1}"#, " z"),
        (r#"<j n>{"a": ["["]}[/j] z"#, r#"{"a":["["]}"#, " z"),
    ] {
        for (one, two) in
            (0..=text.len()).flat_map(|one| (one..=text.len()).map(move |two| (one, two)))
        {
            let answer = read_parts(&spec, &[&text[..one], &text[one..two], &text[two..]]);
            let read = answer.elements().next().and_then(|it| it.value()).map(|it| it.to_string());
            let found = (read.as_deref(), answer.text());
            assert_eq!(found, (Some(value), rest), "{text} at {one} and {two}");
        }
    }
}
