//! JSON string escapes, for printing (RFC 8259 §7).

use core::fmt;

use crate::scan::plain_string_bytes;

/// `text` as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::new();
    append_quoted(text, &mut out);
    out
}

/// Appends `text` as a JSON string.
pub(crate) fn append_quoted(text: &str, out: &mut String) {
    out.push('"');
    // Writing to a string does not fail.
    let _ = write(out, text);
    out.push('"');
}

/// Writes the content of a JSON string, without the quotes.
pub(crate) fn write(out: &mut impl fmt::Write, text: &str) -> fmt::Result {
    let mut rest = text;
    loop {
        let at = plain_string_bytes(rest.as_bytes());
        out.write_str(&rest[..at])?;
        let Some(byte) = rest.as_bytes().get(at) else { return Ok(()) };
        match byte {
            b'"' => out.write_str("\\\"")?,
            b'\\' => out.write_str("\\\\")?,
            b'\n' => out.write_str("\\n")?,
            b'\r' => out.write_str("\\r")?,
            b'\t' => out.write_str("\\t")?,
            8 => out.write_str("\\b")?,
            12 => out.write_str("\\f")?,
            control => write!(out, "\\u{control:04x}")?,
        }
        rest = &rest[at + 1..];
    }
}
