//! Colours for indented JSON.

use std::io::{self, Write};

use anstyle::Style;

use crate::style;

/// Writes JSON that the engine indented. Each line holds at most one key and one scalar.
pub(super) fn write(out: &mut impl Write, pretty: &str) -> io::Result<()> {
    for line in pretty.lines() {
        let text = line.trim_start();
        let blanks = &line[..line.len() - text.len()];
        let (key, value) = text.split_at(key_len(text));
        let (name, style) = (style::NAME, style_of(value));
        let (scalar, comma) = match value.strip_suffix(',') {
            Some(scalar) => (scalar, ","),
            None => (value, ""),
        };
        write!(out, "{blanks}")?;
        match key.strip_suffix(": ") {
            Some(key) => write!(out, "{name}{key}{name:#}: ")?,
            None => write!(out, "{key}")?,
        }
        writeln!(out, "{style}{scalar}{style:#}{comma}")?;
    }
    Ok(())
}

/// The length of a key with its colon and space; 0 if the line has none.
fn key_len(text: &str) -> usize {
    let mut escaped = true;
    let close = text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    });
    match close {
        Some(close) if text.starts_with('"') && text[close + 1..].starts_with(": ") => close + 3,
        _ => 0,
    }
}

fn style_of(value: &str) -> Style {
    match value.bytes().next() {
        Some(b'"') => style::DONE,
        Some(b'{' | b'}' | b'[' | b']') | None => Style::new(),
        Some(_) => style::SCALAR,
    }
}

#[cfg(test)]
mod tests {
    use super::{key_len, write};

    #[test]
    fn only_colours_are_added() {
        let pretty =
            "{\n  \"a\\\": \": \"b\",\n  \"c\": [\n    1.5,\n    \"d\\\\\"\n  ],\n  \"e\": {}\n}\n";
        let mut out = Vec::new();
        write(&mut anstream::StripStream::new(&mut out), pretty).expect("memory takes all");
        assert_eq!(String::from_utf8_lossy(&out), pretty);
    }

    #[test]
    fn keys_end_at_their_colon() {
        assert_eq!(key_len(r#""a\": ": "b""#), 9);
        assert_eq!(key_len(r#""a: b""#), 0);
        assert_eq!(key_len("]"), 0);
    }
}
