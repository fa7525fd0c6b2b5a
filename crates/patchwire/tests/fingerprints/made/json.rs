//! JSON as models write it.

use super::super::damage::Random;
use super::{SCALARS, framed, name, one_in, push_one_in, words};

/// How often slips are: one in so many places.
#[derive(Clone, Copy)]
struct JsonWriter {
    rarity: usize,
}

/// A JSON text with remarks around it.
pub(in super::super) fn json(random: &mut Random) -> String {
    let writer = JsonWriter { rarity: random.pick(&[4, 12, 30, 1000]) };
    let mut text = writer.root(random);
    match random.below(16) {
        0 => text = text.replace('"', "\\\""),
        1 => text = format!("\"{}\"", text.replace('"', "\\\"")),
        2 => text = text.replace('"', "&quot;"),
        3 => text = format!("{text}\n{}", writer.root(random)),
        4 => text = text.replace('"', "\\\"").replace('\n', "\\n"),
        5 => text = format!("callback({text});"),
        _ => {}
    }
    framed(&text, "json", random)
}

/// A value for a field of another format.
pub(super) fn json_value(random: &mut Random) -> String {
    JsonWriter { rarity: random.pick(&[6, 40]) }.value(2, random)
}

impl JsonWriter {
    /// Whether a slip comes here.
    fn slips(self, random: &mut Random) -> bool {
        one_in(self.rarity, random)
    }

    fn root(self, random: &mut Random) -> String {
        match random.below(6) {
            0 => self.list(3, random),
            1 => self.value(2, random),
            _ => self.object(3, random),
        }
    }

    fn value(self, depth: usize, random: &mut Random) -> String {
        match random.below(if depth == 0 { 5 } else { 9 }) {
            0..=2 => self.string(random),
            3 | 4 => self.scalar(random),
            5 | 6 => self.list(depth - 1, random),
            _ => self.object(depth - 1, random),
        }
    }

    fn scalar(self, random: &mut Random) -> String {
        if self.slips(random) {
            return match random.below(4) {
                0 => words(3, random),
                1 => random
                    .pick(&[
                        "undefined",
                        "ObjectId(\"5f\")",
                        "0x1F",
                        "Infinity",
                        "-",
                        "1.2.3",
                        "tru",
                        "...",
                    ])
                    .into(),
                _ => random.pick(&SCALARS).into(),
            };
        }
        random
            .pick(&["0", "7", "-3", "1.5", "1e3", "true", "false", "null", "12345678901234567890"])
            .into()
    }

    fn string(self, random: &mut Random) -> String {
        let mut text = words(5, random).replace(['"', '\\'], "");
        let escapes = ["\\n", "\\u00e9", "\\ud83d\\ude00", "\\\"x\\\"", "\\\\", "\\/", "\\t"];
        push_one_in(3, &escapes, &mut text, random);
        if self.slips(random) {
            text.push_str(random.pick(&[
                "\"in\" ",
                "\\d",
                "\\'",
                "\n",
                "\t",
                "\\ud83d",
                "\\u12",
                "\", \"b\": \"",
                "\",",
                "\"",
                "\": ",
                "\\x41",
                "'s",
            ]));
            text.push_str(random.pick(&["", " more", "]", "}", "\",\n"]));
        }
        if self.slips(random) {
            let quotes = ["'", "`", "\"\"\"", "“", "”", "’", "«", "", "'''"];
            return format!("{}{text}{}", random.pick(&quotes), random.pick(&quotes));
        }
        if self.slips(random) {
            return format!("\"{text}\" + \"{}\"", words(1, random).replace('"', ""));
        }
        format!("\"{text}\"")
    }

    fn key(self, random: &mut Random) -> String {
        let name = name(random);
        if !self.slips(random) {
            return format!("\"{name}\"");
        }
        match random.below(6) {
            0 => name.to_owned(),
            1 => format!("'{name}'"),
            2 => format!("**\"{name}\"**"),
            3 => format!("\"{name}"),
            4 => format!("{name}\""),
            _ => format!("“{name}”"),
        }
    }

    /// What stands between two parts.
    fn gap(self, random: &mut Random) -> &'static str {
        if self.slips(random) {
            return random.pick(&[
                "// note\n",
                "/* a, b */",
                "# note\n",
                "<!-- x -->",
                "...",
                "\u{a0}",
                "\n\n\n",
                "and ",
                "/* open",
                "…",
                "**",
            ]);
        }
        random.pick(&["", "", " ", "\n  "])
    }

    fn comma(self, random: &mut Random) -> &'static str {
        if self.slips(random) {
            random.pick(&["", ",,", ";", "\n", " ", "، ", ",\n...\n", "}, {", "]", ")"])
        } else {
            ","
        }
    }

    fn colon(self, random: &mut Random) -> &'static str {
        if self.slips(random) {
            random.pick(&["=", "=>", "::", "", " ", "：", ":=", ","])
        } else {
            ":"
        }
    }

    /// Parts in brackets, with a last comma, without the last bracket, or with another.
    fn enclosed(self, brackets: [&str; 2], parts: &[String], random: &mut Random) -> String {
        let [open, close] = brackets;
        let mut out = open.to_owned();
        for (at, part) in parts.iter().enumerate() {
            out.push_str(self.gap(random));
            out.push_str(part);
            if at + 1 < parts.len() || self.slips(random) {
                out.push_str(self.gap(random));
                out.push_str(self.comma(random));
            }
        }
        out.push_str(self.gap(random));
        let wrong = self.slips(random);
        out.push_str(if wrong { random.pick(&["", "]", "}", ")", "]]", "}}"]) } else { close });
        out
    }

    fn list(self, depth: usize, random: &mut Random) -> String {
        let items: Vec<_> = (0..random.below(4)).map(|_| self.value(depth, random)).collect();
        self.enclosed(["[", "]"], &items, random)
    }

    fn object(self, depth: usize, random: &mut Random) -> String {
        let count = random.below(5);
        let member = |random: &mut Random| {
            let (key, colon, gap) = (self.key(random), self.colon(random), self.gap(random));
            format!("{key}{colon}{gap}{}", self.value(depth, random))
        };
        let members: Vec<_> = (0..count).map(|_| member(random)).collect();
        self.enclosed(["{", "}"], &members, random)
    }
}
