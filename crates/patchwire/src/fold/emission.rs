//! Emissions: small and `Copy`. They name text and nodes by position.

use crate::codes::{Code, SkipReason};
use crate::document::{DocId, NodeId};
use crate::event::{CloseReason, Completion, PatchOp};
use crate::lex::Slice;
use crate::notice::RepairCost;
use crate::span::Span;

/// An event before it borrows anything.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Emission {
    pub(crate) kind: EmissionKind,
    pub(crate) text: TextAt,
    pub(crate) span: Span,
}

/// What an [`Emission`] becomes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum EmissionKind {
    Patch(Change),
    Text,
    /// Text of the open element.
    ElementText,
    Reasoning,
    ReasoningDone,
    Comment,
    CommentEnd,
    /// The element with this number.
    ElementOpen(u32),
    ElementClose(u32, CloseReason),
    /// Text between these offsets changes to the channel of the tag family with this number.
    Reclassify(u64, u64, u16),
    /// A closer without an element, of the tag family with this number.
    Stray(u16),
    Skipped(SkipReason),
    /// A notice about the value so many steps below the root.
    Notice(Code, u32),
    /// A notice of the search, with what it costs.
    Repair(Code, u32, RepairCost),
    RootComplete,
    /// The failure with this number.
    Verdict(u32),
}

/// The change of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Change {
    pub(crate) document: DocId,
    pub(crate) op: PatchOp,
    pub(crate) node: NodeId,
    /// Steps of the path.
    pub(crate) depth: u32,
    pub(crate) completion: Option<Completion>,
    pub(crate) repaired: bool,
    /// Without kept values, the patch carries the last value.
    pub(crate) has_last_value: bool,
}

/// Where the text of an [`Emission`] lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextAt {
    Nowhere,
    /// In the format machine's buffer, or in the input that it read.
    Format(Slice),
    /// In the fold's [pending text](super::Fold::pending).
    Pending,
}
