//! Placeholders: what stands in a skeleton for a scalar.

use super::{Form, Item, Kind};

/// The placeholder of a scalar of these kinds, without the quotes of a string.
///
/// A single literal stands for itself.
pub(crate) fn placeholder(kinds: &[Kind]) -> String {
    if let [Kind::Literal(literal)] = kinds {
        return literal.as_str().map_or_else(|| literal.to_string(), str::to_owned);
    }
    let text = kinds.iter().all(Kind::is_text);
    let words: Vec<String> = kinds
        .iter()
        .map(|kind| match kind {
            Kind::Any => "any JSON value".to_owned(),
            Kind::Bool => "true | false".to_owned(),
            Kind::Literal(literal) if text => literal.as_str().unwrap_or_default().to_owned(),
            kind => kind_phrase(kind),
        })
        .collect();
    format!("<{}>", words.join(" | "))
}

/// The placeholder of a member that is a text; none if it may be another value.
pub(crate) fn text_placeholder(item: &Item) -> Option<String> {
    let form = item.form.without_null();
    match &form {
        Form::Scalar(kinds) if form.is_text() => Some(placeholder(kinds)),
        _ => None,
    }
}

/// A kind of scalar in words.
fn kind_phrase(kind: &Kind) -> String {
    match kind {
        Kind::Any => "any JSON value".to_owned(),
        Kind::Null => "null".to_owned(),
        Kind::Bool => "true or false".to_owned(),
        Kind::Integer => "integer".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::String => "string".to_owned(),
        Kind::Literal(literal) => literal.to_string(),
    }
}
