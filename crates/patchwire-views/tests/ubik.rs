//! An agent's history: its parts, and the Markdown that people read.

use std::path::Path;

use patchwire::{Answer, Format, Spec, TagSet};
use patchwire_views::mermaid;
use patchwire_views::ubik::{self, Live, Markdown, Part, Progress, Step};

const WHOLE: &str = include_str!("golden/ubik_whole.txt");

fn spec() -> Spec {
    Spec::builder().format(Format::Text).tags(TagSet::ubik()).build().unwrap()
}

fn read(text: &str) -> Answer {
    spec().parse(text).unwrap()
}

/// The golden file of that name says the same. Set `PATCHWIRE_BLESS` to write it.
fn golden(name: &str, markdown: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("PATCHWIRE_BLESS").is_some() {
        std::fs::write(&path, markdown).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert_eq!(markdown, expected, "{name}");
}

fn step<'a>(part: &Part<'a>) -> Step<'a> {
    let Part::Step(step) = part else { panic!("{part:?}") };
    *step
}

/// Parts in a word each, with what lies in them.
fn outline(parts: Vec<Part<'_>>) -> String {
    let word = |part: Part<'_>| match part {
        Part::Text(text) => format!("{:?}", text.lines().next().unwrap_or("")),
        Part::Thinking(thinking) => format!("thinking[{}]", outline(thinking.parts())),
        Part::Step(step) => format!("step[{}]", outline(step.parts())),
        Part::Tool(tool) => format!("tool {}[{}]", tool.id(), outline(tool.parts())),
        Part::Checkpoint(checkpoint) => format!("checkpoint {}", checkpoint.name().unwrap_or("")),
        Part::InputRequest(_) => "request".to_owned(),
        Part::Error(failure) => format!("error {:?}", failure.text()),
        Part::ErrorJson(_) => "error_json".to_owned(),
        Part::Other(element) => element.name().to_owned(),
        _ => "?".to_owned(),
    };
    parts.into_iter().map(word).collect::<Vec<_>>().join(", ")
}

#[test]
fn every_tag_in_its_place() {
    let answer = read(WHOLE);
    let expected = "\"I will find you a train.\", thinking[\"The user wants to be in Lyon by noon.\"], \
        step[\"First the timetable.\", tool call_1[]], step[\"Two seats are left.\", tool call_2[error \
        \"the seat map is not reachable\", error_json], checkpoint seats_checked], request, \
        step[\"Done: you have seat 14.\"], \"Have a good trip!\"";
    assert_eq!(outline(ubik::parts(&answer)), expected);
    assert!(ubik::tools(&answer).map(|tool| tool.id()).eq(["call_1", "call_2"]));
    let ids: Vec<_> = ubik::parts(&answer)
        .iter()
        .filter_map(|part| part.element().map(|element| element.id().get()))
        .collect();
    assert!(ids.is_sorted() && ids.len() == 5, "{ids:?}");
}

