//! Calls in Python's syntax: `[weather(city="Rome", days=[1, 2]), now()]`.

use super::nested::{NestedForm, NestedValues, TextCall, scalar};
use crate::codes::Code;
use crate::document::{Document, NodeId, NodeKind, Placement};

/// The calls in a text: a list of them, or one after another. `whole`: whether the text must be a list of calls and
/// nothing else. Empty if the text is no call.
pub(super) fn calls(text: &str, whole: bool) -> Vec<TextCall> {
    let mut reader = Reader { text, at: 0, depth: 0, slip: None };
    reader.blanks();
    let in_list = reader.eat("[");
    let mut all = Vec::new();
    loop {
        reader.blanks();
        let Some(call) = reader.call() else { break };
        let is_complete = call.is_complete;
        all.push(call);
        reader.blanks();
        if !is_complete {
            break;
        }
        while reader.eat(",") || reader.eat(";") {
            reader.blanks();
        }
    }
    let is_cut = reader.is_done();
    let is_closed = !in_list || reader.eat("]");
    reader.blanks();
    let is_whole = in_list && reader.is_done() && (is_closed || is_cut);
    if whole && !is_whole { Vec::new() } else { all }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
    /// What was repaired in the call.
    slip: Option<Code>,
}

impl<'t> Reader<'t> {
    fn is_done(&self) -> bool {
        self.rest().is_empty()
    }

