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
use crate::span::Span;
use crate::tags::Router;
use crate::transcript::Route;

/// Whether the next chunk may skip the router, and a reused buffer. No state of the stream: it follows
/// from the rest of the parser, and compares equal.
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
    /// By the machine alone: the stream stands in a payload outside elements.
    Payload,
    /// As one text of this channel, if no marker begins in it.
    Text(Route),
}

impl NextChunk {
    /// How the next chunk may be read where the stream stands.
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

    /// Text that nothing but a marker can interrupt, while no marker has begun.
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

/// Why a fast path ended early.
pub(super) enum Stop {
    /// The caller wants no more.
    Cancelled,
    Failed(Error),
}

impl<R: Flow, F: FnMut(Event<'_>) -> R> TokenSink for PatchSink<'_, F> {
    // The kind of a token is known where it is read: inlined, the fold's dispatch goes away.
    #[inline(always)]
    fn token(&mut self, kind: TokenKind, text: &str, end: u64) -> bool {
        // The change stays where the fold put it. To move it would read four bytes and four as eight
        // while they are still on their way to memory, which costs more than the rest.
        match &self.fold.take_fast(kind, text, end) {
            Ok(Some(change)) => {
                let span = self.fold.span(kind, change, end);
                let delta = if matches!(kind, TokenKind::StringText) { text } else { "" };
                let more = self.deliver(change, span, delta);
                // A check may fail where a value closes: its verdict is emitted next.
                let closes = matches!(
                    kind,
                    TokenKind::StringClose | TokenKind::Scalar(_) | TokenKind::Close
                );
                more && (!closes || self.fold.all_emitted())
            }
            // Nothing to emit, or more than one patch: the rest is for the general path.
            Ok(None) => self.fold.all_emitted(),
            Err(error) => {
                self.stopped = Some(Stop::Failed(*error));
                false
            }
        }
    }
}

impl<R: Flow, F: FnMut(Event<'_>) -> R> PatchSink<'_, F> {
    /// Emits the tokens of a machine while it stands in a payload and nothing else is pending.
    pub(super) fn run(&mut self, machine: &mut dyn Machine, input: &mut Input<'_>) -> FastPathEnd {
        loop {
            let position = machine.position();
            if !position.is_inside() {
                return FastPathEnd::GeneralPath;
            }
            let token = match machine.step(input) {
                Ok(Some(token)) => token,
                Ok(None) if input.is_done() && machine.position().drained => {
                    return FastPathEnd::InputRead;
                }
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
        match self.fold.apply(token, text) {
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
