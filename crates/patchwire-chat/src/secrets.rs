//! Removes keys from the text of a server's responses.

use std::collections::HashSet;
use std::sync::Arc;

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::Value as Json;

/// Keys of a request, to be found in what comes back. Cloning copies a pointer.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Arc<Known>);

#[derive(Default)]
struct Known {
    /// The keys, each in every form that a server may write it in.
    forms: Vec<Vec<u8>>,
    /// All pieces of [`LEAST`] bytes of the forms.
    pieces: HashSet<[u8; LEAST]>,
}

/// The replacement for a key.
pub(crate) const HIDDEN: &[u8] = b"[key]";

/// The bytes of a part of a key that is looked for. Fewer are found in any text.
const LEAST: usize = 8;

/// The fewest bytes of a key that is looked for as a whole.
const SHORTEST: usize = 4;

/// How the keys of providers begin.
const BEGINS: [&str; 13] = [
    "sk-", "sk_", "pk-", "gsk_", "xai-", "hf_", "AIza", "ghp_", "AKIA", "eyJ", "api_key=",
    "Bearer ", "bearer ",
];

/// The headers that hold keys.
const HEADERS: [&str; 3] = ["authorization", "x-api-key", "api-key"];

impl Secrets {
    /// The keys in these headers, and the endpoint's own.
    pub(crate) fn of(headers: &HeaderMap, own: Option<&str>) -> Self {
        let given = HEADERS
            .iter()
            .filter_map(|name| headers.get(*name))
            .filter_map(|value| value.to_str().ok())
            .map(without_scheme);
        let keys = given.chain(own).filter(|key| key.len() >= SHORTEST);
        let forms: Vec<Vec<u8>> = keys.flat_map(forms).collect();
        let pieces = forms.iter().flat_map(|form| form.windows(LEAST).filter_map(piece)).collect();
        Self(Arc::new(Known { forms, pieces }))
    }

    /// An error's text without keys: those that are known, parts of them, and what looks like a key.
    pub(crate) fn hide(&self, text: &str) -> String {
        let known = self.hide_known(text);
        let hidden = BEGINS.iter().fold(known, |text, begin| hide_like(&text, begin));
        // A word of which parts were hidden one after another.
        hidden.replace("[key][key]", "[key]")
    }

    /// The body of an error without keys. A body without a key stays as it is.
    pub(crate) fn hide_body(&self, body: Bytes) -> Bytes {
        if let Ok(mut json) = serde_json::from_slice::<Json>(&body) {
            // In its strings, escapes hide no key.
            return if self.hide_strings(&mut json) { json.to_string().into() } else { body };
        }
        let text = String::from_utf8_lossy(&body);
        let hidden = self.hide(&text);
        if hidden == text { body } else { hidden.into() }
    }

    /// Hides keys in all strings of a value. Whether there was one.
    fn hide_strings(&self, json: &mut Json) -> bool {
        match json {
            Json::String(text) => {
                let hidden = self.hide(text);
                let is_changed = hidden != *text;
                *text = hidden;
                is_changed
            }
            Json::Array(items) => {
                items.iter_mut().fold(false, |any, item| self.hide_strings(item) | any)
            }
            Json::Object(members) => {
                let changed = members
                    .iter_mut()
                    .fold(false, |any, (_, value)| self.hide_strings(value) | any);
                let named: Vec<String> =
                    members.keys().filter(|name| self.hide(name) != **name).cloned().collect();
                for name in &named {
                    let value = members.remove(name).unwrap_or_default();
                    members.insert(self.hide(name), value);
                }
                changed || !named.is_empty()
            }
            _ => false,
        }
    }

    /// A header's value without known keys.
    pub(crate) fn hide_value(&self, value: &HeaderValue) -> HeaderValue {
        let text = String::from_utf8_lossy(value.as_bytes());
        let hidden = self.hide_known(&text);
        if hidden == text {
            return value.clone();
        }
        HeaderValue::from_bytes(hidden.as_bytes())
            .unwrap_or_else(|_| HeaderValue::from_static("[key]"))
    }

