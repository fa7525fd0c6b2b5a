//! A YAML document: texts as literal blocks, all else as it is.

use crate::outline::json::shown;
use crate::outline::{Form, Item, Kind, form, placeholder};
use crate::text::escape::quoted;

/// The document between its markers, with plain placeholders.
pub(super) fn document(root: Option<&Item>, name: &str) -> String {
    between(root, name, false)
}

/// The document as a prompt shows it: with everything the schema says.
pub(super) fn prompt_form(root: Option<&Item>, name: &str) -> String {
    between(root, name, true)
}

fn between(root: Option<&Item>, name: &str, says_all: bool) -> String {
    let mut writer = Writer { out: format!("<<<BEGIN {name}>>>\n"), says_all };
    match root {
        Some(root) => writer.write(root, 0),
        None => writer.out.push_str("<name>: <value>\n"),
    }
    writer.out + &format!("<<<END {name}>>>")
}

struct Writer {
    out: String,
    /// Whether limits, needs, descriptions and alternatives are shown.
    says_all: bool,
}

impl Writer {
    /// Writes a value that begins on a line of its own, at this column.
    fn write(&mut self, item: &Item, column: usize) {
        match &item.form {
            Form::Object { members, each } => {
                let items: Vec<&Item> = members.iter().chain(each.as_deref()).collect();
                if items.is_empty() {
                    return self.line(column, "{}");
                }
                for item in items {
                    self.indent(column);
                    self.out.push_str(&plain_key(&item.name));
                    self.out.push(':');
                    self.behind(item, column);
                }
                if each.is_some() && self.says_all {
                    self.line(column, "# ...");
                }
            }
            Form::List(item) => {
                self.above_dash(item, column);
                self.indent(column);
                self.out.push('-');
                self.behind_dash(item, column);
                if self.says_all {
                    self.line(column, "# ...");
                }
            }
            Form::Tuple(items) => {
                for item in items {
                    self.above_dash(item, column);
                    self.indent(column);
                    self.out.push('-');
                    self.behind_dash(item, column);
                }
            }
            Form::OneOf(forms) => match shown(forms) {
                Some(first) => {
                    self.write(first, column);
                    self.alternatives(forms, first, column);
                }
                None => self.line(column, "null"),
            },
            Form::Scalar(_) | Form::Same(_) => {
                self.out.push_str("---");
                self.behind(item, column);
            }
        }
    }

    /// Writes a value behind a key at this column.
    fn behind(&mut self, item: &Item, column: usize) {
        match &item.form {
            Form::Object { members, each } if members.is_empty() && each.is_none() => {
                self.out.push_str(" {}");
                self.end_line(item);
            }
            Form::Object { .. } | Form::List(_) | Form::Tuple(_) => {
                self.end_line(item);
                self.write(item, column + 2);
            }
            Form::OneOf(forms) => match shown(forms) {
                Some(first) => {
                    self.behind(&described_as(first, item), column);
                    self.alternatives(forms, first, column + 2);
                }
                None => self.out.push_str(" null\n"),
            },
            Form::Scalar(kinds) if item.form.is_text() => {
                self.out.push_str(" |-\n");
                let text = self.scalar(item, kinds);
                self.line(column + 2, &text);
            }
            Form::Scalar(kinds) => {
                let text = self.scalar(item, kinds);
                self.out.push_str(&format!(" {text}\n"));
            }
            Form::Same(path) => {
                let place = if path.is_empty() { "the whole" } else { path };
                self.out.push_str(&format!(" <the same as {place}>"));
                self.end_line(item);
            }
        }
    }

    /// The comment of an item that begins on the line of its dash.
    fn above_dash(&mut self, item: &Item, column: usize) {
        let is_inside = !matches!(item.form, Form::Scalar(_) | Form::Same(_));
        let said = if self.says_all && is_inside { form::comment(item) } else { String::new() };
        if !said.is_empty() {
            self.line(column, &format!("# {said}"));
        }
    }

    /// Writes a value behind a dash at this column: a mapping or list begins on the dash's line.
    fn behind_dash(&mut self, item: &Item, column: usize) {
        let nested = match &item.form {
            Form::OneOf(forms) => shown(forms).map(|item| &item.form),
            form => Some(form),
        };
        match nested {
            Some(Form::Object { members, each }) if !members.is_empty() || each.is_some() => {}
            Some(Form::List(_) | Form::Tuple(_)) => {}
            _ => return self.behind(item, column),
        }
        let mut inner = Self { out: String::new(), says_all: self.says_all };
        inner.write(item, column + 2);
        self.out.push(' ');
        self.out.push_str(inner.out.trim_start_matches(' '));
    }

    /// The other alternatives, as comments.
    fn alternatives(&mut self, forms: &[Item], first: &Item, column: usize) {
        let others = forms.iter().filter(|form| !core::ptr::eq(*form, first));
        for form in others.take(if self.says_all { forms.len() } else { 0 }) {
            self.line(column, &format!("# or {}", form::inline(form)));
        }
    }

    fn scalar(&self, item: &Item, kinds: &[Kind]) -> String {
        if self.says_all { form::scalar(item, kinds) } else { placeholder(kinds) }
    }

    /// Ends the line of an object's or list's key.
    fn end_line(&mut self, item: &Item) {
        let said = if self.says_all { form::comment(item) } else { String::new() };
        if !said.is_empty() {
            self.out.push_str(&format!(" # {said}"));
        }
        self.out.push('\n');
    }

    fn line(&mut self, column: usize, text: &str) {
        self.indent(column);
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn indent(&mut self, column: usize) {
        self.out.push_str(&" ".repeat(column));
    }
}

/// The first alternative with what is said about all of them.
fn described_as(first: &Item, all: &Item) -> Item {
    let said = all.description.is_some() || all.limits.is_some();
    Item {
        description: if said { all.description.clone() } else { first.description.clone() },
        limits: if said { all.limits.clone() } else { first.limits.clone() },
        presence: all.presence,
        is_left_out: all.is_left_out,
        ..first.clone()
    }
}

/// A key as it is, if nothing in it means anything.
fn plain_key(name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    let plain = first && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    if plain || name == "<name>" { name.to_owned() } else { quoted(name) }
}

#[cfg(test)]
mod tests {
    use super::plain_key;

    #[test]
    fn keys_that_need_no_quotes() {
        for (name, want) in [
            ("a", "a"),
            ("_a-1", "_a-1"),
            ("é_ü", "é_ü"),
            ("<name>", "<name>"),
            ("1a", r#""1a""#),
            ("-a", r#""-a""#),
            ("a b", r#""a b""#),
            ("a:", r#""a:""#),
            ("", r#""""#),
        ] {
            assert_eq!(plain_key(name), want);
        }
    }
}
