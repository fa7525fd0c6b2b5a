//! What stands inside elements that are not plain text: each body is a document of its own.

mod json;
mod record;

use crate::error::Error;
use crate::format::json::{Candidates, JsonFormat, JsonOptions};
use crate::format::xml::{XmlBody, XmlFormat};
use crate::format::{Format, Machine};
use crate::lex::{Input, Slice, Token, TokenKind};
use crate::tags;
use json::JsonBody;
use record::RecordBody;

/// The body of an open element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Body {
    /// The format of the spec, with text round its payload; and where the last string in it began.
    Fields {
        format: Box<Format>,
        quoted: u64,
    },
    Json(Box<JsonBody>),
    Record(Box<RecordBody>),
    Xml(Box<XmlFormat>),
}

impl Body {
    /// The body of an element of a family; none where it is text. `fields` makes the format of the
    /// spec; none where the spec reads text.
    pub(crate) fn of(
        family: &tags::Family,
        params: &[(String, String)],
        options: &JsonOptions,
        fields: impl Fn() -> Option<Format>,
    ) -> Option<Self> {
        let answers = *family.channel() == tags::Channel::Answer;
        let shaped = |format| Self::Fields { format: Box::new(format), quoted: 0 };
        match family.body() {
            tags::BodyFormat::Text | tags::BodyFormat::Mixed if answers => fields().map(shaped),
            // Without a format of its own the spec leaves JSON to them.
            tags::BodyFormat::Fields => {
                let json = || Format::Json(Box::new(JsonFormat::new(options)));
                Some(shaped(fields().unwrap_or_else(json)))
            }
            tags::BodyFormat::Json => Some(Self::Json(Box::new(JsonBody::new(options)))),
            tags::BodyFormat::Record if family.body.any_key || !family.body.keys.is_empty() => {
                Some(Self::Record(Box::new(RecordBody::new(family, options))))
            }
            tags::BodyFormat::Xml => Some(Self::Xml(Box::new(tree(family, params, options)))),
            _ => None,
        }
    }

    /// The next token; none when the input is used up.
    pub(crate) fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        match self {
            Self::Fields { format, quoted } => {
                let token = format.step(input)?;
                if let Some(Token { kind: TokenKind::StringOpen, end, .. }) = token {
                    *quoted = end;
                }
                Ok(token)
            }
            Self::Json(json) => json.step(input),
            Self::Record(record) => Ok(record.step(input)),
            Self::Xml(xml) => xml.step(input),
        }
    }

    /// The next token that the end of the element makes: its closer was read, or the input ended.
    pub(crate) fn finish(&mut self, end: u64, observed: bool) -> Result<Option<Token>, Error> {
        match self {
            Self::Fields { format, .. } => format.finish(end),
            Self::Json(json) => json.finish(end),
            Self::Record(record) => Ok(record.finish(end)),
            Self::Xml(xml) if observed => xml.close(end),
            Self::Xml(xml) => xml.finish(end),
        }
    }

    /// An element begins in it: the next token of what was held because of what might have followed.
    pub(crate) fn interrupt(&mut self, end: u64) -> Option<Token> {
        match self {
            Self::Fields { format, .. } => format.interrupt(end),
            Self::Json(_) | Self::Record(_) => None,
            Self::Xml(xml) => xml.interrupt(end),
        }
    }

    /// Whether markers are data here.
    pub(crate) fn hides(&self) -> bool {
        match self {
            Self::Fields { format, .. } => format.hides(),
            Self::Json(json) => json.is_in_string(),
            Self::Record(_) => false,
            Self::Xml(xml) => xml.is_inside(),
        }
    }

    /// Whether a payload is being read, in which only what ends the element counts.
    pub(crate) fn is_in_payload(&self) -> bool {
        matches!(self, Self::Fields { format, .. } if format.is_inside())
    }

    /// Whether that may yet turn out to be text.
    pub(crate) fn is_undecided(&self) -> bool {
        matches!(self, Self::Fields { format, .. } if format.is_undecided())
    }

    /// Payloads that began so far, and the fence that the text stands in.
    pub(crate) fn payloads(&self) -> Option<(u32, Option<(u8, u16)>)> {
        if let Self::Fields { format, .. } = self {
            Some((format.payloads(), format.fence()))
        } else {
            None
        }
    }

    /// What the finalizer wants to know of a body in the format of the spec.
    pub(crate) fn candidates(&self) -> Option<Candidates> {
        match self {
            Self::Fields { format, .. } => Some(format.candidates().unwrap_or_default()),
            Self::Json(_) | Self::Record(_) | Self::Xml(_) => None,
        }
    }

    /// What a fence that was never closed hid, for the finalizer.
    pub(crate) fn hidden(&self) -> Option<(u64, Format)> {
        match self {
            Self::Fields { format, .. } => format.hidden(),
            Self::Json(_) | Self::Record(_) | Self::Xml(_) => None,
        }
    }

    /// Where the string began that is open and hides the closer.
    pub(crate) fn open_string(&self) -> Option<u64> {
        match self {
            Self::Fields { format, quoted } => format.hides().then_some(*quoted),
            Self::Json(json) => json.open_string(),
            Self::Record(_) | Self::Xml(_) => None,
        }
    }

    pub(crate) fn resolve<'a>(&'a self, slice: Slice, input: &'a str) -> &'a str {
        match slice {
            Slice::Empty => "",
            Slice::Input { start, end } => &input[start as usize..end as usize],
            Slice::Buffer { start, end } => &self.buffer()[start as usize..end as usize],
        }
    }

    fn buffer(&self) -> &str {
        match self {
            Self::Fields { format, .. } => format.buffer(),
            Self::Json(json) => json.buffer(),
            Self::Record(record) => record.buffer(),
            Self::Xml(xml) => xml.buffer(),
        }
    }

    pub(crate) fn forget(&mut self) {
        match self {
            Self::Fields { format, .. } => format.forget(),
            Self::Json(json) => json.forget(),
            Self::Record(_) => {}
            Self::Xml(xml) => xml.forget(),
        }
    }

    /// The input is about to go while tokens are left.
    pub(crate) fn settle(&mut self, input: &str) {
        match self {
            Self::Fields { format, .. } => format.settle(input),
            Self::Json(json) => json.settle(input),
            Self::Record(_) => {}
            Self::Xml(xml) => xml.settle(input),
        }
    }

    pub(crate) fn is_drained(&self) -> bool {
        match self {
            Self::Fields { format, .. } => format.is_drained(),
            Self::Json(json) => json.is_drained(),
            Self::Record(record) => record.is_drained(),
            Self::Xml(xml) => xml.is_drained(),
        }
    }
}

/// A body that is a tree. The attributes of its element are of its value, but for the name.
fn tree(family: &tags::Family, params: &[(String, String)], options: &JsonOptions) -> XmlFormat {
    let own = params.iter().filter(|(name, _)| Some(name) != family.named_by.as_ref());
    let own = own.map(|(name, value)| (&**name, &**value));
    let body = if family.body.names.is_empty() {
        XmlBody::any()
    } else {
        XmlBody::known(family.body.names.iter().map(String::as_str))
    };
    let body = body.limits(options.limits.clone()).attributes(own);
    if family.body.typed { body.typed_by_content().format() } else { body.format() }
}
