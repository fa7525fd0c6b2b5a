//! Whether chunk boundaries make a difference: a text is read in two pieces, cut at each of some places, and the
//! events are compared with those of the whole.

use patchwire::event::{ElementId, Recorder};
use patchwire::{Error, Event, OwnedEvent, PatchOp, PathBuf, Span, Spec};
use patchwire_js_feed::steps::{self, Step};

use crate::ending;

/// The events of a stream with neighbouring deltas joined.
#[derive(Debug, PartialEq)]
struct Log(Vec<Entry>);

#[derive(Debug, PartialEq)]
enum Entry {
    /// Joined deltas of one text.
    Grown {
        text: Grown,
        delta: String,
        span: Span,
    },
    Event(OwnedEvent),
    Stopped(Error),
}

/// The text that deltas belong to.
#[derive(Debug, Clone, PartialEq)]
enum Grown {
    Field(u32, PathBuf),
    Channel(String, Option<ElementId>),
    Reasoning(Option<ElementId>),
    Comment(Option<ElementId>),
}

impl Log {
    fn read(spec: &Spec, chunks: &[&[u8]]) -> Self {
        let (mut log, mut recorder) = (Self(Vec::new()), Recorder::default());
        let mut parser = spec.parser();
        let mut take = |event: Event<'_>| log.take(recorder.own(&event));
        let mut fed = chunks
            .iter()
            .try_for_each(|chunk| steps::take(&mut parser, Step::Chunk(chunk), &mut take));
        if fed.is_ok() {
            fed = ending::take(&mut parser, &mut take);
        }
        if let Err(error) = fed {
            log.0.push(Entry::Stopped(error));
        }
        log
    }

    fn take(&mut self, event: OwnedEvent) {
        let Some((text, delta, span)) = growth(&event) else {
            return self.0.push(Entry::Event(event));
        };
        if let Some(Entry::Grown { text: last, delta: so_far, span: from }) = self.0.last_mut()
            && *last == text
        {
            so_far.push_str(delta);
            from.end = span.end;
            return;
        }
        let delta = delta.to_owned();
        self.0.push(Entry::Grown { text, delta, span });
    }
}

fn growth(event: &OwnedEvent) -> Option<(Grown, &str, Span)> {
    Some(match event {
        OwnedEvent::Patch(patch) if patch.op == PatchOp::Delta => {
            let document = patch.document.index() as u32;
            (Grown::Field(document, patch.path.clone()), &*patch.delta, patch.span)
        }
        OwnedEvent::Text { channel, element, delta, span, .. } => {
            (Grown::Channel(channel.to_string(), *element), &**delta, *span)
        }
        OwnedEvent::Reasoning { element, delta, span, .. } => {
            (Grown::Reasoning(*element), &**delta, *span)
        }
        OwnedEvent::Comment { element, delta, span, is_complete: false, .. } => {
            (Grown::Comment(*element), &**delta, *span)
        }
        _ => return None,
    })
}

/// The first cut of `from..to` at which the events differ from those of the whole.
pub(crate) fn first_difference(spec: &Spec, text: &[u8], from: usize, to: usize) -> Option<usize> {
    let whole = Log::read(spec, &[text]);
    (from..to.min(text.len())).find(|at| Log::read(spec, &[&text[..*at], &text[*at..]]) != whole)
}

#[cfg(test)]
mod tests {
    use super::{Entry, Log, first_difference};
    use patchwire::Spec;

    #[test]
    fn cuts_make_no_difference() {
        let text =
            "Sure! {\"tïtle\": 'He said \"hi\"', \"n\": 1.50, 'x': [True,]} Done.".as_bytes();
        assert_eq!(first_difference(&Spec::json(), text, 1, text.len()), None);
    }

    #[test]
    fn other_texts_have_other_logs() {
        let log = |text: &str| Log::read(&Spec::json(), &[text.as_bytes()]);
        assert_eq!(log("[\"ab\"]"), log("[\"ab\"]"));
        assert_ne!(log("[\"ab\"]"), log("[\"ac\"]"));
        let strict = Log::read(&Spec::strict_json(), &[b"[1,]"]);
        assert!(matches!(strict.0.last(), Some(Entry::Stopped(_))));
    }
}
