//! What markers do to the elements that are open.

use super::{check, check_from, router, tags};

/// Families that differ in one setting each.
const SETTINGS: &str = r#"
    guards = "none"
    [[family]]
    name = "think"
    open = "<think>"
    close = "</think>"
    channel = "reasoning"
    group = "g"
    [[family]]
    name = "thought"
    open = "<thought>"
    close = "</thought>"
    channel = "reasoning"
    group = "g"
    [[family]]
    name = "answer"
    open = "<answer>"
    close = "</answer>"
    channel = "answer"
    inside = "interrupt"
    same = "restart"
    [[family]]
    name = "nest"
    open = "<nest:{id}>"
    close = "</nest:{id}>"
    channel = "x"
    same = "nest"
    mismatch = "close"
    [[family]]
    name = "exact"
    open = "<exact:{id}>"
    close = "</exact:{id}>"
    channel = "x"
    same = "nest"
    [[family]]
    name = "par"
    open = "<par:{id}>"
    close = "</par:{id}>"
    channel = "x"
    same = "parallel"
    [[family]]
    name = "sib"
    open = "<sib>"
    close = "</sib>"
    channel = "x"
    same = "sibling"
    [[family]]
    name = "same"
    open = "<same>"
    close = "</same>"
    channel = "x"
    same = "literal"
    [[family]]
    name = "void"
    open = "<void>"
    channel = "x"
    [[family]]
    name = "attr"
    open = "<attr>"
    close = "</attr>"
    channel = "x"
    attributes = "valued"
    [[family]]
    name = "line"
    open = "<line>"
    close = "</line>"
    channel = "x"
    at = "line"
    [[family]]
    name = "drop"
    open = "<drop>"
    close = "</drop>"
    channel = "x"
    stray = "drop"
    [[family]]
    name = "keep"
    open = "<keep>"
    close = "</keep>"
    channel = "x"
    stray = "literal"
    [[family]]
    name = "back"
    open = "<back>"
    close = "</back>"
    channel = "x"
    stray = "reclassify"
    [[family]]
    name = "data"
    open = "<data>"
    close = "</data>"
    channel = "x"
    body = "json"
    same = "restart"
    [[family]]
    name = "text"
    open = "<text>"
    close = "</text>"
    channel = "x"
    body = "text"
    same = "restart"
    [[family]]
    name = "raw"
    open = "<raw>"
    close = "</raw>"
    channel = "x"
    body = "raw"
"#;

