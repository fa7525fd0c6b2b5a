//! The walk over all inputs of an alphabet.

use std::collections::{BTreeMap, HashSet};

use patchwire::{
    Event, Parser, PatchOp, Spec,
    held::{Held, HeldBy},
};

use super::{Alphabet, Explored};
use crate::show;

/// What else is asked of an input; `true` if no input was like it so far.
pub(super) type Judge<'j> = dyn Fn(&[u8], bool) -> Result<(), String> + 'j;

/// Looks at all inputs of an alphabet; where there is a judge, after each character of a symbol, too.
/// Inputs after which all witnesses tell the same are followed once.
///
/// # Errors
/// The input after which something was late, too much was held, or the judge says no.
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
        seen: HashSet::new(),
        explored: Explored::default(),
    };
    let mut level = vec![alphabet.start.as_bytes().to_vec()];
    let room = alphabet.start.len() + alphabet.most;
    while !level.is_empty() {
        let mut next = Vec::new();
        for input in level {
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
    seen: HashSet<Vec<Vec<Item>>>,
    explored: Explored,
}

impl Walk<'_> {
    /// Looks at one input. Whether it leads to where no other did.
    fn visit(&mut self, input: &[u8]) -> Result<bool, String> {
        self.explored.inputs += 1;
        let of = |why: String| format!("after {} {why}", show::input(input));
        let Some((parser, told)) = self.fed(input) else { return Ok(false) };
        let held = parser.held();
        self.count_held(&held, parser.max_held()).map_err(of)?;
        let tell = |witness: &Vec<u8>| output(parser.clone(), witness, &mut self.names);
        let outputs: Vec<_> = self.witnesses.iter().map(tell).collect();
        if let Some(what) = self.names.late(&outputs).filter(|_| !waits_for_another(&held, told)) {
            return Err(of(format!("{what} is late")));
        }
        let new = self.seen.insert(outputs);
        self.explored.states += usize::from(new);
        (self.judge)(input, new).map_err(of)?;
        Ok(new)
    }

    /// The parser behind an input, and how far what it told goes. None if the input is an error.
    fn fed(&self, input: &[u8]) -> Option<(Parser, u64)> {
        let (mut parser, mut told) = (self.spec.parser(), 0);
        let mut last = |event: Event<'_>| told = event.span().map_or(told, |span| span.end);
        for byte in input {
            parser.feed([*byte], &mut last).ok()?;
        }
        Some((parser, told))
    }

    /// What may be a marker is never longer than the set says.
    fn count_held(&mut self, held: &[Held], most: usize) -> Result<(), String> {
        let markers = held.iter().filter(|held| held.by == HeldBy::Marker);
        let held = markers.map(|held| held.bytes.len()).max().unwrap_or(0);
        self.explored.held = self.explored.held.max(held);
        if held > most { Err(format!("{held} bytes are held, not {most}")) } else { Ok(()) }
    }
}

/// Whether one layer waits for what another one holds: a character is not whole, or a format that
/// looks at the next byte does not get it while that may begin a marker. What it is waiting for may
/// be decided, and it cannot know.
fn waits_for_another(held: &[Held], told: u64) -> bool {
    let marker = held.iter().find(|held| held.by == HeldBy::Marker);
    marker.is_some_and(|marker| held.len() > 1 || marker.from > told)
}

/// One thing told: what, by the number of its name, and one byte of its text.
type Item = (u32, u8);

/// What a witness tells.
fn output(mut parser: Parser, witness: &[u8], names: &mut Names) -> Vec<Item> {
    let mut items = Vec::new();
    let fed = parser.feed(witness, |event| names.tell(&event, &mut items));
    // An error tells nothing more, which is a difference too.
    let _ = fed.and_then(|()| parser.finish(|event| names.tell(&event, &mut items)));
    items
}

/// Names of things that are told.
#[derive(Debug, Default)]
struct Names {
    numbers: BTreeMap<String, u32>,
    /// Numbers of those that must not be late: text that counts byte by byte, and what markers do.
    prompt: HashSet<u32>,
}

impl Names {
    fn number(&mut self, name: String, prompt: bool) -> u32 {
        let new = self.numbers.len() as u32;
        let number = *self.numbers.entry(name).or_insert(new);
        if prompt {
            self.prompt.insert(number);
        }
        number
    }

    fn tell(&mut self, event: &Event<'_>, items: &mut Vec<Item>) {
        let (name, text) = match event {
            Event::Patch(patch) if patch.op == PatchOp::Delta => {
                (format!("{} {}", patch.document.index(), patch.path.len()), patch.delta.as_str())
            }
            Event::Patch(patch) => {
                let document = patch.document.index();
                (format!("{} {document} {}", patch.op.name(), patch.path.len()), "")
            }
            Event::Text(text) => (format!("text {}", text.channel), text.delta.as_str()),
            Event::Reasoning(text) => ("reasoning".to_owned(), text.delta.as_str()),
            Event::Comment(text) if !text.is_complete => {
                ("comment".to_owned(), text.delta.as_str())
            }
            Event::Notice(_) | Event::RootComplete { .. } | Event::Verdict(_) => return,
            event => (doing(event).unwrap_or_else(|| event.name().to_owned()), ""),
        };
        let number = self.number(name, !text.is_empty() || is_doing(event));
        if text.is_empty() {
            items.push((number, 0));
        }
        items.extend(text.bytes().map(|byte| (number, byte)));
    }

    /// What all witnesses tell next, if that was decided before they came.
    fn late(&self, outputs: &[Vec<Item>]) -> Option<String> {
        let first = *outputs.first()?.first()?;
        let agreed = outputs.iter().all(|output| output.first() == Some(&first));
        if !agreed || !self.prompt.contains(&first.0) {
            return None;
        }
        let (name, _) = self.numbers.iter().find(|(_, number)| **number == first.0)?;
        Some(match first.1 {
            0 => format!("`{name}`"),
            byte => format!("the byte {:?} of `{name}`", char::from(byte)),
        })
    }
}

/// Whether it is what a marker did.
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

/// What a marker did, as exactly as may matter.
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
