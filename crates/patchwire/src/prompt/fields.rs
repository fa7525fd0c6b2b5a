//! The fields as a list: path, type, whether it is required, description.

use crate::outline::{Form, Item, Kind, json, kind_phrase};
use crate::schema::Presence;

/// One line for each field; none for a root that has no members to name.
pub(super) fn list(root: &Item) -> String {
    let mut out = String::new();
    if matches!(root.form, Form::Scalar(_)) || root.description.is_some() {
        line(root, &mut out);
    }
    inside(root, &mut out);
    out
}

/// The line of a value, and those of what is in it.
fn field(item: &Item, out: &mut String) {
    line(item, out);
    inside(item, out);
}

fn inside(item: &Item, out: &mut String) {
    match &item.form {
        Form::Object { members, each } => {
            members.iter().for_each(|member| field(member, out));
            each.iter().for_each(|each| field(each, out));
        }
        Form::List(inner) => {
            // What the list's own line does not say.
            let says_all = !matches!(inner.form, Form::List(_) | Form::OneOf(_))
                && inner.description.is_none()
                && inner.presence == Presence::Optional;
            if says_all { inside(inner, out) } else { field(inner, out) }
        }
        Form::OneOf(forms) => {
            for form in forms {
                out.push_str(&format!("  - {}\n", json::inline(form)));
            }
        }
        Form::Scalar(_) | Form::Same(_) => {}
    }
}

fn line(item: &Item, out: &mut String) {
    let path =
        if item.path.is_empty() { "the whole".to_owned() } else { format!("`{}`", item.path) };
    let need = match item.presence {
        Presence::Optional => "",
        Presence::Present => ", always there",
        Presence::Meaningful => ", required",
    };
    out.push_str(&format!("- {path} ({}{need})", phrase(&item.form)));
    if let Some(description) = &item.description {
        out.push_str(": ");
        out.push_str(description);
    }
    out.push('\n');
}

/// A type in words.
fn phrase(form: &Form) -> String {
    match form {
        Form::Scalar(kinds) => kinds_phrase(kinds),
        Form::Object { each: Some(_), members } if members.is_empty() => {
            "object by name".to_owned()
        }
        Form::Object { .. } => "object".to_owned(),
        Form::List(item) => match &item.form {
            Form::Scalar(kinds) => match kinds[..] {
                [Kind::Integer] => "list of integers".to_owned(),
                [Kind::Number] => "list of numbers".to_owned(),
                [Kind::String] => "list of strings".to_owned(),
                _ => format!("list, each {}", kinds_phrase(kinds)),
            },
            Form::Same(path) => format!("list, each the same as {}", place(path)),
            Form::Object { .. } => "list of objects".to_owned(),
            Form::List(_) => "list of lists".to_owned(),
            Form::OneOf(_) => "list".to_owned(),
        },
        Form::OneOf(_) => "one of these".to_owned(),
        Form::Same(path) => format!("the same as {}", place(path)),
    }
}

fn place(path: &str) -> String {
    if path.is_empty() { "the whole".to_owned() } else { format!("`{path}`") }
}

fn kinds_phrase(kinds: &[Kind]) -> String {
    let only_literals = kinds.iter().all(|kind| matches!(kind, Kind::Literal(_)));
    let words: Vec<String> = kinds.iter().map(kind_phrase).collect();
    let words = either(&words);
    if only_literals && kinds.len() > 1 { format!("one of {words}") } else { words }
}

/// `a, b or c`.
fn either(words: &[String]) -> String {
    match words {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}
