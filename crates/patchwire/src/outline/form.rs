//! The form that a prompt shows: JSON whose placeholders say everything the schema says.
//!
//! A placeholder holds the type, limits, need and description of its scalar, and a comment those of an
//! object or list. So no field stands in the prompt twice.

use super::{Form, Item, Kind, placeholder};
use crate::schema::Presence;
use crate::text::escape::quoted;

/// Values up to this column stand on one line.
const WIDTH: usize = 80;

/// JSON of this value, on as few lines as fit.
pub(crate) fn json(item: &Item) -> String {
    value(item, 0, 0)
}

/// JSON of this value in one line.
pub(crate) fn inline(item: &Item) -> String {
    value_inline(item)
}

/// The text that stands for a member that is a text; none if it may be another value.
pub(crate) fn text(item: &Item) -> Option<String> {
    let form = item.form.without_null();
    match &form {
        Form::Scalar(kinds) if form.is_text() => Some(scalar(item, kinds)),
        _ => None,
    }
}

/// What stands for a scalar of these kinds, without the quotes of a string.
pub(crate) fn scalar(item: &Item, kinds: &[Kind]) -> String {
    let mut words = limits(item);
    if words.is_empty() && item.description.is_none() {
        return placeholder(kinds);
    }
    // The description of a text says enough, and so does a list of values.
    let is_listed =
        |limits: &str| limits.starts_with("exactly {") || limits.starts_with("exactly [");
    let is_value = *kinds == [Kind::Any] && item.limits.as_deref().is_some_and(is_listed);
    if *kinds != [Kind::String] && !is_value {
        let plain = placeholder(kinds);
        let bare = plain.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        words.insert(0, bare.unwrap_or(&plain).to_owned());
    } else if words.is_empty() {
        return format!("<{}>", item.description.as_deref().unwrap_or_default());
    }
    format!("<{}>", described(&words, item))
}

/// What is said about an object or a list; empty if nothing is.
pub(crate) fn comment(item: &Item) -> String {
    described(&limits(item), item)
}

fn described(words: &[String], item: &Item) -> String {
    let words = words.join(", ");
    match &item.description {
        Some(description) if words.is_empty() => description.clone(),
        Some(description) => format!("{words}: {description}"),
        None => words,
    }
}

fn limits(item: &Item) -> Vec<String> {
    let need = match item.presence {
        Presence::Meaningful => Some("required"),
        Presence::Optional if item.is_left_out => Some("optional"),
        Presence::Optional | Presence::Present => None,
    };
    item.limits.iter().cloned().chain(need.map(str::to_owned)).collect()
}

/// A value that begins at `column`, in an object at this level of indent.
fn value(item: &Item, level: usize, column: usize) -> String {
    if is_short(item, &mut WIDTH.saturating_sub(column)) {
        let short = value_inline(item);
        if column + short.chars().count() <= WIDTH {
            return short;
        }
    }
    let body = match &item.form {
        Form::Object { members, each } if !members.is_empty() || each.is_some() => {
            object(members, each.as_deref(), level)
        }
        Form::List(inner) => format!("[{}, ...]", value(inner, level, column + 1)),
        Form::Tuple(items) => {
            let indent = "  ".repeat(level + 1);
            let line = |item: &Item| format!("{indent}{}", value(item, level + 1, indent.len()));
            let lines: Vec<String> = items.iter().map(line).collect();
            format!("[\n{}\n{}]", lines.join(",\n"), "  ".repeat(level))
        }
        Form::OneOf(forms) => {
            let all: Vec<String> = forms.iter().map(|form| value(form, level, column)).collect();
            all.join(" | ")
        }
        Form::Object { .. } | Form::Scalar(_) | Form::Same(_) => return value_inline(item),
    };
    with_comment(item, &body)
}

