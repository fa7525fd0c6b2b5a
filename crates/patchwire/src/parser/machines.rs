//! The machines of a stream: one for the format, and one for the body of each open element.

use crate::error::Error;
use crate::fold::{EmissionKind, Fold};
use crate::format::body::Body;
use crate::format::{FormatMachine, Payloads, Position, Region, TokenLog};
use crate::held::Held;
use crate::lex::Token;

/// Where text at the current position goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Destination {
    /// The machine of the format, which looks for the payload.
    Format,
    /// Directly into an event, without a machine.
    Text(EmissionKind),
    /// The body of the innermost element.
    Body,
}

/// The body of an open element.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OpenBody {
    pub(super) element: u32,
    pub(super) body: Body,
}

/// A destination, and the position of its machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    pub(super) to: Destination,
    pub(super) position: Position,
}

impl Standing {
    /// Whether the text at the current position belongs to a payload or to a candidate.
    fn is_in_payload(self) -> bool {
        let inside = self.position.is_inside();
        match self.to {
            Destination::Text(_) => false,
            Destination::Format => inside,
            Destination::Body => inside && self.position.payloads.is_some(),
        }
    }

    /// Whether the text at the current position certainly belongs to a payload. All other text must pass
    /// the tag layer, which tracks code in it.
    pub(super) fn is_surely_in_payload(self) -> bool {
        self.position.region != Region::Candidate && self.is_in_payload()
    }

    /// The payloads that have begun before this text; none inside a payload, and none where no payload is
    /// looked for.
    pub(super) fn payloads_before(self) -> Option<Payloads> {
        if self.is_in_payload() { None } else { self.payloads() }
    }

    /// The payloads that have begun; none where no payload is looked for.
    pub(super) const fn payloads(self) -> Option<Payloads> {
        match self.to {
            Destination::Text(_) => None,
            Destination::Format | Destination::Body => self.position.payloads,
        }
    }
}

/// The machine of the format, the open bodies, and the log of tokens.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Machines {
    pub(super) format: FormatMachine,
    /// The bodies of open elements, the innermost last.
    pub(super) bodies: Vec<OpenBody>,
    /// The tokens of the format, for traces.
    pub(super) token_log: TokenLog,
}

impl Machines {
    /// The machine of a destination. Text that goes directly into events has none; the format's stands in
    /// for it.
    #[inline]
    pub(super) fn get(&self, to: Destination) -> &FormatMachine {
        match (to, self.bodies.last()) {
            (Destination::Body, Some(open)) => &open.body.machine,
            _ => &self.format,
        }
    }

    /// What the format and the bodies of open elements hold back.
    pub(super) fn held(&self, emitted: u64, end: u64) -> Vec<Held> {
        let bodies = self.bodies.iter().map(|open| &open.body.machine);
        let machines = core::iter::once(&self.format).chain(bodies);
        machines.flat_map(|machine| machine.get().held(emitted, end)).collect()
    }

    // Most callers ask for one part of the position: inlined, the other parts are not computed.
    #[inline(always)]
    pub(super) fn standing(&self, to: Destination) -> Standing {
        Standing { to, position: self.get(to).position() }
    }

    /// The body of an element, if it is the innermost that has one.
    pub(super) fn body_of(&self, element: u32) -> Option<&Body> {
        self.bodies.last().filter(|open| open.element == element).map(|open| &open.body)
    }

    /// Makes a token and folds it. Whether there was one.
    #[inline]
    pub(super) fn fold_token(
        &mut self,
        to: Destination,
        fold: &mut Fold,
        input: &str,
        make: impl FnOnce(&mut FormatMachine) -> Result<Option<Token>, Error>,
    ) -> Result<bool, Error> {
        let open = self.bodies.last_mut().filter(|_| to == Destination::Body);
        let (token, machine) = if let Some(OpenBody { body, .. }) = open {
            let Some(token) = make(&mut body.machine)? else { return Ok(false) };
            body.note(token);
            (token, &body.machine)
        } else {
            let Some(token) = make(&mut self.format)? else { return Ok(false) };
            if self.token_log.is_on() {
                self.token_log.add(token, self.format.resolve(token.text, input));
            }
            (token, &self.format)
        };
        // `apply` is inlined, so that one call serves both.
        fold.apply(token, machine.resolve(token.text, input))?;
        Ok(true)
    }

    /// Copies the text of pending tokens, before the input is dropped.
    pub(super) fn own_pending_text(&mut self, input: &str) {
        self.format.get_mut().own_pending_text(input);
        if let Some(open) = self.bodies.last_mut() {
            open.body.machine.get_mut().own_pending_text(input);
        }
    }

    pub(super) fn canonicalize(&mut self) {
        self.format.get_mut().canonicalize();
        self.canonicalize_body();
    }

    pub(super) fn canonicalize_body(&mut self) {
        if let Some(open) = self.bodies.last_mut() {
            open.body.machine.get_mut().canonicalize();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Destination, Standing};
    use crate::fold::EmissionKind;
    use crate::format::{Position, Region};

    /// Destination, region of its machine, whether the text is certainly a payload's, whether payloads
    /// before it count.
    #[test]
    fn what_belongs_to_a_payload() {
        let text = Destination::Text(EmissionKind::Text);
        for (to, region, surely, counts) in [
            (Destination::Format, Region::Outside, false, true),
            (Destination::Format, Region::Candidate, false, false),
            (Destination::Format, Region::Payload, true, false),
            (Destination::Body, Region::Outside, false, true),
            (Destination::Body, Region::String, true, false),
            (text, Region::Payload, false, false),
        ] {
            let standing = Standing { to, position: Position::at(region) };
            assert_eq!(standing.is_surely_in_payload(), surely, "{standing:?}");
            assert_eq!(standing.payloads_before().is_some(), counts, "{standing:?}");
        }
        let position = Position { payloads: None, ..Position::at(Region::String) };
        assert!(!Standing { to: Destination::Body, position }.is_surely_in_payload());
    }
}
