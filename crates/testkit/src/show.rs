//! Prints inputs in messages.

/// An input as text: short enough to read, and exact enough to paste.
#[must_use]
pub fn input(bytes: &[u8]) -> String {
    const SHOWN: usize = 400;
    let shown = &bytes[..bytes.len().min(SHOWN)];
    let more = if bytes.len() > SHOWN { "…" } else { "" };
    let len = bytes.len();
    match core::str::from_utf8(shown) {
        Ok(text) => format!("{text:?}{more} ({len} bytes)"),
        Err(_) => format!("b\"{}\"{more} ({len} bytes)", shown.escape_ascii()),
    }
}
