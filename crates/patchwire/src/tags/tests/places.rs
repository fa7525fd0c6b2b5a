//! Which markers count in a place, by the rule that holds there.

use super::tags;
use crate::tags::TokenRun;
use crate::tags::code_guard::{CodeGuard, GuardedCode, MarkerRule};
use crate::tags::element_stack::OpenElement;
use crate::tags::marker_place::MarkerPlace;
use crate::tags::marker_rules::{Around, MarkerRules};
use crate::tags::tag_set::{MarkerSide, TagSet};
use crate::tags::token_run::TokenRuns;

const RULES: [MarkerRule; 7] = [
    MarkerRule::Open,
    MarkerRule::Hidden,
    MarkerRule::FenceEnd,
    MarkerRule::Ends,
    MarkerRule::Openers,
    MarkerRule::Bare,
    MarkerRule::Start,
];

fn open(tags: &TagSet, name: &str, by_marker: bool) -> OpenElement {
    OpenElement {
        family: tags.number(name).expect("a family"),
        id: 1,
        params: crate::lex::marker::MarkerParams::new(),
        guard: CodeGuard::TOP,
        from: 0,
        reasoning: name == "think",
        by_marker,
    }
}

/// The markers that a mask has: openers by the names of their families, closers with a slash.
fn names(tags: &TagSet, contains: impl Fn(u16) -> bool) -> String {
    let marker = |marker: u16| {
        let name = tags.family(marker / 2).name();
        match MarkerSide::of(marker) {
            MarkerSide::Open(_) => name.to_owned(),
            MarkerSide::Close(_) => format!("/{name}"),
        }
    };
    let all = 0..2 * tags.families().len() as u16;
    all.filter(|it| contains(*it)).map(marker).collect::<Vec<_>>().join(" ")
}

/// The markers that count under a rule, those that count at a line start only, and those that are noted only.
fn rule(tags: &TagSet, place: &MarkerPlace, rule: MarkerRule) -> String {
    let enabled = place.enabled(rule, true);
    let mut line = names(tags, |it| enabled.contains(it));
    let line_start =
        names(tags, |it| enabled.contains(it) && !place.enabled(rule, false).contains(it));
    let noted = names(tags, |it| place.seen(rule, true).contains(it) && !enabled.contains(it));
    if !line_start.is_empty() {
        line += &format!(" | at a line start {line_start}");
    }
    if !noted.is_empty() {
        line += &format!(" | noted {noted}");
    }
    line
}

/// What holds in a place, whatever the rule.
fn facts(place: &MarkerPlace) -> String {
    let facts = [
        ("guarded", place.guarded),
        ("closed", place.closed),
        ("begun", place.begun),
        ("raw", place.raw),
    ];
    facts.iter().filter(|it| it.1).map(|it| it.0).collect::<Vec<_>>().join(" ")
}

/// Elements by the names of their families, the outermost first. The stream began in those with an equals sign.
fn stack(tags: &TagSet, names: &str) -> Vec<OpenElement> {
    let names = names.split_whitespace();
    names.map(|it| open(tags, it.trim_start_matches('='), !it.starts_with('='))).collect()
}

const SETTINGS: &str = r#"
    comments = true
    [[family]]
    name = "think"
    open = "<think>"
    close = "</think>"
    channel = "reasoning"
    [[family]]
    name = "answer"
    open = "<answer>"
    close = "</answer>"
    channel = "answer"
    inside = "interrupt"
    same = "restart"
    [[family]]
    name = "wrap"
    open = "<wrap>"
    close = "</wrap>"
    channel = "text"
    [[family]]
    name = "void"
    open = "<void>"
    channel = "text"
    [[family]]
    name = "line"
    open = "<line>"
    close = "</line>"
    channel = "x"
    at = "line"
    stray = "literal"
    [[family]]
    name = "json"
    open = "<json>"
    close = "</json>"
    channel = "x"
    body = "json"
    same = "restart"
    group = "calls"
    [[family]]
    name = "call"
    open = "<call>"
    close = "</call>"
    channel = "tool"
    inside = "interrupt"
    group = "calls"
    same = "sibling"
    guard_closers = "yes"
    [[family]]
    name = "placed"
    open = "<placed>"
    close = "</placed>"
    channel = "x"
    body = "raw"
    within = ["wrap"]
    [[family]]
    name = "raw"
    open = "<raw>"
    close = "</raw>"
    channel = "x"
    body = "raw"
    same = "literal"
    [[family]]
    name = "text"
    open = "<text>"
    close = "</text>"
    channel = "text"
    body = "text"
    same = "restart"
    [[family]]
    name = "tree"
    open = "<tree>"
    close = "</tree>"
    channel = "x"
    body = "xml"
    [[family]]
    name = "fields"
    open = "<fields>"
    close = "</fields>"
    channel = "x"
    body = "fields"
    keys = ["a"]
    [[family]]
    name = "record"
    open = "<record>"
    close = "</record>"
    channel = "x"
    body = "record"
    keys = ["a"]
