//! Valid JSON texts, in every notation that RFC 8259 allows.

use super::Rng;
use crate::oracle::quoted;

/// Characters that are often handled wrongly, and plain ones.
const CHARS: [char; 32] = [
    'a', 'b', 'z', 'Z', '0', ' ', ' ', ',', ':', '{', '}', '[', ']', '\'', '`', '/', '#', '+', '-',
    '"', '\\', '\n', '\t', '\r', '\u{0}', '\u{1f}', '\u{7f}', 'é', '“', '\u{2028}', '\u{feff}',
    '😀',
];
const NUMBERS: [&str; 24] = [
    "0",
    "-0",
    "1",
    "-1",
    "12",
    "10",
    "0.5",
    "-0.0",
    "1.10",
    "1e5",
    "1E5",
    "1e+5",
    "1e-5",
    "0e0",
    "1e400",
    "-1e-400",
    "9007199254740993",
    "18446744073709551616",
    "3.141592653589793238462643",
    "1234567890123456789012345678901234567890",
    "0.1e1",
    "100",
    "2e308",
    "-9223372036854775809",
];
const KEYS: [&str; 22] = [
    "a", "b", "c", "title", "name", "items", "", " ", "a.b", "a b", "0", "1x", "x-y", "_", "é",
    "日本", "[0]", "$", "\"", "\\", "it's", "\n",
];
const BLANKS: [&str; 6] = [" ", "\n", "\t", "\r\n", "  ", "\n  \n"];

/// The shape of generated documents.
#[derive(Debug, Clone, Copy)]
pub struct JsonShape {
    /// The most levels of nesting.
    pub depth: usize,
    /// The most children of a container.
    pub width: usize,
    /// One gap in this many has whitespace; none if 0.
    pub blanks: usize,
    /// One member in this many repeats a key; none if 0.
    pub repeats: usize,
}

impl JsonShape {
    /// Small enough to be cut at every position.
    pub const SMALL: Self = Self { depth: 3, width: 4, blanks: 4, repeats: 12 };
}

/// A random list or object.
pub fn container(rng: &mut Rng, shape: JsonShape) -> String {
    let mut writer = Writer { out: String::new(), shape };
    writer.blanks(rng);
    writer.container(rng, shape.depth);
    writer.blanks(rng);
    writer.out
}

/// A random value, which may be a scalar.
pub fn document(rng: &mut Rng, shape: JsonShape) -> String {
    let mut writer = Writer { out: String::new(), shape };
    writer.blanks(rng);
    writer.value(rng, shape.depth);
    writer.blanks(rng);
    writer.out
}

/// `depth` nested containers.
pub fn nested(rng: &mut Rng, depth: usize) -> String {
    let lists: Vec<bool> = (0..depth).map(|_| rng.once_in(2)).collect();
    let open = lists.iter().map(|list| if *list { "[" } else { "{\"k\":" });
    let close = lists.iter().rev().map(|list| if *list { "]" } else { "}" });
    format!("{}{}{}", open.collect::<String>(), scalar(rng), close.collect::<String>())
}

struct Writer {
    out: String,
    shape: JsonShape,
}

impl Writer {
    fn blanks(&mut self, rng: &mut Rng) {
        if self.shape.blanks > 0 && rng.once_in(self.shape.blanks) {
            self.out.push_str(rng.pick(&BLANKS));
        }
    }

    fn value(&mut self, rng: &mut Rng, depth: usize) {
        if depth > 0 && !rng.once_in(3) {
            return self.container(rng, depth);
        }
        self.out.push_str(&scalar(rng));
    }

    fn container(&mut self, rng: &mut Rng, depth: usize) {
        let object = !rng.once_in(3);
        let width = if rng.once_in(6) { 0 } else { 1 + rng.below(self.shape.width) };
        let mut keys: Vec<String> = Vec::new();
        self.out.push(if object { '{' } else { '[' });
        for at in 0..width {
            if at > 0 {
                self.blanks(rng);
                self.out.push(',');
            }
            self.blanks(rng);
            if object {
                self.key(rng, &mut keys);
            }
            self.value(rng, depth.saturating_sub(1));
        }
        self.blanks(rng);
        self.out.push(if object { '}' } else { ']' });
    }

    fn key(&mut self, rng: &mut Rng, keys: &mut Vec<String>) {
        let repeat = self.shape.repeats > 0 && rng.once_in(self.shape.repeats);
        let key = match keys.first() {
            Some(first) if repeat => first.clone(),
            _ => loop {
                let key = if rng.once_in(8) { text(rng) } else { rng.pick(&KEYS).to_owned() };
                if !keys.contains(&key) {
                    break key;
                }
            },
        };
        self.out.push_str(&written(rng, &key));
        keys.push(key);
        self.blanks(rng);
        self.out.push(':');
        self.blanks(rng);
    }
}

fn scalar(rng: &mut Rng) -> String {
    match rng.below(10) {
        0 => "null".to_owned(),
        1 => "true".to_owned(),
        2 => "false".to_owned(),
        3..=5 => rng.pick(&NUMBERS).to_owned(),
        _ => {
            let text = text(rng);
            written(rng, &text)
        }
    }
}

/// A random text.
pub fn text(rng: &mut Rng) -> String {
    let len = if rng.once_in(12) { 90 } else { rng.below(9) };
    (0..len).map(|_| rng.pick(&CHARS)).collect()
}

/// A string in one of the notations of JSON.
fn written(rng: &mut Rng, text: &str) -> String {
    if rng.once_in(2) {
        return quoted(text);
    }
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '/' if rng.once_in(2) => out.push_str("\\/"),
            char if rng.once_in(4) => push_units(rng, &mut out, char),
            char => {
                let whole = quoted(&char.to_string());
                out.push_str(&whole[1..whole.len() - 1]);
            }
        }
    }
    out.push('"');
    out
}

/// A character as `\uXXXX`, or two of them.
fn push_units(rng: &mut Rng, out: &mut String, char: char) {
    for unit in char.encode_utf16(&mut [0; 2]) {
        let written =
            if rng.once_in(2) { format!("\\u{unit:04x}") } else { format!("\\u{unit:04X}") };
        out.push_str(&written);
    }
}
