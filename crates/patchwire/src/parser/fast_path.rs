//! The fast path: whether the next chunk may skip the router, and how its tokens become patches.

use bytestring::ByteString;

use super::intake::Intake;
use super::machines::Destination;
use super::reader::{Reader, RoutedText};
use crate::error::Error;
use crate::event::{Event, Flow, Text};
use crate::fold::{Change, EmissionKind, Fold};
use crate::format::{FormatMachine, Machine};
use crate::lex::json::{FastPathEnd, TokenSink};
use crate::lex::{Input, Token, TokenKind};
use crate::scan::ShortText;
use crate::span::Span;
use crate::tags::Router;
use crate::text::as_text;
use crate::transcript::Route;

/// How the next chunk may be read, and a reused buffer. Neither is state of the stream: both follow from
/// the rest of the parser, so any two values compare equal.
#[derive(Debug, Clone, Default)]
pub(super) struct FastPath {
    pub(super) next: NextChunk,
    /// Held text and the run that follows it, joined.
    pub(super) scratch: String,
}

impl PartialEq for FastPath {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// How the next chunk may be read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum NextChunk {
    /// On the general path.
    #[default]
    General,
    /// By the machine alone: the stream is in a payload outside elements.
    Payload,
    /// As one text of the open field, if it is [`short_prose`](crate::scan::short_prose); else as a payload. See
    /// [`AfterRun::Prose`](crate::format::AfterRun::Prose).
    Prose {
        /// Whether the machine holds a space.
        holds_space: bool,
    },
    /// As one text of this channel, if no marker begins in it.
    Text(Route),
}

impl NextChunk {
    /// How the next chunk may be read in the current state of the stream.
    pub(super) fn after(intake: &Intake, reader: &Reader) -> Self {
        let fold = &reader.fold;
        let idle =
            intake.carry.is_empty() && reader.routed == RoutedText::None && fold.all_emitted();
        if !idle {
            return Self::General;
        }
        let traced = reader.machines.token_log.is_on();
        let in_payload = reader.open_elements.is_empty()
            && !traced
            && match &reader.machines.format {
                FormatMachine::Json(json) => json.takes_fast_path(),
                FormatMachine::Other(machine) => machine.position().takes_runs,
            };
        if in_payload { Self::Payload } else { Self::text(reader) }
    }

    /// The route of plain text, if only a marker can interrupt it and none has begun.
    fn text(reader: &Reader) -> Self {
        let is_text = match reader.destination() {
            Destination::Format => reader.reads_text(),
            Destination::Text(kind) => kind != EmissionKind::Comment,
            Destination::Body => false,
        };
        let free = reader.router.as_ref().is_none_or(Router::is_clear);
        if is_text && free { Self::Text(reader.route()) } else { Self::General }
    }
}

/// Folds tokens and emits the patches that they make.
pub(super) struct PatchSink<'p, F> {
    pub(super) fold: &'p mut Fold,
    pub(super) buffer: Option<&'p ByteString>,
    pub(super) on_event: &'p mut F,
    pub(super) stopped: Option<Stop>,
}

/// Why the fast path ended early.
pub(super) enum Stop {
    /// The caller wants no more events.
    Cancelled,
    Failed(Error),
}

