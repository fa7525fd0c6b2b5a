//! Strings that are difficult in formats without quotes.

use super::Rng;

/// Lines for any position in a text: none begins a fence, a declared section or a field, and none ends a
/// field.
const LINES: [&str; 64] = [
    "hello",
    "a b c",
    "two  blanks",
    "  indented",
    "\ttab",
    " one",
    "        deep",
    "",
    "",
    "",
    "   ",
    "\t",
    "trailing  ",
    "é😀 ñ",
    "a\u{2028}b",
    "### nobody",
    "# nobody:",
    "###a",
    " ### a",
    "####### a",
    "#",
    "# comment",
    "===",
    "---",
    "--- x",
    "...",
    "----",
    "- item",
    "- - x",
    "1. one",
    "> quote",
    "a: x",
    "title: |",
    "  b: y",
    "key:",
    "x: y: z",
    ": x",
    "? x",
    "it's \"so\"",
    "'single'",
    "\"double\"",
    "\\n \\u00e9 \\",
    "{\"a\": 1}",
    "[1, 2]",
    "[x](y)",
    "**bold** `code` _em_",
    "`` ` ``",
    "``` x`y",
    "| a | b |",
    "%percent @at !bang",
    "& * ? | > ! % @ `",
    "x # y",
    "x #y",
    "null",
    "~",
    "true",
    "0123",
    "1.10",
    "<b>x</b> & <br> &amp;",
    "<fieldset>",
    "</fieldset> </field",
    "<<<END",
    "<<<END OTHER>>>",
    "<<< x",
];

/// Lines for texts inside tags.
const TAGS: [&str; 8] = [
    "use </field> to close",
    "see <field name=\"a\"> here",
    "<field name=\"nobody\">",
    "x <![CDATA[ y ]]> z",
    "s=\"</field>\";",
    "<!-- comment -->",
    "</answer_fields",
    "<",
];

/// A lone carriage return.
const LONE: &str = "x\ry";

/// The format that the strings are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// For fields in tags.
    Tags,
    /// For sections under headers.
    Sections,
    /// For formats with quotes or indentation.
    Any,
}

/// Random lines. With `lone`, some contain a lone carriage return.
pub fn lines(rng: &mut Rng, of: Use, lone: Lone) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let most = rng.pick(&[1, 1, 2, 3, 6]);
    for _ in 0..rng.below(most + 1) {
        match rng.below(12) {
            0 if of == Use::Tags => lines.push(rng.pick(&TAGS).to_owned()),
            1 if of == Use::Tags => lines.push(rng.pick(&TAGS).to_owned()),
            0..=2 if of == Use::Sections => fence(rng, &mut lines),
            3 if lone == Lone::Allowed => lines.push(LONE.to_owned()),
            4 => lines.push(words(rng)),
            _ => lines.push(rng.pick(&LINES).to_owned()),
        }
    }
    lines
}

/// Whether a lone carriage return may occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lone {
    /// It may occur.
    Allowed,
    /// It may not occur.
    Unwanted,
}

/// Words with single spaces between them, which can be folded.
pub fn words(rng: &mut Rng) -> String {
    let words = ["fox", "dog", "é", "x1", "over", "lazy"];
    let words: Vec<&str> = (0..1 + rng.below(8)).map(|_| rng.pick(&words)).collect();
    words.join(" ")
}

/// A closed fence with lines that would have a meaning outside it.
fn fence(rng: &mut Rng, lines: &mut Vec<String>) {
    let mark = rng.pick(&["", "", "  ", "- ", "> ", "1. ", "        "]);
    let run = rng.pick(&["```", "```", "~~~", "````", "~~~~~"]);
    let info = rng.pick(&["", "py", " js x", "{.a}"]);
    lines.push(format!("{mark}{run}{info}"));
    let other = if run.starts_with('`') { "~~~" } else { "```" };
    for _ in 0..rng.below(4) {
        let short = &run[..run.len() - 1];
        let with_info = format!("{run} js");
        let inner = ["### a", "## b", "# title:", "x = 1", "", other, short, &with_info, "  ### a"];
        lines.push(rng.pick(&inner).to_owned());
    }
    let close = rng.pick(&["", "", "  ", "> ", "\t"]);
    let more = if rng.once_in(4) { &run[..1] } else { "" };
    let behind = rng.pick(&["", "", "  ", "\t"]);
    lines.push(format!("{close}{run}{more}{behind}"));
}

/// The lines as a text without layout: no blank line at either end, and no whitespace at its end.
#[must_use]
pub fn tidy(lines: &[String]) -> String {
    let blank = |line: &&String| line.chars().all(|char| " \t\r".contains(char));
    let first = lines.iter().take_while(blank).count();
    lines[first..].join("\n").trim_end_matches([' ', '\t', '\n', '\r']).to_owned()
}
