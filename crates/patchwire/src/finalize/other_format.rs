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

#[cfg(test)]
mod tests {
    use crate::format::json::Roots;
    use crate::schema::{Schema, list, object, str};
    use crate::spec::Spec;
    use crate::tags::TagSet;

    /// The value of an answer that JSON was asked for.
    fn value(roots: Roots, schema: &Schema, text: &str) -> String {
        let spec = Spec::builder().roots(roots).schema(schema.clone()).build().expect("a spec");
        spec.parse(text).expect("no limit is met").value().to_string()
    }

    #[test]
    fn json_that_is_the_value_of_a_field_in_another_format() {
        let schema: Schema = object().field("title", str("")).field("tags", list(str(""))).into();
        let whole = r#"{"title":"A day","tags":["x","y"]}"#;
        for text in [
            "Title: A day\nTags: [\"x\", \"y\"]",
            "### title\nA day\n### tags\n[\"x\", \"y\"]",
            "<title>A day</title>\n<tags>[\"x\", \"y\"]</tags>",
        ] {
            assert_eq!(value(Roots::Best, &schema, text), whole, "{text}");
            // Where the first root is wanted, it is the answer.
            assert_eq!(value(Roots::First, &schema, text), r#"["x","y"]"#, "{text}");
        }
    }

    #[test]
    fn headers_in_a_string_of_json_are_no_fields() {
        let schema: Schema = object().field("title", str("")).field("body", str("")).into();
        let text = "{\"note\": \"\n### title\nA\n### body\nB\n\"}";
        let same = r#"{"note":"\n### title\nA\n### body\nB\n"}"#;
        assert_eq!(value(Roots::Best, &schema, text), same);
    }

    #[test]
    fn an_object_with_all_that_is_required_is_the_answer() {
        let child = || object().field("title", str(""));
        let text = "### title\nA\n### child\n{\"title\": \"B\"}";
        let schema: Schema = child().field("child", child()).into();
        assert_eq!(value(Roots::Best, &schema, text), r#"{"title":"B"}"#);
        let schema: Schema = child().field("child", child().required()).into();
        let whole = r#"{"title":"A","child":{"title":"B"}}"#;
        assert_eq!(value(Roots::Best, &schema, text), whole);
    }

    #[test]
    fn an_element_whose_text_is_in_another_format() {
        let schema: Schema = object().field("a", str("")).field("b", list(str(""))).into();
        let spec = Spec::builder().tags(TagSet::scratchpad()).schema(schema);
        let spec = spec.build().expect("a spec");
        let text = "<output>\n### a\nx\n### b\n- y\n- z\n</output>";
        let answer = spec.parse(text).expect("no limit is met");
        let element = answer.elements().next().expect("the element");
        let value = element.value().expect("its value");
        assert_eq!(value.to_string(), r#"{"a":"x","b":["y","z"]}"#);
    }
}