const OPENERS: &[(&str, &str)] = &[
    ("<think>a<thought>b</think>c", "‹think›a<thought>b‹/›c"),
    (
        "<think>a<answer>b</answer>c</think>d",
        "‹think›a!unclosed_element‹/interrupted›‹answer›b‹/›c!stray_closer‹stray think›‹was think 26..27›d",
    ),
    (
        "<think>a<answer>b<answer>c</answer>",
        "‹think›a!unclosed_element‹/interrupted›‹answer›b!unclosed_element‹/reopened›‹answer›c‹/›",
    ),
    (
        "<answer>a<sib>b<answer>c</answer>",
        "‹answer›a‹sib›b!unclosed_element‹/close_through›!unclosed_element‹/reopened›‹answer›c‹/›",
    ),
    ("<nest:1>a<nest:2>b</nest:2>c</nest:1>d", "‹nest 1›a‹nest 2›b‹/›c‹/›d"),
    (
        "<sib>a<sib>b</sib>c</sib>",
        "‹sib›a!unclosed_element‹/sibling_opener›‹sib›b‹/›c!stray_closer‹stray sib›",
    ),
    (
        "<sib>a<same>b<sib>c</sib>d</same>",
        "‹sib›a‹same›b‹sib›c‹/›d‹/›!unclosed_element‹/end_of_input›",
    ),
    ("<same>a<same>b</same>c</same>", "‹same›a<same>b‹/›c!stray_closer‹stray same›"),
    (
        "<par:1>a<par:2>b</par:1>c</par:2>",
        "‹par 1›a‹par 2›b!unclosed_element‹/close_through›‹/›‹par 2›c‹/›",
    ),
    (
        "<par:1>a<sib>b<par:2>c</par:1>d</par:2>",
        "‹par 1›a‹sib›b‹par 2›c!unclosed_element‹/close_through›!unclosed_element‹/close_through›‹/›‹par 2›d‹/›",
    ),
    ("<sib>a<par:1>b</sib>c", "‹sib›a‹par 1›b!unclosed_element‹/close_through›‹/›c"),
    ("<void>a<sib>b<void>c</sib>", "‹void›‹/›a‹sib›b‹void›‹/›c‹/›"),
    ("<attr/>a<attr x=\"1\">b</attr><attr x=\"1\"/>c", "‹attr›‹/›a‹attr 1›b‹/›‹attr 1›‹/›c"),
    ("a<line>b", "a<line>b"),
    ("a\n <line>b</line>", "a\n ‹line›b‹/›"),
    (" <line>b<line></line>", " ‹line›b<line>‹/›"),
    ("<sib><line>a</line>", "‹sib›‹line›a‹/›!unclosed_element‹/end_of_input›"),
    ("<text>a<sib>b<text>c</text>d", "‹text›a<sib>b!unclosed_element‹/reopened›‹text›c‹/›d"),
    ("<text>a<think>b<answer>c</answer></text>", "‹text›a<think>b<answer>c</answer>‹/›"),
    ("<data>{<sib>}<data>[]</data>", "‹data›{<sib>}!unclosed_element‹/reopened›‹data›[]‹/›"),
    ("<raw>a<sib>b<raw>c</raw>d", "‹raw›a<sib>b!unclosed_element‹/sibling_opener›‹raw›c‹/›d"),
    (
        "<think>a<text>b<answer>c</answer>d",
        "‹think›a‹text›b<answer>c</answer>d!unclosed_element‹/end_of_input›!unclosed_element‹/end_of_input›",
    ),
    (
        "<sib><think>a<answer>b</sib>",
        "‹sib›‹think›a!unclosed_element‹/interrupted›‹answer in 1›b!unclosed_element‹/close_through›‹/›",
    ),
];

#[test]
fn openers_inside_elements() {
    check(&tags(SETTINGS), OPENERS);
}

