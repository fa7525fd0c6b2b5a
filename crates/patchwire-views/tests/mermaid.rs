//! Mermaid diagrams, wherever in an answer they stand.

use patchwire::{Answer, Format, Spec, TagSet};
use patchwire_views::mermaid::{self, Diagram};

fn tags(toml: &str) -> Spec {
    let tags = TagSet::from_toml(toml).unwrap();
    Spec::builder().format(Format::Text).tags(tags).build().unwrap()
}

/// A hidden pad, an answer, notes with a json body, and a report whose text is like XML.
fn spec() -> Spec {
    let family = |name: &str, channel: &str, body: &str| {
        format!(
            "[[family]]\nname = '{name}'\nopen = '<{name}>'\nclose = '</{name}>'\n\
             channel = '{channel}'\nbody = '{body}'\n"
        )
    };
    tags(
        &[
            family("pad", "reasoning", "mixed"),
            family("output", "answer", "mixed"),
            family("data", "data", "json"),
            family("report", "report", "mixed"),
        ]
        .concat(),
    )
}

fn shown(answer: &Answer) -> Vec<String> {
    let show = |diagram: &Diagram<'_>| {
        let open = if diagram.is_complete { "" } else { " …" };
        let element = diagram.element.map_or(0, patchwire::event::ElementId::get);
        let code = diagram.code.replace('\n', "⏎");
        format!("{} {} {element} {code}{open}", diagram.kind, diagram.channel)
    };
    let diagrams = mermaid::diagrams(answer);
    assert!(diagrams.iter().map(|diagram| diagram.index).eq(0..diagrams.len()));
    diagrams.iter().map(show).collect()
}

fn check(text: &str, expected: &[&str]) {
    let spec = spec();
    assert_eq!(shown(&spec.parse(text).unwrap()), expected, "{text:?}");
    let mut parser = spec.parser();
    for byte in text.as_bytes() {
        parser.feed([*byte], |_| {}).unwrap();
    }
    assert_eq!(shown(&parser.finish(|_| {}).unwrap()), expected, "{text:?} byte by byte");
}

#[test]
fn fences_of_either_kind() {
    check("```mermaid\nflowchart TD\nA-->B\n```", &["flowchart text 0 flowchart TD⏎A-->B"]);
    check("a\n  ~~~~ MERMAID x\n  pie\n~~~\n  ~~~~\nb", &["pie text 0 pie⏎~~~"]);
    check("```mermaid\nx\n```\n```js\ngraph\n```\n    ```mermaid", &["unknown text 0 x"]);
    check("````markdown\n```mermaid\npie\n```\n````", &[]);
    check("```mermaids\npie\n```\n```x mermaid\n```\n`mermaid`", &[]);
}

#[test]
fn one_that_was_never_closed() {
    check("```mermaid\ngraph TB\nA-->B\n", &["flowchart text 0 graph TB⏎A-->B …"]);
    check("```mermaid", &["unknown text 0  …"]);
    check("<pad>```mermaid\npie</pad>x\n```", &["pie reasoning 1 pie …"]);
}

#[test]
fn any_channel_once_and_in_order() {
    let text = "<pad>\n```mermaid\nmindmap\n```\n</pad>\n```mermaid\npie\n```\n\
                <output>Look:\n```mermaid\nerDiagram\n```\n</output>";
    let expected = ["mindmap reasoning 1 mindmap", "pie text 0 pie", "er answer 2 erDiagram"];
    check(text, &expected);
    check("<output>\n```mermaid\npie\n```</output>", &["pie answer 1 pie"]);
}

#[test]
fn strings_of_documents() {
    let string = |code: &str| format!("\"see:\\n```mermaid\\n{code}\\n```\"");
    let text = format!(
        "<data>{{\"a\": [{}, 1], \"b\": {}}}</data>\n```mermaid\ngantt\n```",
        string("pie"),
        string("kanban\\n  x")
    );
    check(&text, &["pie data 1 pie", "kanban data 1 kanban⏎  x", "gantt text 0 gantt"]);
    let answer = Spec::json().parse(format!("Here: {{\"x\": {}}}", string("pie"))).unwrap();
    assert_eq!(shown(&answer), ["pie text 0 pie"]);
}

#[test]
fn a_channel_is_joined_around_other_elements() {
    let spec = tags(
        "guards = 'none'\n[[family]]\nname = 'pad'\nopen = '<pad>'\nclose = '</pad>'\n\
         channel = 'reasoning'\n",
    );
    let text = "```mermaid\ngraph TD\n<pad>so\n```mermaid\npie\n</pad>A-->B\n```\n";
    let expected = ["flowchart text 0 graph TD⏎A-->B", "pie reasoning 1 pie …"];
    assert_eq!(shown(&spec.parse(text).unwrap()), expected);
}