impl<R: Flow, F: FnMut(Event<'_>) -> R> TokenSink for PatchSink<'_, F> {
    // The kind of a token is a constant at each call: inlining removes the fold's dispatch.
    #[inline(always)]
    fn token(&mut self, kind: TokenKind, text: &str, end: u64) -> bool {
        // Borrow the change instead of moving it. A move would load eight bytes across two pending stores
        // of four, and that stall costs more than everything else here.
        match &self.fold.take_fast(kind, text, end) {
            Ok(Some(change)) => {
                let span = self.fold.span(kind, change, end);
                let delta = if matches!(kind, TokenKind::StringText) { text } else { "" };
                let more = self.deliver(change, span, delta);
                // A check may fail when a value closes. Its verdict is emitted next.
                let closes = matches!(
                    kind,
                    TokenKind::StringClose | TokenKind::Scalar(_) | TokenKind::Close
                );
                more && (!closes || self.fold.all_emitted())
            }
            // Nothing to emit, or more than one patch: the general path continues.
            Ok(None) => self.fold.all_emitted(),
            Err(error) => {
                self.stopped = Some(Stop::Failed(*error));
                false
            }
        }
    }
}

impl<R: Flow, F: FnMut(Event<'_>) -> R> PatchSink<'_, F> {
    /// Emits the tokens of a machine while it is in a payload and nothing else is pending.
    pub(super) fn run(&mut self, machine: &mut dyn Machine, input: &mut Input<'_>) -> FastPathEnd {
        loop {
            let position = machine.position();
            if !position.is_inside() {
                return FastPathEnd::GeneralPath;
            }
            let token = match machine.step(input) {
                Ok(Some(token)) => token,
                Ok(None) if input.is_done() => return FastPathEnd::InputRead,
                Ok(None) => return FastPathEnd::GeneralPath,
                Err(error) => {
                    self.stopped = Some(Stop::Failed(error));
                    return FastPathEnd::GeneralPath;
                }
            };
            let text = token.text.of(input.text(), machine.buffer());
            if !self.any_token(token, text) {
                return FastPathEnd::GeneralPath;
            }
        }
    }

    /// Takes a token of any kind. Whether the next one may come.
    fn any_token(&mut self, token: Token, text: &str) -> bool {
        if token.kind.is_on_fast_path() {
            return self.token(token.kind, text, token.end);
        }
        match self.fold.apply_rare(token, text) {
            Ok(()) => self.fold.all_emitted(),
            Err(error) => {
                self.stopped = Some(Stop::Failed(error));
                false
            }
        }
    }

    /// Emits a patch. Whether the next token may come.
    #[inline(never)]
    fn deliver(&mut self, change: &Change, span: Span, delta: &str) -> bool {
        let patch = self.fold.patch(change, Text::new(delta, self.buffer), span);
        let more = (self.on_event)(Event::Patch(patch)).goes_on();
        if !more {
            self.stopped = Some(Stop::Cancelled);
        }
        more
    }
}

/// The text of a chunk, if it is UTF-8. A shared buffer was checked when it was fed.
#[inline(always)]
pub(super) fn text_of<'t>(
    chunk: &'t [u8],
    buffer: Option<&'t ByteString>,
    room: &'t mut ShortText,
) -> Option<&'t str> {
    match buffer {
        Some(buffer) => Some(buffer),
        None => as_text(chunk, room),
    }
}

#[cfg(test)]
mod tests {
    use super::{NextChunk, PatchSink};
    use crate::document::Value;
    use crate::event::Event;
    use crate::fold::{Fold, Seed};
    use crate::lex::json::TokenSink;
    use crate::lex::{Scalar, TokenKind};
    use crate::limits::Limits;
    use crate::spec::{Format, Spec};
    use crate::transcript::Route;
    use core::ops::ControlFlow;

    #[test]
    fn the_way_of_the_next_chunk() {
        let text = Spec::builder().format(Format::Text).build().expect("a spec");
        let json = Spec::json();
        for (spec, fed, next) in [
            (&json, &b""[..], "general"),
            (&json, b"Sure: ", "general"),
            (&json, b"{", "general"),
            (&json, b"{\"a\":", "payload"),
            (&json, b"{\"a\": \"x", "payload"),
            (&json, b"{\"a\": \"x\"", "payload"),
            (&json, b"{\"a\": \"x\xC3", "general"),
            (&json, b"{\"a\": 'x'", "payload"),
            (&json, b"{\"a\": 1}", "general"),
            (&json, b"<think>hm", "reasoning"),
            (&json, b"<think>hm </thi", "general"),
            (&text, b"hm", "text"),
            (&text, b"hm <thi", "general"),
            (&text, b"<think>hm", "reasoning"),
            (&text, b"<think>hm</think>yes", "text"),
            (&text, b"caf\xC3", "general"),
        ] {
            let mut parser = spec.parser();
            parser.feed(fed, |_| {}).expect("no limit is near");
            let found = match NextChunk::after(&parser.intake, &parser.reader) {
                NextChunk::General => "general",
                NextChunk::Payload => "payload",
                NextChunk::Prose { .. } => "prose",
                NextChunk::Text(Route::Text) => "text",
                NextChunk::Text(Route::Reasoning) => "reasoning",
                NextChunk::Text(_) => "another channel",
            };
            assert_eq!(found, next, "{}", fed.escape_ascii());
        }
    }

