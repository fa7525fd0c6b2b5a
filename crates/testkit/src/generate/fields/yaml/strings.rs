//! A string in YAML, in any style that can represent it.

use super::Rng;
use super::folds::{Piece, broken};

/// The place of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StringPlace {
    /// The indent of the enclosing collection, in spaces.
    pub parent: usize,
    /// Whether the place is inside brackets.
    pub flow: bool,
    /// Whether the declared type makes a word a string even if it looks like another type.
    pub typed: bool,
}

/// Writes a string as a value: the text after `:` or `-` on that line, and further lines. Outside brackets
/// the result ends with a line end.
pub fn written(rng: &mut Rng, text: &str, place: StringPlace) -> String {
    loop {
        let written = match rng.below(6) {
            0 => literal(rng, text, place),
            1 => folded(rng, text, place),
            2 => single(rng, text, place),
            3 => plain(rng, text, place),
            _ => Some(double(rng, text, place)),
        };
        if let Some(written) = written {
            return written;
        }
    }
}

/// The end of a scalar's last line, sometimes with a comment.
fn behind(rng: &mut Rng, place: StringPlace) -> &'static str {
    match place.flow {
        true => "",
        false => rng.pick(&["\n", "\n", "\n", "  # note: x\n", " \n", "\t\n"]),
    }
}

// Block scalars.

/// The header and the indent of a block scalar, and the text to write.
struct Block<'t> {
    header: String,
    indent: usize,
    /// The text without the line feeds at its end.
    body: &'t str,
    /// The number of blank lines after the text.
    blank: usize,
}

fn block<'t>(rng: &mut Rng, sign: char, text: &'t str, place: StringPlace) -> Option<Block<'t>> {
    let body = text.trim_end_matches('\n');
    let feeds = text.len() - body.len();
    if place.flow || !body.chars().all(is_printable) {
        return None;
    }
    let (chomp, blank) = match (body.is_empty(), feeds) {
        (true, 0) => (rng.pick(&["", "-"]), 0),
        (true, feeds) => ("+", feeds),
        (false, 0) => ("-", if rng.once_in(4) { 2 } else { 0 }),
        (false, 1) if rng.once_in(4) => ("+", 0),
        (false, 1) => ("", if rng.once_in(4) { 1 } else { 0 }),
        (false, feeds) => ("+", feeds - 1),
    };
    let deeper = 1 + rng.below(4);
    let needed = body.trim_start_matches('\n').starts_with(' ');
    let digit = if needed || rng.once_in(6) { deeper.to_string() } else { String::new() };
    let swapped = rng.once_in(2);
    let (first, second) = if swapped { (chomp, &*digit) } else { (&*digit, chomp) };
    let comment = rng.pick(&["", "", "", " # note", "  "]);
    let header = format!("{sign}{first}{second}{comment}\n");
    Some(Block { header, indent: place.parent + deeper, body, blank })
}

impl Block<'_> {
    fn finish(self, rng: &mut Rng, lines: &[String]) -> String {
        let mut out = self.header;
        for line in lines {
            // Spaces on a blank line have no meaning if there are no more than the text's indent.
            let indent = if line.is_empty() && !rng.once_in(4) { 0 } else { self.indent };
            out.push_str(&format!("{}{line}\n", " ".repeat(indent)));
        }
        out + &"\n".repeat(self.blank)
    }
}

fn literal(rng: &mut Rng, text: &str, place: StringPlace) -> Option<String> {
    let block = block(rng, '|', text, place)?;
    let lines: Vec<String> = match block.body {
        "" => Vec::new(),
        body => body.split('\n').map(str::to_owned).collect(),
    };
    Some(block.finish(rng, &lines))
}

fn folded(rng: &mut Rng, text: &str, place: StringPlace) -> Option<String> {
    let block = block(rng, '>', text, place)?;
    let lines = unfolded(rng, block.body);
    Some(block.finish(rng, &lines))
}

/// Lines that fold into a text.
fn unfolded(rng: &mut Rng, body: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut blank = 0;
    let mut before: Option<bool> = None;
    for line in body.split('\n').filter(|_| !body.is_empty()) {
        if line.is_empty() {
            blank += 1;
            continue;
        }
        let spaced = line.starts_with([' ', '\t']);
        let folds = before == Some(false) && !spaced;
        let blanks = if folds { blank + 1 } else { blank };
        lines.extend(vec![String::new(); blanks]);
        lines.extend(in_parts(rng, line, spaced));
        (blank, before) = (0, Some(spaced));
    }
    lines
}

/// A line, broken at some of its spaces.
fn in_parts(rng: &mut Rng, line: &str, spaced: bool) -> Vec<String> {
    if spaced {
        return vec![line.to_owned()];
    }
    let pieces = broken(rng, line, |_| true).unwrap_or_default();
    let texts = pieces.into_iter().filter_map(|piece| match piece {
        Piece::Text(text) => Some(text),
        _ => None,
    });
    texts.collect()
}

