//! Text that continues a root after a closer that came too early: `{"a": {"b": 1}}, "c": 2}`.

use super::reread::{self, Reread};
use super::text_part::PartText;
use crate::document::{NodeKind, ValueRef};
use crate::spec::Settings;

/// The children that follow the streamed root and belong to it.
pub(super) fn find(text: &PartText<'_>, settings: &Settings, root: ValueRef<'_>) -> Option<Reread> {
    let raw = text.raw;
    let end = text.part.candidates.taken?.end?;
    let after = &raw[usize::try_from(end).ok()?..];
    let closers = after.iter().position(|byte| !b" \t\r\n}])".contains(byte))?;
    if after[closers] != b',' {
        return None;
    }
    let kind = root.node_kind();
    if kind == NodeKind::Object && !is_key(&after[closers + 1..]) {
        return None;
    }
    if !kind.is_container() {
        return None;
    }
    let more = reread::inside(raw, end + closers as u64, kind, settings)?;
    let is_whole = more.is_complete || kind == NodeKind::Object;
    (is_whole && !more.is_lossy && !more.document.value().is_empty()).then_some(more)
}

/// Whether a quoted key and its colon come next.
fn is_key(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let Some((&quote @ (b'"' | b'\''), rest)) = text.split_first() else { return false };
    let mut escaped = false;
    let ends = |byte: &u8| {
        let ends = !escaped && (*byte == quote || *byte == b'\n');
        escaped = !escaped && *byte == b'\\';
        ends
    };
    let Some(len) = rest.iter().position(ends) else { return false };
    rest[len] == quote && rest[len + 1..].trim_ascii_start().starts_with(b":")
}

#[cfg(test)]
mod tests {
    use super::is_key;

    #[test]
    fn quoted_keys_with_a_colon() {
        for (text, want) in [
            (r#" "c": 2"#, true),
            ("\n'c' :", true),
            (r#""a\"b":"#, true),
            (r#""a\\":"#, true),
            (r#""c""#, false),
            (r#""c", 2"#, false),
            ("\"a\nb\":", false),
            (r#""c"#, false),
            ("c: 2", false),
            ("", false),
        ] {
            assert_eq!(is_key(text.as_bytes()), want, "{text:?}");
        }
    }
}
