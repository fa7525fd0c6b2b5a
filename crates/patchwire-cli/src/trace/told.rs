//! Events in a few words.

use std::collections::HashMap;

use patchwire::{
    Answer, Event, Patch, PatchOp, ValueKind,
    event::{CloseReason, CommentEvent, ElementId, ElementOpen},
};

/// An event: what it is about, what it says, and text of the stream.
pub(crate) struct Told {
    pub(super) about: String,
    pub(super) says: String,
    pub(super) text: Option<String>,
    /// It tells of a slip.
    pub(super) warns: bool,
}

impl Told {
    fn new(about: impl Into<String>, says: impl Into<String>) -> Self {
        Self { about: about.into(), says: says.into(), text: None, warns: false }
    }

    fn grows(about: impl Into<String>, text: &str) -> Self {
        Self { text: Some(text.to_owned()), ..Self::new(about, "+=") }
    }

    fn warns(about: impl Into<String>, says: impl Into<String>) -> Self {
        Self { warns: true, ..Self::new(about, says) }
    }
}

/// Who tells: knows what the elements of the stream are called that may come again.
#[derive(Default)]
pub(super) struct Teller(HashMap<ElementId, String>);

impl Teller {
    pub(super) fn tell(&mut self, event: &Event<'_>) -> Told {
        match event {
            Event::Patch(patch) => self.patch(patch),
            Event::Text(text) => Told::grows(text.channel, &text.delta),
            Event::Reasoning(text) => Told::grows("reasoning", &text.delta),
            Event::ReasoningDone { .. } => Told::new("reasoning", "is complete"),
            Event::ElementOpen(open) => self.open(open),
            Event::ElementClose { id, reason, .. } => {
                Told::new(self.name(Some(*id)).unwrap_or("element"), closing(*reason))
            }
            Event::Stray { name, .. } => {
                Told::warns(*name, "has nothing to close: its closer is dropped")
            }
            Event::Comment(comment) => of_comment(comment),
            Event::Reclassify { from, to, channel } => {
                Told::warns("text", format!("from {from} to {to} is {channel} after all"))
            }
            Event::Skipped { reason, .. } => Told::new("skipped", reason.name()),
            Event::Notice(notice) => {
                Told::warns("notice", format!("{}: {}", notice.code, notice.code.message()))
            }
            Event::RootComplete { .. } => Told::new("(root)", "has ended"),
            Event::Verdict(failure) => Told::warns("verdict", failure.to_string()),
            Event::Final(answer) => of_answer(answer),
            other => Told::new(other.name(), ""),
        }
    }

    fn name(&self, id: Option<ElementId>) -> Option<&str> {
        self.0.get(&id?).map(String::as_str)
    }

    fn open(&mut self, open: &ElementOpen<'_>) -> Told {
        let mut says = "opens".to_owned();
        if let Some(parent) = self.name(open.parent) {
            says.push_str(&format!(" in {parent}"));
        }
        let params = open.params.iter();
        let params: Vec<String> = params.map(|(name, value)| format!("{name} {value:?}")).collect();
        if !params.is_empty() {
            says.push_str(&format!(", with {}", params.join(", ")));
        }
        self.0.insert(open.id, open.name.to_owned());
        Told::new(open.name, says)
    }

    /// With the element whose body it is of, where it is not the answer.
    fn patch(&self, patch: &Patch<'_>) -> Told {
        let path = if patch.path.is_empty() { "(root)".to_owned() } else { patch.path.to_string() };
        let path = match self.name(patch.origin.element) {
            Some(name) => format!("{name}: {path}"),
            None => path,
        };
        of_patch(path, patch)
    }
}

fn of_patch(path: String, patch: &Patch<'_>) -> Told {
    let whole =
        !matches!(patch.value.kind(), ValueKind::Object | ValueKind::List | ValueKind::String);
    match patch.op {
        PatchOp::Open => Told::new(path, format!("opens as {}", patch.value)),
        PatchOp::Delta => Told::grows(path, &patch.delta),
        PatchOp::Done if whole => Told::new(path, format!("= {}, complete", patch.value)),
        PatchOp::Done => Told::new(path, "is complete"),
        PatchOp::Replace => {
            Told { text: Some(patch.value.to_string()), ..Told::new(path, "becomes") }
        }
        PatchOp::Remove => Told::new(path, "is taken out"),
    }
}

/// Why an element closes; of its own closer there is nothing to say.
pub(crate) const fn closing(reason: CloseReason) -> &'static str {
    match reason {
        CloseReason::Observed => "closes",
        CloseReason::EndOfInput => "closes: the input ends",
        CloseReason::Mismatched => "closes, by a closer that is not quite its own",
        CloseReason::Reopened => "closes: its opener comes again",
        CloseReason::CloseThrough => "closes: what it lies in does",
        CloseReason::SiblingOpener => "closes: the next of its kind opens",
        CloseReason::Interrupted { .. } => "closes: interrupted by the next opener",
        _ => "closes early",
    }
}

fn of_comment(comment: &CommentEvent<'_>) -> Told {
    if comment.is_complete {
        Told::new("comment", "is complete")
    } else {
        Told::grows("comment", &comment.delta)
    }
}

/// The value, or else the text.
fn of_answer(answer: &Answer) -> Told {
    let (outcome, value, text) = (answer.outcome(), answer.value(), answer.text());
    let (says, text) = if value.exists() {
        (format!("{outcome}:"), Some(value.to_string()))
    } else if text.trim().is_empty() {
        (outcome.to_string(), None)
    } else {
        (format!("{outcome}, text:"), Some(text.to_owned()))
    };
    Told { text, ..Told::new("answer", says) }
}