"#;

const KINDS_OF_BODY: &[[&str; 4]] = &[
    [
        "",
        "comment think /think answer /answer wrap /wrap void line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
        "",
        "guarded",
    ],
    [
        "=think",
        "comment /think answer /answer wrap /wrap void line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
        "/think",
        "guarded begun",
    ],
    [
        "think",
        "comment /think answer /answer wrap /wrap void line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
        "/think",
        "guarded",
    ],
    ["comment", "/comment", "/comment", ""],
    ["think comment", "/comment", "/comment", ""],
    [
        "wrap",
        "comment think /think answer /answer /wrap void line json /json call /call placed /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
        "/wrap",
        "guarded",
    ],
    [
        "line",
        "comment think /think answer /answer wrap /wrap void /line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record",
        "/line",
        "guarded",
    ],
    [
        "call",
        "comment think /think answer /answer wrap /wrap void line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
        "/json /call",
        "guarded",
    ],
    ["json", "json /json call", "json /json call", "closed"],
    ["=json", "json /json call", "json /json call", "closed begun"],
    ["wrap json", "/wrap json /json call", "/wrap json /json call", "closed"],
    ["placed", "placed /placed", "/placed", "closed raw"],
    ["wrap placed", "/wrap placed /placed", "/wrap /placed", "closed raw"],
    ["raw", "/raw", "/raw", "closed raw"],
    ["wrap raw", "/wrap /raw", "/wrap /raw", "closed raw"],
    ["text", "text /text", "/text", "guarded"],
    ["think text", "/think text /text", "/think /text", "guarded"],
    [
        "think text call",
        "comment think /think answer /answer wrap /wrap void line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
        "/think /json /call /text",
        "guarded",
    ],
    [
        "tree",
        "think /think answer /answer wrap /wrap void line /json call /call /placed raw /raw text /text /tree /fields /record | at a line start line",
        "/tree",
        "guarded",
    ],
    [
        "wrap tree",
        "think /think answer /answer wrap /wrap void line /json call /call /placed raw /raw text /text /tree /fields /record | at a line start line",
        "/wrap /tree",
        "guarded",
    ],
    ["fields", "/fields", "/fields", "guarded closed"],
    ["record", "/record", "/record", "guarded"],
    ["think record", "/think /record", "/think /record", "guarded"],
    [
        "void",
        "comment think /think answer /answer wrap /wrap line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
        "",
        "guarded",
    ],
];

