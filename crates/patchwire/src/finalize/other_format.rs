//! An answer in another format than JSON: all of the text, or the text around a value of JSON that is one of its
//! fields.

use super::EndedStream;
use super::candidates::{self, Current};
use super::fields::{self, untidy::Untidy};
use super::parts::{Part, Parts};
use super::text_part::{PartText, TextPart};
use crate::document::{Document, ValueRef};
use crate::fold::Fold;
use crate::format::json::Roots;
use crate::schema::Schema;
use crate::span::Span;

/// The answer of a text in which the stream found no root.
pub(super) fn instead(
    fold: &Fold,
    part: &TextPart,
    ended: &EndedStream<'_>,
) -> Option<(Untidy, Span)> {
    let none = Document::default();
    let is_format = ended.settings.row.has_payload();
    is_format.then(|| fields::untidy_of(fold, ended, part, none.value())).flatten()
}

/// The answer around a streamed root that is the value of one of its fields, or that has no declared field. None if
/// the root may be the answer, or if another root may.
pub(super) fn around(
    text: &PartText<'_>,
    root: ValueRef<'_>,
    ended: &EndedStream<'_>,
) -> Option<(Untidy, Span)> {
    let settings = ended.settings;
    let schema = settings.json.schema.as_ref().filter(|it| it.declares_keys(it.root()))?;
    let is_format = settings.row.has_payload() && settings.json.roots == Roots::Best;
    // Fields stand on lines before and behind the value of one of them.
    let has_text = text.part.first_text.is_some();
    if !is_format || !has_text || is_answer(root, schema) {
        return None;
    }
    let current = Current { root, taken: Span::at(0), is_truncated: text.part.is_truncated };
    let other = candidates::best(text, settings, &current);
    if other.is_some_and(|other| is_answer(other.document.value(), schema)) {
        return None;
    }
    let (found, span) = fields::untidy_around(ended, text.part, root)?;
    let is_inside = || Parts::of(found.document.value()).find(root) == Some(Part::Inside);
    (!shares_key(root, schema) || is_inside()).then_some((found, span))
}

/// Whether a root has declared fields, and all that the schema requires.
fn is_answer(root: ValueRef<'_>, schema: &Schema) -> bool {
    shares_key(root, schema) && schema.has_required(schema.root(), root)
}

/// Whether a root has a declared field.
fn shares_key(root: ValueRef<'_>, schema: &Schema) -> bool {
    let id = schema.root();
    root.entries().any(|(key, _)| key.is_some_and(|key| schema.declares(id, key)))
}