/// Diagrams in a report like those that books print. Print loses the tags after a diagram, and so the
/// line that closes its fence: what is left is one fence that is never closed.
const PRINTED: &str = "<report>\n  <summary>Two tiers</summary>\n  <diagram type=\"mermaid\">\n\
    ```mermaid\ngraph TB\n    subgraph \"Front\"\n        A[App] --> B[Proxy]\n    end\n\
    One proxy is a single point of failure ```\n\n<state_diagram>\n  <diagram type=\"mermaid\">\n\
    ```mermaid\nstateDiagram-v2\n    [*] --> Idle: ready\n";

const REPAIRED: &str = "<report>\n  <summary>Two tiers</summary>\n  <diagram type=\"mermaid\">\n\
    ```mermaid\ngraph TB\n    subgraph \"Front\"\n        A[App] --> B[Proxy]\n    end\n```\n\
    </diagram>\n  <advice>One proxy is a single point of failure</advice>\n</report>\n\n\
    <state_diagram>\n  <diagram type=\"mermaid\">\n```mermaid\nstateDiagram-v2\n\
    \x20   [*] --> Idle: ready\n```\n  </diagram>\n</state_diagram>\n";

#[test]
fn text_like_xml_around_a_fence() {
    check(
        REPAIRED,
        &[
            "flowchart report 1 graph TB⏎    subgraph \"Front\"⏎        A[App] --> B[Proxy]⏎    end",
            "state text 0 stateDiagram-v2⏎    [*] --> Idle: ready",
        ],
    );
    let answer = spec().parse(PRINTED).unwrap();
    let [diagram] = &mermaid::diagrams(&answer)[..] else {
        panic!("{:?}", mermaid::diagrams(&answer))
    };
    assert_eq!((diagram.kind.name(), diagram.is_complete), ("flowchart", false));
    assert!(diagram.code.ends_with("stateDiagram-v2\n    [*] --> Idle: ready"));
}

#[test]
fn prose_around_a_payload() {
    let text = "As drawn:\n```mermaid\ngraph TD\nA{ok?}-->B\n```\n```json\n{\"a\": 1}\n```\n\
                And:\n~~~mermaid\npie\n~~~";
    let answer = Spec::json().parse(text).unwrap();
    assert_eq!(answer.value().to_string(), r#"{"a":1}"#);
    let expected = ["flowchart text 0 graph TD⏎A{ok?}-->B", "pie text 0 pie"];
    assert_eq!(shown(&answer), expected);
}

#[test]
fn trees_of_tags() {
    let spec = Spec::builder().format(Format::Text).tags(TagSet::hermes()).build().unwrap();
    let answer = spec.parse(REPAIRED).unwrap();
    let expected = [
        "flowchart custom 1 graph TB⏎    subgraph \"Front\"⏎        A[App] --> B[Proxy]⏎    end",
        "state custom 2 stateDiagram-v2⏎    [*] --> Idle: ready",
    ];
    assert_eq!(shown(&answer), expected);
    let text = "<scratchpad>\n```mermaid\npie\n```\n</scratchpad>\nSo:\n~~~mermaid\ngantt\n~~~\n\
                <result>\n```mermaid\nkanban\n```\n</result>";
    let expected = ["pie reasoning 1 pie", "gantt text 0 gantt", "kanban answer 2 kanban"];
    assert_eq!(shown(&spec.parse(text).unwrap()), expected);
}

#[test]
fn reasoning_that_was_fed_apart() {
    let mut parser = spec().parser();
    parser.feed_reasoning("```mermaid\njourney\n", |_| {}).unwrap();
    parser.feed("x\n", |_| {}).unwrap();
    parser.feed_reasoning("```\n", |_| {}).unwrap();
    let answer = parser.finish(|_| {}).unwrap();
    assert_eq!(shown(&answer), ["journey reasoning 0 journey"]);
}

#[test]
fn the_link_holds_the_code() {
    let answer = spec().parse("```mermaid\ngraph TD\nA[\"é?\"]-->B>\n```").unwrap();
    // What Python's urlsafe_b64encode makes of the same JSON, without its padding.
    let expected = "https://mermaid.live/edit#base64:eyJjb2RlIjoiZ3JhcGggVERcbkFbXCLDqT9cIl0tLT5CPiIsIm1lcm1haWQiOnsidGhlbWUiOiJkZWZhdWx0In19";
    assert_eq!(mermaid::diagrams(&answer)[0].edit_url(), expected);
}

#[test]
fn nothing_is_kept_and_nothing_found() {
    assert!(mermaid::diagrams(&spec().parse("").unwrap()).is_empty());
    let spec = Spec::builder().format(Format::Text).without_raw().without_value().build().unwrap();
    let answer = spec.parse("```mermaid\npie\n```").unwrap();
    assert_eq!(shown(&answer), ["pie text 0 pie"]);
}
