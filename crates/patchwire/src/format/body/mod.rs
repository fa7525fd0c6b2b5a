//! Bodies of elements with structure. The value of a body is a document of its own.

mod json;
mod record;
#[cfg(test)]
mod tests;
mod tree;

use crate::format::json::{Candidates, JsonFormat, JsonOptions};
use crate::format::{FormatMachine, Region};
use crate::lex::{Token, TokenKind};
use crate::tags;
use json::JsonBody;
use record::RecordBody;

/// The body of an open element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Body {
    pub(crate) machine: FormatMachine,
    pub(crate) kind: BodyKind,
    /// The stream offset just after the opening quote of the last string.
    last_string: u64,
}

/// How the body of an element is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyKind {
    /// In the spec's format, with text around the payload.
    Fields,
    Json,
    Record,
    Xml,
}

impl Body {
    /// The body of an element of a family; none if it is text. `fields` makes the machine of the spec's
    /// format, or none if the spec reads text.
    pub(crate) fn of(
        family: &tags::Family,
        params: &[(String, String)],
        options: &JsonOptions,
        fields: impl Fn() -> Option<FormatMachine>,
    ) -> Option<Self> {
        let answers = *family.channel() == tags::Channel::Answer;
        let (kind, machine) = match family.body() {
            tags::BodyFormat::Text | tags::BodyFormat::Mixed if answers => {
                (BodyKind::Fields, fields()?)
            }
            // A spec without a format of its own reads JSON in such a body.
            tags::BodyFormat::Fields => {
                let json = || FormatMachine::Json(Box::new(JsonFormat::new(options)));
                (BodyKind::Fields, fields().unwrap_or_else(json))
            }
            tags::BodyFormat::Json => {
                (BodyKind::Json, FormatMachine::Other(Box::new(JsonBody::new(options))))
            }
            tags::BodyFormat::Record if family.body.any_key || !family.body.keys.is_empty() => {
                let record = RecordBody::new(family, options);
                (BodyKind::Record, FormatMachine::Other(Box::new(record)))
            }
            tags::BodyFormat::Xml => (
                BodyKind::Xml,
                FormatMachine::Other(Box::new(
                    tree::body(family, params, &options.limits).format(),
                )),
            ),
            _ => return None,
        };
        Some(Self { machine, kind, last_string: 0 })
    }

    /// Notes a token that the machine made.
    #[inline]
    pub(crate) const fn note(&mut self, token: Token) {
        if matches!(token.kind, TokenKind::StringOpen) {
            self.last_string = token.end;
        }
    }

    /// Other roots in the body, for the finalizer; none if the body is not in the spec's format.
    pub(crate) fn candidates(&self) -> Option<Candidates> {
        let has_format = self.kind == BodyKind::Fields;
        has_format.then(|| self.machine.candidates().unwrap_or_default())
    }

    /// The offset of the open string that hides the element's closer.
    pub(crate) fn open_string(&self) -> Option<u64> {
        let has_strings = matches!(self.kind, BodyKind::Fields | BodyKind::Json);
        let hides = has_strings && self.machine.position().region == Region::String;
        hides.then_some(self.last_string)
    }
}