// Quoted scalars.

fn single(rng: &mut Rng, text: &str, place: StringPlace) -> Option<String> {
    if !text.chars().all(is_printable) {
        return None;
    }
    let inner = in_lines(rng, &text.replace('\'', "''"), place, |_| true)?;
    Some(format!("'{inner}'{}", behind(rng, place)))
}

fn double(rng: &mut Rng, text: &str, place: StringPlace) -> String {
    let behind = behind(rng, place);
    // A text that can be broken into lines is sometimes broken. All other texts use escapes.
    let plain = text.chars().all(|char| is_printable(char) && char != '\\' && char != '"');
    if plain
        && rng.once_in(2)
        && let Some(inner) = in_lines(rng, text, place, |_| true)
    {
        return format!("\"{inner}\"{behind}");
    }
    let mut inner = String::new();
    for char in text.chars() {
        // An escaped break is not part of the text, and neither is the indent after it.
        let breaks = rng.once_in(30);
        if breaks {
            inner.push_str(&format!("\\\n{}", " ".repeat(place.parent + 2)));
        }
        if breaks && char == ' ' {
            inner.push_str("\\ ");
            continue;
        }
        inner.push_str(&escaped(rng, char));
    }
    format!("\"{inner}\"{behind}")
}

fn escaped(rng: &mut Rng, char: char) -> String {
    let short = match char {
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => rng.pick(&["\\t", "\\\t"]),
        '"' => "\\\"",
        '\\' => "\\\\",
        '\u{0}' => "\\0",
        '\u{85}' => "\\N",
        '\u{a0}' => "\\_",
        '\u{2028}' => "\\L",
        '/' => rng.pick(&["/", "\\/"]),
        _ => "",
    };
    if !short.is_empty() {
        return short.to_owned();
    }
    if is_printable(char) && !rng.once_in(12) {
        return char.to_string();
    }
    let code = u32::from(char);
    match code {
        0..=0xFF if rng.once_in(2) => format!("\\x{code:02x}"),
        0..=0xFFFF => format!("\\u{code:04X}"),
        _ if rng.once_in(2) => format!("\\U{code:08x}"),
        _ => char.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
    }
}

// Lines of quoted and plain scalars.

/// A text in lines that fold; none if it has a line feed that cannot fold.
fn in_lines(
    rng: &mut Rng,
    text: &str,
    place: StringPlace,
    may_start: impl Fn(&str) -> bool,
) -> Option<String> {
    let may_start = |rest: &str| may_start(rest) && !rest.starts_with("<<<");
    let pieces = broken(rng, text, may_start)?;
    let mut out = String::new();
    for piece in pieces {
        let breaks = match piece {
            Piece::Text(text) => {
                out.push_str(&text);
                continue;
            }
            Piece::Space => 1,
            Piece::Feeds(feeds) => feeds + 1,
        };
        out.push_str(rng.pick(&["", "", "  ", "\t"]));
        out.push_str(&"\n".repeat(breaks));
        out.push_str(&" ".repeat(place.parent + 1 + rng.below(4)));
    }
    Some(out)
}

fn plain(rng: &mut Rng, text: &str, place: StringPlace) -> Option<String> {
    if !is_plain(text, place) {
        return None;
    }
    let word = |rest: &str| rest.starts_with(char::is_alphabetic);
    let inner = in_lines(rng, text, place, word)?;
    Some(format!("{inner}{}", behind(rng, place)))
}

/// Whether a text needs no quotes. Stricter than YAML.
fn is_plain(text: &str, place: StringPlace) -> bool {
    let starts = |char: char| char.is_alphabetic() || place.typed && char.is_ascii_digit();
    let in_brackets = place.flow && text.contains(['[', ']', '{', '}', ',']);
    let key = text.contains(": ") || text.contains(":\t") || text.contains(":\n");
    let comment = text.contains(" #") || text.contains("\t#") || text.contains("\n#");
    let other = OTHER_TYPES.contains(&text.to_ascii_lowercase().as_str());
    text.starts_with(starts)
        && !text.ends_with([' ', '\t', ':', '\n'])
        && text.chars().all(is_printable)
        && !(in_brackets || key || comment)
        && (!other || place.typed && text != "null")
}

const OTHER_TYPES: [&str; 3] = ["null", "true", "false"];

/// Whether YAML allows the character unescaped anywhere in a scalar.
fn is_printable(char: char) -> bool {
    matches!(char, '\n' | '\t' | ' '..='~' | '\u{a0}'..='\u{fefe}' | '\u{10000}'..)
}