#[test]
fn what_parts_know() {
    let answer = read(WHOLE);
    let parts = ubik::parts(&answer);
    let first = step(&parts[2]);
    assert_eq!(first.title(), Some("Step 1: Looking for trains ✓"));
    assert!(first.is_complete() && !first.is_single() && step(&parts[5]).is_single());
    let Part::Tool(tool) = first.parts()[1] else { panic!("{first:?}") };
    assert_eq!((tool.name(), tool.id(), tool.is_complete()), ("timetable", "call_1", true));
    let input = tool.input().and_then(|input| input.value());
    assert_eq!(input.unwrap().to_string(), r#"{"from":"Paris","to":"Lyon"}"#);
    let result = tool.result().and_then(|result| result.value());
    assert_eq!(result.unwrap().at("trains[1].leaves").unwrap().as_str(), Some("9:29"));
    let Part::InputRequest(request) = parts[4] else { panic!("{:?}", parts[4]) };
    assert_eq!(request.prompt(), "Window or aisle?\nAt 9:00 I will choose for you.");
    assert!(request.expected().eq(["text", "choice"]));
    assert_eq!(request.checkpoint_name(), Some("wait_for_seat"));
    let reply = request.reply().and_then(|reply| reply.value());
    assert_eq!(reply.unwrap().get("input").unwrap().as_str(), Some("window"));
}

#[test]
fn the_whole_as_markdown() {
    let answer = read(WHOLE);
    golden("ubik_whole.md", &ubik::markdown(&answer));
    let plain = Markdown::new().without_thinking().render(&answer);
    assert!(!plain.contains("details>") && !plain.contains("by noon") && plain.contains("Lyon"));
}

/// Cut inside a tool, inside a step, in the middle of a request: what is there is shown.
#[test]
fn cut_short() {
    let cut = |after: &str| &WHOLE[..WHOLE.find(after).unwrap() + after.len()];
    for (name, text) in [
        ("ubik_tool_without_result.md", cut("\"to\": \"Lyon\"}\n<<TOOL_STEP_INPUT_END>>\n")),
        ("ubik_result_so_far.md", cut("\"leaves\": \"9:2")),
        ("ubik_open_step.md", cut("Two seats are left.")),
        ("ubik_no_reply.md", cut("checkpoint_name: wait_for_seat\n")),
    ] {
        golden(name, &ubik::markdown(&read(text)));
    }
    let answer = read(cut("Two seats are left."));
    let open = step(ubik::parts(&answer).last().unwrap());
    assert!(!open.is_complete() && open.title() == Some("Choosing a seat"));
}

#[test]
fn no_marker_is_left_however_it_is_cut() {
    for end in (0..=WHOLE.len()).filter(|end| WHOLE.is_char_boundary(*end)) {
        let markdown = ubik::markdown(&read(&WHOLE[..end]));
        // The begin of a marker that was cut is text; no whole one is.
        assert!(!markdown.contains(">>"), "{end}: {markdown}");
        assert_eq!(markdown.matches("<details>").count(), markdown.matches("</details>").count());
        assert_eq!(markdown.matches("```").count() % 2, 0, "{end}: {markdown}");
    }
}

#[test]
fn what_was_not_expected() {
    let tool = |inside: &str| format!("<<TOOL_STEP_START/t`s:1>>{inside}<<TOOL_STEP_END/t`s:1>>");
    let result = "<<TOOL_STEP_RESULT_START>>none, ```sorry```<<TOOL_STEP_RESULT_END>>";
    let text = format!(
        "<<thinking>>\n</details>\n~~~\n<</thinking>>{}{}\
         <<STEP_START>>\nI look it up.\n<<STEP_END>><<STEP_START>><<STEP_END>>\
         <<CHECKPOINT_START>><<CHECKPOINT_END>><<ERROR_START>>Error: a\n\nb<<ERROR_END>>\
         <<INPUT_REQUIRED_START>>Why?<<USER_INPUT_PROVIDED_START>>{{\"input\": \"a\\n```\"}}\
         <<USER_INPUT_PROVIDED_END>><<INPUT_REQUIRED_END>>",
        tool(result),
        tool("odd <<thinking>> <</thinking>>"),
    );
    golden("ubik_odd.md", &ubik::markdown(&read(&text)));
    assert_eq!(ubik::markdown(&read("")), "");
    assert_eq!(ubik::markdown(&read("  Hi\n```\nx")), "  Hi\n```\nx\n```\n");
}

#[test]
fn thinking_that_was_fed_apart() {
    let mut parser = spec().parser();
    parser.feed_reasoning("Hm.", |_| {}).unwrap();
    parser.feed("Yes.", |_| {}).unwrap();
    let answer = parser.finish(|_| {}).unwrap();
    assert_eq!(outline(ubik::parts(&answer)), "thinking[\"Hm.\"], \"Yes.\"");
    assert!(ubik::markdown(&answer).ends_with("Hm.\n\n</details>\n\nYes.\n"));
}

#[test]
fn a_result_replaces_what_was_heard() {
    let mut live: Live<Vec<&str>> = Live::default();
    live.update("call_1").push("asking");
    let until = |end: &str| read(&WHOLE[..WHOLE.find(end).unwrap()]);
    let before = until("<<TOOL_STEP_RESULT_START>>");
    let tool = ubik::tools(&before).next().unwrap();
    assert!(matches!(live.progress(tool), Progress::Running(heard) if heard == &["asking"]));
    live.settle(&before);
    assert_eq!(live.iter().count(), 1);
    let partial = until("<<TOOL_STEP_RESULT_END>>");
    let tool = ubik::tools(&partial).next().unwrap();
    assert!(matches!(live.progress(tool), Progress::Running(_)));
    let after = read(WHOLE);
    let tools: Vec<_> = ubik::tools(&after).collect();
    assert!(matches!(live.progress(tools[0]), Progress::Done(result) if result.value().is_some()));
    assert!(matches!(live.progress(tools[1]), Progress::Waiting));
    live.settle(&after);
    assert_eq!(live.iter().count(), 0);
}

#[test]
fn steps_in_steps() {
    let text = "<<STEP_START>>\n# Plan\n<<STEP_START>>\nStep 1.1: Pack\nSocks first.\n<<STEP_END>>\n\
                Then go.\n<<STEP_START>>";
    let answer = read(text);
    let expected = "### Plan\n\n#### Step 1.1: Pack\n\nSocks first.\n\nThen go.\n\n#### Step\n";
    assert_eq!(ubik::markdown(&answer), expected);
}

#[test]
fn depth_needs_no_stack() {
    const LEVELS: usize = 250;
    let spec = spec();
    let small = std::thread::Builder::new().stack_size(128 << 10);
    let read = small.spawn(move || {
        let answer = spec.parse("<<STEP_START>>".repeat(LEVELS)).unwrap();
        assert_eq!(ubik::markdown(&answer).matches("###### Step").count(), LEVELS - 3);
        assert!(mermaid::diagrams(&answer).is_empty());
    });
    read.unwrap().join().unwrap();
}

#[test]
fn an_answer_without_elements_stays_as_it_is() {
    let spec = Spec::builder().format(Format::Text).tags(TagSet::ubik()).build().unwrap();
    let answer = spec.parse("Hi.\n<<STEP_START>>Look<<STEP_END>>").unwrap();
    let markdown = ubik::markdown(&answer);
    assert!(!markdown.contains("<<"), "{markdown}");
    let plain = Spec::builder().format(Format::Text).build().unwrap();
    assert_eq!(ubik::markdown(&plain.parse("# A\n\nb").unwrap()), "# A\n\nb\n");
}
