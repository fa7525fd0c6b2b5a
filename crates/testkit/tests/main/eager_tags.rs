//! L4 for elements: tiny tag sets, every input of a few bytes.

use patchwire::internals::Caps;
use testkit::eager::{Alphabet, TinySet, check_tags};

/// The inputs to walk over: their beginning, their symbols, their largest length.
type Walk<'w> = (&'w str, &'w [&'w str], usize);

/// How far the end of a code span is looked for: no walk has such a long span.
const SPAN_AHEAD: usize = 128;

/// Quotes are decided by the next visible byte, so that many inputs lead to one state.
const NO_WINDOWS: Caps = Caps { windows: 0, ..Caps::STANDARD };

/// All walks of a set. Gives the most bytes that were held.
fn walk(set: &TinySet, walks: &[Walk<'_>]) -> usize {
    let (mut wrong, mut held) = (Vec::new(), 0);
    for &(start, symbols, most) in walks {
        match check_tags(set, Alphabet { start, symbols, most }) {
            Ok(explored) => {
                assert!(explored.inputs > symbols.len(), "from {start:?}: {explored:?}");
                held = held.max(explored.held);
            }
            Err(why) => wrong.push(format!("from {start:?} of {symbols:?}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    held
}

#[test]
fn markers_that_overlap() {
    let set = TinySet::new(
        r#"{"family": [
            {"name": "s", "open": "<<s>>", "close": "<</s>>", "channel": "s"},
            {"name": "t", "open": "<t>", "close": "</t>", "channel": "reasoning"},
            {"name": "u", "open": "<t>s", "close": "<s>", "channel": "u"},
            {"name": "v", "open": "<<", "channel": "v"}
        ]}"#,
        &["<<s>>x", "<</s>>x", "<t>x", "</t>x", "<t>sx", "<s>x", "<<s>s<"],
    );
    let held = walk(
        &set,
        &[
            ("", &["<", "s", ">", "t", "/", "x"], 9),
            ("<<s>>", &["<", "s", ">", "/"], 12),
            ("<t>", &["<", "/", "t", ">", "s"], 8),
        ],
    );
    assert_eq!(held + SPAN_AHEAD, set.max_held());
}

#[test]
fn parameters_of_some_bytes() {
    let set = TinySet::new(
        r#"{"family": [
            {"name": "p", "open": "<<{x}>>", "close": "<</{x}>>", "channel": "p",
             "params": {"x": {"allow": "a-c", "cap": 2}}},
            {"name": "q", "open": "<<{x}:{y}!", "close": "</{y}!", "channel": "q", "mismatch": "close",
             "params": {"x": {"allow": "ax", "cap": 3}, "y": {"cap": 2}}}
        ]}"#,
        &["<<a>>", "<<aa>>", "<</a>>", "<<a:a!", "<<aaa:a!", "</a!", "<</a!"],
    );
    let held = walk(
        &set,
        &[
            ("", &["<", "a", "x", ":", ">", "!"], 6),
            ("<<", &["a", "x", ":", ">", "!", "<", "é"], 7),
            ("<<a>>", &["<", "/", "a", "b", ">"], 7),
            ("<<a:b!", &["<", "/", "a", "b", "!", ">"], 6),
        ],
    );
    assert_eq!(held + SPAN_AHEAD, set.max_held());
}

#[test]
fn attributes() {
    let set = TinySet::new(
        r#"{"family": [
            {"name": "t", "open": "<t>", "close": "</t>", "channel": "t", "attributes": "valued"},
            {"name": "u", "open": "<u>", "close": "</u>", "channel": "u", "attributes": "bare"}
        ]}"#,
        &["<t a='1'>x", "<t a=\"1\">", "<t a=1>", "<t/>", "<u a>", "<u a/>", "</t>", "a='<t>x"],
    );
    let (many, long) = (" a=1".repeat(63), "x".repeat(1018));
    let held = walk(
        &set,
        &[
            ("<t", &[" ", "a", "=", "'", "\"", ">", "/"], 6),
            ("<u", &[" ", "a", "=", "'", "1", ">", "/"], 5),
            ("<t a='", &["'", "<t>", " ", ">", "/", "<"], 4),
            ("<t a=", &["'", "/", ">", "a", "\"", "<"], 4),
            (&format!("<t{many}"), &[" a=1", " a", "=", ">", "/"], 4),
            (&format!("<t a='{long}"), &["x", "'", ">", " ", "/"], 4),
        ],
    );
    assert_eq!(held + SPAN_AHEAD, set.max_held());
}

