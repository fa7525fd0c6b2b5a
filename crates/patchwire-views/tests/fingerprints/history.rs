//! Histories of agents, with elements in any place.

use core::fmt::Write;

use patchwire::answer::Element;
use patchwire::{Answer, Format, Spec, TagSet};
use patchwire_views::ubik::{self, Live, Markdown, Part, Payload, Progress};

use super::{Random, answer};

const TEXTS: [&str; 32] = [
    "Step 1: Looking it up ✓\n",
    "step 12\n",
    "## A heading.\n",
    "#no\n",
    "#\n",
    "Looking\n",
    "I will look it up.\n",
    "A question?\n",
    "ending:\n",
    "- x\n",
    "1. x\n",
    "\n",
    "  indented\n \n",
    "Checkpoint: known\n",
    " checkpoint : other\n",
    "Expected input types: text, , url\n",
    "expected INPUT types:\n",
    "checkpoint_name: wait\n",
    "Error: the tool gave up\n",
    "Error:\n",
    "```\ncode\n",
    "~~~~x\n",
    "```",
    "a `b` ``c`` d\n",
    "</details> <DETAILS> <b>\n",
    "{\"input\": \"kim\"}",
    "{\"input\": \"a\\n```\"}",
    "{\"input\": \" \"}",
    "{\"input\": 7, \"b\": [1, {\"c\": null}]}",
    "at 10:30\nWhy é?",
    "Step one\n",
    "A line that is longer than eighty bytes and so no title, although it is no sentence at all\n",
];

/// A history: elements, well nested more often than not.
fn text(depth: usize, random: &mut Random) -> String {
    let mut out = String::new();
    for _ in 0..1 + random.below(4) {
        let (open, close) = match random.below(if depth == 0 { 3 } else { 14 }) {
            0..=2 => {
                out += random.pick(&TEXTS);
                continue;
            }
            3 | 4 => ("<<STEP_START>>\n", "<<STEP_END>>\n"),
            5 => ("<<thinking>>", "<</thinking>>"),
            6 => ("<<TOOL_STEP_START/t`s:1>>\n", "<<TOOL_STEP_END/t`s:1>>"),
            7 => ("<<TOOL_STEP_START/web:2>>", "<<TOOL_STEP_END/web:2>>\n"),
            8 => ("<<TOOL_STEP_INPUT_START>>", "<<TOOL_STEP_INPUT_END>>"),
            9 => ("<<TOOL_STEP_RESULT_START>>", "<<TOOL_STEP_RESULT_END>>"),
            10 => ("<<CHECKPOINT_START>>\n", "<<CHECKPOINT_END>>\n"),
            11 => ("<<INPUT_REQUIRED_START>>\n", "<<INPUT_REQUIRED_END>>\n"),
            12 => ("<<USER_INPUT_PROVIDED_START>>", "<<USER_INPUT_PROVIDED_END>>"),
            _ => random.pick(&[
                ("<<ERROR_START>>", "<<ERROR_END>>"),
                ("<<ERROR_JSON_START>>", "<<ERROR_JSON_END>>"),
                ("<<STEP_START>>\n<<SINGLE_STEP_FLAG>>\n", "<<STEP_END>>\n"),
            ]),
        };
        out += open;
        out += &text(depth - 1, random);
        if random.below(14) > 0 {
            out += close;
        }
    }
    out
}

fn read(random: &mut Random) -> Answer {
    let mut text = text(3, random);
    if random.below(6) == 0 {
        text = format!(
            "<<TOOL_STEP_START/a:3>><<TOOL_STEP_INPUT_START>>{{\"q\": 1}}<<TOOL_STEP_INPUT_END>>{text}"
        );
    }
    let tags = match random.below(8) {
        0 => TagSet::hermes(),
        _ => TagSet::ubik(),
    };
    let spec = Spec::builder().format(Format::Text).tags(tags).build().unwrap();
    let text =
        text.replace("<<thinking", random.pick(&["<<thinking", "<<thinking", "<scratchpad"]));
    answer(&spec, &text, random)
}

