//! Tokens in printable form.

use std::borrow::Cow;

use patchwire::internals::{TokenKind, TokenRecord};

/// Quotes bytes in `‹›`, on one line of at most `most` characters. Backslashes are those of the
/// input.
pub(super) fn quoted(bytes: &[u8], most: usize) -> String {
    let shown: Vec<Cow<'static, str>> = bytes.utf8_chunks().flat_map(signs).collect();
    let len: usize = shown.iter().map(|sign| sign.chars().count()).sum();
    let room = most.saturating_sub(2).max(8);
    if len <= room {
        return format!("‹{}›", shown.concat());
    }
    // The end matters most, because the next chunk continues there.
    let tail = room / 2;
    let head = take(shown.iter(), room - tail - 1);
    let tail: Vec<&str> = take(shown.iter().rev(), tail);
    let tail: String = tail.into_iter().rev().collect();
    format!("‹{}…{tail}›", head.concat())
}

fn take<'a>(signs: impl Iterator<Item = &'a Cow<'static, str>>, mut room: usize) -> Vec<&'a str> {
    let fits = |sign: &&str| match room.checked_sub(sign.chars().count()) {
        Some(rest) => {
            room = rest;
            true
        }
        None => false,
    };
    signs.map(|sign| &**sign).take_while(fits).collect()
}

fn signs(chunk: std::str::Utf8Chunk<'_>) -> Vec<Cow<'static, str>> {
    let text = chunk.valid().chars().map(sign);
    let bytes = chunk.invalid().iter().map(|byte| format!("<{byte:02X}>").into());
    text.chain(bytes).collect()
}

fn sign(char: char) -> Cow<'static, str> {
    match char {
        '\n' => "↵".into(),
        '\t' => "⇥".into(),
        // These characters would move or colour the text around them.
        char if char.is_control()
            || matches!(char, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}') =>
        {
            format!("<U+{:04X}>", u32::from(char)).into()
        }
        char => char.to_string().into(),
    }
}

/// The name of a token, and its code or reason.
pub(super) fn of_token(seen: &TokenRecord) -> (&'static str, &'static str) {
    match seen.token.kind {
        TokenKind::Notice(code) => ("notice", code.name()),
        TokenKind::NoticeOfNext(code) => ("notice of next", code.name()),
        TokenKind::NoticeOfKey(code) => ("notice of key", code.name()),
        TokenKind::NoticeOfMember(code) => ("notice of member", code.name()),
        TokenKind::Skipped(reason) => ("skipped", reason.name()),
        TokenKind::Outside => ("outside", ""),
        TokenKind::ObjectOpen => ("object opens", ""),
        TokenKind::ListOpen => ("list opens", ""),
        TokenKind::Key => ("key", ""),
        TokenKind::StringOpen => ("string opens", ""),
        TokenKind::StringText => ("string text", ""),
        TokenKind::StringClose => ("string closes", ""),
        TokenKind::Scalar(_) => ("scalar", ""),
        TokenKind::Close => ("closes", ""),
        TokenKind::ItemWasKey => ("item was key", ""),
        TokenKind::SlippedField => ("field with slips", ""),
        TokenKind::RootComplete => ("root complete", ""),
        other => (other.name(), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn what_is_shown_stays_on_its_line() {
        assert_eq!(quoted(b"a\\n\n\t\x1b[1m\xe2\x82", 80), r"‹a\n↵⇥<U+001B>[1m<E2><82>›");
        assert_eq!(quoted("0123456789".repeat(9).as_bytes(), 20), "‹01234567…123456789›");
        assert_eq!(quoted("\u{202e}\u{feff}é".as_bytes(), 80), "‹<U+202E><U+FEFF>é›");
    }
}
