//! Prints values as JSON. Does not recurse: depth costs memory, never stack.

use core::fmt::{self, Write};

use super::{Entries, NodeKind, Value, ValueRef};
use crate::text::escape;

/// Prints compact JSON, with numbers exactly as they were written; with `{:#}`, indented by two spaces. An
/// open value prints as far as it has come, an absent one as `null`.
impl fmt::Display for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pretty = f.alternate();
        write_json(f, *self, pretty)
    }
}

/// Prints compact JSON, even with `{:#?}`: inside the print of another type a value stays on one line.
impl fmt::Debug for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_json(f, *self, false)
    }
}

/// Prints like [`ValueRef`].
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.as_ref(), f)
    }
}

/// Prints like [`ValueRef`].
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.as_ref(), f)
    }
}

/// Writes a value as JSON: on one line without whitespace, or indented by two spaces a level.
pub(crate) fn write_json(out: &mut impl Write, value: ValueRef<'_>, pretty: bool) -> fmt::Result {
    Printer { out, pretty, open: Vec::new() }.print(value)
}

struct Printer<'out, 'v, W> {
    out: &'out mut W,
    pretty: bool,
    open: Vec<OpenPrinted<'v>>,
}

/// A container whose opener has been written. Empty containers are never here.
struct OpenPrinted<'v> {
    rest: Entries<'v>,
    closer: char,
    begun: bool,
}

impl<'v, W: Write> Printer<'_, 'v, W> {
    fn print(mut self, value: ValueRef<'v>) -> fmt::Result {
        self.value(value)?;
        while let Some(container) = self.open.last_mut() {
            let begun = core::mem::replace(&mut container.begun, true);
            match container.rest.next() {
                Some((key, child)) => self.child(begun, key, child)?,
                None => self.close()?,
            }
        }
        Ok(())
    }

    fn child(&mut self, begun: bool, key: Option<&str>, value: ValueRef<'v>) -> fmt::Result {
        if begun {
            self.out.write_char(',')?;
        }
        self.line_break()?;
        if let Some(key) = key {
            self.string(key)?;
            self.out.write_str(if self.pretty { ": " } else { ":" })?;
        }
        self.value(value)
    }

    /// Writes a scalar or an empty container, or the opener of another container.
    fn value(&mut self, value: ValueRef<'v>) -> fmt::Result {
        match value.node_kind() {
            NodeKind::Null => self.out.write_str("null"),
            NodeKind::False => self.out.write_str("false"),
            NodeKind::True => self.out.write_str("true"),
            NodeKind::Number => self.out.write_str(value.text()),
            NodeKind::String => self.string(value.text()),
            NodeKind::Object if value.is_empty() => self.out.write_str("{}"),
            NodeKind::List if value.is_empty() => self.out.write_str("[]"),
            NodeKind::Object => self.open(value, '{', '}'),
            NodeKind::List => self.open(value, '[', ']'),
        }
    }

    fn open(&mut self, value: ValueRef<'v>, opener: char, closer: char) -> fmt::Result {
        self.open.push(OpenPrinted { rest: value.entries(), closer, begun: false });
        self.out.write_char(opener)
    }

    fn close(&mut self) -> fmt::Result {
        let Some(container) = self.open.pop() else {
            return Ok(());
        };
        self.line_break()?;
        self.out.write_char(container.closer)
    }

    fn string(&mut self, text: &str) -> fmt::Result {
        self.out.write_char('"')?;
        escape::write(self.out, text)?;
        self.out.write_char('"')
    }

    fn line_break(&mut self) -> fmt::Result {
        if !self.pretty {
            return Ok(());
        }
        self.out.write_char('\n')?;
        (0..self.open.len()).try_for_each(|_| self.out.write_str("  "))
    }
}

#[cfg(test)]
mod tests {
    use crate::document::sample::{deep, document, on_small_stack};
    use crate::document::{Document, NodeKind, Placement};

    #[test]
    fn compact() {
        let json = r#"{"a":[1.50,-0,1e400,{}],"":{"b\"\\\n\u0001é":[]},"c":[true,false,null,"x"]}"#;
        let doc = document(json);
        assert_eq!(doc.value().to_string(), json);
        assert_eq!(format!("{:?}", doc.value()), json);
        assert_eq!(format!("{:#?}", doc.value().to_value()), json);
    }

    #[test]
    fn pretty() {
        let doc = document(r#"{"a":[1,{"b":2}],"c":[],"d":{}}"#);
        let expected = r#"{
  "a": [
    1,
    {
      "b": 2
    }
  ],
  "c": [],
  "d": {}
}"#;
        assert_eq!(format!("{:#}", doc.value().to_value()), expected);
    }

    #[test]
    fn no_value_prints_null_and_an_open_one_as_far_as_it_is() {
        assert_eq!(Document::default().value().to_string(), "null");
        let mut doc = Document::default();
        let list = doc.open(Placement::Root, NodeKind::List);
        assert_eq!(doc.value().to_string(), "[]");
        let string = doc.open(Placement::Item(list), NodeKind::String);
        doc.append(string, "so f");
        assert_eq!(doc.value().to_string(), r#"["so f"]"#);
    }

    #[test]
    fn depth_needs_no_stack() {
        on_small_stack(|| {
            let json = deep(1_000_000, "7").value().to_string();
            assert!(json.starts_with(r#"[{"a":[{"a":["#));
            assert!(json.ends_with("}]}]"));
            assert_eq!(json.len(), 500_000 * 2 + 500_000 * 6 + 1);
        });
    }
}
