//! Short descriptions of events.

use std::collections::HashMap;

use patchwire::{
    Answer, Event, Patch, PatchOp, ValueKind,
    event::{CloseReason, CommentEvent, ElementId, ElementOpen},
    notice::RepairCost,
};

/// An event in words: its subject, a statement about it, and text of the stream.
pub(crate) struct EventSummary {
    pub(super) subject: String,
    pub(super) statement: String,
    pub(super) text: Option<String>,
    /// The event reports an error or a repair.
    pub(super) is_warning: bool,
}

impl EventSummary {
    fn new(subject: impl Into<String>, statement: impl Into<String>) -> Self {
        Self { subject: subject.into(), statement: statement.into(), text: None, is_warning: false }
    }

    fn grows(subject: impl Into<String>, text: &str) -> Self {
        Self { text: Some(text.to_owned()), ..Self::new(subject, "+=") }
    }

    fn warning(subject: impl Into<String>, statement: impl Into<String>) -> Self {
        Self { is_warning: true, ..Self::new(subject, statement) }
    }
}

/// Describes events. It knows the names of the open elements.
#[derive(Default)]
pub(super) struct EventSummarizer(HashMap<ElementId, String>);

impl EventSummarizer {
    pub(super) fn summarize(&mut self, event: &Event<'_>) -> EventSummary {
        match event {
            Event::Patch(patch) => self.patch(patch),
            Event::Text(text) => EventSummary::grows(text.channel, &text.delta),
            Event::Reasoning(text) => EventSummary::grows("reasoning", &text.delta),
            Event::ReasoningDone { .. } => EventSummary::new("reasoning", "is complete"),
            Event::ElementOpen(open) => self.open(open),
            Event::ElementClose { id, reason, .. } => {
                EventSummary::new(self.name(Some(*id)).unwrap_or("element"), closing(*reason))
            }
            Event::Stray { name, .. } => {
                EventSummary::warning(*name, "has nothing to close: its closer is dropped")
            }
            Event::Comment(comment) => of_comment(comment),
            Event::Reclassify { from, to, channel } => {
                EventSummary::warning("text", format!("from {from} to {to} is {channel} after all"))
            }
            Event::Skipped { reason, .. } => EventSummary::new("skipped", reason.name()),
            Event::Notice(notice) => EventSummary::warning(
                "notice",
                format!("{}: {}{}", notice.code, notice.code.message(), shown_cost(notice.cost)),
            ),
            Event::RootComplete { .. } => EventSummary::new("(root)", "has ended"),
            Event::Verdict(failure) => EventSummary::warning("verdict", failure.to_string()),
            Event::Final(answer) => of_answer(answer),
            other => EventSummary::new(other.name(), ""),
        }
    }

    fn name(&self, id: Option<ElementId>) -> Option<&str> {
        self.0.get(&id?).map(String::as_str)
    }

    fn open(&mut self, open: &ElementOpen<'_>) -> EventSummary {
        let mut statement = "opens".to_owned();
        if let Some(parent) = self.name(open.parent) {
            statement.push_str(&format!(" in {parent}"));
        }
        let params = open.params.iter();
        let params: Vec<String> = params.map(|(name, value)| format!("{name} {value:?}")).collect();
        if !params.is_empty() {
            statement.push_str(&format!(", with {}", params.join(", ")));
        }
        self.0.insert(open.id, open.name.to_owned());
        EventSummary::new(open.name, statement)
    }

    /// Includes the element, if the patch belongs to the body of one.
    fn patch(&self, patch: &Patch<'_>) -> EventSummary {
        let path = if patch.path.is_empty() { "(root)".to_owned() } else { patch.path.to_string() };
        let path = match self.name(patch.origin.element) {
            Some(name) => format!("{name}: {path}"),
            None => path,
        };
        of_patch(path, patch)
    }
}

fn of_patch(path: String, patch: &Patch<'_>) -> EventSummary {
    let whole =
        !matches!(patch.value.kind(), ValueKind::Object | ValueKind::List | ValueKind::String);
    match patch.op {
        PatchOp::Open => EventSummary::new(path, format!("opens as {}", patch.value)),
        PatchOp::Delta => EventSummary::grows(path, &patch.delta),
        PatchOp::Done if whole => EventSummary::new(path, format!("= {}, complete", patch.value)),
        PatchOp::Done => EventSummary::new(path, "is complete"),
        PatchOp::Replace => EventSummary {
            text: Some(patch.value.to_string()),
            ..EventSummary::new(path, "becomes")
        },
        PatchOp::Remove => EventSummary::new(path, "is removed"),
    }
}

/// Why an element closed.
pub(crate) const fn closing(reason: CloseReason) -> &'static str {
    match reason {
        CloseReason::Observed => "closes",
        CloseReason::EndOfInput => "closes: the input ends",
        CloseReason::Mismatched => "closes, by a closer of another name",
        CloseReason::Reopened => "closes: its opener repeats",
        CloseReason::CloseThrough => "closes: its parent closes",
        CloseReason::SiblingOpener => "closes: the next of its kind opens",
        CloseReason::Interrupted { .. } => "closes: interrupted by the next opener",
        _ => "closes early",
    }
}

fn of_comment(comment: &CommentEvent<'_>) -> EventSummary {
    if comment.is_complete {
        EventSummary::new("comment", "is complete")
    } else {
        EventSummary::grows("comment", &comment.delta)
    }
}

/// Shows the value, or without one the text.
fn of_answer(answer: &Answer) -> EventSummary {
    let (outcome, value, text) = (answer.outcome(), answer.value(), answer.text());
    let (statement, text) = if value.exists() {
        (format!("{outcome}:"), Some(value.to_string()))
    } else if text.trim().is_empty() {
        (outcome.to_string(), None)
    } else {
        (format!("{outcome}, text:"), Some(text.to_owned()))
    };
    EventSummary { text, ..EventSummary::new("answer", statement) }
}

/// What a repair costs, after the message of its notice.
fn shown_cost(cost: Option<RepairCost>) -> String {
    cost.map(|cost| format!(" ({cost})")).unwrap_or_default()
}
