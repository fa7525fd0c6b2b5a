//! Runs of text and reasoning, with a start and an end: protocols have both, events do not.

use crate::event_ref::EventView;

/// Groups text and reasoning events into runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextRuns {
    open: Option<RunKind>,
    /// The number of runs so far.
    count: u32,
    /// Whitespace at the start of a run. A run without visible text is left out.
    blanks: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunKind {
    Text,
    Reasoning,
}

/// One step of a run, with the number of the run, from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RunEvent<'e> {
    TextStart(u32),
    Text(u32, &'e str),
    TextEnd(u32),
    ReasoningStart(u32),
    Reasoning(u32, &'e str),
    ReasoningEnd(u32),
}

impl TextRuns {
    /// Whether the event is text for the reader of the answer. Other channels are the caller's.
    pub(crate) fn is_for_readers(view: &EventView<'_>) -> bool {
        matches!(view, EventView::Text { channel: "text" | "answer", .. })
    }

    pub(crate) fn feed(&mut self, view: &EventView<'_>, sink: &mut dyn FnMut(RunEvent<'_>)) {
        match *view {
            EventView::Text { delta, .. } if Self::is_for_readers(view) => {
                self.add(RunKind::Text, delta, sink)
            }
            EventView::Reasoning { delta, .. } => self.add(RunKind::Reasoning, delta, sink),
            // Text on both sides of something else is two texts.
            EventView::Patch(_)
            | EventView::ReasoningDone
            | EventView::ElementOpen { .. }
            | EventView::ElementClose(_)
            | EventView::ToolCall { .. }
            | EventView::Reset
            | EventView::Final(_) => self.close(sink),
            EventView::Text { .. } | EventView::Snapshot { .. } | EventView::Other => {}
        }
    }

    fn add(&mut self, kind: RunKind, delta: &str, sink: &mut dyn FnMut(RunEvent<'_>)) {
        if self.open.is_some_and(|open| open != kind) {
            self.close(sink);
        }
        if self.open.is_none() {
            if delta.trim_ascii().is_empty() {
                self.blanks += delta;
                return;
            }
            self.open = Some(kind);
            self.count += 1;
            sink(match kind {
                RunKind::Text => RunEvent::TextStart(self.count),
                RunKind::Reasoning => RunEvent::ReasoningStart(self.count),
            });
            if !self.blanks.is_empty() {
                sink(kind.piece(self.count, &core::mem::take(&mut self.blanks)));
            }
        }
        if !delta.is_empty() {
            sink(kind.piece(self.count, delta));
        }
    }

    /// Ends the open run.
    pub(crate) fn close(&mut self, sink: &mut dyn FnMut(RunEvent<'_>)) {
        self.blanks.clear();
        match self.open.take() {
            Some(RunKind::Text) => sink(RunEvent::TextEnd(self.count)),
            Some(RunKind::Reasoning) => sink(RunEvent::ReasoningEnd(self.count)),
            None => {}
        }
    }
}

impl RunKind {
    const fn piece(self, number: u32, delta: &str) -> RunEvent<'_> {
        match self {
            Self::Text => RunEvent::Text(number, delta),
            Self::Reasoning => RunEvent::Reasoning(number, delta),
        }
    }
}
