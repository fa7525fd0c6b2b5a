//! Removes keys from the text of a server's responses.

use bytes::Bytes;
use memchr::memmem;
use reqwest::header::HeaderMap;

/// Keys of a request, to be found in what comes back.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<Vec<u8>>);

/// The replacement for a key.
const HIDDEN: &[u8] = b"[key]";

/// The fewest bytes of a key, or of a part of it, that are looked for. Fewer are found in any text.
const LEAST: usize = 8;

/// How the keys of providers begin.
const BEGINS: [&str; 9] = ["sk-", "sk_", "pk-", "gsk_", "xai-", "hf_", "AIza", "ghp_", "Bearer "];

/// The headers that hold keys.
const HEADERS: [&str; 3] = ["authorization", "x-api-key", "api-key"];

impl Secrets {
    /// The keys in these headers, and the endpoint's own.
    pub(crate) fn of(headers: &HeaderMap, own: Option<&str>) -> Self {
        let given = HEADERS
            .iter()
            .filter_map(|name| headers.get(*name))
            .filter_map(|value| value.to_str().ok())
            .map(|value| value.trim().trim_start_matches("Bearer ").trim());
        let keys = given.chain(own).filter(|key| key.len() >= LEAST);
        Self(keys.map(|key| key.as_bytes().to_vec()).collect())
    }

    /// An error's text without keys: those that are known, their beginnings and ends, and what looks like a key.
    pub(crate) fn hide(&self, text: &str) -> String {
        let known = self.0.iter().fold(text.to_owned(), |text, key| hide_parts(&text, key));
        let hidden = BEGINS.iter().fold(known, |text, begin| hide_like(&text, begin));
        // A word of which parts were hidden one after another.
        hidden.replace("[key][key]", "[key]")
    }

    /// The length of the end of the bytes that may begin a key.
    fn begun(&self, bytes: &[u8]) -> usize {
        let begins = |key: &Vec<u8>| {
            let most = bytes.len().min(key.len() - 1);
            (1..=most).rev().find(|len| bytes.ends_with(&key[..*len])).unwrap_or(0)
        };
        self.0.iter().map(begins).max().unwrap_or(0)
    }
}

/// Hides a key, and any part of it that is at least as long as its first or last eight bytes.
fn hide_parts(text: &str, key: &[u8]) -> String {
    let mut hidden = Vec::new();
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let same = rest.iter().zip(key).take_while(|(a, b)| a == b).count();
        let end = &key[key.len() - LEAST..];
        if same >= LEAST {
            hidden.extend_from_slice(HIDDEN);
            rest = &rest[same..];
        } else if rest.starts_with(end) {
            hidden.extend_from_slice(HIDDEN);
            rest = &rest[LEAST..];
        } else {
            hidden.push(rest[0]);
            rest = &rest[1..];
        }
    }
    // Keys are ASCII, so nothing else was cut.
    String::from_utf8_lossy(&hidden).into_owned()
}

/// Hides words that begin as keys do and go on for at least eight characters.
fn hide_like(text: &str, begin: &str) -> String {
    let mut hidden = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(begin) {
        let (before, found) = rest.split_at(at);
        let is_inside = before.ends_with(|c: char| c.is_ascii_alphanumeric());
        let word = &found[begin.len()..];
        let is_key = |c: char| c.is_ascii_alphanumeric() || "-_.+/=*".contains(c);
        let len = word.find(|c| !is_key(c)).unwrap_or(word.len());
        hidden.push_str(before);
        if is_inside || len < LEAST {
            hidden.push_str(begin);
            rest = word;
        } else {
            hidden.push_str("[key]");
            rest = &word[len..];
        }
    }
    hidden + rest
}

/// Hides the known keys in a body, whatever its chunks are.
pub(crate) struct BodyFilter {
    secrets: Secrets,
    /// Bytes that may begin a key.
    held: Vec<u8>,
}

impl BodyFilter {
    pub(crate) const fn new(secrets: Secrets) -> Self {
        Self { secrets, held: Vec::new() }
    }

    /// A filter at the end of a body.
    pub(crate) fn holding(body: Bytes) -> Self {
        Self { secrets: Secrets::default(), held: body.into() }
    }

    /// The next chunk without keys. A chunk without a part of one stays as it is.
    pub(crate) fn next(&mut self, chunk: Bytes) -> Bytes {
        if self.secrets.0.is_empty() {
            return chunk;
        }
        let mut bytes = core::mem::take(&mut self.held);
        let chunk = if bytes.is_empty() {
            chunk
        } else {
            bytes.extend_from_slice(&chunk);
            bytes.into()
        };
        let mut chunk = self.without_keys(chunk);
        self.held = chunk.split_off(chunk.len() - self.secrets.begun(&chunk)).to_vec();
        chunk
    }

    /// What was held back at the end of the body.
    pub(crate) fn rest(&mut self) -> Bytes {
        core::mem::take(&mut self.held).into()
    }

    fn without_keys(&self, mut chunk: Bytes) -> Bytes {
        for key in &self.secrets.0 {
            if memmem::find(&chunk, key).is_none() {
                continue;
            }
            let mut hidden = Vec::with_capacity(chunk.len());
            let mut rest = &*chunk;
            while let Some(at) = memmem::find(rest, key) {
                hidden.extend_from_slice(&rest[..at]);
                hidden.extend_from_slice(HIDDEN);
                rest = &rest[at + key.len()..];
            }
            hidden.extend_from_slice(rest);
            chunk = hidden.into();
        }
        chunk
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(key: &'static str) -> Secrets {
        let bearer = format!("Bearer {key}").parse().unwrap();
        Secrets::of(&HeaderMap::from_iter([(reqwest::header::AUTHORIZATION, bearer)]), None)
    }

    #[test]
    fn keys_and_their_parts_are_hidden() {
        let secrets = secrets("zq9-abcdefghijklm");
        for (text, hidden) in [
            ("the key zq9-abcdefghijklm is wrong", "the key [key] is wrong"),
            ("zq9-abcd…fghijklm", "[key]…[key]"),
            ("zq9-abc and klm", "zq9-abc and klm"),
            ("a key: sk-live-0123456789!", "a key: [key]!"),
            (
                "Incorrect API key provided: sk-proj-********abcd.",
                "Incorrect API key provided: [key]",
            ),
            ("task-force-manager and risk-assessment", "task-force-manager and risk-assessment"),
            ("sent Bearer abcdefghij.klm", "sent [key]"),
            ("Grüße ☃", "Grüße ☃"),
        ] {
            assert_eq!(secrets.hide(text), hidden);
        }
        assert_eq!(Secrets::default().hide("req_0123456789abcdef"), "req_0123456789abcdef");
    }

    #[test]
    fn a_key_in_a_body_is_hidden_wherever_it_is_cut() {
        let key = "zz-zz-key-0123";
        let body = format!("data: {key}{key}\n zz-zz-zz-key-01 {key} zz-z");
        let expected = "data: [key][key]\n zz-zz-zz-key-01 [key] zz-z";
        for chunk in 1..=body.len() {
            let mut filter = BodyFilter::new(secrets(key));
            let mut seen = Vec::new();
            for part in body.as_bytes().chunks(chunk) {
                seen.extend_from_slice(&filter.next(Bytes::copy_from_slice(part)));
            }
            seen.extend_from_slice(&filter.rest());
            assert_eq!(String::from_utf8(seen).unwrap(), expected, "{chunk}");
        }
    }
}
