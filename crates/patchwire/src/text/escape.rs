//! JSON string escapes, for printing (RFC 8259 §7).

use core::fmt;

/// `text` as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    // Writing to a string does not fail.
    let _ = write(&mut out, text);
    out.push('"');
    out
}

/// Writes the content of a JSON string, without the quotes.
pub(crate) fn write(out: &mut impl fmt::Write, text: &str) -> fmt::Result {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\')
    {
        out.write_str(&rest[..at])?;
        match rest.as_bytes()[at] {
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
    out.write_str(rest)
}