#[test]
fn either_case_and_blanks() {
    let set = TinySet::new(
        r#"{"case": "fold", "family": [
            {"name": "t", "open": "<t>", "close": "</t>", "channel": "reasoning", "blanks": true},
            {"name": "p", "open": "<p{x}>", "close": "</p>", "channel": "p", "blanks": true,
             "params": {"x": {"allow": "aT ", "cap": 2}}},
            {"name": "q", "open": "<q>", "close": "</q>", "channel": "q", "case": "exact",
             "blanks": true, "attributes": "valued"}
        ]}"#,
        &["< t >x", "< / t >x", "<Pa >x", "</ p >", "<q >", "< q a=1 >", "</q>"],
    );
    let blanks = " ".repeat(62);
    walk(
        &set,
        &[
            ("", &["<", " ", "t", "T", ">", "/"], 6),
            ("<t>", &["<", " ", "/", "T", ">", "\t"], 6),
            ("<", &["p", "P", " ", "a", ">", "T"], 6),
            ("<", &["q", "Q", " ", ">", "/", "a=1"], 6),
            (&format!("<{blanks}"), &[" ", "t", ">", "p"], 5),
            (&format!("</{blanks}"), &[" ", "t", ">", "p"], 5),
            (&format!("<t{blanks}"), &[" ", "t", ">", "/"], 5),
        ],
    );
}

/// Families that code hides in three ways, and one whose closers it does not hide.
const GUARDED: &str = r#""family": [
    {"name": "t", "open": "<t>", "close": "</t>", "channel": "reasoning"},
    {"name": "o", "open": "<o>", "close": "</o>", "channel": "o"},
    {"name": "n", "open": "<n>", "close": "</n>", "channel": "n", "guard_closers": "no"}
]"#;

const GUARDED_SAMPLES: [&str; 17] = [
    "x`",
    "x``",
    "x```",
    "x````",
    "x`````",
    "<t>x",
    "</t>x",
    "</o>x",
    "<n>x",
    "</n>x",
    "\n```\n<o>x",
    "\n~~~\n<o>x",
    "   ```\n<o>x",
    "   ~~~~\n<o>x",
    "``` </o>x",
    "~~~</o>x",
    "``<o>x</o>\n<o>",
];

