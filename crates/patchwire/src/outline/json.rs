//! JSON with placeholders.

use super::{Form, Item, placeholder};
use crate::text::escape::quoted;

/// On lines, two spaces a level.
pub(crate) fn pretty(item: &Item) -> String {
    let mut out = String::new();
    write(&item.form, 0, &mut out);
    out
}

/// Writes a value at this level of indent.
fn write(form: &Form, level: usize, out: &mut String) {
    let inner = level + 1;
    match form {
        Form::Scalar(kinds) if form.is_text() => {
            let inside = placeholder(kinds);
            // The text of a literal is written as a JSON string writes it.
            out.push_str(&quoted(&inside));
        }
        Form::Scalar(kinds) => out.push_str(&placeholder(kinds)),
        Form::Same(path) if path.is_empty() => out.push_str("<the same as the whole>"),
        Form::Same(path) => out.push_str(&format!("<the same as {path}>")),
        Form::OneOf(forms) => match shown(forms) {
            Some(form) => write(&form.form, level, out),
            None => out.push_str("<any JSON value>"),
        },
        Form::List(item) => {
            out.push('[');
            line(inner, out);
            write(&item.form, inner, out);
            line(level, out);
            out.push(']');
        }
        Form::Tuple(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                line(inner, out);
                write(&item.form, inner, out);
            }
            line(level, out);
            out.push(']');
        }
        Form::Object { members, each } => {
            let items: Vec<&Item> = members.iter().chain(each.as_deref()).collect();
            out.push('{');
            for (at, item) in items.iter().enumerate() {
                line(inner, out);
                out.push_str(&quoted(&item.name));
                out.push_str(": ");
                write(&item.form, inner, out);
                if at + 1 < items.len() {
                    out.push(',');
                }
            }
            if !items.is_empty() {
                line(level, out);
            }
            out.push('}');
        }
    }
}

/// The form of several that a skeleton shows: the first that is an object or a list.
pub(crate) fn shown(forms: &[Item]) -> Option<&Item> {
    forms.iter().find(|form| !matches!(form.form, Form::Scalar(_))).or_else(|| forms.first())
}

fn line(level: usize, out: &mut String) {
    out.push('\n');
    out.push_str(&"  ".repeat(level));
}