    /// Hides the keys that are known, and parts of at least eight bytes.
    fn hide_known(&self, text: &str) -> String {
        let bytes = text.as_bytes();
        let mut hidden = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            match self.known_at(bytes, at) {
                0 => {
                    hidden.push(bytes[at]);
                    at += 1;
                }
                len => {
                    hidden.extend_from_slice(HIDDEN);
                    at += len;
                }
            }
        }
        // Keys are ASCII, so nothing else was cut.
        String::from_utf8_lossy(&hidden).into_owned()
    }

    /// The length of the part of a key that begins at a position; 0 if none does.
    fn known_at(&self, text: &[u8], at: usize) -> usize {
        let is_known = |bytes: &&[u8]| piece(bytes).is_some_and(|it| self.0.pieces.contains(&it));
        match text[at..].windows(LEAST).take_while(is_known).count() {
            0 => self.short_at(text, at),
            count => count + LEAST - 1,
        }
    }

    /// The length of a key of fewer than eight bytes that is a word of its own here.
    fn short_at(&self, text: &[u8], at: usize) -> usize {
        let ends = |byte: Option<&u8>| !byte.is_some_and(u8::is_ascii_alphanumeric);
        let is_here = |form: &&Vec<u8>| {
            let end = at + form.len();
            form.len() < LEAST
                && text[at..].starts_with(form)
                && ends(at.checked_sub(1).map(|before| &text[before]))
                && ends(text.get(end))
        };
        self.0.forms.iter().find(is_here).map_or(0, Vec::len)
    }

    /// Whether no key is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.forms.is_empty()
    }

    /// The length of the end of the bytes that may begin a key.
    pub(crate) fn begun(&self, bytes: &[u8]) -> usize {
        let begins = |key: &&Vec<u8>| {
            let most = bytes.len().min(key.len() - 1);
            (1..=most).rev().find(|len| bytes.ends_with(&key[..*len])).unwrap_or(0)
        };
        self.whole_keys().map(|key| begins(&key)).max().unwrap_or(0)
    }

    /// The keys that are looked for in bodies. Shorter ones may be parts of other words.
    pub(crate) fn whole_keys(&self) -> impl Iterator<Item = &Vec<u8>> {
        self.0.forms.iter().filter(|form| form.len() >= LEAST)
    }
}

/// The credentials in a header's value, which may begin with a scheme (RFC 9110 section 11.4).
fn without_scheme(value: &str) -> &str {
    let value = value.trim();
    value.split_once(' ').map_or(value, |(_, credentials)| credentials.trim())
}

fn piece(bytes: &[u8]) -> Option<[u8; LEAST]> {
    bytes.try_into().ok()
}

/// A key as it is, and as servers write it: with JSON's escapes of PHP (`\\/`) and .NET (`\\u002B`), and percent-encoded.
fn forms(key: &str) -> Vec<Vec<u8>> {
    let escaped = key.replace('/', "\\/");
    let numbered = key.replace('+', "\\u002B");
    let encoded =
        [percent(key, |byte| format!("%{byte:02X}")), percent(key, |byte| format!("%{byte:02x}"))];
    let mut forms = vec![key.to_owned(), escaped, numbered];
    forms.extend(encoded);
    // A form that contains another comes before it.
    forms.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    forms.dedup();
    forms.into_iter().map(String::into_bytes).collect()
}

/// A key in a query (RFC 3986 section 2.1).
fn percent(key: &str, encode: impl Fn(u8) -> String) -> String {
    let encode = |byte: u8| {
        let is_unreserved = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if is_unreserved { char::from(byte).to_string() } else { encode(byte) }
    };
    key.bytes().map(encode).collect()
}

