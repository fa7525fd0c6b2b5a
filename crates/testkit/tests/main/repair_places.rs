//! JSON with slips means the same wherever it stands: alone, in a fence, in an element, in a field of a text format,
//! in the arguments of a call.

use patchwire::schema::{Node, any, list, object, str};
use patchwire::{Answer, Format, Spec, TagSet, ValueRef};
use testkit::corpus::{Case, read_cases, root};
use testkit::oracle::{Json, foreign};

// Why a case means something else in a place.
const ONE_VALUE: &str = "one field and one call have one value";
const FIRST_ROOT: &str = "the body of a call ends with its first root";
const MARK_IN_STRING: &str = "the mark that ends this place is read as text of the open string";
const OTHER_QUOTES: &str = "a string that other quotes opened runs over the end of this place";
const TEXT_BEHIND: &str = "with text behind it, the field is a text";
const MARK_IN_COMMENT: &str = "the mark that ends this place is read as a part of the comment";
const CLOSER_OF_CALL: &str = "the closer of the call stands for the one that is missing";

/// A place for JSON.
struct Place {
    name: &'static str,
    /// What reads it. `is_list` says that the JSON is a list.
    spec: fn(is_list: bool) -> Spec,
    /// The answer with the JSON in it.
    around: fn(&str) -> String,
    value: fn(&Answer) -> Option<ValueRef<'_>>,
    /// Cases that mean something else in this place, and why.
    others: &'static [Exception],
    /// More of them, which other places share.
    shared: &'static [Exception],
}

/// The name of a case, and why it means something else.
type Exception = (&'static str, &'static str);

/// A string that other quotes opened runs over the end of a place that a mark ends.
const QUOTES_OVER_MARKS: [Exception; 8] = [
    ("mixed_quotes_key", OTHER_QUOTES),
    ("mixed_quotes_later_key", OTHER_QUOTES),
    ("mixed_quotes_item", OTHER_QUOTES),
    ("mixed_quotes_value", OTHER_QUOTES),
    ("mixed_quotes_last", OTHER_QUOTES),
    ("mixed_quotes_last_closer", OTHER_QUOTES),
    ("mixed_backtick", OTHER_QUOTES),
    ("missing_backtick", OTHER_QUOTES),
];

fn fields(format: Format, is_list: bool) -> Spec {
    let data: Node = if is_list { list(any("")) } else { object().into() };
    let schema = object().field("note", str("")).field("data", data);
    Spec::builder()
        .format(format)
        .without_tags()
        .schema(schema)
        .build()
        .expect("settings that agree")
}

