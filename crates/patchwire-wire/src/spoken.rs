//! Text and reasoning as runs with a beginning and an end, which protocols want and events do not have.

use crate::told::Seen;

/// What is being said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spoken {
    open: Option<Voice>,
    count: u32,
    /// Blanks that nothing visible has followed yet: a run of nothing else is not said.
    blanks: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Voice {
    Text,
    Reasoning,
}

/// A part of what is said, with the number of its run, from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Spoke<'e> {
    TextStart(u32),
    Text(u32, &'e str),
    TextEnd(u32),
    ReasoningStart(u32),
    Reasoning(u32, &'e str),
    ReasoningEnd(u32),
}

impl Spoken {
    /// Whether the event is text for whoever reads the answer; other channels are the caller's.
    pub(crate) fn says(seen: &Seen<'_>) -> bool {
        matches!(seen, Seen::Text { channel: "text" | "answer", .. })
    }

    pub(crate) fn feed(&mut self, seen: &Seen<'_>, sink: &mut dyn FnMut(Spoke<'_>)) {
        match *seen {
            Seen::Text { delta, .. } if Self::says(seen) => self.speak(Voice::Text, delta, sink),
            Seen::Reasoning(delta) => self.speak(Voice::Reasoning, delta, sink),
            // Text on both sides of something else is two texts.
            Seen::Patch(_)
            | Seen::ReasoningDone
            | Seen::ElementOpen { .. }
            | Seen::ElementClose(_)
            | Seen::ToolCall { .. }
            | Seen::Reset
            | Seen::Final(_) => self.close(sink),
            Seen::Text { .. } | Seen::Snapshot { .. } | Seen::Other => {}
        }
    }

    fn speak(&mut self, voice: Voice, delta: &str, sink: &mut dyn FnMut(Spoke<'_>)) {
        if self.open.is_some_and(|open| open != voice) {
            self.close(sink);
        }
        if self.open.is_none() {
            if delta.trim_ascii().is_empty() {
                self.blanks += delta;
                return;
            }
            self.open = Some(voice);
            self.count += 1;
            sink(match voice {
                Voice::Text => Spoke::TextStart(self.count),
                Voice::Reasoning => Spoke::ReasoningStart(self.count),
            });
            if !self.blanks.is_empty() {
                sink(voice.says(self.count, &core::mem::take(&mut self.blanks)));
            }
        }
        if !delta.is_empty() {
            sink(voice.says(self.count, delta));
        }
    }

    /// Nothing more is said in the run that is open.
    pub(crate) fn close(&mut self, sink: &mut dyn FnMut(Spoke<'_>)) {
        self.blanks.clear();
        match self.open.take() {
            Some(Voice::Text) => sink(Spoke::TextEnd(self.count)),
            Some(Voice::Reasoning) => sink(Spoke::ReasoningEnd(self.count)),
            None => {}
        }
    }
}

impl Voice {
    const fn says(self, number: u32, delta: &str) -> Spoke<'_> {
        match self {
            Self::Text => Spoke::Text(number, delta),
            Self::Reasoning => Spoke::Reasoning(number, delta),
        }
    }
}
