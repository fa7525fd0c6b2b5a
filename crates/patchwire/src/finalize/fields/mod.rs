//! The formats that write fields, put right at the end: what a fence that was never closed hid is emitted
//! apart, text becomes the values that the schema wants, a value that is all one fence is taken out of
//! it, and where there is no payload of the format at all, another form of it is looked for.
//!
//! A field that cannot be put right stays as it was streamed, with a notice: no other suffers from it.

mod salvage;
mod swallowed;
mod typed;

use super::part::{Part, Text};
use super::reread::Reread;
use super::{Correction, Corrections, Ended};
use crate::codes::Code;
use crate::document::{DocId, Document, NodeId, ValueRef};
use crate::fold::Fold;
use crate::format::fields::Unwrap;
use crate::lex::fence_line;
use crate::schema::{Schema, SchemaId};
use crate::span::Span;
use crate::spec::{Format, Settings, Strictness};
use typed::Typed;

/// Whether a format writes the members of an object as fields.
pub(super) const fn is_of(format: Format) -> bool {
    matches!(format, Format::XmlField | Format::Hybrid | Format::Markdown | Format::YamlLiteral)
}

impl Corrections {
    /// What is put right in one part. Whether the root that it comes to is truncated.
    pub(super) fn plan_fields(
        &mut self,
        (fold, document): (&Fold, DocId),
        ended: &Ended<'_>,
        part: &Part,
    ) -> bool {
        let none = Document::default();
        let streamed =
            part.document.map_or(&none, |known| &fold.documents.all[known.index()]).value();
        let lenient = ended.settings.strictness == Strictness::Lenient;
        let raw = ended.raw.filter(|_| lenient);
        if !part.found {
            let found = raw.and_then(|raw| {
                let text = Text { raw: &raw[..part.span.end as usize], part, thoughts: &[] };
                salvage::find(&text, ended.settings)
            });
            return match found {
                Some((code, found)) => self.salvage(document, part, code, found),
                None => part.truncated,
            };
        }
        let mut truncated = part.truncated;
        let cut = raw.and_then(|raw| {
            swallowed::find(&raw[..part.span.end as usize], part, streamed, ended.settings)
        });
        let mut retype =
            Retype { plan: self, document, settings: ended.settings, end: fold.outbox.last_end };
        for (key, value) in streamed.entries() {
            let len = cut.as_ref().filter(|cut| Some(cut.node) == value.node()).map(|cut| cut.len);
            let text = value.as_str().map(|text| &text[..len.unwrap_or(text.len())]);
            if let (Some(len), Some(node)) = (len, value.node()) {
                retype.plan.queue.push_back(Correction::Noted {
                    code: Code::SwallowedFields,
                    document,
                    node,
                    span: Span::at(fold.outbox.last_end),
                });
                let is_silent = false;
                retype.plan.queue.push_back(Correction::Cut { document, node, len, is_silent });
            }
            if let (Some(key), Some(text), Some(node)) = (key, text, value.node()) {
                truncated |= retype.field(key, text, node);
            }
        }
        if let Some(mut cut) = cut {
            truncated |= retype.settled(&mut cut.more);
            self.queue.push_back(Correction::Continue(document, cut.more));
        }
        truncated
    }

    fn salvage(&mut self, document: DocId, part: &Part, code: Code, found: Reread) -> bool {
        if let (None, Some(element)) = (part.document, part.element) {
            self.queue.push_back(Correction::Begin(element));
            self.found.push((element, document));
        }
        self.queue.push_back(Correction::Notice(code, found.span));
        self.queue.push_back(Correction::Root(document, found.document));
        !found.complete
    }
}

/// Fields that are text and may have to be something else.
struct Retype<'p> {
    plan: &'p mut Corrections,
    document: DocId,
    settings: &'p Settings,
    end: u64,
}

impl Retype<'_> {
    /// A field of the streamed document. Whether its value is cut.
    fn field(&mut self, key: &str, text: &str, node: NodeId) -> bool {
        let (document, span) = (self.document, Span::at(self.end));
        let typed = retyped(key, text, self.settings);
        let (code, value, complete) = match typed {
            Typed::Same => return false,
            Typed::Bad => (Some(Code::BadJson), None, true),
            Typed::Value { code, value, complete } => (code, Some(value), complete),
        };
        if let Some(code) = code {
            self.plan.queue.push_back(Correction::Noted { code, document, node, span });
        }
        if let Some(value) = value {
            self.plan.queue.push_back(Correction::Put { document, node, value });
        }
        !complete
    }

    /// The fields of a document that nobody was emitted of yet. Whether one of their values is cut.
    fn settled(&self, document: &mut Document) -> bool {
        let texts: Vec<(String, String, NodeId)> = document
            .value()
            .entries()
            .filter_map(|(key, value)| {
                Some((key?.to_owned(), value.as_str()?.to_owned(), value.node()?))
            })
            .collect();
        let mut cut = false;
        for (key, text, node) in texts {
            let typed = retyped(&key, &text, self.settings);
            if let Typed::Value { value, complete, .. } = typed {
                let source = document.graft(crate::document::Place::Beside, value.value());
                document.take_over(node, source);
                cut |= !complete;
            }
        }
        cut
    }
}

/// What the text of a field should be.
fn retyped(key: &str, text: &str, settings: &Settings) -> Typed {
    let Some((schema, id)) = declared(key, settings) else { return Typed::Same };
    if schema.is_text(id) {
        return match unwrapped(key, text, settings) {
            Some(inner) => Typed::Value {
                code: Some(Code::Unfenced),
                value: Document::string(inner),
                complete: true,
            },
            None => Typed::Same,
        };
    }
    if settings.format != Format::Markdown {
        return Typed::Same;
    }
    typed::read(text, (schema, id), settings)
}

/// The value without the fence that is all of it, where that is asked for.
fn unwrapped<'t>(key: &str, text: &'t str, settings: &Settings) -> Option<&'t str> {
    let wanted = match settings.fields.unwraps.of(key) {
        Unwrap::Auto => true,
        Unwrap::Always => settings.format == Format::YamlLiteral,
        _ => false,
    };
    if wanted { fence_line::inside(text) } else { None }
}

fn declared<'s>(key: &str, settings: &'s Settings) -> Option<(&'s Schema, SchemaId)> {
    let schema = settings.json.schema.as_ref()?;
    Some((schema, schema.member(schema.root(), key)?))
}

/// Whether an object has a member that the schema declares.
fn shares_key(value: ValueRef<'_>, schema: &Schema) -> bool {
    let root = schema.root();
    value.entries().any(|(key, _)| key.is_some_and(|key| schema.declares(root, key)))
}
