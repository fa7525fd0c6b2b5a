//! What the demo shows of JSON: its fields.

use std::io::{self, Write};

use anstyle::Style;
use patchwire::{Answer, Event, Kind, Patch, ValueKind};

use super::json;
use super::page::Page;
use crate::reading::Sink;
use crate::style;

/// What to do after the demo.
const NEXT: [(&str, &str); 3] = [
    ("The same as events:", "patchwire demo --json"),
    ("Text between tags:", "patchwire demo tags"),
    ("Now yours:", "my-model | patchwire parse"),
];

/// Patches for people to read.
pub(crate) struct Fields<W>(Page<W>);

impl<W: Write> Fields<W> {
    pub(crate) fn begin(mut page: Page<W>, bytes: usize, tokens: usize) -> io::Result<Self> {
        page.title(
            &format!(
                "A model writes {bytes} bytes of JSON in {tokens} tokens, and these are its fields."
            ),
            "is where one patch ends and the next begins, ✓ a completed field.",
        )?;
        Ok(Self(page))
    }

    fn patch(&mut self, patch: &Patch<'_>) -> io::Result<()> {
        let path = if patch.path.is_empty() { "(root)".to_owned() } else { patch.path.to_string() };
        let is_string = patch.value.kind() == ValueKind::String;
        match patch.kind {
            Kind::Open if is_string => self.0.begin(&path, style::NAME),
            Kind::Delta => self.0.grow(&path, &patch.delta, style::NAME, Style::new()),
            Kind::Done if is_string => {
                self.0.begin(&path, style::NAME)?;
                self.0.done()
            }
            Kind::Done => self.whole(&path, patch),
            Kind::Replace => self.0.note(&path, &format!("becomes {}", patch.value)),
            Kind::Remove => self.0.note(&path, "is taken out"),
            Kind::Open => Ok(()),
        }
    }

    /// A scalar, or a container that is complete.
    fn whole(&mut self, path: &str, patch: &Patch<'_>) -> io::Result<()> {
        let len = patch.value.len();
        let (text, style) = match patch.value.kind() {
            ValueKind::Object => (format!("{len} fields"), style::FAINT),
            ValueKind::List => (format!("{len} items"), style::FAINT),
            _ => (patch.value.to_string(), style::SCALAR),
        };
        self.0.begin(path, style::NAME)?;
        self.0.words(&text, style)?;
        self.0.done()
    }

    fn answer(&mut self, answer: &Answer) -> io::Result<()> {
        self.0.end()?;
        let title = style::TITLE;
        writeln!(self.0.out, "\n{title}The value{title:#} ({}):\n", answer.outcome())?;
        json::write(&mut self.0.out, &format!("{:#}", answer.value()))?;
        self.0.next(&NEXT)
    }
}

impl<W: Write> Sink for Fields<W> {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Patch(patch) => self.patch(&patch),
            Event::Reasoning(text) => {
                self.0.grow("reasoning", &text.delta, style::FAINT, style::FAINT)
            }
            Event::ReasoningDone { .. } => self.0.done(),
            Event::Text(text) if text.delta.trim().is_empty() => Ok(()),
            Event::Text(text) => {
                self.0.grow("text", text.delta.trim_end_matches('\n'), style::FAINT, Style::new())
            }
            Event::Notice(notice) => {
                let (code, at) = (notice.code, notice.span.start);
                self.0.note("notice", &format!("{code} at byte {at}: {}", code.message()))
            }
            Event::Final(answer) => self.answer(answer),
            _ => Ok(()),
        }
    }

    fn chunk_done(&mut self) -> io::Result<()> {
        self.0.out.flush()
    }
}
