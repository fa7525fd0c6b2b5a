//! The walk over all inputs of an alphabet.

use core::fmt::Write as _;
use std::collections::{BTreeMap, HashSet};

use patchwire::{
    Event, Parser, PatchOp, Spec,
    held::{Held, HeldBy},
};

use super::{Alphabet, Explored};
use crate::{extent, show};

/// Most bytes in the window behind a quote: 32 visible characters, or four times as many bytes, and a
/// character that does not fit.
const WINDOW: usize = 4 * 32 + 8;

/// An additional check of an input. The flag is true if the input leads to a new state.
pub(super) type Judge<'j> = dyn Fn(&[u8], bool) -> Result<(), String> + 'j;

/// Visits all inputs over an alphabet. If there is a judge, it also visits the input after each character
/// of a symbol. If all witnesses give equal results after several inputs, only one of them is continued. A
/// [sample](extent::walked) ends after some inputs.
///
/// # Errors
/// The input after which something was late, too much was held, or the judge failed.
pub(super) fn walk(
    spec: &Spec,
    alphabet: Alphabet<'_>,
    witnesses: &[Vec<u8>],
    judge: Option<&Judge<'_>>,
) -> Result<Explored, String> {
    let mut walk = Walk {
        spec,
        witnesses,
        judge: judge.unwrap_or(&|_, _| Ok(())),
        names: Names::default(),
        outputs: Vec::new(),
        seen: HashSet::new(),
        explored: Explored::default(),
    };
    let mut level = vec![alphabet.start.as_bytes().to_vec()];
    let most = extent::walked();
    let room = alphabet.start.len() + alphabet.most;
    while !level.is_empty() {
        let mut next = Vec::new();
        for input in level {
            if walk.explored.inputs >= most {
                return Ok(walk.explored);
            }
            if walk.visit(&input)? {
                for symbol in alphabet.symbols.iter().filter(|it| input.len() + it.len() <= room) {
                    let inner = 1..symbol.len();
                    for at in inner.filter(|at| judge.is_some() && symbol.is_char_boundary(*at)) {
                        walk.visit(&[&input, &symbol.as_bytes()[..at]].concat())?;
                    }
                    next.push([&input, symbol.as_bytes()].concat());
                }
            }
        }
        level = next;
    }
    Ok(walk.explored)
}

struct Walk<'w> {
    spec: &'w Spec,
    witnesses: &'w [Vec<u8>],
    judge: &'w Judge<'w>,
    names: Names,
    /// The emissions after each witness behind the current input, each list closed by [`Item::END`].
    outputs: Vec<Item>,
    /// The outputs of earlier inputs.
    seen: HashSet<Vec<Item>>,
    explored: Explored,
}

impl Walk<'_> {
    /// Visits an input. Whether it leads to a new state.
    fn visit(&mut self, input: &[u8]) -> Result<bool, String> {
        self.explored.inputs += 1;
        let of = |why: String| format!("after {} {why}", show::input(input));
        let Some((parser, emitted)) = self.fed(input) else { return Ok(false) };
        let held = parser.held();
        self.count_held(&held, parser.max_held()).map_err(of)?;
        self.outputs.clear();
        for witness in self.witnesses {
            output(parser.clone(), witness, &mut self.names, &mut self.outputs);
        }
        let late = self.names.late(&self.outputs);
        if let Some(what) = late.filter(|_| !waits_for_another(&held, emitted) && !compares(&held))
        {
            return Err(of(format!("{what} is late")));
        }
        let new = !self.seen.contains(&self.outputs);
        if new {
            self.seen.insert(self.outputs.clone());
            self.explored.states += 1;
        }
        (self.judge)(input, new).map_err(of)?;
        Ok(new)
    }

    /// The parser after an input, and the end of its last emission. None if the input is an error.
    fn fed(&self, input: &[u8]) -> Option<(Parser, u64)> {
        let (mut parser, mut emitted) = (self.spec.parser(), 0);
        let mut last = |event: Event<'_>| emitted = event.span().map_or(emitted, |span| span.end);
        for byte in input {
            parser.feed([*byte], &mut last).ok()?;
        }
        Some((parser, emitted))
    }

    /// Checks that a possible marker is held within the set's bound.
    fn count_held(&mut self, held: &[Held], most: usize) -> Result<(), String> {
        let windows = held.iter().filter(|held| held.by == HeldBy::QuoteWindow);
        if let Some(window) = windows.map(|held| held.bytes.len()).find(|len| *len > WINDOW) {
            return Err(format!("{window} bytes are held in a window, not {WINDOW}"));
        }
        let markers = held.iter().filter(|held| held.by == HeldBy::Marker);
        let held = markers.map(|held| held.bytes.len()).max().unwrap_or(0);
        self.explored.held = self.explored.held.max(held);
        if held > most { Err(format!("{held} bytes are held, not {most}")) } else { Ok(()) }
    }
}

