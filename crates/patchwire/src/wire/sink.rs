//! Where the fields of the wire form go: a line of text, or a serde map.

use core::fmt::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::check::Failure;
use crate::document::{ValueRef, write_json};
use crate::event::Params;
use crate::notice::OwnedNotice;
use crate::path::{AnyPath, PathForm, Printed};
use crate::span::Span;
use crate::text::{escape, write_number};

/// A value that is an object on the wire.
pub(super) trait Described {
    /// Writes the fields in order.
    fn describe<S: FieldSink>(&self, sink: &mut S) -> Result<(), S::Error>;
}

/// A receiver of fields.
pub(super) trait FieldSink {
    /// Why writing may fail.
    type Error;

    /// Writes the next field.
    fn field(&mut self, name: &'static str, datum: Datum<'_>) -> Result<(), Self::Error>;

    /// Writes the path of a patch in each of its forms.
    fn path(&mut self, path: AnyPath<'_>) -> Result<(), Self::Error> {
        path_fields(self, path)
    }
}

/// Writes a path in each of its forms.
pub(super) fn path_fields<S: FieldSink + ?Sized>(
    sink: &mut S,
    path: AnyPath<'_>,
) -> Result<(), S::Error> {
    sink.field("path", Datum::Path(path, PathForm::Dotted))?;
    sink.field("wildcard_path", Datum::Path(path, PathForm::Wildcard))?;
    sink.field("pointer", Datum::Path(path, PathForm::Pointer))
}

/// The content of a field.
#[derive(Clone, Copy)]
pub(super) enum Datum<'a> {
    Text(&'a str),
    /// A path that is not printed yet.
    Path(AnyPath<'a>, PathForm),
    /// Text that is not printed yet.
    Printed(&'a dyn fmt::Display),
    Bool(bool),
    Number(u64),
    /// `[start,end]`
    Span(Span),
    Value(ValueRef<'a>),
    Notices(&'a [OwnedNotice]),
    Failures(&'a [Failure]),
    /// An object of strings.
    Params(Params<'a>),
}

/// Writes an object on one line. A loop, whatever the depth of its values.
pub(super) fn write_line(out: &mut impl Write, object: &impl Described) -> fmt::Result {
    let mut line = Line::new(out);
    line.out.write_char('{')?;
    object.describe(&mut line)?;
    line.out.write_char('}')
}

/// The fields of an object on one line.
pub(super) struct Line<'out, W> {
    pub(super) out: &'out mut W,
    begun: bool,
}

impl<'out, W: Write> Line<'out, W> {
    pub(super) const fn new(out: &'out mut W) -> Self {
        Self { out, begun: false }
    }
}

impl<W: Write> FieldSink for Line<'_, W> {
    type Error = fmt::Error;

    /// Names need no escapes.
    fn field(&mut self, name: &'static str, datum: Datum<'_>) -> fmt::Result {
        self.out.write_str(if self.begun { ",\"" } else { "\"" })?;
        self.begun = true;
        self.out.write_str(name)?;
        self.out.write_str("\":")?;
        write_datum(self.out, datum)
    }
}

fn write_datum(out: &mut impl Write, datum: Datum<'_>) -> fmt::Result {
    match datum {
        Datum::Text(text) => escape::write(Quoted::begin(out)?.0, text)?,
        Datum::Path(path, form) => path.write(form, &mut Quoted::begin(out)?)?,
        Datum::Printed(text) => write!(Quoted::begin(out)?, "{text}")?,
        Datum::Bool(bool) => return out.write_str(if bool { "true" } else { "false" }),
        Datum::Number(number) => return write_number(out, number),
        Datum::Span(Span { start, end }) => {
            out.write_char('[')?;
            write_number(out, start)?;
            out.write_char(',')?;
            write_number(out, end)?;
            return out.write_char(']');
        }
        Datum::Value(value) => return write_json(out, value, false),
        Datum::Notices(notices) => return write_list(out, notices),
        Datum::Failures(failures) => return write_list(out, failures),
        Datum::Params(params) => return write_params(out, params),
    }
    out.write_char('"')
}

fn write_params(out: &mut impl Write, params: Params<'_>) -> fmt::Result {
    out.write_char('{')?;
    for (at, (name, value)) in params.iter().enumerate() {
        if at > 0 {
            out.write_char(',')?;
        }
        write_datum(out, Datum::Text(name))?;
        out.write_char(':')?;
        write_datum(out, Datum::Text(value))?;
    }
    out.write_char('}')
}

fn write_list(out: &mut impl Write, objects: &[impl Described]) -> fmt::Result {
    out.write_char('[')?;
    for (at, object) in objects.iter().enumerate() {
        if at > 0 {
            out.write_char(',')?;
        }
        write_line(out, object)?;
    }
    out.write_char(']')
}

/// The content of a JSON string: text written to it is escaped.
struct Quoted<'out, W>(&'out mut W);

impl<'out, W: Write> Quoted<'out, W> {
    fn begin(out: &'out mut W) -> Result<Self, fmt::Error> {
        out.write_char('"')?;
        Ok(Self(out))
    }
}

impl<W: Write> Write for Quoted<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape::write(self.0, text)
    }

    fn write_char(&mut self, char: char) -> fmt::Result {
        match char {
            '.' | '/' | '[' | ']' => self.0.write_char(char),
            char => escape::write(self.0, char.encode_utf8(&mut [0; 4])),
        }
    }
}

/// Writes an object to a serde serializer.
pub(super) fn serialize<S: Serializer>(
    serializer: S,
    object: &impl Described,
) -> Result<S::Ok, S::Error> {
    let mut members = Members(serializer.serialize_map(None)?);
    object.describe(&mut members)?;
    members.0.end()
}

struct Members<M>(M);

impl<M: SerializeMap> FieldSink for Members<M> {
    type Error = M::Error;

    fn field(&mut self, name: &'static str, datum: Datum<'_>) -> Result<(), M::Error> {
        self.0.serialize_entry(name, &datum)
    }
}

impl Serialize for Datum<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Path(path, form) => serializer.collect_str(&Printed(*path, *form)),
            Self::Printed(text) => serializer.collect_str(text),
            Self::Bool(bool) => serializer.serialize_bool(*bool),
            Self::Number(number) => serializer.serialize_u64(*number),
            Self::Span(Span { start, end }) => [start, end].serialize(serializer),
            Self::Value(value) => value.serialize(serializer),
            Self::Params(params) => serializer.collect_map(params.iter()),
            Self::Notices(notices) => serializer.collect_seq(notices.iter().map(Nested)),
            Self::Failures(failures) => serializer.collect_seq(failures.iter().map(Nested)),
        }
    }
}

/// An object in a field.
struct Nested<'a, T>(&'a T);

impl<T: Described> Serialize for Nested<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(serializer, self.0)
    }
}
