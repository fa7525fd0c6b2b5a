//! The lines of a demo of a format: its fields.

use std::io::{self, Write};

use anstyle::Style;
use patchwire::{Answer, Event, Patch, PatchOp, ValueKind};

use super::demo_page::DemoPage;
use super::json_colours;
use super::samples::{Next, Sample};
use crate::sink::Sink;
use crate::style;

/// Prints events as one line for each field.
pub(crate) struct FieldLines<W> {
    page: DemoPage<W>,
    next: Next,
}

impl<W: Write> FieldLines<W> {
    pub(crate) fn begin(mut page: DemoPage<W>, sample: &Sample, tokens: usize) -> io::Result<Self> {
        let (bytes, what) = (sample.text.len(), sample.what);
        page.title(
            &format!(
                "A model writes {bytes} bytes {what} in {tokens} tokens, and these are its fields."
            ),
            "separates two deltas; ✓ marks a completed field.",
        )?;
        Ok(Self { page, next: sample.next.clone() })
    }

    fn patch(&mut self, patch: &Patch<'_>) -> io::Result<()> {
        let path = if patch.path.is_empty() { "(root)".to_owned() } else { patch.path.to_string() };
        let is_string = patch.value.kind() == ValueKind::String;
        match patch.op {
            PatchOp::Open if is_string => self.page.begin(&path, style::NAME),
            PatchOp::Delta => self.page.grow(&path, &patch.delta, style::NAME, Style::new()),
            PatchOp::Done if is_string => {
                self.page.begin(&path, style::NAME)?;
                self.page.done()
            }
            PatchOp::Done => self.whole(&path, patch),
            PatchOp::Replace => self.page.note(&path, &format!("becomes {}", patch.value)),
            PatchOp::Remove => self.page.note(&path, "is removed"),
            PatchOp::Open => Ok(()),
        }
    }

    /// Writes a scalar, or the size of a container that is complete.
    fn whole(&mut self, path: &str, patch: &Patch<'_>) -> io::Result<()> {
        let len = patch.value.len();
        let (text, style) = match patch.value.kind() {
            ValueKind::Object => (format!("{len} fields"), style::FAINT),
            ValueKind::List => (format!("{len} items"), style::FAINT),
            _ => (patch.value.to_string(), style::SCALAR),
        };
        self.page.begin(path, style::NAME)?;
        self.page.words(&text, style)?;
        self.page.done()
    }

    fn answer(&mut self, answer: &Answer) -> io::Result<()> {
        self.page.end()?;
        let title = style::TITLE;
        writeln!(self.page.out, "\n{title}The value{title:#} ({}):\n", answer.outcome())?;
        json_colours::write(&mut self.page.out, &format!("{:#}", answer.value()))?;
        self.page.next(&self.next)
    }
}

impl<W: Write> Sink for FieldLines<W> {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Patch(patch) => self.patch(&patch),
            Event::Reasoning(text) => {
                self.page.grow("reasoning", &text.delta, style::FAINT, style::FAINT)
            }
            Event::ReasoningDone { .. } => self.page.done(),
            Event::Text(text) if text.delta.trim().is_empty() => Ok(()),
            Event::Text(text) => self.page.grow(
                "text",
                text.delta.trim_end_matches('\n'),
                style::FAINT,
                Style::new(),
            ),
            Event::Notice(notice) => {
                let (code, at) = (notice.code, notice.span.start);
                self.page.note("notice", &format!("{code} at byte {at}: {}", code.message()))
            }
            Event::Final(answer) => self.answer(answer),
            _ => Ok(()),
        }
    }

    fn chunk_done(&mut self) -> io::Result<()> {
        self.page.out.flush()
    }
}