const CLOSERS: &[(&str, &str)] = &[
    ("<think>a</thought>b", "‹think›a!mismatched_marker‹/mismatched›b"),
    ("<nest:1>a</nest:2>b", "‹nest 1›a!mismatched_marker‹/mismatched›b"),
    ("<nest:1>a<nest:2>b</nest:1>c", "‹nest 1›a‹nest 2›b!unclosed_element‹/close_through›‹/›c"),
    (
        "<nest:1>a<nest:2>b</nest:3>c</nest:1>",
        "‹nest 1›a‹nest 2›b!mismatched_marker‹/mismatched›c‹/›",
    ),
    ("<exact:1>a</exact:2>b</exact:1>", "‹exact 1›a!stray_closer‹stray exact›b‹/›"),
    ("<sib>a<think>b</sib>c", "‹sib›a‹think›b!unclosed_element‹/close_through›‹/›c"),
    (
        "<sib>a<think>b<same>c</thought>d",
        "‹sib›a‹think›b‹same›c!mismatched_marker!unclosed_element‹/close_through›‹/mismatched›d!unclosed_element‹/end_of_input›",
    ),
    ("a</drop>b", "a!stray_closer‹stray drop›b"),
    ("a</keep>b", "a</keep>!stray_closerb"),
    ("a</back>b", "a!stray_closer‹stray back›‹was back 0..1›b"),
    ("a</think>b", "a!stray_closer‹stray think›‹was think 0..1›b"),
    ("a</answer>b", "a!stray_closer‹stray answer›‹was answer 0..1›b"),
    ("a</sib>b", "a!stray_closer‹stray sib›b"),
    ("</think>b", "!stray_closer‹stray think›b"),
    (
        "a</think>b</think>c",
        "a!stray_closer‹stray think›‹was think 0..1›b!stray_closer‹stray think›c",
    ),
    ("<think>a</think>b</think>c", "‹think›a‹/›b!stray_closer‹stray think›c"),
    ("<think>a</think>b</thought>c", "‹think›a‹/›b!stray_closer‹stray thought›c"),
    (
        "<think>a<answer>b</answer>c</think>d</think>e",
        "‹think›a!unclosed_element‹/interrupted›‹answer›b‹/›c!stray_closer‹stray think›‹was think 26..27›d!stray_closer‹stray think›e",
    ),
    (
        "<think>a<answer>b</answer><think>c</think>d</think>e",
        "‹think›a!unclosed_element‹/interrupted›‹answer›b‹/›‹think›c‹/›d!stray_closer‹stray think›e",
    ),
    (
        "<answer>a<answer>b</answer>c</answer>d",
        "‹answer›a!unclosed_element‹/reopened›‹answer›b‹/›c!stray_closer‹stray answer›‹was answer 27..28›d",
    ),
    ("<answer>a</answer>b</answer>c", "‹answer›a‹/›b!stray_closer‹stray answer›c"),
    (
        "<answer>a<answer>b</answer>c<answer>d</answer>e</answer>f",
        "‹answer›a!unclosed_element‹/reopened›‹answer›b‹/›c‹answer›d‹/›e!stray_closer‹stray answer›f",
    ),
    ("<sib>a</back>b</sib>", "‹sib›a!stray_closer‹stray back›b‹/›"),
    ("a<sib>b</sib>c</back>d", "a‹sib›b‹/›c!stray_closer‹stray back›‹was back 13..14›d"),
    ("a<void>b</back>c", "a‹void›‹/›b!stray_closer‹stray back›‹was back 7..8›c"),
    ("<sib>a</keep>b</sib>", "‹sib›a</keep>!stray_closerb‹/›"),
    ("<sib>a</think>b</sib>", "‹sib›a!stray_closer‹stray think›b‹/›"),
    ("<text>a</sib>b</keep></text>", "‹text›a</sib>b</keep>‹/›"),
    ("<raw>a</sib>b</raw>c</raw>", "‹raw›a</sib>b‹/›c!stray_closer‹stray raw›"),
    ("<data>[</keep>]</data>", "‹data›[</keep>]‹/›"),
];

#[test]
fn closers_and_what_they_close() {
    check(&tags(SETTINGS), CLOSERS);
}

#[test]
fn a_stream_that_begins_in_an_element() {
    let tags = tags(SETTINGS);
    check_from(
        &router(&tags, Some("think")),
        &[
            ("a</think>b", "a‹/›b"),
            ("<think>a</think>b", "!repeated_opener‹stray think›a‹/›b"),
            (" \n<think>a</think>b", " \n!repeated_opener‹stray think›a‹/›b"),
            ("<thought>a</think>b", "!repeated_opener‹stray thought›a‹/›b"),
            ("a<think>b</think>c", "a<think>b‹/›c"),
            ("<think><think>a</think>b", "!repeated_opener‹stray think›<think>a‹/›b"),
            (
                "a<answer>b</answer>c</think>d",
                "a!unclosed_element‹/interrupted›‹answer›b‹/›c!stray_closer‹stray think›‹was think 19..20›d",
            ),
            ("a</thought>b", "a!mismatched_marker‹/mismatched›b"),
            ("a</think>b</think>c", "a‹/›b!stray_closer‹stray think›c"),
            ("<sib>a</think>b", "‹sib›a!unclosed_element‹/close_through›‹/›b"),
            (
                "a</answer>b",
                "a!stray_closer‹stray answer›‹was answer 0..1›b!unclosed_element‹/end_of_input›",
            ),
            ("a", "a!unclosed_element‹/end_of_input›"),
        ],
    );
    check_from(
        &router(&tags, Some("answer")),
        &[
            ("a<answer>b</answer>c", "a!unclosed_element‹/reopened›‹answer›b‹/›c"),
            ("<answer>b</answer>c", "!repeated_opener‹stray answer›b‹/›c"),
            ("a</think>b</answer>", "a!stray_closer‹stray think›‹was think 0..1›b‹/›"),
        ],
    );
    check_from(
        &router(&tags, Some("nest")),
        &[("a</nest:7>b", "a‹/›b"), ("<nest:1>a</nest:7>b", "!repeated_opener‹stray nest›a‹/›b")],
    );
    check_from(
        &router(&tags, Some("data")),
        &[
            ("<data>[]</data>", "!unclosed_element‹/reopened›‹data›[]‹/›"),
            ("[]<data>{}</data>", "[]!unclosed_element‹/reopened›‹data›{}‹/›"),
        ],
    );
}