#[test]
fn markers_that_count_in_each_kind_of_body() {
    let tags = tags(SETTINGS);
    let mut wrong = String::new();
    for [names, open, ends, what] in KINDS_OF_BODY {
        let place = MarkerPlace::of(&tags, &stack(&tags, names));
        let found = [
            rule(&tags, &place, MarkerRule::Open),
            rule(&tags, &place, MarkerRule::Ends),
            facts(&place),
        ];
        if found != [*open, *ends, *what] {
            let [open, ends, what] = found;
            wrong += &format!("[{names:?}, {open:?}, {ends:?}, {what:?}],\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

const BY_RULE: &[(&str, [&str; 7])] = &[
    (
        "",
        [
            "comment think /think answer /answer wrap /wrap void line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
            "",
            "",
            "",
            "think answer wrap",
            "think /think answer /answer wrap /wrap void line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
            "comment think /think answer /answer wrap /wrap void line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
        ],
    ),
    (
        "=think",
        [
            "comment /think answer /answer wrap /wrap void line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
            "/think",
            "/think",
            "/think",
            "/think answer wrap",
            "/think answer /answer wrap /wrap void line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
            "comment think /think answer /answer wrap /wrap void line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
        ],
    ),
    (
        "wrap call",
        [
            "comment think /think answer /answer wrap /wrap void line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
            "",
            "/wrap /json /call",
            "/wrap /json /call",
            "think answer wrap",
            "think /think answer /answer wrap /wrap void line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
            "comment think /think answer /answer wrap /wrap void line json /json call /call /placed raw /raw text /text tree /tree fields /fields record /record | at a line start line | noted /line",
        ],
    ),
    (
        "wrap placed",
        [
            "/wrap placed /placed",
            "",
            "/wrap /placed",
            "/wrap /placed",
            "",
            "/wrap placed /placed",
            "/wrap placed /placed",
        ],
    ),
];

#[test]
fn markers_that_count_under_each_rule() {
    let tags = tags(SETTINGS);
    let mut wrong = String::new();
    for (names, wanted) in BY_RULE {
        let place = MarkerPlace::of(&tags, &stack(&tags, names));
        let found = RULES.map(|it| rule(&tags, &place, it));
        if found != *wanted {
            wrong += &format!("({names:?}, {found:?}),\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn the_rule_at_an_offset() {
    let tags = tags(SETTINGS);
    let code = GuardedCode { inline: true, fences: true, wraps: true };
    let rules = |stack: &[OpenElement]| {
        let mut runs = TokenRuns::new(false);
        runs.set(4, TokenRun::Special);
        runs.set(8, TokenRun::Plain);
        MarkerRules { place: MarkerPlace::of(&tags, stack), runs, bare_from: 12, code }
    };
    let mut span = CodeGuard::MIDDLE;
    span.read(b"`", 0, code);
    let (outside, begun, raw) =
        (rules(&[]), rules(&[open(&tags, "think", false)]), rules(&[open(&tags, "raw", true)]));
    // Offsets with no run, in special tokens, in text tokens, and where nothing hides markers.
    for (name, rules, guard, around, wanted) in [
        ("text", &outside, CodeGuard::MIDDLE, Around::Text, "Open Bare Open Bare"),
        ("span", &outside, span, Around::Text, "Hidden Bare Hidden Bare"),
        ("start", &outside, CodeGuard::START, Around::Text, "Start Bare Start Bare"),
        ("begun", &begun, CodeGuard::START_IN, Around::Text, "Start Start Start Start"),
        ("begun, later", &begun, CodeGuard::MIDDLE, Around::Text, "Open Bare Open Bare"),
        ("raw", &raw, span, Around::Text, "Open Bare Open Bare"),
        ("payload", &outside, span, Around::Payload, "Ends Ends Ends Ends"),
        ("string", &outside, span, Around::String, "Hidden Ends Hidden Ends"),
        ("raw string", &raw, span, Around::String, "Open Ends Open Ends"),
    ] {
        let found = [3, 4, 8, 12].map(|at| format!("{:?}", rules.at(&guard, at, around)));
        assert_eq!(found.join(" "), wanted, "{name}");
    }
    let plain = [3, 4, 7, 8, 12].map(|at| outside.is_plain_text_token(at));
    assert_eq!(plain, [false, false, false, true, true]);
}

/// Elements nest up to a bound; deeper openers are text.
#[test]
fn elements_nest_256_deep() {
    let tags = tags(
        r#"
        [[family]]
        name = "n"
        open = "<n>"
        close = "</n>"
        channel = "x"
        same = "nest"
        "#,
    );
    let stack = vec![open(&tags, "n", true); 256];
    let counts =
        |open: &[OpenElement]| rule(&tags, &MarkerPlace::of(&tags, open), MarkerRule::Open);
    assert_eq!(counts(&stack[1..]), "n /n");
    assert_eq!(counts(&stack), "/n");
}