/// Whether a value may fit into so many columns. Looks at no more parts than columns.
fn is_short(item: &Item, room: &mut usize) -> bool {
    let own = 1 + item.name.len() / 4;
    let Some(left) = room.checked_sub(own) else { return false };
    *room = left;
    match &item.form {
        Form::Scalar(kinds) => kinds.len() <= left + 1,
        Form::Same(_) => true,
        Form::List(inner) => is_short(inner, room),
        Form::Tuple(items) | Form::OneOf(items) => items.iter().all(|it| is_short(it, room)),
        Form::Object { members, each } => {
            members.iter().chain(each.as_deref()).all(|it| is_short(it, room))
        }
    }
}

fn object(members: &[Item], each: Option<&Item>, level: usize) -> String {
    let indent = "  ".repeat(level + 1);
    let line = |item: &Item| {
        let key = format!("{indent}{}: ", quoted(&item.name));
        let value = value(item, level + 1, key.chars().count());
        format!("{key}{value}")
    };
    let mut lines: Vec<String> = members.iter().chain(each).map(line).collect();
    lines.extend(each.map(|_| format!("{indent}...")));
    format!("{{\n{}\n{}}}", lines.join(",\n"), "  ".repeat(level))
}

fn value_inline(item: &Item) -> String {
    let body = match &item.form {
        Form::Scalar(kinds) => {
            let inside = scalar(item, kinds);
            return if item.form.is_text() { quoted(&inside) } else { inside };
        }
        Form::Same(path) if path.is_empty() => "<same as the whole>".to_owned(),
        Form::Same(path) => format!("<same as {path}>"),
        Form::OneOf(forms) => forms.iter().map(value_inline).collect::<Vec<String>>().join(" | "),
        Form::List(inner) if is_any(inner) => "[<any JSON values>]".to_owned(),
        Form::List(inner) => format!("[{}, ...]", value_inline(inner)),
        Form::Tuple(items) => {
            let items: Vec<String> = items.iter().map(value_inline).collect();
            format!("[{}]", items.join(", "))
        }
        Form::Object { members, each } => {
            let line = |item: &Item| format!("{}: {}", quoted(&item.name), value_inline(item));
            let mut all: Vec<String> = members.iter().chain(each.as_deref()).map(line).collect();
            all.extend(each.as_ref().map(|_| "...".to_owned()));
            format!("{{{}}}", all.join(", "))
        }
    };
    with_comment(item, &body)
}

/// A value with what is said about it as a comment of JSON: behind an object or a list, before alternatives.
fn with_comment(item: &Item, body: &str) -> String {
    // The prompt says what the whole is.
    let said = if item.path.is_empty() { limits(item).join(", ") } else { comment(item) };
    let said = said.replace("*/", "* /");
    match &item.form {
        _ if said.is_empty() => body.to_owned(),
        Form::OneOf(_) => format!("/* {said} */ {body}"),
        _ => format!("{body} /* {said} */"),
    }
}

/// Whether nothing is known about items.
fn is_any(item: &Item) -> bool {
    matches!(&item.form, Form::Scalar(kinds) if **kinds == [Kind::Any]) && comment(item).is_empty()
}

#[cfg(test)]
mod tests {
    use super::is_short;
    use crate::document::sample::document;
    use crate::outline::{self, Form};
    use crate::schema::{Schema, int, object};

    /// Each value takes a column, and its name a quarter of one for each byte.
    #[test]
    fn how_much_of_a_form_is_looked_at() {
        let four = object().field("a", int("")).field("b", int("")).field("c", int(""));
        let four = Schema::from(four.field("d", int("")));
        let named = Schema::from(object().field("four", int("")).field("eight888", int("")));
        let items = r#"{"prefixItems": [{"type": "integer"}, true, true], "items": false}"#;
        let items = Schema::from_json_schema(document(items).value()).expect("a schema");
        for (schema, room, left) in [
            (&four, 5, Some(0)),
            (&four, 4, None),
            (&named, 6, Some(0)),
            (&named, 5, None),
            (&items, 9, Some(5)),
            (&items, 3, None),
        ] {
            let item = outline::read(schema);
            assert!(!matches!(item.form, Form::Scalar(_)), "{item:?}");
            let mut rest = room;
            assert_eq!(is_short(&item, &mut rest).then_some(rest), left, "{schema:?} in {room}");
        }
    }
}
