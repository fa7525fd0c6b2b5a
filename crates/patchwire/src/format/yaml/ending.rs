//! The end of a document, and of the input.

use super::state::{LinePlace, OpenScalar, SignRole};
use super::{YamlFormat, YamlStage};
use crate::codes::{Code, SkipReason};
use crate::error::Error;
use crate::lex::TokenKind;
use crate::lex::yaml::{KeyFound, MarkerStep};
use crate::span::Span;

impl YamlFormat {
    /// The document ended: closes its scalar and collections.
    pub(super) fn end_document(&mut self) -> Result<(), Error> {
        if self.document.over.is_some() {
            return Ok(());
        }
        if let OpenScalar::Quoted { .. } = self.document.scalar {
            let end = Span::at(self.emitter.end());
            self.emitter.notice(Code::YamlUnterminatedQuote, end);
        }
        self.end_scalar()?;
        self.nothing();
        while self.document.nests.pop().is_some() {
            self.emitter.close()?;
        }
        self.emitter.end_document();
        Ok(())
    }

    /// The input ended: held text is decided, and open values stay open.
    pub(super) fn end_of_input(&mut self, end: u64) -> Result<(), Error> {
        if let YamlStage::Seek(seek) = &mut self.stage {
            seek.flush(end, &mut self.emitter.out);
        }
        if self.stage == YamlStage::Inside {
            self.cut_line(end)?;
            self.cut_scalar(end)?;
        }
        self.emitter.emit_missing();
        if self.stage == YamlStage::Inside {
            if !self.emitter.is_rooted() {
                self.emitter.notice(Code::Truncated, Span::at(end));
            }
            if !self.emitter.is_open() {
                self.emitter.out.push(TokenKind::Skipped(SkipReason::Truncated), end);
            }
        }
        Ok(())
    }

    /// Decides the held text of the line at the end of the input.
    pub(super) fn cut_line(&mut self, end: u64) -> Result<(), Error> {
        match self.document.at {
            LinePlace::Candidate(marker) => {
                if let MarkerStep::Whole(boundary, _) = marker.push(None, &self.scope()) {
                    self.boundary(boundary, end)?;
                } else if marker.is_run() {
                    self.keep_held();
                }
            }
            LinePlace::Probe(mut probe, role) => match (probe.push(None), role) {
                (KeyFound::Key, _) => self.key(probe.is_quoted(), role, end)?,
                (_, SignRole::Node) => {
                    self.begin_held(end);
                    while self.read_again()? {}
                }
                _ => {}
            },
            LinePlace::Sign { role: SignRole::Node, read: true } if self.document.held == "-" => {
                self.item(self.document.start)?;
            }
            LinePlace::Property if self.is_alias() => self.emit_alias()?,
            LinePlace::Sign { role: SignRole::Kept, read: true } => self.keep_sign(),
            LinePlace::Alias => self.emit_alias()?,
            LinePlace::Header(header) => self.begin_block(header, end),
            _ => {}
        }
        Ok(())
    }

    /// Decides the open scalar at the end of the input.
    pub(super) fn cut_scalar(&mut self, end: u64) -> Result<(), Error> {
        let (spaces, most) = (self.document.spaces, self.most_held);
        match core::mem::take(&mut self.document.scalar) {
            OpenScalar::None => {}
            OpenScalar::Plain(scalar) => self.cut_plain(&scalar),
            OpenScalar::Quoted { quoted, .. } => {
                if quoted.is_closed_by_end() {
                    self.emitter.reach(end);
                    self.emitter.string_close();
                }
            }
            OpenScalar::Block(mut block) => {
                let mut out = String::new();
                match self.document.at {
                    LinePlace::Text => drop(block.end_line(most, &mut out)),
                    LinePlace::Lead => block.end_of_input(spaces, most, &mut out),
                    _ => {}
                }
                block.close(&mut out);
                self.emitter.string_text(&out, end);
            }
            OpenScalar::Deferred(mut deferred) => {
                if self.document.at == LinePlace::Lead {
                    deferred.push_spaces(spaces);
                }
                self.emit_deferred(deferred, false)?;
            }
        }
        Ok(())
    }
}