/// Whether one layer waits for bytes that another layer holds: a character is incomplete, or a format needs
/// its next byte while that byte may begin a marker. The first layer may then be late without a way to know
/// it.
fn waits_for_another(held: &[Held], emitted: u64) -> bool {
    let marker = held.iter().find(|held| held.by == HeldBy::Marker);
    marker.is_some_and(|marker| held.len() > 1 || marker.from > emitted)
}

/// Whether two readings of a slip are compared. Their costs decide, and no witness shows when.
fn compares(held: &[Held]) -> bool {
    held.iter().any(|held| held.by == HeldBy::QuoteWindow)
}

/// An emission: the number of its name, and one byte of its text or 0. Packed, so that lists hash fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Item(u32);

impl Item {
    /// The end of the emissions after one witness.
    const END: Self = Self(u32::MAX);

    const fn new(name: u32, byte: u8) -> Self {
        Self(name << 8 | byte as u32)
    }

    const fn name(self) -> u32 {
        self.0 >> 8
    }

    const fn byte(self) -> u8 {
        self.0 as u8
    }
}

/// Adds the emissions after a witness.
fn output(mut parser: Parser, witness: &[u8], names: &mut Names, items: &mut Vec<Item>) {
    let fed = parser.feed(witness, |event| names.tell(&event, items));
    // An error emits nothing more, which distinguishes states, too.
    let _ = fed.and_then(|()| parser.finish(|event| names.tell(&event, items)));
    items.push(Item::END);
}

/// Names of emissions, numbered.
#[derive(Debug, Default)]
struct Names {
    numbers: BTreeMap<String, u32>,
    /// By number, whether an emission must not be late: text, byte by byte, and acts of markers.
    prompt: Vec<bool>,
    /// The name of the current event; the buffer is reused.
    name: String,
}

impl Names {
    /// The number of the current name.
    fn number(&mut self, prompt: bool) -> u32 {
        let number = self.numbers.get(&self.name).copied().unwrap_or_else(|| {
            let number = self.prompt.len() as u32;
            self.numbers.insert(self.name.clone(), number);
            self.prompt.push(false);
            number
        });
        self.prompt[number as usize] |= prompt;
        number
    }

    fn tell(&mut self, event: &Event<'_>, items: &mut Vec<Item>) {
        self.name.clear();
        let Some(text) = write_name(event, &mut self.name) else { return };
        let number = self.number(!text.is_empty() || is_doing(event));
        if text.is_empty() {
            items.push(Item::new(number, 0));
        }
        items.extend(text.bytes().map(|byte| Item::new(number, byte)));
    }

    /// The next emission after every witness, if they agree: it was decided before them.
    fn late(&self, outputs: &[Item]) -> Option<String> {
        let mut firsts = outputs.split_inclusive(|item| *item == Item::END).map(|all| all[0]);
        let first = firsts.next().filter(|first| *first != Item::END)?;
        if !self.prompt[first.name() as usize] || firsts.any(|other| other != first) {
            return None;
        }
        let (name, _) = self.numbers.iter().find(|(_, number)| **number == first.name())?;
        Some(match first.byte() {
            0 => format!("`{name}`"),
            byte => format!("the byte {:?} of `{name}`", char::from(byte)),
        })
    }
}

/// Writes the name of an event's emission and returns its text. None for events that are not compared.
fn write_name<'e>(event: &Event<'e>, name: &mut String) -> Option<&'e str> {
    // Writing to a string cannot fail.
    let (_, text) = match event {
        Event::Patch(patch) if patch.op == PatchOp::Delta => {
            let written = write!(name, "{} {}", patch.document.index(), patch.path.len());
            (written, patch.delta.as_str())
        }
        Event::Patch(patch) => {
            let (document, depth) = (patch.document.index(), patch.path.len());
            (write!(name, "{} {document} {depth}", patch.op.name()), "")
        }
        Event::Text(text) => (write!(name, "text {}", text.channel), text.delta.as_str()),
        Event::Reasoning(text) => (name.write_str("reasoning"), text.delta.as_str()),
        Event::Comment(text) if !text.is_complete => {
            (name.write_str("comment"), text.delta.as_str())
        }
        Event::Notice(_) | Event::RootComplete { .. } | Event::Verdict(_) => return None,
        event => (name.write_str(doing(event).as_deref().unwrap_or_else(|| event.name())), ""),
    };
    Some(text)
}

/// Whether the event is an act of a marker.
const fn is_doing(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::ElementOpen(_)
            | Event::ElementClose { .. }
            | Event::Stray { .. }
            | Event::Comment(_)
            | Event::Reclassify { .. }
    )
}

/// The act of a marker, with the details that may matter.
fn doing(event: &Event<'_>) -> Option<String> {
    match event {
        Event::ElementOpen(open) => {
            let params: Vec<_> = open.params.iter().collect();
            Some(format!("open {} {} {params:?}", open.name, open.channel))
        }
        Event::ElementClose { reason, .. } => Some(format!("close {}", reason.name())),
        Event::Stray { name, .. } => Some(format!("stray {name}")),
        Event::Comment(_) => Some("end of comment".to_owned()),
        Event::Reclassify { channel, .. } => Some(format!("reclassify {channel}")),
        _ => None,
    }
}