/// Hides words that begin as keys do and go on for at least eight characters.
fn hide_like(text: &str, begin: &str) -> String {
    let mut hidden = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(begin) {
        let (before, found) = rest.split_at(at);
        let is_inside = before.ends_with(|c: char| c.is_ascii_alphanumeric());
        let word = &found[begin.len()..];
        let len = key_len(word);
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

/// How far a text goes on as a key does. A part that was hidden already belongs to it.
fn key_len(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let is_key = |c: char| c.is_ascii_alphanumeric() || "-_.+/=*".contains(c);
        at += match rest.chars().next() {
            Some(c) if is_key(c) => 1,
            Some('[') if rest.starts_with("[key]") => "[key]".len(),
            _ => return at,
        };
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn secrets(key: &'static str) -> Secrets {
        let bearer = format!("Bearer {key}").parse().unwrap();
        Secrets::of(&HeaderMap::from_iter([(reqwest::header::AUTHORIZATION, bearer)]), None)
    }

    #[test]
    fn keys_and_their_parts_are_hidden() {
        let secrets = secrets("zq9-abcdefghijklm");
        for (text, hidden) in [
            ("the key zq9-abcdefghijklm is wrong", "the key [key] is wrong"),
            ("zq9-abcd…fghijklm", "[key]…[key]"),
            ("bcdefghi is a piece", "[key] is a piece"),
            ("zq9-abc and klm", "zq9-abc and klm"),
            ("a key: sk-live-0123456789!", "a key: [key]!"),
            (
                "Incorrect API key provided: sk-proj-********abcd.",
                "Incorrect API key provided: [key]",
            ),
            ("task-force-manager and risk-assessment", "task-force-manager and risk-assessment"),
            ("sent Bearer nopqrstuvw.xyz", "sent [key]"),
            ("a key in sk-live-0123456789[1]", "a key in [key][1]"),
            ("Grüße ☃", "Grüße ☃"),
        ] {
            assert_eq!(secrets.hide(text), hidden);
        }
        assert_eq!(Secrets::default().hide("req_0123456789abcdef"), "req_0123456789abcdef");
    }

    #[test]
    fn a_key_is_hidden_as_servers_write_it() {
        let secrets = secrets("zq/AB+cd=efgh");
        for text in
            [r"zq\/AB+cd=efgh", r"zq/AB\u002Bcd=efgh", "zq%2FAB%2Bcd%3Defgh", "zq%2fAB%2bcd%3defgh"]
        {
            assert_eq!(secrets.hide(text), "[key]", "{text}");
        }
        let body =
            Bytes::from_static(br#"{"error":{"message":"\u007aq/AB+cd=efgh","zq/AB+cd=efgh":1}}"#);
        assert_eq!(secrets.hide_body(body), r#"{"error":{"[key]":1,"message":"[key]"}}"#);
        let body = Bytes::from_static(b"{ \"message\" : \"zq/AB\" } ");
        assert_eq!(secrets.hide_body(body.clone()), body);
        let body = Bytes::from_static(b"\xff no key");
        assert_eq!(secrets.hide_body(body.clone()), body);
        assert_eq!(secrets.hide_body(Bytes::from_static(b"\xff zq/AB+cd=efgh")), "\u{fffd} [key]");
    }

    #[test]
    fn a_header_of_any_scheme_has_a_key() {
        for value in
            ["Bearer zq9-abcdefgh", "bearer  zq9-abcdefgh", "Basic zq9-abcdefgh", "zq9-abcdefgh"]
        {
            let headers =
                HeaderMap::from_iter([(reqwest::header::AUTHORIZATION, value.parse().unwrap())]);
            assert_eq!(
                Secrets::of(&headers, None).hide("is zq9-abcdefgh!"),
                "is [key]!",
                "{value}"
            );
        }
    }

    #[test]
    fn a_short_key_is_hidden_as_a_word() {
        let secrets = secrets("abcde");
        assert_eq!(secrets.hide("abcde: not abcdef, abcde"), "[key]: not abcdef, [key]");
        assert_eq!(self::secrets("abc").hide("abc"), "abc");
    }

    #[test]
    fn what_looks_like_a_key_is_hidden_in_errors() {
        for text in [
            "AKIAIOSFODNN7EXAMPLE",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.abc",
            "api_key=0123456789",
            "bearer abcdefgh",
        ] {
            assert_eq!(Secrets::default().hide(text), "[key]");
        }
    }

    #[test]
    fn header_values_lose_known_keys_alone() {
        let secrets = secrets("zq9-abcdefgh");
        let value = |text: &str| secrets.hide_value(&HeaderValue::from_str(text).unwrap());
        assert_eq!(value("req-zq9-abcdefgh"), "req-[key]");
        assert_eq!(value("sk-0123456789"), "sk-0123456789");
    }
}