    #[test]
    fn prose_of_a_field_passes_by_the_machine_where_nothing_is_held() {
        let schema = || crate::schema::object().field("a", crate::schema::str(""));
        for (format, opener) in [
            (Format::XmlField, "<answer_fields>\n<field name=\"a\">x"),
            (Format::Hybrid, "### a\nx"),
            (Format::Markdown, "### a\nx"),
            (Format::YamlLiteral, "```yaml\na: |\n  x"),
        ] {
            let spec = Spec::builder().format(format).schema(schema()).build().expect("a spec");
            let mut parser = spec.parser();
            parser.feed(opener, |_| {}).expect("no limit is near");
            let next = |parser: &crate::Parser| match parser.fast_path.next {
                NextChunk::Prose { holds_space } => Some(holds_space),
                NextChunk::Payload => None,
                other => panic!("{format:?}: {other:?}"),
            };
            assert_eq!(next(&parser), None, "{format:?}: the machine was not asked yet");
            let holds = format != Format::YamlLiteral;
            for (chunk, then) in [
                ("one", Some(false)),
                ("two", Some(false)),
                ("six ", Some(holds)),
                ("ten ", Some(holds)),
                (" y", Some(false)),
                ("  ", (!holds).then_some(false)),
                ("z", Some(false)),
                ("i <9", Some(false)),
            ] {
                parser.feed(chunk, |_| {}).expect("no limit is near");
                assert_eq!(next(&parser), then, "{format:?} behind {chunk:?}");
            }
            let answer = parser.finish(|_| {}).expect("no limit is near");
            let text = answer.value().get("a").and_then(|text| text.as_str().map(str::to_owned));
            // A literal block ends with a line end.
            assert_eq!(
                text.as_deref().map(str::trim_end),
                Some("xonetwosix ten  y  zi <9"),
                "{format:?}"
            );
        }
    }

    /// Takes tokens until the caller wants no more than `most` events. Returns the number of tokens taken,
    /// the events, and the value.
    fn taken(tokens: &[(TokenKind, &str)], most: usize) -> (usize, Vec<String>, Value) {
        let mut fold = Fold::new(None, &Limits::default(), true, Seed::default());
        let mut events = Vec::new();
        let mut on_event = |event: Event<'_>| {
            let Event::Patch(patch) = event else { return ControlFlow::Break(()) };
            events.push(format!("{} {}{}", patch.op.name(), patch.path, patch.delta));
            if events.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let mut sink =
            PatchSink { fold: &mut fold, buffer: None, on_event: &mut on_event, stopped: None };
        let mut count = 0;
        for (end, (kind, text)) in (1..).zip(tokens) {
            count += 1;
            if !sink.token(*kind, text, end) {
                break;
            }
        }
        let value = fold.documents.all[0].value().to_value();
        (count, events, value)
    }

    #[test]
    fn tokens_become_patches_until_the_caller_stops() {
        let tokens = [
            (TokenKind::ObjectOpen, ""),
            (TokenKind::Key, "a"),
            (TokenKind::StringOpen, ""),
            (TokenKind::StringText, "x"),
            (TokenKind::StringClose, ""),
            (TokenKind::Key, "b"),
            (TokenKind::Scalar(Scalar::Number), "1"),
            (TokenKind::Close, ""),
        ];
        let all = ["open ", "open a", "delta ax", "done a", "done b", "done "];
        for (most, count, value) in [
            (9, 8, r#"{"a":"x","b":1}"#),
            (5, 7, r#"{"a":"x","b":1}"#),
            (3, 4, r#"{"a":"x"}"#),
            (1, 1, "{}"),
        ] {
            let (took, events, found) = taken(&tokens, most);
            assert_eq!((took, &*found.to_string()), (count, value), "at most {most} events");
            assert_eq!(events, all[..most.min(all.len())]);
        }
    }
}
