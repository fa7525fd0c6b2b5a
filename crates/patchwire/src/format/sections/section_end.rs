//! The end of the input, or of the element around the payload.

use super::section::Section;
use super::section_fences::HeaderRules;
use super::{SectionLine, Sections};
use crate::codes::{Code, SkipReason};
use crate::error::Error;
use crate::lex::TokenKind;
use crate::span::Span;

impl Sections {
    /// Decides the held line, and closes the section and the object.
    pub(super) fn end(&mut self, end: u64) -> Result<(), Error> {
        self.end_line(end)?;
        self.end_fences(end);
        let whole = self.end_section(end)?;
        self.emit_missing(whole, end);
        if self.is_inside() && whole {
            self.out.push(TokenKind::Close, end);
            self.out.push(TokenKind::RootComplete, end);
        }
        Ok(())
    }

    fn end_line(&mut self, end: u64) -> Result<(), Error> {
        match &self.line {
            SectionLine::Header(heading) if heading.end(&self.options.titles).is_some() => {
                self.end_header(end)
            }
            SectionLine::Scaffold(scaffold) if scaffold.is_whole() => {
                self.drop_scaffold(end);
                Ok(())
            }
            _ => self.refute(false, end),
        }
    }

    fn end_fences(&mut self, end: u64) {
        if !self.section.has_fences() {
            return;
        }
        let Self { fences, options, names, level, .. } = self;
        let is_new = |name: &str| names.is_new(name);
        fences.finish(&HeaderRules { titles: &options.titles, level: *level, is_new: &is_new });
        if fences.hidden_header().is_some() {
            self.out.notice(Code::UnclosedFenceSwallowedHeader, Span::at(end));
        }
    }

    /// Ends the last section. Returns whether the object can close: not if JSON was cut.
    fn end_section(&mut self, end: u64) -> Result<bool, Error> {
        match &mut self.section {
            Section::Outside => Ok(true),
            Section::Text(text) => {
                text.finish(end, &mut self.out);
                self.out.push(TokenKind::StringClose, end);
                Ok(true)
            }
            Section::Skipped(_) => {
                self.out.push(TokenKind::Skipped(SkipReason::DuplicateKey), end);
                Ok(true)
            }
            Section::Json(payload) => {
                let whole = payload.finish(end, &mut self.out)?;
                if payload.end_as_text(end, &mut self.out) {
                    return Ok(true);
                }
                let is_over = payload.is_over() || payload.is_prose();
                if !whole && is_over {
                    payload.notice(Code::BadJson, Span::at(end), &mut self.out);
                }
                Ok(is_over)
            }
        }
    }

    /// Adds notices for missing declared fields. Only the innermost object gives them a path.
    fn emit_missing(&mut self, innermost: bool, end: u64) {
        let Self { names, out, section, .. } = self;
        let inside = innermost && !matches!(section, Section::Outside);
        for name in names.missing() {
            if inside {
                out.push_text(TokenKind::Key, name, end);
            }
            out.notice(Code::MissingField, Span::at(end));
        }
    }
}
