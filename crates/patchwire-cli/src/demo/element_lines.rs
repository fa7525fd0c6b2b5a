//! The lines of a demo of tags: its elements.

use std::collections::HashMap;
use std::io::{self, Write};

use anstyle::Style;
use patchwire::{
    Answer, Event,
    event::{CloseReason, ElementId, ElementOpen},
};

use super::demo_page::DemoPage;
use super::samples::{Next, Sample};
use crate::sink::Sink;
use crate::style;
use crate::trace::closing;

/// Prints events as one line for each element.
pub(crate) struct ElementLines<W> {
    page: DemoPage<W>,
    next: Next,
    open: HashMap<ElementId, Label>,
}

/// How an element is shown.
#[derive(Clone)]
struct Label {
    name: String,
    style: Style,
    text: Style,
}

impl Label {
    fn new(name: &str, channel: &str) -> Self {
        let (style, text) = match channel {
            "reasoning" => (style::FAINT, style::FAINT),
            _ => (style::NAME, Style::new()),
        };
        Self { name: name.to_owned(), style, text }
    }
}

impl<W: Write> ElementLines<W> {
    pub(crate) fn begin(mut page: DemoPage<W>, sample: &Sample, tokens: usize) -> io::Result<Self> {
        let (bytes, what) = (sample.text.len(), sample.what);
        page.title(
            &format!(
                "A model writes {bytes} bytes {what} in {tokens} tokens, and these are its parts."
            ),
            "separates two deltas; ✓ marks an element with its closer.",
        )?;
        Ok(Self { page, next: sample.next.clone(), open: HashMap::new() })
    }

    fn open(&mut self, open: &ElementOpen<'_>) -> io::Result<()> {
        let label = Label::new(open.name, open.channel);
        self.page.begin(&label.name, label.style)?;
        self.open.insert(open.id, label);
        Ok(())
    }

    fn close(&mut self, id: ElementId, reason: CloseReason) -> io::Result<()> {
        let Some(label) = self.open.remove(&id) else { return Ok(()) };
        if reason == CloseReason::Observed {
            self.page.begin(&label.name, label.style)?;
            return self.page.done();
        }
        self.page.end()?;
        self.page.note(&label.name, closing(reason))
    }

    fn text(&mut self, id: Option<ElementId>, channel: &str, text: &str) -> io::Result<()> {
        let found = id.and_then(|id| self.open.get(&id)).cloned();
        let label = found.unwrap_or_else(|| Label::new(channel, channel));
        self.page.grow(&label.name, text, label.style, label.text)
    }

    fn answer(&mut self, answer: &Answer) -> io::Result<()> {
        self.page.end()?;
        let title = style::TITLE;
        writeln!(self.page.out, "\n{title}The answer{title:#} ({}):\n", answer.outcome())?;
        self.page.paragraphs(answer.text())?;
        self.page.next(&self.next)
    }
}

impl<W: Write> Sink for ElementLines<W> {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::ElementOpen(open) => self.open(&open),
            Event::ElementClose { id, reason, .. } => self.close(id, reason),
            Event::Text(text)
                if text.element.is_none()
                    && text.delta.trim().is_empty()
                    && !self.page.is_at(text.channel) =>
            {
                Ok(())
            }
            Event::Text(text) => self.text(text.element, text.channel, &text.delta),
            Event::Reasoning(text) => self.text(text.element, "reasoning", &text.delta),
            Event::Stray { name, .. } => self
                .page
                .note("stray", &format!("a closer of {name} with nothing to close: dropped")),
            Event::Final(answer) => self.answer(answer),
            _ => Ok(()),
        }
    }

    fn chunk_done(&mut self) -> io::Result<()> {
        self.page.out.flush()
    }
}