fn guarded(guards: &str) -> TinySet {
    TinySet::new(&format!(r#"{{"guards": "{guards}", {GUARDED}}}"#), &GUARDED_SAMPLES)
}

#[test]
fn code_on_a_line() {
    for guards in ["both", "inline"] {
        walk(
            &guarded(guards),
            &[
                ("", &["`", "<o>", "</o>", "x", "\n", "``"], 10),
                ("`", &["`", "<", "/", "o", ">", " "], 8),
                ("<n>`x", &["`", "<", "/", "n", ">"], 8),
                ("<t>x`", &["`", "<", "/", "t", ">", "o"], 8),
            ],
        );
    }
}

#[test]
fn code_in_fences() {
    for guards in ["both", "fences"] {
        walk(
            &guarded(guards),
            &[
                ("", &["```", "\n", "<o>", "</o>", "x", " ", "~~~"], 12),
                ("<o>\n", &["```", "\n", "</o>", "<t>", " ", "`", "x"], 9),
                ("<o>~~~\n", &["~~~", "\n", "</o>", "<o>", " ", "~"], 9),
                ("<o>```\n", &["`", "\n", "<", "/", "o", ">"], 9),
                ("<n>```\n", &["`", "\n", "<", "/", "n", ">"], 9),
            ],
        );
    }
}

#[test]
fn a_fence_round_the_whole_answer() {
    let set = guarded("both");
    walk(
        &set,
        &[
            ("```x\n", &["```", "\n", "<o>", "</o>", "x", "<t>", "</t>"], 10),
            ("<t></t>```", &["\n", "`", "<o>", "</o>", " ", "x"], 9),
            ("~~~\n<o>", &["~~~", "\n", "</o>", "<o>", "x"], 9),
        ],
    );
}

#[test]
fn what_follows_a_raw_element() {
    let set = TinySet::new(
        r#"{"family": [
            {"name": "t", "open": "<t>", "close": "</t>", "channel": "t"},
            {"name": "o", "open": "<o>", "close": "</o>", "channel": "o", "body": "raw", "within": ["t"]},
            {"name": "p", "open": "<p{x}>", "close": "</p>", "channel": "p", "body": "raw",
             "within": ["t"], "same": "literal", "params": {"x": {"allow": "ox", "cap": 2}}},
            {"name": "r", "open": "<r>", "close": "</r>", "channel": "r", "body": "raw"}
        ]}"#,
        &[
            "<t>",
            "</o></t>",
            "</o><o>x",
            "</o> <px>",
            "</p></t>",
            "</p><o>",
            "</o>x",
            "</r>x",
            "<r>x",
            "</t>x",
        ],
    );
    let blanks = " ".repeat(62);
    let held = walk(
        &set,
        &[
            ("<t><o>", &["</o>", "</t>", " ", "<", "<o>", "x", "\n"], 12),
            ("<t><o></o>", &["<", "/", "o", "t", ">", " "], 9),
            ("<t><o></o><p", &["o", "x", ">", "<", "/"], 6),
            ("<t><o>", &["<", "/", "o", ">", "t"], 7),
            ("<t><px>", &["</p>", "</t>", "<px>", "<", "<o>", "x"], 9),
            ("<r>", &["</r>", "<r>", "<", "/", "r", ">", " "], 7),
            ("<t><r>", &["</r>", "</t>", "<r>", "<", "/"], 8),
            (&format!("<t><o></o>{blanks}"), &[" ", "\n", "<", "/", "t", ">"], 7),
            (&format!("<t><px></p>{blanks}"), &[" ", "<px>", "<pox", ">", "x"], 8),
        ],
    );
    assert_eq!(held + SPAN_AHEAD, set.max_held());
}

#[test]
fn comments() {
    let set = TinySet::new(
        r#"{"comments": true, "family": [
            {"name": "t", "open": "<t>", "close": "</t>", "channel": "reasoning"},
            {"name": "o", "open": "<o>", "close": "</o>", "channel": "o", "body": "text"},
            {"name": "e", "open": "<!-", "close": "-!>", "channel": "e"}
        ]}"#,
        &["<!--x-->x", "<t>", "</t>", "<o>", "</o>", "<!-x", "-!>x", "-->x", "```\n<!--x-->"],
    );
    walk(
        &set,
        &[
            ("", &["<", "!", "-", ">", "x", "`"], 6),
            ("<!-", &["-", ">", "x", "<t>", "<", "!", " "], 7),
            ("<!--", &["-", ">", "x", "<!--", "</t>"], 7),
            ("<t>", &["<!--", "-->", "<", "-", "</t>", "`", "\n"], 8),
            ("<o>", &["<!--", "-->", "<", "-", "</o>"], 8),
        ],
    );
}

