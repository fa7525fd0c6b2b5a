//! The lines that begin and end a document.

use crate::lex::yaml::{DocumentBoundary, MarkerScope};

/// How a document begins and ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct DocumentFrame {
    /// Whether the document is between markers.
    pub(super) marked: bool,
    /// Whether the document is in a fence.
    pub(super) fenced: bool,
    /// Whether anything other than a comment was read.
    pub(super) begun: bool,
    /// Whether the document ended, so that text up to the last marker is ignored; and whether another
    /// document was noted.
    over: Option<bool>,
}

/// The effect of a boundary line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameStep {
    /// The document begins on the next line.
    Opened,
    /// The document may begin on this line.
    Dashes,
    /// Another document begins.
    Another,
    /// The document ended.
    Stop,
    /// The text around the document follows.
    Close,
}

impl DocumentFrame {
    /// The frame of a document after the line that begins it: a marker, or the opener of a fence.
    pub(super) const fn new(marked: bool) -> Self {
        Self { marked, fenced: !marked, begun: false, over: None }
    }

    /// A document without a frame, at its first value.
    pub(super) const fn of_part() -> Self {
        Self { marked: false, fenced: false, begun: true, over: None }
    }

    /// Whether the document ended, and the text up to the last marker is ignored.
    pub(super) const fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// The boundaries that may come here.
    pub(super) fn scope<'n>(&self, names: &'n [String]) -> MarkerScope<'n> {
        let fresh = !self.begun && !self.is_over();
        MarkerScope {
            begin: fresh && !self.marked,
            end: true,
            dashes: true,
            fence_open: fresh && !self.fenced,
            fence_close: self.fenced,
            names,
        }
    }

    /// Reads a boundary line.
    pub(super) fn boundary(&mut self, boundary: DocumentBoundary) -> FrameStep {
        match boundary {
            DocumentBoundary::Begin => {
                self.marked = true;
                FrameStep::Opened
            }
            DocumentBoundary::FenceOpen => {
                self.fenced = true;
                FrameStep::Opened
            }
            DocumentBoundary::Start if !self.begun && !self.is_over() => FrameStep::Dashes,
            DocumentBoundary::Start => FrameStep::Another,
            DocumentBoundary::Stop => FrameStep::Stop,
            DocumentBoundary::End | DocumentBoundary::FenceClose => FrameStep::Close,
        }
    }

    /// Ends the document: the text up to the last marker is ignored.
    pub(super) fn stop(&mut self) {
        self.over.get_or_insert(false);
    }

    /// Ends the document before another one. Returns whether that one is the first.
    pub(super) fn stop_before_another(&mut self) -> bool {
        !self.over.replace(true).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{DocumentFrame, FrameStep};
    use crate::lex::yaml::DocumentBoundary;

    #[test]
    fn a_boundary_line_counts_by_what_came_before_it() {
        let fresh = DocumentFrame::default();
        let begun = DocumentFrame { begun: true, ..fresh };
        let over = DocumentFrame { over: Some(false), ..fresh };
        for (mut frame, boundary, step) in [
            (fresh, DocumentBoundary::Begin, FrameStep::Opened),
            (fresh, DocumentBoundary::FenceOpen, FrameStep::Opened),
            (fresh, DocumentBoundary::Start, FrameStep::Dashes),
            (begun, DocumentBoundary::Start, FrameStep::Another),
            (over, DocumentBoundary::Start, FrameStep::Another),
            (begun, DocumentBoundary::Stop, FrameStep::Stop),
            (begun, DocumentBoundary::End, FrameStep::Close),
            (begun, DocumentBoundary::FenceClose, FrameStep::Close),
        ] {
            let before = frame;
            assert_eq!(frame.boundary(boundary), step, "{before:?} {boundary:?}");
            let scope = frame.scope(&[]);
            let fresh = !before.begun && !before.is_over();
            assert_eq!(scope.begin, fresh && boundary != DocumentBoundary::Begin, "{frame:?}");
            let opens = fresh && boundary != DocumentBoundary::FenceOpen;
            assert_eq!((scope.fence_open, scope.fence_close), (opens, frame.fenced), "{frame:?}");
        }
    }

    #[test]
    fn another_document_is_the_first_one_once() {
        let mut frame = DocumentFrame::default();
        frame.stop();
        assert!(frame.is_over());
        assert!(frame.stop_before_another());
        frame.stop();
        assert!(!frame.stop_before_another());
    }
}
