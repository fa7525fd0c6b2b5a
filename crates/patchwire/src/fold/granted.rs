//! Places where only what was granted may stand: what a model puts there instead is never emitted.
//!
//! A string is held until it is one of the choices, as any is that lists its values. What is no string
//! is refused at its first byte, and the fallback emitted; a container is then read beside and passed over.

use super::Fold;
use crate::codes::Code;
use crate::document::{NodeId, NodeKind};
use crate::error::Error;
use crate::event::Completion;
use crate::schema::SchemaId;
use crate::span::Span;

impl Fold {
    /// What stands for anything that is none of the choices, if they are guarded.
    pub(super) fn fallback(&self, id: SchemaId) -> Option<&str> {
        self.schema.as_ref()?.fallback(id)
    }

    /// Tells the fallback where a value begins that is no string and only granted strings may stand.
    /// Whether it did.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse_value(&mut self, end: u64) -> Result<bool, Error> {
        let fallback = self.schema_here().and_then(|id| self.fallback(id));
        let Some(fallback) = fallback.map(str::to_owned) else { return Ok(false) };
        self.expect_item();
        self.notice(Code::KindNotGranted, Span::new(self.last_end, end));
        let change = self.whole(NodeKind::String, &fallback, end, Completion::Observed)?;
        self.emit_patch(change, end);
        Ok(true)
    }

    /// The same for a container, which is then read beside: it takes nobody's place.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse_container(&mut self, end: u64) -> Result<(), Error> {
        let emitted = NodeId(self.nodes);
        // Its opener is passed over with what is in it.
        if self.refuse_value(self.last_end.max(end.saturating_sub(1)))? {
            self.duplicate = Some(emitted);
            self.refused = true;
        }
        Ok(())
    }
}
