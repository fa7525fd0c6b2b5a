//! Documents as a model writes them: names, sentences, amounts, lists of both.

use super::Rng;
use crate::oracle::quoted;

const WORDS: [&str; 24] = [
    "harbour", "violet", "ledger", "bridge", "copper", "winter", "Oslo", "Marta", "engine",
    "budget", "signal", "meadow", "archive", "lantern", "ticket", "update", "canal", "Felix",
    "cedar", "quarter", "review", "server", "island", "pepper",
];
const KEYS: [&str; 18] = [
    "id", "name", "label", "tags", "summary", "rating", "comment", "entries", "owner", "created",
    "amount", "state", "body", "steps", "language", "source", "due_date", "isActive",
];

/// A word.
pub fn word(rng: &mut Rng) -> &'static str {
    rng.pick(&WORDS)
}

/// Text without quotes.
pub fn phrase(rng: &mut Rng) -> String {
    let (a, b, c) = (word(rng), word(rng), word(rng));
    match rng.below(14) {
        0 | 1 => format!("{a} {b}"),
        2 => format!("The {a}, the {b} and a {c}."),
        3 => format!("{a}: {b} ({c})"),
        4 => format!("https://{a}.example/{b}?page={}", rng.below(90)),
        5 => format!("Put {{{a}}} before [{b}], not after; it's {c}"),
        6 => format!("First the {a} of the {b}. Then, after the {c}, nothing else happened!"),
        7 => format!("20{}-0{}-1{}", 10 + rng.below(20), 1 + rng.below(9), rng.below(10)),
        8 => format!("{a}@{b}.example"),
        9 => format!("if ({a} > {b}) return {c};"),
        _ => a.to_owned(),
    }
}

/// Text with quotes in it, in the places where people put them.
pub fn with_quotes(rng: &mut Rng) -> String {
    let (a, b, c) = (word(rng), word(rng), word(rng));
    match rng.below(8) {
        0 => format!("She wrote \"{a} {b}\" and left the {c}."),
        1 => format!("the \"{a}\" {b}"),
        2 => format!("log(\"{a}\", {b})"),
        3 => format!("known as \"{a}\""),
        4 => format!("\"{a}\" or \"{b}\" is {c}"),
        5 => format!("a \"{a}\", a \"{b}\" and a {c}"),
        6 => format!("<a href=\"/{a}\">{b}</a>"),
        _ => format!("The {a} (\"{b}\") is {c}."),
    }
}

/// Text in which a quote stands before a comma or a brace, as if it ended the string.
pub fn with_false_ends(rng: &mut Rng) -> String {
    let (a, b, c) = (word(rng), word(rng), word(rng));
    match rng.below(5) {
        0 => format!("say \"{a}\", \"{b}\" or \"{c}\""),
        1 => format!("send {{\"{a}\": \"{b}\"}} to the {c}"),
        2 => format!("call {a}(\"{b}\", \"{c}\") first"),
        3 => format!("use [\"{a}\"] for the {b}"),
        _ => format!("\"{a}\", then {b}"),
    }
}

/// A list or an object, in one line or in many.
pub fn document(rng: &mut Rng) -> String {
    let mut writer = Writer { out: String::new(), lines: rng.once_in(2), indent: 0 };
    if rng.once_in(4) {
        let count = 1 + rng.below(3);
        writer.list(rng, count, |writer, rng| writer.object(rng, 1));
    } else {
        writer.object(rng, 0);
    }
    writer.out
}

struct Writer {
    out: String,
    lines: bool,
    indent: usize,
}

impl Writer {
    fn gap(&mut self, after_comma: bool) {
        if self.lines {
            self.out.push('\n');
            self.out.push_str(&"  ".repeat(self.indent));
        } else if after_comma {
            self.out.push(' ');
        }
    }

    fn list(&mut self, rng: &mut Rng, count: usize, mut item: impl FnMut(&mut Self, &mut Rng)) {
        self.out.push('[');
        self.indent += 1;
        for at in 0..count {
            if at > 0 {
                self.out.push(',');
            }
            self.gap(at > 0);
            item(self, rng);
        }
        self.indent -= 1;
        self.gap(false);
        self.out.push(']');
    }

    fn object(&mut self, rng: &mut Rng, depth: usize) {
        let count = 2 + rng.below(4);
        let first = rng.below(KEYS.len());
        self.out.push('{');
        self.indent += 1;
        for at in 0..count {
            if at > 0 {
                self.out.push(',');
            }
            self.gap(at > 0);
            self.out.push_str(&quoted(KEYS[(first + at * 5) % KEYS.len()]));
            self.out.push_str(": ");
            self.value(rng, depth);
        }
        self.indent -= 1;
        self.gap(false);
        self.out.push('}');
    }

    fn value(&mut self, rng: &mut Rng, depth: usize) {
        let text = match rng.below(20) {
            0..=9 => quoted(&phrase(rng)),
            10 | 11 => rng.below(30_000).to_string(),
            12 => format!("{}.{}", rng.below(300), 1 + rng.below(9)),
            13 => rng.pick(&["true", "false", "null"]).to_owned(),
            14..=16 => {
                let count = 1 + rng.below(4);
                let texts = !rng.once_in(4);
                return self.list(rng, count, |writer, rng| {
                    let item = if texts { quoted(&phrase(rng)) } else { rng.below(99).to_string() };
                    writer.out.push_str(&item);
                });
            }
            _ if depth < 2 => return self.object(rng, depth + 1),
            _ => quoted(word(rng)),
        };
        self.out.push_str(&text);
    }
}