pub(super) fn markdown(random: &mut Random) -> String {
    let answer = read(random);
    let without = Markdown::new().without_thinking().render(&answer);
    format!("{}\n===\n{without}", ubik::markdown(&answer))
}

pub(super) fn parts(random: &mut Random) -> String {
    let answer = read(random);
    let mut out = String::new();
    for part in ubik::parts(&answer) {
        append(part, 3, &mut out);
    }
    for tool in ubik::tools(&answer) {
        writeln!(out, "{} {} {}", tool.name(), tool.id(), tool.is_complete()).unwrap();
    }
    out
}

fn id(element: Option<Element<'_>>) -> u32 {
    element.map_or(0, |element| element.id().get())
}

fn payload(payload: Option<Payload<'_>>) -> String {
    let Some(payload) = payload else { return "none".to_owned() };
    let value = payload.value().map(|value| value.to_string());
    let is_complete = payload.is_complete();
    format!("{} {:?} {value:?} {is_complete}", id(Some(payload.element())), payload.text())
}

/// All that a part and the parts inside it know.
fn append(part: Part<'_>, depth: usize, out: &mut String) {
    write!(out, "{} ", id(part.element())).unwrap();
    let inner = match part {
        Part::Text(text) => {
            writeln!(out, "{text:?}").unwrap();
            Vec::new()
        }
        Part::Thinking(thinking) => {
            writeln!(out, "thinking {:?} {}", thinking.text(), thinking.is_complete()).unwrap();
            thinking.parts()
        }
        Part::Step(step) => {
            let is = (step.is_single(), step.is_complete(), id(Some(step.element())));
            writeln!(out, "step {:?} {is:?}", step.title()).unwrap();
            step.parts()
        }
        Part::Tool(tool) => {
            let is = (tool.name(), tool.id(), tool.is_complete(), id(Some(tool.element())));
            writeln!(out, "{is:?} {} {}", payload(tool.input()), payload(tool.result())).unwrap();
            tool.parts()
        }
        Part::Checkpoint(checkpoint) => {
            writeln!(out, "{:?} {}", checkpoint.name(), id(Some(checkpoint.element()))).unwrap();
            Vec::new()
        }
        Part::InputRequest(request) => {
            let expected: Vec<&str> = request.expected().collect();
            let is = (request.is_complete(), id(Some(request.element())));
            let (prompt, name) = (request.prompt(), request.checkpoint_name());
            let reply = payload(request.reply());
            writeln!(out, "{prompt:?} {expected:?} {name:?} {is:?} {reply}").unwrap();
            Vec::new()
        }
        Part::Error(failure) => {
            writeln!(out, "{:?} {}", failure.text(), id(Some(failure.element()))).unwrap();
            Vec::new()
        }
        Part::ErrorJson(json) => {
            writeln!(out, "{}", payload(Some(json))).unwrap();
            Vec::new()
        }
        Part::Other(element) => {
            writeln!(out, "other {}", element.name()).unwrap();
            Vec::new()
        }
        _ => Vec::new(),
    };
    if depth > 0 {
        inner.into_iter().for_each(|part| append(part, depth - 1, out));
    }
}

/// What was heard of tools while an answer came.
pub(super) fn live(random: &mut Random) -> String {
    let mut live: Live<Vec<u32>> = Live::default();
    let mut out = String::new();
    for step in 0..4 {
        for id in ["1", "2", "3"] {
            if random.below(3) == 0 {
                live.update(id).push(step);
            }
        }
        let answer = read(random);
        for tool in ubik::tools(&answer) {
            match live.progress(tool) {
                Progress::Waiting => out += "waiting ",
                Progress::Running(heard) => write!(out, "{heard:?} ").unwrap(),
                Progress::Done(result) => out += &payload(Some(result)),
                _ => {}
            }
        }
        if random.below(2) == 0 {
            live.settle(&answer);
        }
        let all: Vec<(&str, &Vec<u32>)> = live.iter().collect();
        writeln!(out, "{all:?} {:?}", live.get("2")).unwrap();
    }
    out
}
