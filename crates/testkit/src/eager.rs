//! L4: what can be given out is given out.
//!
//! After each feed the text given out is the longest common prefix of what all continuations would
//! give. There are endlessly many of those; a few dozen *witnesses* stand for them. If whatever
//! witness follows, the end of the input included, the next thing told is the same byte of a string,
//! of reasoning or of text that has begun, then nothing was left to decide, and the byte was late.

use std::collections::{BTreeMap, HashSet};

use patchwire::{Event, Kind, Parser, Spec};

use crate::record::{Recorded, Run, run_whole};
use crate::show;

/// Continuations that tell undecided states apart.
const WITNESSES: [&[u8]; 86] = [
    b"",
    b"\"",
    b"\"}",
    b"\",",
    b"\",\"",
    b"\",\"b\":1}",
    b"\"]",
    b"\" ",
    b"\"\n",
    b"\":1",
    b"\": 1}",
    b"x",
    b"x\"}",
    b" x",
    b" \"x",
    b"\"x\":1}",
    b",",
    b", \"b\":1}",
    b",b:1}",
    b", x",
    b":",
    b": 1",
    b":1}",
    b"}",
    b"]",
    b" }",
    b"\n",
    b"\n\n",
    b"\n```\n",
    b"```",
    b"`\n",
    b"\\",
    b"\\\"",
    b"\\n",
    b"n\"}",
    b"u0041\"}",
    b"0041\"",
    b"41",
    b"1",
    b"d83d",
    b"dc00",
    b"\\udc00\"}",
    b"\\u0041",
    b"udc00",
    b"//x\n",
    b"#",
    b"+",
    b"+ \"y\"}",
    b"\"\"\"",
    b"'",
    b"<",
    b">",
    b"/t>",
    b"t>",
    b"h>",
    b"{\"a\":1}",
    b"\"a\":1}",
    b"\xff",
    b"``\n{\"a\":1}",
    b"``json\n{\"a\":1}",
    b"`json\n{\"a\":1}",
    b"\n```\n{\"a\":1}",
    b"x`:1}",
    b"a:1}",
    b"a\":1}",
    b"x':1}",
    b"':1}",
    b"\"\":1}",
    b"x\":1}",
    b"\n\":1}",
    b"`:1}",
    b"title\":1}",
    b"\":1,\"title\":1}",
    b":1,\"title\":1}",
    b"},\"title\":1}",
    b"],\"title\":1}",
    b"1,\"title\":1}",
    b",\"title\":1}",
    b"son\n{\"a\":1}",
    b"rue]",
    b"ull]",
    b">>",
    b"think>",
    b"/think>",
    b"~~\n{\"a\":1}",
    b"~\n{\"a\":1}",
];

/// Those for bodies with tags in them.
const XML_WITNESSES: [&[u8]; 57] = [
    b"pos;",
    b"t;",
    b"39;",
    b"",
    b"<",
    b">",
    b"/",
    b"/>",
    b"a",
    b"b",
    b"x",
    b" ",
    b"\n",
    b"=",
    b"\"",
    b"'",
    b"!",
    b"-",
    b"--",
    b"->",
    b"-->",
    b"[",
    b"]",
    b"]>",
    b"]]>",
    b"&",
    b";",
    b"mp;",
    b"amp;",
    b"p;",
    b"65;",
    b"#65;",
    b"5;",
    b"<a>",
    b"</a>",
    b"a>",
    b"/a>",
    b"='1'>",
    b"=\"1\">x",
    b"1'>",
    b"1\">",
    b"'>",
    b"\">",
    b" a='1'>",
    b"!--",
    b"-- x -->",
    b"- x -->",
    b"![CDATA[x]]>",
    b"[CDATA[x]]>",
    b"b>",
    b"/b>",
    b"<b>",
    b"</b>",
    b"!DOCTYPE a>",
    b"DOCTYPE a>",
    b"?xml?>",
    b"\xff",
];

