//! Calls as Gemma writes them: `call:weather{city:<|"|>Rome<|"|>,days:[1,2]}`. Keys have no quotes. Strings lie
//! between marks of their own, in which nothing is escaped.

use super::python::{TextCall, scalar};
use crate::document::{Document, NodeId, NodeKind, Placement};

/// The marks around strings: those of Gemma 4, and of FunctionGemma.
const QUOTES: [&str; 2] = ["<|\"|>", "<escape>"];

/// How deep values nest.
const MOST_DEPTH: u32 = 128;

/// The calls in a text, one after another.
pub(super) fn calls(text: &str) -> Vec<TextCall> {
    let mut reader = Reader { rest: text, depth: 0 };
    let mut all = Vec::new();
    while let Some(call) = reader.call() {
        all.push(call);
    }
    all
}

struct Reader<'t> {
    rest: &'t str,
    depth: u32,
}

impl<'t> Reader<'t> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, text: &str) -> bool {
        let after = self.rest.strip_prefix(text);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn call(&mut self) -> Option<TextCall> {
        self.blanks();
        self.eat("call:");
        let len = self.rest.find('{')?;
        let name = self.rest[..len].trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return None;
        }
        self.rest = &self.rest[len..];
        let mut arguments = Document::default();
        let is_complete = self.object(&mut arguments, Placement::Root);
        if !is_complete {
            self.rest = "";
        }
        Some(TextCall { name: name.to_owned(), arguments, is_complete })
    }

    fn object(&mut self, to: &mut Document, place: Placement<'_>) -> bool {
        let object = to.open(place, NodeKind::Object);
        self.rest = &self.rest[1..];
        self.depth += 1;
        let is_complete = self.depth < MOST_DEPTH && self.members(to, object);
        self.depth -= 1;
        if is_complete {
            to.complete(object);
        }
        is_complete
    }

    fn members(&mut self, to: &mut Document, object: NodeId) -> bool {
        loop {
            self.blanks();
            if self.eat("}") {
                return true;
            }
            let Some(key) = self.key() else { return false };
            if !self.value(to, Placement::Member(object, &key)) {
                return false;
            }
            self.blanks();
            if !self.eat(",") && !self.rest.starts_with('}') {
                return false;
            }
        }
    }

    /// A key and the colon after it.
    fn key(&mut self) -> Option<String> {
        let quoted = QUOTES.into_iter().find(|quote| self.rest.starts_with(quote));
        if let Some(quote) = quoted {
            let rest = &self.rest[quote.len()..];
            let (key, after) = rest.split_once(quote)?;
            self.rest = after.trim_start().strip_prefix(':')?;
            return Some(key.to_owned());
        }
        let (key, after) = self.rest.split_once(':')?;
        self.rest = after;
        Some(key.trim().trim_matches('"').to_owned())
    }

    fn value(&mut self, to: &mut Document, place: Placement<'_>) -> bool {
        self.blanks();
        if let Some(quote) = QUOTES.into_iter().find(|quote| self.rest.starts_with(quote)) {
            return self.string(to, place, quote);
        }
        match self.rest.as_bytes().first() {
            Some(b'{') => self.object(to, place),
            Some(b'[') => self.list(to, place),
            Some(b'"') => self.string(to, place, "\""),
            Some(_) => self.word(to, place),
            None => false,
        }
    }

    fn list(&mut self, to: &mut Document, place: Placement<'_>) -> bool {
        let list = to.open(place, NodeKind::List);
        self.rest = &self.rest[1..];
        self.depth += 1;
        let is_complete = self.depth < MOST_DEPTH && self.items(to, list);
        self.depth -= 1;
        if is_complete {
            to.complete(list);
        }
        is_complete
    }

    fn items(&mut self, to: &mut Document, list: NodeId) -> bool {
        loop {
            self.blanks();
            if self.eat("]") {
                return true;
            }
            if !self.value(to, Placement::Item(list)) {
                return false;
            }
            self.blanks();
            if !self.eat(",") && !self.rest.starts_with(']') {
                return false;
            }
        }
    }

    fn string(&mut self, to: &mut Document, place: Placement<'_>, quote: &str) -> bool {
        let rest = &self.rest[quote.len()..];
        let end = rest.find(quote);
        let string = to.open(place, NodeKind::String);
        to.append(string, &rest[..end.unwrap_or(rest.len())]);
        self.rest = end.map_or("", |end| &rest[end + quote.len()..]);
        if end.is_some() {
            to.complete(string);
        }
        end.is_some()
    }

    fn word(&mut self, to: &mut Document, place: Placement<'_>) -> bool {
        let len = self.rest.find([',', ']', '}']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(len);
        let (kind, text) = scalar(word.trim());
        to.scalar(place, kind, &text);
        self.rest = rest;
        !rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::calls;

    fn read(text: &str) -> Vec<String> {
        let shown = calls(text).into_iter().map(|call| {
            let end = if call.is_complete { "" } else { "…" };
            format!("{}{}{end}", call.name, call.arguments.value())
        });
        shown.collect()
    }

    #[test]
    fn calls_of_every_kind() {
        for (text, expected) in [
            ("call:f{}", &["f{}"][..]),
            ("call:f{a:<|\"|>x<|\"|>,n:1}", &[r#"f{"a":"x","n":1}"#]),
            ("call:f{a:<escape>x, y}<escape>}", &[r#"f{"a":"x, y}"}"#]),
            (
                "call:f{l:[1,<|\"|>b<|\"|>,true],o:{k:null}}",
                &[r#"f{"l":[1,"b",true],"o":{"k":null}}"#],
            ),
            ("call:f{a:1}call:g{b:-2.5}", &[r#"f{"a":1}"#, r#"g{"b":-2.5}"#]),
            ("call:f{a:<|\"|>say \"hi\"\n<|\"|>}", &["f{\"a\":\"say \\\"hi\\\"\\n\"}"]),
            ("call:f{<|\"|>a b<|\"|>:1}", &[r#"f{"a b":1}"#]),
            ("call:f{ a : 1 , b : [ ] }", &[r#"f{"a":1,"b":[]}"#]),
            ("call:f{a:low}", &[r#"f{"a":"low"}"#]),
            ("call:f{\"a\":\"x\"}", &[r#"f{"a":"x"}"#]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn calls_that_are_cut_have_what_came() {
        for (text, expected) in [
            ("call:f{a:<|\"|>Ro", &[r#"f{"a":"Ro"}…"#][..]),
            ("call:f{a:[1,", &[r#"f{"a":[1]}…"#]),
            ("call:f{a:1,b", &[r#"f{"a":1}…"#]),
            ("call:f", &[]),
            ("no call {x}", &[]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        assert_eq!(read(&format!("call:f{{a:{}", "[".repeat(500))).len(), 1);
    }
}
