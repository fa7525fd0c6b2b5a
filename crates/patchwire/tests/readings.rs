//! Texts near the border between two readings: the value, and what was noted, with its place and cost.

use patchwire::notice::OwnedNotice;
use patchwire::schema::{any, int, list, null, object, str};
use patchwire::spec::Roots;
use patchwire::{Answer, Format, Leniency, Outcome, Schema, Spec, SpecBuilder};

/// A text, its notices, and its value as JSON. A notice has its path and span, and behind them what the reading
/// costs, and what the streamed one would.
type Row = (&'static str, &'static [&'static str], &'static str);

const JSON: &[Row] = &[
    // A list behind a name and its bracket are the arguments of a call.
    ("f_([1, 2])", &[], "[1,2]"),
    ("f-([1, 2])", &[], "null"),
    // A comma in brackets of a value without quotes is part of it.
    (r#"{"a": [x[1, 2], 3]}"#, &["unquoted_value a[0] 7..7"], r#"{"a":["x[1, 2]",3]}"#),
    // A slash that begins no comment is text.
    (r#"{"a": /usr/bin, "b": 1}"#, &["unquoted_value a 6..6"], r#"{"a":"/usr/bin","b":1}"#),
    // A line end separates items without quotes.
    (
        "{\"a\": [red\ngreen\n]}",
        &["unquoted_value a[0] 7..7", "missing_comma a[0] 11..11", "unquoted_value a[1] 11..11"],
        r#"{"a":["red","green"]}"#,
    ),
    // Only the opener of a fenced value came.
    (r#"{"a": ```"#, &["backtick_quotes a 6..9", "truncated a 9..9"], r#"{"a":""}"#),
    // Each half of a pair is named where it ends.
    (
        r#"{"a": "\ud83d\ud83d", "b": 1}"#,
        &["lone_surrogate a 13..13", "lone_surrogate a 19..19"],
        r#"{"a":"��","b":1}"#,
    ),
    // Seven inches, and no empty string behind a quote.
    (r#"{"a": "7"", "b": 1}"#, &["inner_quote a 8..9"], r#"{"a":"7\"","b":1}"#),
    // An empty text may mean an empty text, so the cheapest reading is the streamed one.
    (r#"[""[a]]"#, &["missing_comma [0] 3..3", "unquoted_value [1][0] 4..4"], r#"["",["a"]]"#),
    // A word behind a number is a remark.
    ("[7\nmore]", &["trailing_after_value [0] 3..7"], "[7]"),
    // A line that begins with a word is no prose behind the answer, if no item could be meant.
    (
        "{\"a\": one\nTwo",
        &[
            "unquoted_value a 6..6",
            "trailing_after_value a 10..13",
            "truncated 13..13",
            "read_again 0..13 106<162",
            "unquoted_value 6..6 35",
            "unquoted_value 9..9 40",
        ],
        r#"{"a":"one\nTwo"}"#,
    ),
    // What the streamed reading would cost is said beside what this one costs.
    (
        r#"{"a" 1: 2}"#,
        &[
            "missing_colon a 5..5",
            "unquoted_value a 5..5",
            "read_again 0..10 75<165",
            "unexpected_bytes 5..9 75",
        ],
        r#"{"a":2}"#,
    ),
    (
        r#"{"a": {"b"}, "c" 2"#,
        &[
            "missing_value a.b 10..10",
            "missing_colon c 17..17",
            "truncated c 18..18",
            "read_again 0..18 211<231",
            "mismatched_close 6..6 90",
            "missing_colon 17..17 90",
        ],
        r#"{"a":["b"],"c":2}"#,
    ),
    // A placeholder may begin with an underscore.
    (
        r#"{"a": {_name}, "b": 1}"#,
        &[
            "unquoted_key a 7..12",
            "missing_value a._name 12..12",
            "read_again 0..22 40<91",
            "unquoted_value 6..6 40",
        ],
        r#"{"a":"{_name}","b":1}"#,
    ),
    // The brace inside the bracket closes a brace, not the bracket.
    (r#"{"a": x({"b": 1}), "c": 2}"#, &["unquoted_value a 6..6"], r#"{"a":"x({\"b\": 1})","c":2}"#),
    // No key goes over a line end.
    ("{x\ny: 1}", &[], "null"),
    // A quote behind a backslash ends no key, when a brace in prose is judged.
    (r#"Here: {"a\"b": 1}"#, &[], r#"{"a\"b":1}"#),
    // JSON inside a string of JSON, with quotes inside its strings.
    (
        r#"{\"a\": \"x\",\n \"b\": \"say \\\"hi\\\"\"}"#,
        &[
            "read_again 0..43 54",
            "invalid_escape 1..1 40",
            "invalid_escape 8..8 3",
            "invalid_escape 14..14 5",
            "invalid_escape 17..17 3",
            "invalid_escape 24..24 3",
        ],
        r#"{"a":"x","b":"say \"hi\""}"#,
    ),
    // Three quotes, the last of which closes.
    (
        r#"{"b":"""}"#,
        &[
            "triple_quotes b 5..8",
            "truncated b 9..9",
            "read_again 0..9 116<196",
            "inner_quote 6..6 56",
        ],
        r#"{"b":"\""}"#,
    ),
    (
        r#"{"a": "sizes "5" or "6", big", "b": 1}"#,
        &[
            "inner_quote a 13..14",
            "inner_quote a 15..16",
            "inner_quote a 20..21",
            "inner_quote a 22..23",
        ],
        r#"{"a":"sizes \"5\" or \"6\", big","b":1}"#,
    ),
    // Blanks lie between the two commas, of which the second is one too many.
    (r#"{"a": "x", , "b": 1}"#, &["extra_comma a 11..12"], r#"{"a":"x","b":1}"#),
    // The colon of a time costs a text without quotes nothing.
    (
        r#"{"t" 10:30}"#,
        &[
            "missing_colon t 5..5",
            "unquoted_value t 5..5",
            "read_again 0..11 79<125",
            "unexpected_bytes 5..10 75",
        ],
        r#"{"t":30}"#,
    ),
    // A comma in a text without quotes costs more than later ones, if no word came before it.
    (
        r#"{"a": %, b"#,
        &[
            "unquoted_value a 6..6",
            "truncated 10..10",
            "read_again 0..10 122<206",
            "unquoted_value 6..6 35",
            "unquoted_value 7..7 56",
        ],
        r#"{"a":"%, b"}"#,
    ),
    // The streamed reading gives a key no value.
    (
        r#"{"a":, b", "b": 1}"#,
        &[
            "missing_value a 5..5",
            "unquoted_key 7..8",
            "unexpected_bytes 8..9",
            "missing_value b 9..9",
            "read_again 0..18 95<226",
            "extra_comma 5..5 40",
            "unquoted_value 7..7 35",
            "missing_quote 8..8 20",
        ],
        r#"{"b":1,"a":"b"}"#,
    ),
    // What the fence hides may be the answer: the marker in it is data, and no notice.
    ("~~~\n{\"a\": \"<think>x", &["truncated a 19..19"], r#"{"a":"<think>x"}"#),
    // Blanks around a list do not make a remark of it.
    ("{\"a\": 1} \n [\"x\", \"y\"] \n", &["better_candidate 11..21"], r#"["x","y"]"#),
    // An equals sign is no place of a value, so the list is the answer and not part of one.
    ("cfg {a=1, b=[1, 2]}", &["surplus_close 18..19"], "[1,2]"),
];

const MARKDOWN: &[Row] = &[
    // Behind a sign that is no header, tildes open no fence.
    ("### a\n#~~~\n### b\ny\n", &[], r##"{"a":"#~~~","b":"y"}"##),
];

const HYBRID: &[Row] = &[
    // A number in quotes.
    (
        "### title\nA\n\n### n\n\"7\"\n",
        &["type_mismatch n 20..20", "text_as_value n 23..23"],
        r#"{"title":"A","n":7}"#,
    ),
    ("### __title:__ A\n### __n:__ 3\n", &["untidy_fields 0..30"], r#"{"title":"A","n":3}"#),
    // A table of three columns has no fields in its rows.
    (
        "| title | A | B |\n| n | 3 | 4 |\n",
        &["missing_field title 32..32", "missing_field n 32..32"],
        "null",
    ),
    // A comment that is copied from the prompt is no part of the text below it.
    (
        "**title**\n<!-- (text) -->\nA\n\n**n**\n3\n",
        &["untidy_fields 0..37"],
        r#"{"title":"A","n":3}"#,
    ),
    // The mark of an item is no part of a header, unless signs of one follow.
    ("-  *title*\nA\n", &["missing_field title 13..13", "missing_field n 13..13"], "null"),
    // A letter counts no items: the text begins with it.
    (
        "### title\nA\n\n### n\nx. 3\n",
        &["stray_text n 22..22", "bad_json n 24..24"],
        r#"{"title":"A"}"#,
    ),
    // What may be the beginning of a number is cut, and no prose.
    (
        "### title\nA\n\n### n\n4/",
        &["stray_text n 21..21", "truncated n 21..21"],
        r#"{"title":"A"}"#,
    ),
];

const LISTS: &[Row] = &[
    // The list is read again, because words follow one of its values.
    (
        "### tags\n[\"a\", \"b\" c\"]\n\n### t\nx\n",
        &[
            "trailing_after_value tags[1] 19..21",
            "read_again tags 9..22 115<159",
            "missing_comma tags 19..19 60",
            "unquoted_value tags 19..19 35",
            "missing_quote tags 20..20 20",
        ],
        r#"{"tags":["a","b","c"],"t":"x"}"#,
    ),
];

/// The steps have a member of the name of their list.
const STEPS: &[Row] = &[(
    "### steps\nsteps: cut\nby: Ann\n",
    &[
        "stray_text steps 17..17",
        "stray_text steps 25..25",
        "bad_json steps 29..29",
        "untidy_fields 0..29",
    ],
    r#"{"steps":[{"steps":"cut","by":"Ann"}]}"#,
)];

/// A table of one row is an object.
const TABLE: &[Row] = &[(
    "### v\n| region | replicas |\n|---|---|\n| eu | 3 |\n",
    &[
        "stray_text v 8..8",
        "stray_text v 38..38",
        "stray_text v 40..40",
        "bad_json v 49..49",
        "untidy_fields 0..49",
    ],
    r#"{"v":{"region":"eu","replicas":3}}"#,
)];

/// A record without its members is one, too.
const RECORDS: &[Row] =
    &[("**times**\n{}\n**n**\n3\n", &["untidy_fields 0..21"], r#"{"times":[{}],"n":3}"#)];

/// What can only be null is no text.
const NULL: &[Row] = &[
    ("### a\nnull\n\n### b\nx\n", &[], r#"{"a":null,"b":"x"}"#),
    ("### a\nnothing\n\n### b\nx\n", &["stray_text a 14..14", "bad_json a 15..15"], r#"{"b":"x"}"#),
];

const ANY: &[Row] = &[
    // The words before a fence are no value, although it is empty.
    (
        "### a\nHere:\n```json\n\n### b\nx\n",
        &["stray_text a 12..12", "missing_fence_close a 21..21", "bad_json a 21..21"],
        r#"{"b":"x"}"#,
    ),
];

const XML_FIELD: &[Row] = &[
    // An element of the same name in the first one is content.
    (
        "<title><title>A</title></title>\n<n>3</n>",
        &["untidy_fields 0..40"],
        r#"{"title":"<title>A</title>","n":3}"#,
    ),
    // The first bracket of the comment begins no tag.
    (
        "<answer_fields><!-- <->--><field name=\"title\" type=\"text\">A</field><field name=\"n\" type=\"json\">3</field></answer_fields>",
        &[],
        r#"{"title":"A","n":3}"#,
    ),
    // A bracket in quotes ends no tag.
    (
        "<title hint=\"a > b\">A</title>\n<n>3</n>",
        &["untidy_fields 0..38"],
        r#"{"title":"A","n":3}"#,
    ),
    // A name that only begins like that of a field opens none, but a later look sees what was meant.
    (
        "<answer_fields><field name=\"title\" type=\"text\">A\n<fieldset name=\"n\" type=\"json\">3</field></answer_fields>",
        &["untidy_fields 0..105"],
        r#"{"title":"A","n":3}"#,
    ),
];

/// A field of a known name in another one is its member, if it has one of that name.
const XML_MEMBERS: &[Row] = &[(
    "<field name=\"title\">T</field>\n<field name=\"o\">\n<field name=\"title\">A</field>\n</field>",
    &["missing_root 0..85", "untidy_fields 0..85"],
    r#"{"title":"T","o":{"title":"A"}}"#,
)];

/// A second root is noted although the input ends in its tag.
const SECOND_ROOT: &[Row] = &[(
    r#"<answer_fields><field name="title" type="text">A</field><field name="n" type="json">3</field></answer_fields> <answer_fields x="1"#,
    &["second_root 110..129"],
    r#"{"title":"A","n":3}"#,
)];

const YAML: &[Row] = &[
    // A deeper line of a block text is no key.
    (
        "title: |\n- A\n  n: 4\nn: 3\n",
        &["missing_root 0..25", "untidy_fields 0..25"],
        r#"{"title":"- A\n  n: 4\n","n":3}"#,
    ),
    // What stands between three quotes is text, whatever YAML makes of its lines.
    (
        "title: \"\"\"A\nb: {c\n\"\"\"\nn: 3\n",
        &["missing_root 0..27", "untidy_fields 0..27"],
        r#"{"title":"A\nb: {c","n":3}"#,
    ),
    // The fence behind the document ends it, and does not begin a text in it.
    (
        "n: 3\ntitle: >\n  #3 A\n  B\n```\n  more\n```\n",
        &[
            "missing_root 0..40",
            "stray_text title 25..25",
            "yaml_bad_indent title 31..31",
            "stray_text title 31..31",
            "stray_text title 36..36",
        ],
        r##"{"title":"#3 A B\n","n":3}"##,
    ),
    // An address is no key.
    (
        "title: A\nhttps://example.org/x\nn: 3\n",
        &["missing_root 0..36", "untidy_fields 0..36"],
        r#"{"title":"A\nhttps://example.org/x","n":3}"#,
    ),
    // The value of the first member counts: lines `name: value` are YAML, and no sections.
    (
        "title: A\nn:\nsoon\nn: 3\n",
        &["missing_root 0..22", "stray_text n 12..12", "duplicate_field n 17..19"],
        r#"{"title":"A","n":null}"#,
    ),
    (
        "n: 3\ntitle: 'A",
        &["missing_root 0..14", "yaml_unterminated_quote title 14..14"],
        r#"{"title":"A","n":3}"#,
    ),
    // The line might be the next key, up to its second letter.
    (
        "title: \"A\nno\nn: 3\n",
        &[
            "missing_root 0..18",
            "yaml_underindented_quote title 10..10",
            "yaml_unterminated_quote title 13..13",
        ],
        r#"{"title":"A no","n":3}"#,
    ),
    // Bars at the start of both texts are no header of a block.
    (
        "<<<BEGIN AGENTLY_YAML>>>\ntitle: | | x |\n  | 1 |\nn: 3\n<<<END AGENTLY_YAML>>>\n",
        &["yaml_bad_block_header title 32..32"],
        r#"{"title":"| | x | | 1 |","n":3}"#,
    ),
];

/// The text of a block ends with the input: spaces behind its last line are no text, unless they are deeper.
const YAML_KEPT: &[Row] = &[
    ("```yaml\na: |+\n  x\n  ", &["truncated a 20..20"], r#"{"a":"x\n"}"#),
    ("```yaml\na: |+\n  x\n   ", &["truncated a 21..21"], r#"{"a":"x\n \n"}"#),
    // The same in a block that is read whole.
    ("```yaml\na: &k |\n  x", &["deferred a 19..19", "truncated a 19..19"], r#"{"a":"x\n"}"#),
    (
        "```yaml\na: &k |\n  x\n    ",
        &["deferred a 19..19", "truncated a 24..24"],
        r#"{"a":"x\n  \n"}"#,
    ),
];

const YAML_LIST: &[Row] = &[
    // An object of two members is no text.
    (
        "tags: [{a: 1, b: 2}]\nn: 3\n",
        &["missing_root 0..26", "type_mismatch tags[0] 20..20"],
        r#"{"tags":[{"a":1,"b":2}],"n":3}"#,
    ),
    // Only brackets outside of quotes are closed.
    (
        "tags: [\"a] b\", \"c\"\nn: 3\n",
        &["missing_root 0..24", "untidy_fields 0..24"],
        r#"{"tags":["a] b","c"],"n":3}"#,
    ),
];

const YAML_CUT: &[Row] = &[(
    "<<<BEGIN AGENTLY_YAML>>>\nb: y\na:\n '",
    &["truncated a 35..35", "missing_field c 35..35"],
    r#"{"a":"","b":"y"}"#,
)];

fn of(format: Format) -> SpecBuilder {
    Spec::builder().format(format)
}

fn titled() -> Schema {
    object().field("title", str("")).field("n", int("")).into()
}

fn told(notice: &OwnedNotice) -> String {
    let OwnedNotice { code, path, span, cost, .. } = notice;
    let path = if path.is_empty() { String::new() } else { format!(" {path}") };
    let cost = cost.map_or_else(String::new, |it| match it.streamed {
        Some(streamed) => format!(" {}<{streamed}", it.cost),
        None => format!(" {}", it.cost),
    });
    format!("{code}{path} {}..{}{cost}", span.start, span.end)
}

/// Reads texts whole and byte by byte.
fn all(builder: SpecBuilder, rows: &[Row]) {
    let spec = builder.build().unwrap();
    for (text, notices, value) in rows {
        let check = |answer: Answer| {
            let told: Vec<_> = answer.notices().iter().map(told).collect();
            assert_eq!(told, *notices, "{text:?}");
            assert_eq!(answer.value().to_string(), *value, "{text:?}");
        };
        check(spec.parse(text).unwrap());
        let mut parser = spec.parser();
        for byte in text.as_bytes() {
            parser.feed([*byte], |_| {}).unwrap();
        }
        check(parser.finish(|_| {}).unwrap());
    }
}

#[test]
fn of_two_readings_the_likelier_one_is_told() {
    all(Spec::builder(), JSON);
    all(of(Format::Markdown).schema(object().field("a", str("")).field("b", str(""))), MARKDOWN);
    all(of(Format::Hybrid).schema(titled()), HYBRID);
    all(
        of(Format::Hybrid).schema(object().field("tags", list(str(""))).field("t", str(""))),
        LISTS,
    );
    let step = object().field("steps", str("")).field("by", str(""));
    all(of(Format::Hybrid).schema(object().field("steps", list(step))), STEPS);
    let v = object().field("region", str("")).field("replicas", int(""));
    all(of(Format::Hybrid).schema(object().field("v", v)), TABLE);
    let times = list(object().field("at", str("").present()).field("what", str("").present()));
    all(of(Format::Markdown).schema(object().field("times", times).field("n", int(""))), RECORDS);
    all(of(Format::Hybrid).schema(object().field("a", null()).field("b", str(""))), NULL);
    all(of(Format::Hybrid).schema(object().field("a", any("")).field("b", str(""))), ANY);
    all(of(Format::XmlField).schema(titled()), XML_FIELD);
    let inner = object().field("title", str(""));
    all(
        of(Format::XmlField).schema(object().field("title", str("")).field("o", inner)),
        XML_MEMBERS,
    );
    all(of(Format::YamlLiteral).schema(titled()), YAML);
    all(of(Format::XmlField).schema(titled()), SECOND_ROOT);
    all(of(Format::YamlLiteral), YAML_KEPT);
    all(
        of(Format::YamlLiteral).schema(object().field("tags", list(str(""))).field("n", int(""))),
        YAML_LIST,
    );
    all(
        of(Format::YamlLiteral)
            .schema(object().field("a", str("")).field("b", str("")).field("c", str(""))),
        YAML_CUT,
    );
}

/// The outcome is that of the last field, whatever field was read again.
#[test]
fn a_field_that_was_read_again_completes_no_answer_that_is_cut_behind_it() {
    let lists = object().field("a", list(str(""))).field("b", list(str("")));
    let spec = of(Format::Hybrid).schema(lists).build().unwrap();
    let answer = spec.parse("### a\n[\"a\", \"b\" c\"]\n\n### b\n[\"z").unwrap();
    assert_eq!(answer.value().to_string(), r#"{"a":["a","b","c"],"b":["z"]}"#);
    assert_eq!(answer.outcome(), Outcome::Truncated);
}

#[test]
fn what_only_begins_like_a_document_is_text() {
    let spec = of(Format::YamlLiteral).build().unwrap();
    for text in ["<<<BEG", "```ya", "<"] {
        assert_eq!(spec.parse(text).unwrap().text(), text);
    }
}

#[test]
fn a_fence_of_another_language_is_text_with_its_opening_line() {
    for text in ["```js\nlet a;\n", "```python", "~~~json5 a\n"] {
        assert_eq!(Spec::json().parse(text).unwrap().text(), text);
    }
}

#[test]
fn what_continues_the_answer_ends_before_bytes_that_are_no_text() {
    let answer = Spec::json().parse(b"{\"a\": 1}, \"b\": \"\xff\"}\xff so").unwrap();
    let told: Vec<_> = answer.notices().iter().map(told).collect();
    assert_eq!(told, ["invalid_utf8 16..17", "invalid_utf8 19..20", "continued_root 8..19"]);
}

/// A list in round brackets needs its leniency to begin in a fence.
#[test]
fn a_tuple_in_a_fence_is_text_if_it_is_forbidden() {
    let text = "```json\n(1, 2)\n```";
    let spec = Spec::builder().forbid(Leniency::Tuples).build().unwrap();
    assert_eq!(spec.parse(text).unwrap().text(), text);
    assert_eq!(Spec::json().parse(text).unwrap().value().to_string(), "[1,2]");
}

/// The stream reads what a forbidden leniency forgives as text. The second look at the end finds what was meant.
#[test]
fn what_is_forbidden_begins_no_payload() {
    for (slip, text, value, cost) in [
        (Leniency::UnexpectedText, "{a\": 1}", r#"{"a":1}"#, 56),
        (Leniency::ForeignNumbers, "[+1]", r#"["+1"]"#, 35),
        (Leniency::SingleQuotes, "{'a': 1}", r#"["'a': 1"]"#, 165),
    ] {
        let answer = Spec::builder().forbid(slip).build().unwrap().parse(text).unwrap();
        assert_eq!((answer.text(), answer.value().to_string().as_str()), (text, value));
        let told = answer.notices().first().map(told);
        assert_eq!(told, Some(format!("read_again 0..{} {cost}", text.len())));
    }
}

#[test]
fn a_list_behind_an_object_is_a_root_where_several_are_read() {
    let spec = Spec::builder().roots(Roots::Concatenated).build().unwrap();
    let answer = spec.parse("{\"a\":1}\n[2]").unwrap();
    let roots: Vec<_> = answer.roots().map(|root| root.to_string()).collect();
    assert_eq!(roots, [r#"{"a":1}"#, "[2]"]);
}

/// Behind a value without quotes, up to 64 bytes are held until a colon shows that they are a key.
#[test]
fn a_key_behind_a_value_without_quotes_has_62_bytes() {
    let spec = Spec::json().without_repair();
    for (len, members) in [(62, 2), (63, 1)] {
        let text = format!(r#"{{"a": x "{}": 1}}"#, "k".repeat(len));
        assert_eq!(spec.parse(&text).unwrap().value().len(), members, "{len}");
    }
}

#[test]
fn an_object_that_was_found_at_the_end_is_complete() {
    for format in [Format::Markdown, Format::Hybrid, Format::Json] {
        let answer = of(format).schema(titled()).build().unwrap();
        let answer = answer.parse("title: A\nn: 3\n").unwrap();
        assert!(answer.value().is_complete(), "{format}");
    }
}
