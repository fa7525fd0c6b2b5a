//! Typed parts of an agent's history, of every kind that the tag set knows.

use patchwire::{Answer, Format, Spec, TagSet};
use patchwire_views::mermaid;
use patchwire_views::ubik::{self, Part};

const TURN: &str = "<<thinking>>\nThey ask for the weather, so I look.\n<</thinking>>\nI check Oslo.\n\
    <<STEP_START>>\n<<SINGLE_STEP_FLAG>>\nStep 1: Looking it up ✓\nOne moment.\n\
    <<TOOL_STEP_START/web_search:call_9z>>\n<<TOOL_STEP_INPUT_START>>\n{\"query\": \"weather Oslo\"}\n\
    <<TOOL_STEP_INPUT_END>>\n<<TOOL_STEP_RESULT_START>>\n{\"temperature\": \"-3 °C\", \"sky\": [\"grey\"]}\n\
    <<TOOL_STEP_RESULT_END>>\n<<TOOL_STEP_END/web_search:call_9z>>\n<<STEP_END>>\n\
    <<CHECKPOINT_START>>\nCheckpoint: weather_known\n<<CHECKPOINT_END>>\n";

const ASKED: &str = "<<INPUT_REQUIRED_START>>\nWhich address may I write to?\nExpected input types: text\n\
    checkpoint_name: wait_for_address\n<<INPUT_REQUIRED_END>>\n";

const REPLIED: &str = "<<INPUT_REQUIRED_START>>\nWhich address may I write to?\nExpected input types: text\n\n\
    <<USER_INPUT_PROVIDED_START>>\n{\"input\": \"kim@example.org\", \"type\": \"text\"}\n\
    <<USER_INPUT_PROVIDED_END>>\n<<INPUT_REQUIRED_END>>\n";

const FAILED: &str = "<<ERROR_START>>\nError: the tool gave up\n<<ERROR_END>>\n\n<<ERROR_JSON_START>>\n\
    {\n  \"error\": \"the tool gave up\",\n  \"trace\": [\"a\", 7],\n  \"at\": \"2030-01-01T10:00:00Z\"\n}\n\
    <<ERROR_JSON_END>>\n";

fn read_with(tags: TagSet, text: &str) -> Answer {
    Spec::builder().format(Format::Text).tags(tags).build().unwrap().parse(text).unwrap()
}

fn read(text: &str) -> Answer {
    read_with(TagSet::ubik(), text)
}

#[test]
fn a_step_and_its_tool() {
    let answer = read(TURN);
    let parts = ubik::parts(&answer);
    let [Part::Thinking(thinking), Part::Text(said), Part::Step(step), Part::Checkpoint(point)] =
        parts[..]
    else {
        panic!("{parts:?}")
    };
    assert_eq!(answer.reasoning(), "\nThey ask for the weather, so I look.\n");
    assert!(thinking.is_complete() && said.trim() == "I check Oslo.");
    assert!(step.is_single() && step.is_complete());
    assert_eq!(step.title(), Some("Step 1: Looking it up ✓"));
    assert_eq!(point.name(), Some("weather_known"));
    let tool = ubik::tools(&answer).next().unwrap();
    assert_eq!((tool.name(), tool.id()), ("web_search", "call_9z"));
    let of = |element: Option<ubik::Payload<'_>>| element.unwrap().value().unwrap().to_string();
    assert_eq!(of(tool.input()), r#"{"query":"weather Oslo"}"#);
    assert_eq!(of(tool.result()), r#"{"temperature":"-3 °C","sky":["grey"]}"#);
}

#[test]
fn asked_and_replied() {
    let text = format!("{ASKED}{REPLIED}");
    let answer = read(&text);
    let parts = ubik::parts(&answer);
    let [Part::InputRequest(waiting), Part::InputRequest(replied)] = parts[..] else {
        panic!("{parts:?}")
    };
    assert_eq!(waiting.prompt(), "Which address may I write to?");
    assert_eq!(waiting.checkpoint_name(), Some("wait_for_address"));
    assert!(waiting.expected().eq(["text"]) && waiting.reply().is_none());
    let reply = replied.reply().unwrap().value().unwrap();
    assert_eq!(reply.get("input").unwrap().as_str(), Some("kim@example.org"));
}

#[test]
fn errors() {
    let answer = read(FAILED);
    let parts = ubik::parts(&answer);
    let [Part::Error(error), Part::ErrorJson(json)] = parts[..] else { panic!("{parts:?}") };
    assert_eq!(error.text(), "the tool gave up");
    assert_eq!(json.value().unwrap().at("trace[1]").unwrap().to_string(), "7");
}

#[test]
fn two_diagrams() {
    let text = "<architecture_analysis>\n  <summary>Three tiers</summary>\n  <diagram type=\"mermaid\">\n\
                ```mermaid\ngraph TB\n    subgraph \"Front\"\n        A[App] --> B[Proxy]\n    end\n\
                \x20   H[(Store)]\n```\n  </diagram>\n</architecture_analysis>\n\n<state_diagram>\n\
                \x20 <diagram type=\"mermaid\">\n```mermaid\nstateDiagram-v2\n    [*] --> Idle: ready\n\
                \x20   Idle --> Thinking: asked\n```\n  </diagram>\n</state_diagram>\n";
    let answer = read_with(TagSet::hermes(), text);
    let diagrams = mermaid::diagrams(&answer);
    let kinds: Vec<_> = diagrams.iter().map(|diagram| diagram.kind.name()).collect();
    assert_eq!(kinds, ["flowchart", "state"]);
    assert!(diagrams[0].code.starts_with("graph TB\n    subgraph"));
    assert!(diagrams[1].code.ends_with("Idle --> Thinking: asked"));
    assert!(diagrams.iter().all(|diagram| diagram.is_complete));
}