const PLACES: [Place; 7] = [
    Place {
        name: "fence",
        spec: |_| Spec::json(),
        around: |json| format!("Here it is:\n```json\n{json}\n```\nThat is all."),
        value: |answer| Some(answer.value()),
        others: &[
            ("mixed_quotes_value", OTHER_QUOTES),
            ("mixed_quotes_last", OTHER_QUOTES),
            ("mixed_quotes_last_closer", OTHER_QUOTES),
            ("no_closing_quote_at_the_end", MARK_IN_STRING),
            ("closing_quote_last_member", MARK_IN_STRING),
            ("backslash_before_the_last_closer", MARK_IN_STRING),
        ],
        shared: &[],
    },
    Place {
        name: "element",
        spec: |_| Spec::builder().tags(TagSet::scratchpad()).build().expect("settings that agree"),
        around: |json| format!("<scratch_pad>I plan.</scratch_pad><output>{json}</output>"),
        value: |answer| Some(answer.value()),
        others: &[
            ("no_closing_quote_at_the_end", MARK_IN_STRING),
            ("closing_quote_last_member", MARK_IN_STRING),
            ("smart_closer_last", MARK_IN_STRING),
            ("backslash_before_closers_in_a_list", MARK_IN_STRING),
            ("backslash_before_the_last_closer", MARK_IN_STRING),
        ],
        shared: &QUOTES_OVER_MARKS,
    },
    Place {
        name: "hybrid",
        spec: |is_list| fields(Format::Hybrid, is_list),
        around: |json| format!("# note\nshort\n\n# data\n```json\n{json}\n```\n"),
        value: |answer| answer.value().get("data"),
        others: &[
            ("mixed_quotes_item", OTHER_QUOTES),
            ("comment_before_members", MARK_IN_COMMENT),
            ("list_behind_a_list", ONE_VALUE),
            ("object_behind_an_object", ONE_VALUE),
            ("list_behind_an_object", ONE_VALUE),
        ],
        shared: &[],
    },
    Place {
        name: "hybrid without a fence",
        spec: |is_list| fields(Format::Hybrid, is_list),
        around: |json| format!("# data\n{json}\n\n# note\nshort\n"),
        value: |answer| answer.value().get("data"),
        others: &[
            ("comment_before_members", MARK_IN_COMMENT),
            ("list_behind_a_list", ONE_VALUE),
            ("object_behind_an_object", ONE_VALUE),
            ("list_behind_an_object", ONE_VALUE),
        ],
        shared: &[],
    },
    Place {
        name: "markdown",
        spec: |is_list| fields(Format::Markdown, is_list),
        around: |json| format!("# data\n{json}\n\n# note\nshort\n"),
        value: |answer| answer.value().get("data"),
        others: &[
            ("tail_braces_and_quotes", TEXT_BEHIND),
            ("surplus_closers", TEXT_BEHIND),
            ("surplus_closers_list", TEXT_BEHIND),
            ("surplus_closers_in_turn", TEXT_BEHIND),
            ("surplus_closers_many", TEXT_BEHIND),
            ("list_behind_a_list", ONE_VALUE),
            ("object_behind_an_object", ONE_VALUE),
            ("list_behind_an_object", ONE_VALUE),
        ],
        shared: &[],
    },
    Place {
        name: "xml_field",
        spec: |is_list| fields(Format::XmlField, is_list),
        around: |json| {
            let note = "<field name=\"note\" type=\"text\">short</field>";
            let data = format!("<field name=\"data\" type=\"json\">{json}</field>");
            format!("<answer_fields>\n{note}\n{data}\n</answer_fields>")
        },
        value: |answer| answer.value().get("data"),
        others: &[
            ("mixed_quotes_item", OTHER_QUOTES),
            ("list_behind_a_list", ONE_VALUE),
            ("object_behind_an_object", ONE_VALUE),
            ("list_behind_an_object", ONE_VALUE),
        ],
        shared: &[],
    },
    Place {
        name: "arguments of a call",
        spec: |_| Spec::builder().tags(TagSet::hermes_json()).build().expect("settings that agree"),
        around: |json| {
            format!("I look.\n<tool_call>{{\"name\": \"f\", \"arguments\": {json}}}</tool_call>")
        },
        value: |answer| answer.calls().first().map(|call| call.arguments()),
        others: &[
            ("tail_braces_and_quotes", FIRST_ROOT),
            ("comment_before_members", MARK_IN_COMMENT),
            ("list_behind_a_list", ONE_VALUE),
            ("object_behind_an_object", ONE_VALUE),
            ("list_behind_an_object", ONE_VALUE),
            ("early_brace", FIRST_ROOT),
            ("early_brace_and_more", FIRST_ROOT),
            ("no_opening_brace_item", FIRST_ROOT),
            ("colour", MARK_IN_COMMENT),
            ("outdented_member", CLOSER_OF_CALL),
            ("no_closing_quote_at_the_end", MARK_IN_STRING),
            ("closing_quote_last_member", MARK_IN_STRING),
            ("smart_closer_last", MARK_IN_STRING),
            ("backslash_before_closers_in_a_list", MARK_IN_STRING),
            ("backslash_before_the_last_closer", MARK_IN_STRING),
        ],
        shared: &QUOTES_OVER_MARKS,
    },
];

/// Cases that are one object or one list, and nothing else.
fn cases() -> Vec<Case> {
    let files =
        ["minimal", "repair"].map(|file| read_cases(&root().join(format!("json/{file}.ndjson"))));
    let is_alone = |case: &Case| {
        let text = case.bytes();
        let want = case.want.as_ref().map_or("", |it| it.get());
        let is_one = foreign::read(want.as_bytes()).is_ok() && want.starts_with(['{', '[']);
        let ends = [b'}', b']'];
        is_one
            && matches!(text.first(), Some(b'{' | b'['))
            && ends.contains(text.last().unwrap_or(&0))
    };
    files.into_iter().flatten().filter(is_alone).collect()
}

#[test]
fn json_with_slips_means_the_same_in_every_place() {
    let cases = cases();
    assert!(cases.len() > 100);
    let mut wrong = Vec::new();
    for place in &PLACES {
        let mut left: Vec<&str> =
            place.others.iter().chain(place.shared).map(|(name, _)| *name).collect();
        for case in &cases {
            let text = String::from_utf8(case.bytes()).unwrap();
            let want = case.want.as_ref().unwrap().get();
            let answer = (place.spec)(want.starts_with('[')).parse((place.around)(&text)).unwrap();
            let found = (place.value)(&answer).filter(|it| it.exists()).map(Json::of);
            // The order of members is no part of a value.
            let sorted = found.as_ref().map(Json::sorted);
            let is_same = sorted == foreign::read(want.as_bytes()).ok().map(|it| it.sorted());
            let is_other = left.iter().position(|it| *it == case.name).map(|at| left.remove(at));
            match (is_same, is_other) {
                (false, None) => {
                    let found = found.map_or_else(|| "nothing".to_owned(), |it| it.to_string());
                    wrong.push(format!("{}: {}: {text:?} is {found}", place.name, case.name));
                }
                (true, Some(_)) => {
                    wrong.push(format!("{}: {}: is the same now", place.name, case.name))
                }
                _ => {}
            }
        }
        wrong.extend(left.iter().map(|name| format!("{}: {name}: no such case", place.name)));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