/// Mentions and the closers that belong to them.
#[test]
fn mentions_and_pairs() {
    let tags = tags(&SETTINGS.replace("guards = \"none\"", "guards = \"both\""));
    check(
        &tags,
        &[
            ("the <sib> tag ends in </sib> here", "the <sib> tag ends in </sib> here"),
            ("the <think> tag ends in </think> here", "the <think> tag ends in </think> here"),
            ("with <sib>...</sib> blocks", "with <sib>...</sib> blocks"),
            ("with <think>...</think> blocks", "with <think>...</think> blocks"),
            ("with <sib>...</sib> x</sib>", "with <sib>...</sib> x!stray_closer‹stray sib›"),
            ("see \"<sib>\" and </sib>", "see \"<sib>\" and </sib>"),
            ("see \"<sib>x</sib>", "see \"‹sib›x‹/›"),
            ("see `<sib>` x</sib>", "see `<sib>` x!stray_closer‹stray sib›"),
            ("a `<sib> x</sib>", "a `<sib> x!stray_closer‹stray sib›"),
            ("a ``<sib>` x``</sib>", "a ``<sib>` x``!stray_closer‹stray sib›"),
            ("`(<sib>)` x", "`(<sib>)` x"),
            ("`(<sib>x", "`(‹sib›x!unclosed_element‹/end_of_input›"),
            ("the <sib>, </sib> x", "the <sib>, </sib> x"),
            ("the <sib>, <sib>a</sib> x</sib>", "the <sib>, ‹sib›a‹/› x!stray_closer‹stray sib›"),
            ("use </sib> to", "use </sib> to"),
            ("use </sib>", "use !stray_closer‹stray sib›"),
            ("<sib>use </sib> to", "‹sib›use ‹/› to"),
            ("- </sib>.", "- </sib>."),
            (
                "x\n```\n<sib>\n```\n<sib>",
                "x\n```\n<sib>\n```\n‹sib›!unclosed_element‹/end_of_input›",
            ),
            ("`<sib>\na` <sib>b", "`<sib>\na` ‹sib›b!unclosed_element‹/end_of_input›"),
            ("`<sib>\nb\n", "`<sib>\nb\n"),
            (
                "a\n\n    <sib>\n\nb<sib>",
                "a\n\n    <sib>\n\nb‹sib›!unclosed_element‹/end_of_input›",
            ),
            (
                "```\n<think>\n```\n<think>",
                "```\n‹think›\n```\n<think>!unclosed_element‹/end_of_input›",
            ),
            ("```\n<sib>\n```\n<sib>", "```\n<sib>\n```\n‹sib›!unclosed_element‹/end_of_input›"),
            ("```\n<answer>a</answer>\n```", "```\n‹answer›a‹/›\n```"),
            (
                "<think>a</think>\n```\n<answer>b</answer>\n```",
                "‹think›a‹/›\n```\n‹answer›b‹/›\n```",
            ),
            (
                "<sib>a</sib>\n```\n<answer>b</answer>\n```",
                "‹sib›a‹/›\n```\n<answer>b</answer>\n```",
            ),
            ("<sib>```\n</sib>a", "‹sib›```\n</sib>a!unclosed_element‹/end_of_input›"),
            ("<sib>`</sib>`a", "‹sib›`</sib>`a!unclosed_element‹/end_of_input›"),
            ("<answer>`</answer>`a</answer>", "‹answer›`</answer>`a‹/›"),
            ("<answer>\n```\n</answer>\n```\n</answer>", "‹answer›\n```\n</answer>\n```\n‹/›"),
            ("<answer>\n```\nx\n```</answer>", "‹answer›\n```\nx\n```‹/›"),
        ],
    );
}
