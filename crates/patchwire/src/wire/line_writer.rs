//! Writes many events as lines. The path of a field is printed once for all of its deltas.

use super::IncludeValues;
use super::sink::{Described, FieldSink, Line, path_fields};
use super::{Datum, Event, OwnedEvent};
use crate::path::{AnyPath, LastPath};

/// Writes events in their wire form, each as one line of JSON.
///
/// A line equals what `Display` prints. It takes a fraction of the time: it goes straight into a buffer of the caller,
/// and the path of a field is printed only if it differs from that of the patch before.
///
/// ```
/// use patchwire::Spec;
/// use patchwire::wire::{IncludeValues, LineWriter};
///
/// let mut lines = LineWriter::default();
/// let mut out = String::new();
/// Spec::json().parser().feed("{\"a\": \"x", |event| {
///     lines.append(&event, IncludeValues::Leaf, &mut out);
///     out.push('\n');
/// })?;
/// assert_eq!(out.lines().count(), 3);
/// # Ok::<(), patchwire::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct LineWriter {
    paths: PrintedPath,
}

/// The fields of the last path, printed.
#[derive(Debug, Clone, Default)]
struct PrintedPath {
    last: LastPath,
    fields: String,
}

impl LineWriter {
    /// Appends an event to a buffer, without a line end.
    pub fn append(&mut self, event: &Event<'_>, values: IncludeValues, out: &mut String) {
        self.append_object(&event.wire(values), out);
    }

    /// Appends an owned event to a buffer, with [`IncludeValues::Leaf`] and without a line end.
    pub fn append_owned(&mut self, event: &OwnedEvent, out: &mut String) {
        self.append_object(event, out);
    }

    fn append_object(&mut self, object: &impl Described, out: &mut String) {
        out.push('{');
        let mut sink = CachedLine { line: Line::new(out), paths: &mut self.paths };
        // Writing to a string does not fail.
        let _ = object.describe(&mut sink);
        out.push('}');
    }
}

/// A line that takes the fields of a path from the last line.
struct CachedLine<'w> {
    line: Line<'w, String>,
    paths: &'w mut PrintedPath,
}

impl FieldSink for CachedLine<'_> {
    type Error = core::fmt::Error;

    fn field(&mut self, name: &'static str, datum: Datum<'_>) -> core::fmt::Result {
        self.line.field(name, datum)
    }

    fn path(&mut self, path: AnyPath<'_>) -> core::fmt::Result {
        let PrintedPath { last, fields } = self.paths;
        if !last.is(path) {
            fields.clear();
            path_fields(&mut Line::new(fields), path)?;
            last.set(path);
        }
        // Other fields come before it.
        self.line.out.push(',');
        self.line.out.push_str(fields);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::LineWriter;
    use crate::Spec;
    use crate::wire::IncludeValues;

    /// Equal paths in a row, a path that grew or lost a step, an index that changed, and keys that need escapes.
    #[test]
    fn lines_are_those_of_display() {
        let text = r#"{"a": "one two three", "b": [{"c": "xy"}, {"c": "xy", "d\"/~": "zz"}], "b2": 1, "é": ["", "u\nv"]}"#;
        for size in [1, 3, 200] {
            for values in [IncludeValues::Leaf, IncludeValues::Done, IncludeValues::All] {
                let (mut lines, mut owned) = (LineWriter::default(), LineWriter::default());
                let mut parser = Spec::json().parser();
                let mut count = 0;
                let mut check = |event: crate::Event<'_>| {
                    count += 1;
                    let (mut line, kept) = (String::new(), event.to_owned());
                    lines.append(&event, values, &mut line);
                    assert_eq!(line, event.wire(values).to_string());
                    line.clear();
                    owned.append_owned(&kept, &mut line);
                    assert_eq!(line, kept.to_string());
                };
                for chunk in text.as_bytes().chunks(size) {
                    parser.feed(chunk, &mut check).expect("valid JSON");
                }
                parser.finish(&mut check).expect("valid JSON");
                assert!(count > 20);
            }
        }
    }
}
