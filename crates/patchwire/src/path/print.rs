//! The printed forms of a path, without allocation.

use core::fmt::{self, Write};

use super::{Path, PathBuf, Segment};
use crate::text::write_number;

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, PathForm::Dotted, AnyPath::Borrowed(*self))
    }
}

/// Writes a path, with the width and alignment of the caller if there are any.
fn padded(f: &mut fmt::Formatter<'_>, form: PathForm, path: AnyPath<'_>) -> fmt::Result {
    if f.width().is_none() && f.precision().is_none() {
        return path.write(form, f);
    }
    let mut printed = String::new();
    path.write(form, &mut printed)?;
    f.pad(&printed)
}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}

impl fmt::Display for PathBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, PathForm::Dotted, AnyPath::Owned(self))
    }
}

impl fmt::Debug for PathBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PathBuf({self})")
    }
}

/// A path with `[*]` for every list index. Made by [`Path::wildcard`].
#[derive(Clone, Copy, Debug)]
pub struct Wildcard<'a>(pub(super) Path<'a>);

impl fmt::Display for Wildcard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        dotted(f, self.0.segments(), Indexes::Starred)
    }
}

/// An RFC 6901 JSON Pointer. Made by [`Path::pointer`].
#[derive(Clone, Copy, Debug)]
pub struct Pointer<'a>(pub(super) Path<'a>);

impl fmt::Display for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PathForm::Pointer.write(self.0.segments(), f)
    }
}

/// A printed form of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathForm {
    /// `a.b[0]`
    Dotted,
    /// `a.b[*]`
    Wildcard,
    /// `/a/b/0`
    Pointer,
}

impl PathForm {
    /// Writes the steps of a path in this form. Unlike `Display`, it needs no formatter.
    pub(crate) fn write<'a>(
        self,
        steps: impl Iterator<Item = Segment<'a>>,
        out: &mut impl Write,
    ) -> fmt::Result {
        match self {
            Self::Dotted => dotted(out, steps, Indexes::Kept),
            Self::Wildcard => dotted(out, steps, Indexes::Starred),
            Self::Pointer => pointer(out, steps),
        }
    }
}

/// A path of either kind.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AnyPath<'a> {
    Borrowed(Path<'a>),
    Owned(&'a PathBuf),
}

impl AnyPath<'_> {
    pub(crate) fn write(self, form: PathForm, out: &mut impl Write) -> fmt::Result {
        match self {
            Self::Borrowed(path) => form.write(path.segments(), out),
            Self::Owned(path) => form.write(path.segments().into_iter(), out),
        }
    }
}

/// A path and its form, for serde.
pub(crate) struct Printed<'a>(pub(crate) AnyPath<'a>, pub(crate) PathForm);

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(self.1, f)
    }
}

/// RFC 6901.
fn pointer<'a>(out: &mut impl Write, segments: impl Iterator<Item = Segment<'a>>) -> fmt::Result {
    for segment in segments {
        out.write_char('/')?;
        match segment {
            Segment::Index(index) => write_number(out, index.into())?,
            Segment::Key(key) => {
                let mut rest = key;
                while let Some(at) = rest.find(['~', '/']) {
                    out.write_str(&rest[..at])?;
                    out.write_str(if rest.as_bytes()[at] == b'~' { "~0" } else { "~1" })?;
                    rest = &rest[at + 1..];
                }
                out.write_str(rest)?;
            }
        }
    }
    Ok(())
}

/// An RFC 9535 normalised JSONPath. Made by [`Path::json_path`].
#[derive(Clone, Copy, Debug)]
pub struct JsonPath<'a>(pub(super) Path<'a>);

impl fmt::Display for JsonPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('$')?;
        self.0.segments().try_for_each(|segment| match segment {
            Segment::Index(index) => write!(f, "[{index}]"),
            Segment::Key(key) => {
                f.write_str("['")?;
                key.chars().try_for_each(|c| normal_name_char(f, c))?;
                f.write_str("']")
            }
        })
    }
}

/// RFC 9535 §2.7, `normal-single-quoted`.
fn normal_name_char(f: &mut fmt::Formatter<'_>, c: char) -> fmt::Result {
    match c {
        '\u{8}' => f.write_str("\\b"),
        '\u{c}' => f.write_str("\\f"),
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        '\'' => f.write_str("\\'"),
        '\\' => f.write_str("\\\\"),
        c if c < ' ' => write!(f, "\\u{:04x}", c as u32),
        c => f.write_char(c),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Indexes {
    Kept,
    Starred,
}

fn dotted<'a>(
    f: &mut impl Write,
    segments: impl Iterator<Item = Segment<'a>>,
    indexes: Indexes,
) -> fmt::Result {
    for (at, segment) in segments.enumerate() {
        match segment {
            Segment::Index(_) if indexes == Indexes::Starred => f.write_str("[*]")?,
            Segment::Index(index) => {
                f.write_char('[')?;
                write_number(f, index.into())?;
                f.write_char(']')?;
            }
            Segment::Key(key) if is_bare(key) => {
                if at > 0 {
                    f.write_char('.')?;
                }
                f.write_str(key)?;
            }
            Segment::Key(key) => {
                f.write_str("[\"")?;
                crate::text::escape::write(f, key)?;
                f.write_str("\"]")?;
            }
        }
    }
    Ok(())
}

/// Whether a key prints without quotes.
pub(super) fn is_bare(key: &str) -> bool {
    !key.is_empty()
        && !key.starts_with(|c: char| c.is_ascii_digit())
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        || is_bare_beyond_ascii(key)
}

fn is_bare_beyond_ascii(key: &str) -> bool {
    !key.is_ascii()
        && !key.starts_with(|c: char| c.is_ascii_digit())
        && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// Whether a path with these steps prints as `printed`.
pub(super) fn equals<'a>(steps: impl Iterator<Item = Segment<'a>>, printed: &str) -> bool {
    /// Compares written text with the front of the expected text, and removes it there.
    struct ExpectedText<'a>(&'a str);
    impl Write for ExpectedText<'_> {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            self.0 = self.0.strip_prefix(s).ok_or(fmt::Error)?;
            Ok(())
        }
    }
    let mut rest = ExpectedText(printed);
    dotted(&mut rest, steps, Indexes::Kept).is_ok() && rest.0.is_empty()
}