#[test]
fn strays_of_each_kind() {
    for stray in ["auto", "drop", "literal", "reclassify"] {
        let set = TinySet::new(
            &format!(
                r#"{{"stray": "{stray}", "family": [
                    {{"name": "t", "open": "<t>", "close": "</t>", "channel": "reasoning", "group": "g"}},
                    {{"name": "m", "open": "<m>", "close": "</m>", "channel": "reasoning", "group": "g",
                      "stray": "literal"}},
                    {{"name": "o", "open": "<o>", "close": "</o", "channel": "o", "body": "text"}},
                    {{"name": "p", "open": "</o>", "close": "</p>", "channel": "answer", "stray": "literal"}}
                ]}}"#
            ),
            &["<t>x", "</t>x", "<m>", "</m>x", "<o>", "</ox", "</o>x", "</p>"],
        );
        walk(
            &set,
            &[
                ("", &["<", "/", "t", ">", "m", "x"], 6),
                ("", &["<t>", "</t>", "</m>", "<m>", "<o>", "</o>", "x"], 9),
                ("</", &["o", ">", "</", "p", "t", "x"], 6),
                ("<o>", &["<", "/", "o", ">", "p"], 6),
                ("`", &["`", "</m", "</o", ">", "<m>", "\n"], 9),
            ],
        );
    }
}

#[test]
fn elements_that_the_prompt_began() {
    let json = format!("{{{GUARDED}}}");
    for family in ["t", "o"] {
        walk(
            &TinySet::inside(&json, &GUARDED_SAMPLES, family),
            &[
                ("", &["<", "/", "t", "o", ">", "x"], 7),
                ("", &["<t>", "</t>", "</o>", "```", "\n", "x"], 11),
            ],
        );
    }
}

#[test]
fn answers_that_begin_again_and_groups() {
    let set = TinySet::new(
        r#"{"family": [
            {"name": "t", "open": "<t>", "close": "</t>", "channel": "reasoning", "group": "g"},
            {"name": "m", "open": "<m>", "close": ["</m>", "</t"], "channel": "reasoning", "group": "g",
             "body": "text", "same": "nest"},
            {"name": "a", "open": "<a>", "close": "</a>", "channel": "answer", "same": "restart",
             "inside": "interrupt"},
            {"name": "i", "open": "<i>", "close": "</i>", "channel": "@parent", "same": "sibling",
             "within": ["a", "i"]}
        ]}"#,
        &["<t>x", "</t>x", "<m>x", "</m>x", "</tx", "<a>x", "</a>x", "<i>x", "</i>x"],
    );
    walk(
        &set,
        &[
            ("", &["<t>", "</t>", "<m>", "</m>", "<a>", "</a>", "x"], 12),
            ("<a>", &["<a>", "<i>", "</i>", "</a>", "<t>", "</t", "x"], 12),
            ("<t>", &["<", "/", "t", "m", ">", "a"], 6),
            ("<t><m>", &["<", "/", "t", "m", ">", "a"], 6),
            ("<a><i>", &["<", "/", "i", "a", ">", "x"], 6),
        ],
    );
}

#[test]
fn lines_and_names() {
    let set = TinySet::unread(
        r#"{"family": [
            {"name": "l", "open": "<l>", "close": "</l>", "channel": "l", "at": "line"},
            {"name": "t", "open": "<t>", "close": "</t>", "channel": "reasoning"},
            {"name": "any", "open": "<{tag}>", "close": "</{tag}>", "channel": "any", "named_by": "tag",
             "params": {"tag": {"allow": "a-z", "cap": 2}}}
        ]}"#,
        &["<l>x", "</l>x", "<t>x", "</t>x", "<ab>x", "</ab>", "\n<l>", "</a></b>"],
    );
    walk(
        &set,
        &[
            ("", &["<l>", "</l>", "\n", " ", "x", "<t>", "`"], 8),
            ("x", &["<", "l", ">", "/", "\n", "t"], 6),
            ("<a>", &["<", "/", "a", "b", ">", "</a>"], 7),
            ("<l>", &["<", "/", "a", "l", ">", "<l>"], 7),
        ],
    );
}

