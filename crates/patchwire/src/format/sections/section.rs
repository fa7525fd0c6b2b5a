//! One section, from its header to the next.

use super::{LEVEL, Sections};
use crate::codes::{Code, SkipReason};
use crate::error::Error;
use crate::format::fields::{FieldDeclaration, FieldText, Payload};
use crate::held::{Held, HeldBy};
use crate::leniency::Leniency;
use crate::lex::TokenKind;
use crate::lex::heading::{HeaderKind, SectionHeader};
use crate::span::Span;

/// The section that is being read.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Section {
    /// Text before the first header.
    Outside,
    Text(FieldText),
    Json(Box<Payload>),
    /// A section whose name occurred before. JSON is still read, because it decides where a header is
    /// possible.
    Skipped(Option<Box<Payload>>),
}

impl Section {
    /// Whether the position is certainly in a string of JSON.
    pub(super) fn is_in_string(&self) -> bool {
        self.payload().is_some_and(Payload::is_in_string)
    }

    /// The JSON of the section.
    pub(super) fn payload(&self) -> Option<&Payload> {
        match self {
            Self::Json(payload) | Self::Skipped(Some(payload)) => Some(payload),
            Self::Outside | Self::Text(_) | Self::Skipped(None) => None,
        }
    }

    /// Whether code fences in the section hide headers.
    pub(super) const fn has_fences(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Skipped(None))
    }

    /// The held bytes before a stream offset.
    pub(super) fn held(&self, emitted: u64, end: u64) -> Vec<Held> {
        match self {
            Self::Text(trim) if !trim.held().is_empty() => {
                vec![Held::up_to(HeldBy::FieldBlanks, end, trim.held())]
            }
            Self::Json(payload) => payload.held(emitted, end),
            _ => Vec::new(),
        }
    }
}

impl Sections {
    pub(super) const fn is_inside(&self) -> bool {
        !matches!(self.section, Section::Outside)
    }

    /// Opens the section of a header.
    pub(super) fn open_section(&mut self, header: SectionHeader, line: Span) -> Result<(), Error> {
        let SectionHeader { level, name, kind, exact } = header;
        let is_echo = self.is_inside() && self.blank && name == self.name;
        if is_echo && self.options.forgives(Leniency::HeaderEchoes) {
            self.notice(Code::EchoedHeader, line);
            return Ok(());
        }
        self.close_section(line.start)?;
        if !self.is_inside() {
            if level != LEVEL {
                self.out.notice(Code::HeaderLevel, line);
            }
            self.out.push(TokenKind::ObjectOpen, line.start);
            self.roots += 1;
        }
        self.level = Some(level);
        self.blank = true;
        let is_duplicate = !self.names.is_new(&name);
        let is_json = self.is_json(self.names.declared_as(&name), kind);
        let payload = is_json.then(|| Box::new(Payload::new(&name, &self.options.json)));
        self.section = match payload {
            payload if is_duplicate => Section::Skipped(payload),
            Some(payload) => Section::Json(payload),
            None => {
                let unwrap = self.options.unwraps.of(&name);
                self.out.push_text(TokenKind::Key, &name, line.end);
                Section::Text(FieldText::new(false, unwrap, self.options.held))
            }
        };
        if is_duplicate {
            self.out.notice_of_member(Code::DuplicateField, &name, line);
        }
        if !exact {
            self.notice(Code::HeaderSpelling, line);
        }
        if matches!(self.section, Section::Text(_)) {
            self.out.push(TokenKind::StringOpen, line.end);
        }
        self.names.open(&name);
        self.name = name;
        Ok(())
    }

    fn is_json(&self, found: FieldDeclaration, kind: Option<HeaderKind>) -> bool {
        let wanted = matches!(found, FieldDeclaration::Typed | FieldDeclaration::Any)
            || (found == FieldDeclaration::Free && kind == Some(HeaderKind::Json));
        self.options.typed && wanted
    }

    /// Closes the section before the next one.
    fn close_section(&mut self, end: u64) -> Result<(), Error> {
        match &mut self.section {
            Section::Outside => {}
            Section::Text(text) => {
                text.finish(end, &mut self.out);
                self.out.push(TokenKind::StringClose, end);
            }
            Section::Skipped(_) => self.out.push(TokenKind::Skipped(SkipReason::DuplicateKey), end),
            Section::Json(payload) => {
                let whole = payload.close(end, end, &mut self.out)?;
                if payload.is_fenced() {
                    payload.notice(Code::MissingFenceClose, Span::at(end), &mut self.out);
                }
                if !whole {
                    payload.notice(Code::BadJson, Span::at(end), &mut self.out);
                }
            }
        }
        Ok(())
    }
}