/// Those for sections under headers.
const SECTION_WITNESSES: [&[u8]; 58] = [
    b"",
    b"x",
    b"a",
    b"b",
    b" ",
    b"\n",
    b"\r",
    b"\r\n",
    b"#",
    b"##",
    b"###",
    b" a\n",
    b"a\n",
    b"b\n",
    b"ab\n",
    b"\nx",
    b" x",
    b"\n### a\n",
    b"\n### b\nx",
    b"\n# b\nx",
    b"### b\n",
    b"## b\n",
    b"# b\n",
    b" b\n",
    b" b",
    b"*b*\n",
    b"*\n",
    b"_b\n",
    b":\n",
    b": [text]\n",
    b"[json]\n",
    b"[text]\n",
    b"text]\n",
    b"ext]\n",
    b"xt]\n",
    b"t]\n",
    b"]\n",
    b")\n",
    b"(text)\n",
    b" #\n",
    b"```\n",
    b"``\n",
    b"`\n",
    b"\n```\n### b\n",
    b"~~~\n",
    b"<!-- (text) x -->\n",
    b"!-- (text) x -->\n",
    b"-- (text) x -->\n",
    b"- (text) x -->\n",
    b" (text) x -->\n",
    b"(text) x -->\n",
    b"text) x -->\n",
    b"-->\n",
    b"->\n",
    b">\n",
    b"your content here)\n",
    b"our content here)\n",
    b"\xff",
];

/// What to explore: all inputs made of some symbols.
#[derive(Debug, Clone, Copy)]
pub struct Alphabet<'a> {
    /// What every input begins with.
    pub start: &'a str,
    /// At most seven.
    pub symbols: &'a [&'a str],
    /// Most bytes after the start.
    pub most: usize,
}

/// How much was explored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Explored {
    /// Inputs that were looked at.
    pub inputs: usize,
    /// Those that no witness tells apart counted once.
    pub states: usize,
}

/// Checks all inputs of an alphabet. Inputs after which all witnesses tell the same are followed
/// once.
///
/// # Errors
/// The input after which a byte was late.
pub fn check(spec: &Spec, alphabet: Alphabet<'_>) -> Result<Explored, String> {
    check_by(spec, alphabet, &WITNESSES)
}

/// The same for a body with tags in it.
///
/// # Errors
/// As [`check`].
pub fn check_xml(spec: &Spec, alphabet: Alphabet<'_>) -> Result<Explored, String> {
    check_by(spec, alphabet, &XML_WITNESSES)
}

/// The same for sections under headers.
///
/// # Errors
/// As [`check`].
pub fn check_sections(spec: &Spec, alphabet: Alphabet<'_>) -> Result<Explored, String> {
    check_by(spec, alphabet, &SECTION_WITNESSES)
}

fn check_by(spec: &Spec, alphabet: Alphabet<'_>, witnesses: &[&[u8]]) -> Result<Explored, String> {
    let mut explored = Explored::default();
    let mut seen = HashSet::new();
    let mut names = Names::default();
    let mut level = vec![alphabet.start.as_bytes().to_vec()];
    while !level.is_empty() {
        let mut next = Vec::new();
        for input in level {
            explored.inputs += 1;
            let Some(outputs) = outputs(spec, (&input, witnesses), &mut names) else { continue };
            if let Some(byte) = late(&outputs, &names) {
                return Err(format!("after {} the byte {byte} is late", show::input(&input)));
            }
            if seen.insert(outputs) {
                explored.states += 1;
                let room = alphabet.start.len() + alphabet.most;
                let longer = alphabet.symbols.iter().map(|more| [&input, more.as_bytes()].concat());
                next.extend(longer.filter(|longer| longer.len() <= room));
            }
        }
        level = next;
    }
    Ok(explored)
}

/// One thing told: what, by the number of its name, and one byte of its text.
type Item = (u32, u8);

/// Names of things that are told.
#[derive(Debug, Default)]
struct Names {
    numbers: BTreeMap<String, u32>,
    /// Numbers of the names whose text counts byte by byte.
    growing: HashSet<u32>,
}

impl Names {
    fn number(&mut self, name: String, growing: bool) -> u32 {
        let new = self.numbers.len() as u32;
        let number = *self.numbers.entry(name).or_insert(new);
        if growing {
            self.growing.insert(number);
        }
        number
    }
}