/// A payload of JSON or text in elements.
#[test]
fn json_in_elements() {
    let set = TinySet::new(
        r#"{"family": [
            {"name": "j", "open": "<j>", "close": "</j>", "channel": "j", "body": "json"},
            {"name": "t", "open": "<t>", "close": "</t>", "channel": "reasoning"}
        ]}"#,
        &["<j>x", "</j>x", "<t>x", "</t>x", "\"</j>x", "\"}</j>x"],
    );
    walk(
        &set.with_json(),
        &[
            ("<j>", &["\"", "<", "/", "j", ">", "1"], 6),
            ("<j>{\"a\":\"", &["\"", "</j>", ",", "}", "<", "\\"], 7),
            ("<j>{\"a\":1}", &["<", "/", "j", ">", "x", "<t>"], 6),
            ("<j>tr", &["u", "e", " ", "</j>", "<", "x"], 6),
        ],
    );
}

#[test]
fn records_in_elements() {
    let set = TinySet::new(
        r#"{"family": [
            {"name": "r", "open": "<r>", "close": "</r>", "channel": "r", "body": "record",
             "visible": "no"},
            {"name": "t", "open": "<t>", "close": "</t>", "channel": "reasoning"}
        ]}"#,
        &["<r>x", "</r>x", "a: b\n", "\n```\n</r>"],
    );
    walk(
        &set,
        &[
            ("<r>", &["a", ":", " ", "\n", "<", "</r>"], 7),
            ("<r>", &["`", "```", "\n", "<", "</r>", "<r>"], 7),
        ],
    );
    let set = TinySet::unread(
        r#"{"family": [
            {"name": "r", "open": "<r>", "close": "</r>", "channel": "r", "body": "record",
             "any_key": true}
        ]}"#,
        &["<r>x", "</r>x", "a: b\n", "\n```\n</r>"],
    );
    walk(&set, &[("<r>", &["a", ":", " ", "\n", "<", "</r>"], 7)]);
}

#[test]
fn trees_in_elements() {
    let set = TinySet::unread(
        r#"{"family": [
            {"name": "x", "open": "<x>", "close": "</x>", "channel": "x", "body": "xml"},
            {"name": "t", "open": "<t>", "close": "</t>", "channel": "reasoning"}
        ]}"#,
        &["<x>", "</x>y", "<t>y", "</t>y", "<a>y", "</a>", "</a></x>y", "<a b='</x>'>"],
    );
    walk(
        &set.with_xml(),
        &[
            ("<x>", &["<", "/", "x", "a", ">", "t"], 5),
            ("<x><a>", &["<", "/", "x", "a", ">", "t"], 5),
            ("<x><a", &[" a='", "'", "</x>", "<t>", ">", "/"], 6),
            ("<x>", &["<!--", "-->", "</x>", "<t>", "</t>", "y"], 9),
            ("<x><t>", &["<", "/", "x", "t", ">", "y"], 5),
        ],
    );
}

#[test]
fn the_payload_in_an_element() {
    let json = r#"{"family": [
        {"name": "a", "open": "<a>", "close": "</a>", "channel": "answer"},
        {"name": "f", "open": "<f>", "close": "</f>", "channel": "f", "body": "fields"},
        {"name": "t", "open": "<t>", "close": "</t>", "channel": "reasoning"}
    ]}"#;
    let samples = ["<a>x", "</a>x", "<t>x", "</t>x", "</f>x", "\"</a>x", "\"}</a>x", "}</f>x"];
    let set = TinySet::built(json, &samples, |spec| spec.caps(NO_WINDOWS)).with_json();
    walk(
        &set,
        &[
            ("<a>", &["{", "\"", "a", ":", "</a>", "<"], 6),
            ("<a>{\"a\":", &["\"", "</a>", "}", "<", "/", "1"], 6),
            ("<f>{\"a\":1", &["}", "</f>", "<", "/", " ", "x"], 6),
            ("{\"a\":1}", &["<t>", "<", "/", "t", ">", "\n"], 6),
            ("{\"", &["\"", "<", "t", ">", ":", "a"], 6),
            ("<t>{\"", &["\"", "<", "/", "t", ">", ":"], 6),
        ],
    );
}
