//! Diagrams in texts, elements and documents.

use core::fmt::Write;

use patchwire::{Format, Spec, TagSet};
use patchwire_views::mermaid::{DiagramKind, diagrams};

use super::{Random, answer, joined};

const PIECES: [&str; 34] = [
    "```mermaid\n",
    "```mermaid\n",
    "```\n",
    "```\n",
    "~~~ MERMAID x\n",
    "~~~~\n",
    "~~~\r\n",
    "  ```Mermaid\n",
    "    ```mermaid\n",
    "````markdown\n",
    "````\n",
    "`` mermaid\n",
    "```mermaid`\n",
    "```js\n",
    "graph TD\n",
    "  pie title é?\n",
    "    x --> y>\r\n",
    "%% note\n",
    "%%{init: {}}%%\n",
    "---\ntitle: pie\n---\n",
    "sequenceDiagram\n",
    "words\n",
    "\n",
    "```",
    "<pad>",
    "</pad>",
    "<output>\n",
    "</output>",
    "<data>",
    "</data>",
    "{\"a\": [\"see:\\n```mermaid\\npie\\n```\", 1], \"b\": {\"c\": \"~~~mermaid\\ngantt\"}}",
    "\"```mermaid\\nkanban\\n```\"",
    "stateDiagram-v2",
    "\t```mermaid\n",
];

fn spec(random: &mut Random) -> Spec {
    let family = |name: &str, channel: &str, body: &str| {
        format!(
            "[[family]]\nname = '{name}'\nopen = '<{name}>'\nclose = '</{name}>'\n\
             channel = '{channel}'\nbody = '{body}'\n"
        )
    };
    let guards = if random.below(2) == 0 { "guards = 'none'\n" } else { "" };
    let tags = [
        guards.to_owned(),
        family("pad", "reasoning", "mixed"),
        family("output", "answer", "mixed"),
        family("data", "data", "json"),
    ];
    let tags = TagSet::from_toml(&tags.concat()).unwrap();
    let spec = match random.below(5) {
        0 => Spec::builder(),
        1 => Spec::builder().tags(tags),
        _ => Spec::builder().format(Format::Text).tags(tags),
    };
    let spec = if random.below(8) == 0 { spec.without_raw() } else { spec };
    spec.build().unwrap()
}

/// The diagrams of an answer.
pub(super) fn found(random: &mut Random) -> String {
    let text = joined(&PIECES, 16, random);
    let answer = answer(&spec(random), &text, random);
    let mut out = format!("{text:?}\n");
    for diagram in diagrams(&answer) {
        writeln!(out, "{diagram:?} {} {}", diagram.kind, diagram.edit_url()).unwrap();
    }
    out
}

/// What a code is a diagram of.
pub(super) fn kind(random: &mut Random) -> String {
    let words = [
        "flowchart",
        "graph",
        "sequenceDiagram",
        "stateDiagram",
        "classDiagram",
        "erDiagram",
        "gantt",
        "pie",
        "journey",
        "gitGraph",
        "mindmap",
        "timeline",
        "quadrantChart",
        "requirementDiagram",
        "requirement",
        "C4Context",
        "C4Container",
        "C4Component",
        "C4Dynamic",
        "C4Deployment",
        "sankey",
        "xychart",
        "block",
        "packet",
        "kanban",
        "architecture",
        "none",
    ];
    let leads = [
        "",
        "",
        " ",
        "\n",
        "\r\n",
        "%% pie\n",
        "%%{init: {\n}}%%",
        "%%{init\n",
        "%%",
        "---\n",
        "---\na: pie\n---\n",
        "  ---\nx\n---\n  ---\n",
        "--- \r\nx\n---\n",
        "é",
    ];
    let ends = ["", "", "-beta", "-v2", "-elk", "-beta-v2", "_x", " TD", ";", "\n", ":", "é"];
    let mut out = String::new();
    for _ in 0..6 {
        let word = random.pick(&words);
        let word = if random.below(4) == 0 { word.to_uppercase() } else { word.to_owned() };
        let code =
            format!("{}{}{word}{}", random.pick(&leads), random.pick(&leads), random.pick(&ends));
        let kind = DiagramKind::of(&code);
        writeln!(out, "{code:?} {kind} {}", kind.name()).unwrap();
    }
    out
}
