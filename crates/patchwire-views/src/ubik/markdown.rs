//! An agent's history as Markdown, for people to read.

use std::borrow::Cow;

use patchwire::Answer;
use patchwire::answer::Element;

use super::blocks::{Blocks, code_span, fenced, html_safe, quoted, with_closed_fence};
use super::parts::{Part, Step, Thinking};
use super::request::InputRequest;
use super::tool::{Payload, Tool};

/// An answer as clean Markdown for people: an agent's history with its thinking folded away, or the plain
/// text where there are no elements. [`Markdown`] has options.
#[must_use]
pub fn markdown(answer: &Answer) -> String {
    Markdown::new().render(answer)
}

/// How an agent's history becomes Markdown.
///
/// Steps become headings, or bold lines if they are single; inputs and results of tools become fenced JSON;
/// errors become quotes; thinking is folded away. No marker is left, a fence that the agent left open is
/// closed, and text from a tool or a user cannot end its own block.
///
/// ```
/// use patchwire::{Format, Spec, TagSet};
/// use patchwire_views::ubik::Markdown;
///
/// let spec = Spec::builder().format(Format::Text).tags(TagSet::ubik()).build()?;
/// let mut parser = spec.parser();
/// parser.feed_reasoning("The search is slow.", |_| {})?;
/// parser.feed("Searching.\n<<TOOL_STEP_START/search:call_1>>", |_| {})?;
/// let answer = parser.finish(|_| {})?;
/// let markdown = Markdown::new().without_thinking().render(&answer);
/// assert_eq!(markdown, "Searching.\n\n**Tool:** `search`\n\n*No result yet.*\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[must_use]
pub struct Markdown {
    no_thinking: bool,
}

/// Parts that still have to be written.
struct Frame<'a> {
    parts: std::vec::IntoIter<Part<'a>>,
    /// The number of steps around them.
    level: usize,
    /// Whether they lie in a folded block.
    folded: bool,
    /// The text after them.
    end: String,
}

impl Markdown {
    /// Markdown with everything.
    pub const fn new() -> Self {
        Self { no_thinking: false }
    }

    /// Markdown without the agent's thinking.
    pub const fn without_thinking(mut self) -> Self {
        self.no_thinking = true;
        self
    }

    /// Writes the Markdown, which is empty or ends in a line break.
    #[must_use]
    pub fn render(self, answer: &Answer) -> String {
        let mut out = Blocks::default();
        let mut open = vec![Frame::new(super::parts(answer), 0)];
        while let Some(frame) = open.last_mut() {
            let (level, folded) = (frame.level, frame.folded);
            match frame.parts.next() {
                Some(Part::Thinking(_)) if self.no_thinking => {}
                Some(Part::Text(text)) if folded => out.push(&html_safe(&with_closed_fence(text))),
                Some(part) => {
                    let inner = write(&mut out, part, level);
                    open.extend(
                        inner.map(|inner| Frame { folded: inner.folded | folded, ..inner }),
                    );
                }
                None => {
                    out.push(&frame.end);
                    open.pop();
                }
            }
        }
        out.finish()
    }
}

impl<'a> Frame<'a> {
    fn new(parts: Vec<Part<'a>>, level: usize) -> Self {
        Self { parts: parts.into_iter(), level, folded: false, end: String::new() }
    }
}

/// Writes the begin of a part, and returns the parts inside it.
fn write<'a>(out: &mut Blocks, part: Part<'a>, level: usize) -> Option<Frame<'a>> {
    match part {
        Part::Text(text) => out.push(&with_closed_fence(text)),
        Part::Thinking(thinking) => return write_thinking(out, thinking, level),
        Part::Step(step) => return Some(write_step(out, step, level)),
        Part::Tool(tool) => return Some(write_tool(out, tool, level)),
        Part::Checkpoint(checkpoint) => match checkpoint.name() {
            Some(name) => out.push(&format!("*Checkpoint:* {}", code_span(name))),
            None => out.push("*Checkpoint*"),
        },
        Part::InputRequest(request) => write_request(out, request),
        Part::Error(failure) => {
            out.push(&quoted(&format!("**Error:** {}", with_closed_fence(&failure.text()))));
        }
        Part::ErrorJson(payload) => {
            out.push(&quoted(&format!("**Error details**\n\n{}", shown(payload))));
        }
        Part::Other(element) => return Some(write_other(out, element, level)),
    }
    None
}

fn write_thinking<'a>(out: &mut Blocks, thinking: Thinking<'a>, level: usize) -> Option<Frame<'a>> {
    let frame = Frame::new(thinking.parts(), level);
    if frame.parts.as_slice().is_empty() {
        return None;
    }
    out.push("<details>\n<summary>Thinking</summary>");
    Some(Frame { folded: true, end: "</details>".to_owned(), ..frame })
}

fn write_step<'a>(out: &mut Blocks, step: Step<'a>, level: usize) -> Frame<'a> {
    let title = step.title();
    if step.is_single() {
        out.push(&title.map_or_else(String::new, |title| format!("**{title}**")));
    } else {
        let marks = "#".repeat((level + 3).min(6));
        out.push(&format!("{marks} {}", title.unwrap_or("Step")));
    }
    Frame::new(step.parts(), level + 1)
}

fn write_tool<'a>(out: &mut Blocks, tool: Tool<'a>, level: usize) -> Frame<'a> {
    out.push(&format!("**Tool:** {}", code_span(tool.name())));
    if let Some(input) = tool.input() {
        out.push(&labelled("Input", input));
    }
    let end = match tool.result() {
        Some(result) => labelled("Result", result),
        None if tool.is_complete() => "*No result.*".to_owned(),
        None => "*No result yet.*".to_owned(),
    };
    Frame { end, ..Frame::new(tool.parts(), level) }
}

fn write_request(out: &mut Blocks, request: InputRequest<'_>) {
    out.push("**Input needed**");
    out.push(&with_closed_fence(&request.prompt()));
    let expected: Vec<&str> = request.expected().collect();
    if !expected.is_empty() {
        out.push(&format!("*Expected:* {}", code_span(&expected.join(", "))));
    }
    match request.reply() {
        None => out.push("*Waiting for a reply.*"),
        Some(reply) => write_reply(out, reply),
    }
}

/// A reply of one line follows its label on the same line.
fn write_reply(out: &mut Blocks, reply: Payload<'_>) {
    let input = reply.value().and_then(|value| value.get("input")?.as_str());
    match input {
        Some(text) if text.contains('\n') => {
            out.push(&format!("**Reply:**\n\n{}", fenced(text, "")));
        }
        Some(text) if !text.trim().is_empty() => {
            out.push(&format!("**Reply:** {}", code_span(text)));
        }
        _ => out.push(&labelled("Reply", reply)),
    }
}

fn write_other<'a>(out: &mut Blocks, element: Element<'a>, level: usize) -> Frame<'a> {
    if let Some(value) = element.value() {
        out.push(&fenced(&format!("{value:#}"), "json"));
    }
    Frame::new(super::parts::of(element.nodes()), level)
}

fn labelled(label: &str, payload: Payload<'_>) -> String {
    let so_far = if payload.is_complete() { "" } else { " so far" };
    format!("**{label}{so_far}:**\n\n{}", shown(payload))
}

/// A payload so far: its JSON, else its text.
fn shown(payload: Payload<'_>) -> String {
    match payload.value() {
        Some(value) => fenced(&format!("{value:#}"), "json"),
        None => match payload.text() {
            text if text.trim().is_empty() => "*Nothing.*".to_owned(),
            text => fenced(Cow::as_ref(&text).trim(), ""),
        },
    }
}
