//! Which rule decides at an offset whether a marker counts.

use super::code_guard::{CodeGuard, GuardedCode, MarkerRule};
use super::marker_place::MarkerPlace;
use super::token_run::{TokenRun, TokenRuns};

/// The parser's position, as far as it decides which markers count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Around {
    /// Text: the innermost element decides.
    Text,
    /// A payload: only markers that end the enclosing element count.
    Payload,
    /// A string of a payload, where markers are data.
    String,
}

/// Everything outside the text itself that decides which markers count.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MarkerRules {
    pub(super) place: MarkerPlace,
    pub(super) runs: TokenRuns,
    /// From this stream offset on nothing hides markers. Set for a second reading after an unclosed fence.
    pub(super) bare_from: u64,
    pub(super) code: GuardedCode,
}

impl MarkerRules {
    /// The rule at a stream offset. Inside a payload the surrounding code does not matter.
    pub(super) fn at(&self, guard: &CodeGuard, offset: u64, around: Around) -> MarkerRule {
        let bare = offset >= self.bare_from || self.runs.at(offset) == TokenRun::Special;
        match around {
            Around::Payload => return MarkerRule::Ends,
            Around::String if bare => return MarkerRule::Ends,
            Around::Text if bare && self.place.begun && guard.is_at_start() => {
                return MarkerRule::Start;
            }
            Around::Text if bare => return MarkerRule::Bare,
            Around::Text | Around::String => {}
        }
        if !self.place.guarded {
            return MarkerRule::Open;
        }
        guard.rule(self.code)
    }

    /// Whether the source marks this byte as ordinary text.
    pub(super) fn is_plain_text_token(&self, offset: u64) -> bool {
        self.runs.at(offset) == TokenRun::Plain
    }
}
