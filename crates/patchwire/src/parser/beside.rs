//! The reading beside: of a text in which a fence, a comment or a string was never closed and hid
//! markers, as if it hid none.

use super::Parser;
use crate::answer::Answer;
use crate::codes::Code;
use crate::span::Span;
use crate::tags::Router;

impl Parser {
    /// The input ended: notes what hid markers to the end of it.
    pub(super) fn look_beside(&mut self) {
        if self.spec.0.bare_from.is_some() {
            return;
        }
        let Some((code, from, at)) = self.hidden() else { return };
        self.fold.notice(code, Span::at(at));
        self.beside = Some(from);
    }

    /// What hid markers, where it began, and where the first of them stands.
    fn hidden(&self) -> Option<(Code, u64, u64)> {
        let (router, raw) = (self.router.as_ref()?, self.raw.as_deref()?);
        let cover = router.open_cover()?;
        let string = || self.body.as_ref().and_then(|(_, body)| body.open_string());
        let from = if cover.code == Code::StringHidCloser { string()? } else { cover.from };
        let text = raw.get(usize::try_from(from).ok()?..)?;
        // The opener of a comment is no marker that it hid.
        let skip = usize::from(cover.code == Code::CommentHidMarkers);
        let at = skip + router.first_of(&cover.markers, text.get(skip..)?)?;
        Some((cover.code, from, from + at as u64))
    }

    /// The other reading, if one is to be had.
    pub(super) fn read_beside(&self) -> Option<Answer> {
        let spec = self.spec.bare_from(self.beside?);
        let (mut parser, raw) = (spec.parser(), self.raw.as_deref()?);
        let mut from = 0;
        for &(at, run) in self.router.as_ref().map_or(&[][..], Router::runs) {
            let at = usize::try_from(at).ok()?;
            parser.feed(raw.get(from..at)?, |_| {}).ok()?;
            parser.set_run(run);
            from = at;
        }
        parser.feed(raw.get(from..)?, |_| {}).ok()?;
        parser.finish(|_| {}).ok()
    }
}