/// What each witness tells after the input; none if the input is an error.
fn outputs(
    spec: &Spec,
    (input, witnesses): (&[u8], &[&[u8]]),
    names: &mut Names,
) -> Option<Vec<Vec<Item>>> {
    let mut parser = spec.parser();
    for byte in input {
        parser.feed([*byte], |_| {}).ok()?;
    }
    Some(witnesses.iter().map(|witness| output(parser.clone(), witness, names)).collect())
}

fn output(mut parser: Parser, witness: &[u8], names: &mut Names) -> Vec<Item> {
    let mut items = Vec::new();
    let fed = parser.feed(witness, |event| tell(&event, names, &mut items));
    // An error tells nothing more, which is a difference too.
    let _ = fed.and_then(|()| parser.finish(|event| tell(&event, names, &mut items)));
    items
}

fn tell(event: &Event<'_>, names: &mut Names, items: &mut Vec<Item>) {
    let (name, text) = match event {
        Event::Patch(patch) if patch.kind == Kind::Delta => {
            (format!("{} {}", patch.document.index(), patch.path.len()), patch.delta.as_str())
        }
        Event::Patch(patch) => {
            let document = patch.document.index();
            (format!("{} {document} {}", patch.kind.name(), patch.path.len()), "")
        }
        Event::Text(text) => (format!("text {}", text.channel), text.delta.as_str()),
        Event::Reasoning(text) => ("reasoning".to_owned(), text.delta.as_str()),
        Event::Notice(_) | Event::RootComplete { .. } => return,
        other => (other.name().to_owned(), ""),
    };
    let number = names.number(name, !text.is_empty());
    if text.is_empty() {
        items.push((number, 0));
    }
    items.extend(text.bytes().map(|byte| (number, byte)));
}

/// The byte that all witnesses tell next.
fn late(outputs: &[Vec<Item>], names: &Names) -> Option<String> {
    let first = *outputs.first()?.first()?;
    let agreed = outputs.iter().all(|output| output.first() == Some(&first));
    if !agreed || !names.growing.contains(&first.0) {
        return None;
    }
    let (name, _) = names.numbers.iter().find(|(_, number)| **number == first.0)?;
    Some(format!("{:?} of `{name}`", char::from(first.1)))
}

/// Plain text never waits: a letter or digit right behind a byte that was given out with its own
/// feed, or behind the opening of a string that was, is given out with its own feed too.
///
/// `n` is left out: it begins a marker of [`setups::tiny_tags`](crate::setups::tiny_tags).
///
/// # Errors
/// The byte that waited.
pub fn prompt(spec: &Spec, input: &[u8]) -> Result<(), String> {
    let mut parser = spec.parser();
    let run = run_whole(spec, input);
    let mut in_text = false;
    for (at, byte) in input.iter().enumerate() {
        let mut given = false;
        let result = parser.feed([*byte], |event| given = is_growing(&event, at as u64 + 1));
        if result.is_err() {
            return Ok(());
        }
        let plain = byte.is_ascii_alphanumeric() && !byte.eq_ignore_ascii_case(&b'n');
        if in_text && plain && !given && brings_text(&run, at as u64) {
            return Err(format!("byte {at}, {:?}, waits", char::from(*byte)));
        }
        in_text = given;
    }
    Ok(())
}

/// Whether the byte is text in the end, and not the beginning of something else.
fn brings_text(run: &Run, at: u64) -> bool {
    let holds =
        |event: &&Recorded| event.span().is_some_and(|span| span.start <= at && at < span.end);
    run.events.iter().find(holds).is_some_and(|event| !event.text().is_empty())
}

/// Whether the event brings text up to `end`, or opens a string there.
fn is_growing(event: &Event<'_>, end: u64) -> bool {
    let growing = match event {
        Event::Patch(patch) => {
            patch.kind == Kind::Delta || patch.kind == Kind::Open && patch.value.as_str().is_some()
        }
        Event::Text(_) | Event::Reasoning(_) => true,
        _ => false,
    };
    growing && event.span().is_some_and(|span| span.end == end)
}
