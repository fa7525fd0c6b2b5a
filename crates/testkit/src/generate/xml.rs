//! Bodies with tags: well-formed ones, and ones with typical errors of models.

use super::Rng;

const NAMES: [&str; 8] = ["a", "ab", "c", "item", "x", "é", "_text", "n"];
const TEXTS: [&str; 28] = [
    "text",
    " ",
    "\n",
    "\n  ",
    "  x",
    "12",
    "3.5",
    "007",
    "a < b",
    "<<",
    "vec<T>",
    "&amp;",
    "&lt;",
    "&#65;",
    "&#x1F600;",
    "&nope;",
    "&",
    "]]>",
    "-->",
    "é😀",
    "<a",
    "</",
    "<!",
    "= '\"",
    "`",
    "```",
    "\n```html\n",
    "\n```\n",
];
const VALUES: [&str; 8] = ["1", "", "x y", "a > b", "<a>", "&quot;", "it", "\n"];
const PIECES: [&str; 44] = [
    "<",
    ">",
    "/",
    "a",
    "ab",
    " ",
    "\n",
    "=",
    "\"",
    "'",
    "!",
    "-",
    "--",
    "[CDATA[",
    "]",
    "]]>",
    "&",
    "amp;",
    "#6",
    ";",
    "<a>",
    "</a>",
    "<ab x='1'>",
    "</ab>",
    "<!--",
    "-->",
    "<c/>",
    "`",
    "``",
    "```xml\n",
    "\n~~~\n",
    "<![CDATA[",
    "<a b='",
    "<a b=\"<",
    "<a b=1",
    "'>",
    "\">",
    "</",
    "<!DOCTYPE ",
    "<?xml ",
    "12",
    "é",
    "<x>",
    "</x>",
];

/// A body with elements, most of which are closed.
pub fn body(rng: &mut Rng, depth: usize) -> String {
    let mut out = String::new();
    items(rng, depth, &mut out);
    out
}

/// Pieces of tags in random order.
pub fn noise(rng: &mut Rng) -> String {
    (0..rng.below(24)).map(|_| rng.pick(&PIECES)).collect()
}

fn items(rng: &mut Rng, depth: usize, out: &mut String) {
    for _ in 0..rng.below(5) {
        match rng.below(12) {
            0..=2 => out.push_str(rng.pick(&TEXTS)),
            3 => out.push_str("\n  "),
            4 if rng.once_in(2) => out.push_str("<!-- c -- -->"),
            5 if rng.once_in(2) => out.push_str("<![CDATA[x < y ]]]>"),
            6 if rng.once_in(6) => out.push_str(&format!("</{}>", rng.pick(&NAMES))),
            _ if depth > 0 => element(rng, depth - 1, out),
            _ => out.push_str(rng.pick(&TEXTS)),
        }
    }
}

fn element(rng: &mut Rng, depth: usize, out: &mut String) {
    let name = rng.pick(&NAMES);
    out.push('<');
    out.push_str(name);
    for _ in 0..rng.below(3).saturating_sub(1) {
        let quote = rng.pick(&["'", "\""]);
        let gap = rng.pick(&[" ", "\n", "  "]);
        out.push_str(&format!("{gap}{}={quote}{}{quote}", rng.pick(&NAMES), rng.pick(&VALUES)));
    }
    if rng.once_in(6) {
        return out.push_str("/>");
    }
    out.push('>');
    items(rng, depth, out);
    if !rng.once_in(12) {
        out.push_str(&format!("</{name}>"));
    }
}
