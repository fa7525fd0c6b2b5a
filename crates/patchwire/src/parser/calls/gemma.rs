//! Calls as Gemma writes them: `call:weather{city:<|"|>Rome<|"|>,days:[1,2]}`. Keys have no quotes. Strings lie
//! between marks of their own, in which nothing is escaped.

use super::nested::{NestedForm, NestedValues, TextCall, scalar};
use crate::document::{Document, NodeKind, Placement};

/// The marks around strings: those of Gemma 4, and of FunctionGemma.
const QUOTES: [&str; 2] = ["<|\"|>", "<escape>"];

/// The calls in a text, one after another.
pub(super) fn calls(text: &str) -> Vec<TextCall> {
    let mut reader = GemmaReader { rest: text, depth: 0 };
    let mut all = Vec::new();
    while let Some(call) = reader.call() {
        all.push(call);
    }
    all
}

struct GemmaReader<'t> {
    rest: &'t str,
    depth: u32,
}

impl GemmaReader<'_> {
    fn call(&mut self) -> Option<TextCall> {
        self.blanks();
        self.eat("call:");
        let len = self.rest.find('{')?;
        let name = self.rest[..len].trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return None;
        }
        self.skip(len);
        let mut arguments = Document::default();
        let is_complete = self.container(&mut arguments, Placement::Root, NestedForm::object());
        if !is_complete {
            self.rest = "";
        }
        Some(TextCall { name: name.to_owned(), arguments, is_complete, slip: None })
    }

    /// The mark that begins a string here.
    fn quote(&self) -> Option<&'static str> {
        QUOTES.into_iter().find(|quote| self.rest.starts_with(quote))
    }

    fn string(&mut self, to: &mut Document, place: Placement<'_>, quote: &str) -> bool {
        let rest = &self.rest[quote.len()..];
        let end = rest.find(quote);
        let string = to.open(place, NodeKind::String);
        to.append(string, &rest[..end.unwrap_or_else(|| rest.len() - cut_mark(rest, quote))]);
        self.rest = end.map_or("", |end| &rest[end + quote.len()..]);
        if end.is_some() {
            to.complete(string);
        }
        end.is_some()
    }

    fn scalar(&mut self, to: &mut Document, place: Placement<'_>) -> bool {
        let (kind, text) = scalar(self.word(&[',', ']', '}']));
        to.scalar(place, kind, &text);
        !self.rest.is_empty()
    }
}

impl<'t> NestedValues<'t> for GemmaReader<'t> {
    fn rest(&self) -> &'t str {
        self.rest
    }

    fn skip(&mut self, len: usize) {
        self.rest = &self.rest[len..];
    }

    fn depth(&mut self) -> &mut u32 {
        &mut self.depth
    }

    fn key(&mut self) -> Option<String> {
        if let Some(quote) = self.quote() {
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
        if let Some(quote) = self.quote() {
            return self.string(to, place, quote);
        }
        if QUOTES.iter().any(|quote| quote.starts_with(self.rest)) {
            return false;
        }
        match self.rest.as_bytes().first() {
            Some(b'{') => self.container(to, place, NestedForm::object()),
            Some(b'[') => self.container(to, place, NestedForm::list("]")),
            Some(b'"') => self.string(to, place, "\""),
            Some(_) => self.scalar(to, place),
            None => false,
        }
    }
}

/// The length of the part of a mark that a cut text ends with.
fn cut_mark(text: &str, mark: &str) -> usize {
    (1..mark.len()).rev().find(|len| text.ends_with(&mark[..*len])).unwrap_or(0)
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
            ("call:f{a:<|\"|>Ro<|", &[r#"f{"a":"Ro"}…"#]),
            ("call:f{a:<|\"", &["f{}…"]),
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