    fn name(&mut self) -> &'t str {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        let rest = self.rest();
        let begins = rest.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let len = if begins { rest.find(|c| !is_part(c)).unwrap_or(rest.len()) } else { 0 };
        self.at += len;
        &rest[..len]
    }

    /// A name and the arguments after it. A name that the end of the text cuts is passed.
    fn call(&mut self) -> Option<TextCall> {
        let start = self.at;
        let name = self.name();
        if name.is_empty() || !self.eat("(") {
            self.at = if self.is_done() { self.at } else { start };
            return None;
        }
        let mut arguments = Document::default();
        let root = arguments.open(Placement::Root, NodeKind::Object);
        let is_complete = self.arguments(&mut arguments, root);
        if is_complete {
            arguments.complete(root);
        }
        let slip = self.slip.take();
        Some(TextCall { name: name.to_owned(), arguments, is_complete, slip })
    }

    /// The arguments up to the closing parenthesis. Whether it was found.
    fn arguments(&mut self, to: &mut Document, root: NodeId) -> bool {
        loop {
            self.blanks();
            if self.eat(")") {
                return true;
            }
            let start = self.at;
            let key = self.name();
            self.blanks();
            if key.is_empty() || !self.eat("=") {
                self.at = if self.is_done() { self.at } else { start };
                return false;
            }
            self.blanks();
            if self.is_done() || !self.value(to, Placement::Member(root, key)) {
                return false;
            }
            self.blanks();
            if !self.eat(",") && !self.rest().starts_with(')') {
                return false;
            }
        }
    }

    fn string(&mut self, to: &mut Document, place: Placement<'_>) -> bool {
        let mut text = String::new();
        let is_complete = self.quoted(&mut text);
        let string = to.open(place, NodeKind::String);
        to.append(string, &text);
        if is_complete {
            to.complete(string);
        }
        is_complete
    }

    /// The content of a string. Whether its closing quote was found.
    fn quoted(&mut self, out: &mut String) -> bool {
        let quote = &self.rest()[..1];
        let triple = quote.repeat(3);
        let end = if self.rest().starts_with(&triple) { triple.as_str() } else { quote };
        self.at += end.len();
        let start = self.at;
        while let Some(char) = self.rest().chars().next() {
            if self.rest().starts_with(end) && (end.len() > 1 || self.ends_string()) {
                self.at += end.len();
                return true;
            }
            if let Some(len) = self.passed_call(start, end) {
                // What was read behind the string has no escapes, so it has as many bytes in both.
                out.truncate(out.len() - (self.at - start - len));
                self.at = start + len;
                self.slip = Some(Code::UnquotedValue);
                return true;
            }
            self.at += char.len_utf8();
            if char == '\\' { self.escape(out) } else { out.push(char) }
        }
        false
    }

    /// Whether the quote here ends its string. Models write quotes in strings without escapes: what follows the end of
    /// a string is another argument, the end of the call, or the next part of a list or an object.
    fn ends_string(&self) -> bool {
        let rest = self.rest()[1..].trim_start();
        let Some(next) = rest.chars().next() else { return true };
        let after = rest[next.len_utf8()..].trim_start();
        match next {
            ',' => self.depth > 0 || after.is_empty() || begins_argument(after),
            ')' if self.depth == 0 => {
                let follows = |c: char| matches!(c, ',' | ';' | ']') || c.is_alphabetic();
                after.chars().next().is_none_or(follows)
            }
            ']' | '}' | ':' => self.depth > 0,
            ')' => true,
            _ => false,
        }
    }

    /// At a quote that ends no string: the length of the string, if its own quote is missing and the next call begins
    /// in it, as in `f(a="x), g(b="y")`.
    fn passed_call(&self, start: usize, end: &str) -> Option<usize> {
        let passed = self.text.get(start..self.at).filter(|_| self.rest().starts_with(end))?;
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        let key = passed.trim_end().strip_suffix('=')?.trim_end();
        let before = key.trim_end_matches(is_part);
        let name = before.strip_suffix('(').filter(|_| before.len() < key.len())?;
        let between = name.trim_end_matches(is_part);
        let comma =
            between.trim_end().strip_suffix([',', ';']).filter(|_| between.len() < name.len())?;
        let value = comma.trim_end().strip_suffix(')')?;
        (self.depth == 0).then_some(value.len())
    }

    /// Whether the braces here enclose values without keys.
    fn is_set(&self) -> bool {
        let (at, depth) = (self.at + 1, self.depth + 1);
        let mut ahead = Reader { text: self.text, at, depth, slip: None };
        ahead.blanks();
        let is_empty = ahead.rest().starts_with('}');
        !is_empty && ahead.key().is_none() && ahead.rest().starts_with([',', '}'])
    }

    fn escape(&mut self, out: &mut String) {
        let Some(char) = self.rest().chars().next() else { return };
        self.at += char.len_utf8();
        let digits = match char {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        if digits > 0 {
            let code = self.rest().get(..digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
            self.at += if code.is_some() { digits } else { 0 };
            return out.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        match char {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            '0' => out.push('\0'),
            '\n' => {}
            '\\' | '\'' | '"' => out.push(char),
            other => out.extend(['\\', other]),
        }
    }

    /// A number, a literal, or a word without quotes, which is a string.
    fn scalar(&mut self, to: &mut Document, place: Placement<'_>) -> bool {
        let word = self.word(&[',', ')', ']', '}', '\n']);
        let (kind, text) = scalar(word);
        to.scalar(place, kind, &text);
        !word.is_empty() && !self.is_done()
    }
}

impl<'t> NestedValues<'t> for Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip(&mut self, len: usize) {
        self.at += len;
    }

    fn depth(&mut self) -> &mut u32 {
        &mut self.depth
    }

    fn key(&mut self) -> Option<String> {
        let mut key = String::new();
        if self.rest().starts_with(['"', '\'']) {
            if !self.quoted(&mut key) {
                return None;
            }
        } else {
            key.push_str(self.word(&[':', ',', '}']));
            if key.is_empty() {
                return None;
            }
        }
        self.blanks();
        self.eat(":").then_some(key)
    }

    fn value(&mut self, to: &mut Document, place: Placement<'_>) -> bool {
        match self.rest().chars().next() {
            Some('[') => self.container(to, place, NestedForm::list("]")),
            Some('(') => self.container(to, place, NestedForm::list(")")),
            Some('{') if self.is_set() => self.container(to, place, NestedForm::list("}")),
            Some('{') => self.container(to, place, NestedForm::object()),
            Some('"' | '\'') => self.string(to, place),
            Some(_) => self.scalar(to, place),
            None => false,
        }
    }
}

/// Whether a text begins with a name and `=`, or with the end of the arguments behind a comma.
fn begins_argument(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let after = text.trim_start_matches(is_part);
    (after.len() < text.len() && after.trim_start().starts_with('=')) || text.starts_with(')')
}

#[cfg(test)]
mod tests {
    use super::{begins_argument, calls};

    fn read(text: &str, whole: bool) -> Vec<String> {
        let shown = calls(text, whole).into_iter().map(|call| {
            let end = if call.is_complete { "" } else { "…" };
            format!("{}{}{end}", call.name, call.arguments.value())
        });
        shown.collect()
    }

    #[test]
    fn calls_of_every_kind() {
        for (text, expected) in [
            ("[f()]", &["f{}"][..]),
            (" [f()] ", &["f{}"]),
            ("[f(a=1), g(b='x')]", &[r#"f{"a":1}"#, r#"g{"b":"x"}"#]),
            ("f(a=True, b=None, c=-1.5)", &[r#"f{"a":true,"b":null,"c":-1.5}"#]),
            ("f(a=1)\ng(a=2)", &[r#"f{"a":1}"#, r#"g{"a":2}"#]),
            ("[f(a=1) , g(a=2) ]", &[r#"f{"a":1}"#, r#"g{"a":2}"#]),
            ("[a.b(x={'k': [1, 2], \"l\": {}})]", &[r#"a.b{"x":{"k":[1,2],"l":{}}}"#]),
            ("[f(s='it\\'s', t=\"a, (b)\")]", &[r#"f{"s":"it's","t":"a, (b)"}"#]),
            ("[f(s='''a\n'b' ''')]", &["f{\"s\":\"a\\n'b' \"}"]),
            ("[f(x=(1, 2), y=1_000, z=.5)]", &[r#"f{"x":[1,2],"y":1000,"z":0.5}"#]),
            ("[f(a=[]), ]", &[r#"f{"a":[]}"#]),
            ("[f(c='sed -n '3,4p' a.py')]", &[r#"f{"c":"sed -n '3,4p' a.py"}"#]),
            ("[f(c='print('x', 1)', d=2)]", &[r#"f{"c":"print('x', 1)","d":2}"#]),
            ("[f(t={'a', 'b'}, u={1}, v={})]", &[r#"f{"t":["a","b"],"u":[1],"v":{}}"#]),
            ("[f(a='x), g(b='y')]", &[r#"f{"a":"x"}"#, r#"g{"b":"y"}"#]),
            ("[f(a='x), a.g-h(b_c='y')]", &[r#"f{"a":"x"}"#, r#"a.g-h{"b_c":"y"}"#]),
            ("f(a='\\u00e9\\n\\d')", &["f{\"a\":\"é\\n\\\\d\"}"]),
            (r"f(a='\t\r\0\x41\U0001F600')", &[r#"f{"a":"\t\r\u0000A😀"}"#]),
            ("[f(a=('x', 'y'))]", &[r#"f{"a":["x","y"]}"#]),
        ] {
            assert_eq!(read(text, text.starts_with('[')), expected, "{text}");
        }
    }

    #[test]
    fn what_follows_the_comma_behind_a_string() {
        for (text, expected) in [
            ("b='y')", true),
            ("b-1.c_d =", true),
            (")", true),
            ("b, c=1", false),
            ("=", false),
            ("", false),
        ] {
            assert_eq!(begins_argument(text), expected, "{text}");
        }
    }

    #[test]
    fn calls_that_are_cut_have_what_came() {
        for (text, expected) in [
            ("[f(a=1), g(b='x", &[r#"f{"a":1}"#, r#"g{"b":"x"}…"#][..]),
            ("[f(a=[1, 2", &[r#"f{"a":[1,2]}…"#]),
            ("[f(", &["f{}…"]),
            ("[f(a=1),", &[r#"f{"a":1}"#]),
            ("[f(a=1), g", &[r#"f{"a":1}"#]),
            ("[f(a=1, b", &[r#"f{"a":1}…"#]),
            ("[f(a=1, b =", &[r#"f{"a":1}…"#]),
        ] {
            assert_eq!(read(text, true), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_call() {
        for text in [
            "",
            "Rome",
            "[1, 2]",
            "[a, b]",
            "call f(x) now",
            "(f())",
            "[f()] and more",
            "[f(a=1), x]",
            "[f (x)]",
            "f()",
        ] {
            assert!(read(text, true).is_empty(), "{text}");
        }
        assert_eq!(read(&format!("f(a={}", "[".repeat(500)), false).len(), 1);
    }
}
