//! The end of a document, and of the input.

use super::state::{At, Role, Scalar};
use super::{Stage, YamlFormat};
use crate::codes::{Code, SkipReason};
use crate::error::Error;
use crate::lex::TokenKind;
use crate::lex::yaml::{Found, Step};
use crate::span::Span;

impl YamlFormat {
    /// The document is whole.
    pub(super) fn end_document(&mut self) -> Result<(), Error> {
        if self.document.over.is_some() {
            return Ok(());
        }
        if let Scalar::Quoted { .. } = self.document.scalar {
            let end = Span::at(self.teller.end());
            self.teller.notice(Code::YamlUnterminatedQuote, end);
        }
        self.end_scalar()?;
        self.nothing();
        while self.document.nests.pop().is_some() {
            self.teller.close()?;
        }
        self.teller.end_document();
        Ok(())
    }

    /// The input ends: what is held is decided, what is open stays so.
    pub(super) fn end_of_input(&mut self, end: u64) -> Result<(), Error> {
        if let Stage::Seek(seek) = &mut self.stage {
            seek.flush(end, &mut self.teller.out);
        }
        if self.stage == Stage::Inside {
            self.cut_line(end)?;
            self.cut_scalar(end)?;
        }
        self.teller.emit_missing();
        if self.stage == Stage::Inside {
            if !self.teller.is_rooted() {
                self.teller.notice(Code::Truncated, Span::at(end));
            }
            if !self.teller.is_open() {
                self.teller.out.push(TokenKind::Skipped(SkipReason::Truncated), end);
            }
        }
        Ok(())
    }

    /// What the end of the input makes of what is held of the line.
    pub(super) fn cut_line(&mut self, end: u64) -> Result<(), Error> {
        match self.document.at {
            At::Candidate(marker) => {
                if let Step::Whole(boundary, _) = marker.push(None, &self.scope()) {
                    self.boundary(boundary, end)?;
                } else if marker.is_run() {
                    self.keep_held();
                }
            }
            At::Probe(mut probe, role) => match (probe.push(None), role) {
                (Found::Key, _) => self.key(probe.is_quoted(), role, end)?,
                (_, Role::Node) => {
                    self.begin_held(end);
                    while self.read_again()? {}
                }
                _ => {}
            },
            At::Sign { role: Role::Node, read: true } if self.document.held == "-" => {
                self.item(self.document.start)?;
            }
            At::Property if self.is_alias() => self.emit_alias()?,
            At::Sign { role: Role::Kept, read: true } => self.keep_sign(),
            At::Alias => self.emit_alias()?,
            At::Header(header) => self.begin_block(header, end),
            _ => {}
        }
        Ok(())
    }

    /// What the end of the input makes of the scalar that is open.
    pub(super) fn cut_scalar(&mut self, end: u64) -> Result<(), Error> {
        let (spaces, most) = (self.document.spaces, self.most_held);
        match core::mem::take(&mut self.document.scalar) {
            Scalar::None => {}
            Scalar::Plain(scalar) => self.cut_plain(&scalar),
            Scalar::Quoted { quoted, .. } => {
                if quoted.is_closed_by_end() {
                    self.teller.reach(end);
                    self.teller.string_close();
                }
            }
            Scalar::Block(mut block) => {
                let mut out = String::new();
                match self.document.at {
                    At::Text => drop(block.end_line(most, &mut out)),
                    At::Lead => block.end_of_input(spaces, most, &mut out),
                    _ => {}
                }
                block.close(&mut out);
                self.teller.string_text(&out, end);
            }
            Scalar::Deferred(mut deferred) => {
                if self.document.at == At::Lead {
                    deferred.push_spaces(spaces);
                }
                self.emit_deferred(deferred, false)?;
            }
        }
        Ok(())
    }
}
