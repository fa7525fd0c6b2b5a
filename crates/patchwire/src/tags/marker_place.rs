//! Which markers count inside the innermost element.

use super::code_guard::MarkerRule;
use crate::lex::marker::Mask;

/// The markers that count in one place. Computed when an element opens or closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MarkerPlace {
    /// The markers that count, by [`MarkerRule`].
    pub(super) rules: [Mask; 7],
    /// Openers that count only at the start of a line.
    pub(super) line_start_only: Mask,
    /// Closers that end an open element.
    pub(super) ends: Mask,
    /// Closers that are text, but give a notice.
    pub(super) noted: Mask,
    /// Whether code hides markers here.
    pub(super) guarded: bool,
    /// Whether only closers of open elements count, by their own names and parameters.
    pub(super) closed: bool,
    /// Whether the stream began in the innermost element, so that its opener may be repeated.
    pub(super) begun: bool,
    /// Whether a closer counts only before what may follow it.
    pub(super) raw: bool,
}

impl MarkerPlace {
    /// The markers that count under a rule. `fresh`: only whitespace precedes on the line.
    #[inline]
    pub(super) fn enabled(&self, rule: MarkerRule, fresh: bool) -> Mask {
        let all = self.rules[rule as usize];
        if fresh { all } else { all.minus(self.line_start_only) }
    }

    /// The markers that count, and the closers that give a notice. A closer that code or a payload
    /// hides gives none.
    #[inline]
    pub(super) fn seen(&self, rule: MarkerRule, fresh: bool) -> Mask {
        let enabled = self.enabled(rule, fresh);
        match rule {
            MarkerRule::Open | MarkerRule::Bare | MarkerRule::Start => enabled.union(self.noted),
            MarkerRule::Hidden | MarkerRule::FenceEnd | MarkerRule::Ends | MarkerRule::Openers => {
                enabled
            }
        }
    }
}
