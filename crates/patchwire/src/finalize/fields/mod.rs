//! Corrections for the formats that write the members of an object as fields.
//!
//! - Fields that an unclosed fence hid become fields of their own.
//! - Text becomes a value of the type that the schema declares.
//! - A value that is a single fenced block loses its fence.
//! - Without a payload of the format, the fields are searched for in another form.
//!
//! A field that cannot be corrected stays as it was streamed, with a notice. Other fields are not affected.

mod salvage;
mod swallowed;
mod typed;

use super::reread::Reread;
use super::text_part::{PartText, TextPart};
use super::{Correction, Corrections, EndedStream};
use crate::codes::Code;
use crate::document::{DocId, DocNode, Document, NodeId, Placement, ValueRef};
use crate::fold::Fold;
use crate::format::fields::Unwrap;
use crate::format::row::FieldEnding;
use crate::lex::fence_line;
use crate::schema::{Schema, SchemaId};
use crate::span::Span;
use crate::spec::{Settings, Strictness};
use typed::TypedText;

impl Corrections {
    /// Plans the corrections of one part. Whether the root that results is truncated.
    pub(super) fn plan_fields(
        &mut self,
        fold: &Fold,
        document: DocId,
        ended: &EndedStream<'_>,
        part: &TextPart,
    ) -> bool {
        let none = Document::default();
        let streamed =
            part.document.map_or(&none, |known| &fold.documents.all[known.index()]).value();
        let lenient = ended.settings.strictness == Strictness::Lenient;
        let raw = ended.raw.filter(|_| lenient);
        if !part.has_payload {
            let found = raw.and_then(|raw| {
                let text = PartText { raw: &raw[..part.span.end as usize], part, thoughts: &[] };
                salvage::find(&text, ended.settings)
            });
            return match found {
                Some((code, found)) => self.salvage(document, part, code, found),
                None => part.is_truncated,
            };
        }
        let mut is_truncated = part.is_truncated;
        let cut = raw.and_then(|raw| {
            swallowed::find(&raw[..part.span.end as usize], part, streamed, ended.settings)
        });
        let mut retype = FieldRetyper {
            plan: self,
            document,
            settings: ended.settings,
            end: fold.outbox.last_end,
        };
        for (key, value) in streamed.entries() {
            let len = cut.as_ref().filter(|cut| Some(cut.node) == value.node()).map(|cut| cut.len);
            let text = value.as_str().map(|text| &text[..len.unwrap_or(text.len())]);
            if let (Some(len), Some(node)) = (len, value.node()) {
                let at = DocNode { document, node };
                retype.plan.queue.push_back(Correction::ValueNotice {
                    code: Code::SwallowedFields,
                    at,
                    span: Span::at(fold.outbox.last_end),
                });
                retype.plan.queue.push_back(Correction::Cut { at, len, is_silent: false });
            }
            if let (Some(key), Some(text), Some(node)) = (key, text, value.node()) {
                is_truncated |= retype.field(key, text, node);
            }
        }
        if let Some(mut cut) = cut {
            is_truncated |= retype.hidden_fields(&mut cut.more);
            self.queue.push_back(Correction::Continue(document, cut.more));
        }
        is_truncated
    }

    fn salvage(&mut self, document: DocId, part: &TextPart, code: Code, found: Reread) -> bool {
        self.begin_if_new(document, part);
        self.queue.push_back(Correction::Notice(code, found.span));
        self.queue.push_back(Correction::Root(document, found.document));
        !found.is_complete
    }
}

/// Gives fields that are text the type that the schema declares.
struct FieldRetyper<'p> {
    plan: &'p mut Corrections,
    document: DocId,
    settings: &'p Settings,
    end: u64,
}

impl FieldRetyper<'_> {
    /// Plans the correction of a streamed field. Whether its value is truncated.
    fn field(&mut self, key: &str, text: &str, node: NodeId) -> bool {
        let at = DocNode { document: self.document, node };
        let span = Span::at(self.end);
        let typed = retyped(key, text, self.settings);
        let (code, value, is_complete) = match typed {
            TypedText::Same => return false,
            TypedText::Bad => (Some(Code::BadJson), None, true),
            TypedText::Value { code, value, is_complete } => (code, Some(value), is_complete),
        };
        if let Some(code) = code {
            self.plan.queue.push_back(Correction::ValueNotice { code, at, span });
        }
        if let Some(value) = value {
            self.plan.queue.push_back(Correction::Replace { at, value });
        }
        !is_complete
    }

    /// Corrects the fields of a document that was not emitted yet. Whether one of them is truncated.
    fn hidden_fields(&self, document: &mut Document) -> bool {
        let texts: Vec<(String, String, NodeId)> = document
            .value()
            .entries()
            .filter_map(|(key, value)| {
                Some((key?.to_owned(), value.as_str()?.to_owned(), value.node()?))
            })
            .collect();
        let mut is_cut = false;
        for (key, text, node) in texts {
            let typed = retyped(&key, &text, self.settings);
            if let TypedText::Value { value, is_complete, .. } = typed {
                let source = document.graft(Placement::Detached, value.value());
                document.take_over(node, source);
                is_cut |= !is_complete;
            }
        }
        is_cut
    }
}

/// The value that the text of a field should be.
fn retyped(key: &str, text: &str, settings: &Settings) -> TypedText {
    let Some((schema, id)) = declared(key, settings) else { return TypedText::Same };
    if schema.is_text(id) {
        return match unwrapped(key, text, settings) {
            Some(inner) => TypedText::Value {
                code: Some(Code::Unfenced),
                value: Document::string(inner),
                is_complete: true,
            },
            None => TypedText::Same,
        };
    }
    if !ending(settings).types_text {
        return TypedText::Same;
    }
    typed::read(text, (schema, id), settings)
}

/// The text inside the fence, if the fence is all of the text and the settings remove it.
fn unwrapped<'t>(key: &str, text: &'t str, settings: &Settings) -> Option<&'t str> {
    let wanted = match settings.fields.unwraps.of(key) {
        Unwrap::Auto => true,
        Unwrap::Always => ending(settings).unwraps_text,
        _ => false,
    };
    if wanted { fence_line::inside(text) } else { None }
}

fn ending(settings: &Settings) -> FieldEnding {
    settings.row.fields().unwrap_or_default()
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
