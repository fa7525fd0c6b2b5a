//! A YAML document: texts as literal blocks, all else as it is.

use crate::outline::json::shown;
use crate::outline::{Form, Item, placeholder};
use crate::text::escape::quoted;

/// The document between its markers.
pub(super) fn document(root: Option<&Item>, name: &str) -> String {
    let mut out = format!("<<<BEGIN {name}>>>\n");
    match root.map(|root| &root.form) {
        Some(form) => write(form, 0, &mut out),
        None => out.push_str("<name>: <value>\n"),
    }
    out.push_str(&format!("<<<END {name}>>>"));
    out
}

/// Writes a value that begins on a line of its own, at this column.
fn write(form: &Form, column: usize, out: &mut String) {
    match form {
        Form::Object { members, each } => {
            let items: Vec<&Item> = members.iter().chain(each.as_deref()).collect();
            if items.is_empty() {
                return line(column, "{}", out);
            }
            for item in items {
                indent(column, out);
                out.push_str(&plain_key(&item.name));
                out.push(':');
                behind(&item.form, column, out);
            }
        }
        Form::List(item) => {
            indent(column, out);
            out.push('-');
            behind_dash(&item.form, column, out);
        }
        Form::OneOf(forms) => match shown(forms) {
            Some(form) => write(&form.form, column, out),
            None => line(column, "null", out),
        },
        Form::Scalar(_) | Form::Same(_) => {
            out.push_str("---");
            behind(form, column, out);
        }
    }
}

/// Writes a value behind a key at this column.
fn behind(form: &Form, column: usize, out: &mut String) {
    match form {
        Form::Object { members, each } if members.is_empty() && each.is_none() => {
            out.push_str(" {}\n");
        }
        Form::Object { .. } | Form::List(_) => {
            out.push('\n');
            write(form, column + 2, out);
        }
        Form::OneOf(forms) => match shown(forms) {
            Some(form) => behind(&form.form, column, out),
            None => out.push_str(" null\n"),
        },
        Form::Scalar(kinds) if form.is_text() => {
            out.push_str(" |-\n");
            line(column + 2, &placeholder(kinds), out);
        }
        Form::Scalar(kinds) => out.push_str(&format!(" {}\n", placeholder(kinds))),
        Form::Same(path) => out.push_str(&format!(" <the same as {path}>\n")),
    }
}

/// Writes a value behind a dash at this column: a mapping or list begins on the dash's line.
fn behind_dash(form: &Form, column: usize, out: &mut String) {
    let nested = match form {
        Form::OneOf(forms) => shown(forms).map(|item| &item.form),
        form => Some(form),
    };
    match nested {
        Some(Form::Object { members, each }) if !members.is_empty() || each.is_some() => {}
        Some(Form::List(_)) => {}
        _ => return behind(form, column, out),
    }
    let mut inner = String::new();
    write(form, column + 2, &mut inner);
    out.push(' ');
    out.push_str(inner.trim_start_matches(' '));
}

fn line(column: usize, text: &str, out: &mut String) {
    indent(column, out);
    out.push_str(text);
    out.push('\n');
}

fn indent(column: usize, out: &mut String) {
    out.push_str(&" ".repeat(column));
}

/// A key as it is, if nothing in it means anything.
fn plain_key(name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    let plain = first && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    if plain || name == "<name>" { name.to_owned() } else { quoted(name) }
}
