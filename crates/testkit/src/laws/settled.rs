//! The settled part of a growing value.

use patchwire::{Event, Parser, PatchOp, Spec, ValueKind, ValueRef, document::DocId};

use super::{Found, positions};
use crate::tree::Tree;

/// The settled part consists of complete values and the containers around them. It does not change, except
/// by a patch. At the end it is the whole value.
///
/// # Errors
/// The document that violates this, and the number of bytes read.
pub fn settled(spec: &Spec, input: &[u8]) -> Found {
    let mut parser = spec.parser();
    let mut known = Vec::new();
    let mut at = 0;
    let mut ends: Vec<usize> = positions(input).collect();
    ends.sort_unstable();
    for end in ends {
        let mut changed = false;
        let fed = parser.feed(&input[at..end], |event| changed |= changes(&event));
        at = end;
        look(&parser, &mut known, changed).map_err(|why| format!("after {at} bytes: {why}"))?;
        if fed.is_err() {
            return Ok(());
        }
    }
    let mut changed = false;
    let fed = parser.feed(&input[at..], |event| changed |= changes(&event));
    if fed.and_then(|()| parser.finish(|event| changed |= changes(&event)).map(drop)).is_err() {
        return Ok(());
    }
    look(&parser, &mut known, changed).map_err(|why| format!("at the end: {why}"))?;
    match documents(&parser).position(|value| Tree::of(value.settled()) != Tree::of(value)) {
        Some(document) => Err(format!("at the end document {document} is not settled")),
        None => Ok(()),
    }
}

/// Whether a patch replaces or removes something that was emitted before.
fn changes(event: &Event<'_>) -> bool {
    matches!(event, Event::Patch(patch) if matches!(patch.op, PatchOp::Replace | PatchOp::Remove))
}

fn documents(parser: &Parser) -> impl Iterator<Item = ValueRef<'_>> {
    (0..).map_while(|number| parser.document(DocId::from_number(number)))
}

/// Compares the settled part of each document with its complete values, and with the settled part before.
fn look(parser: &Parser, known: &mut Vec<Option<Tree>>, changed: bool) -> Found {
    for (document, value) in documents(parser).enumerate() {
        let (found, expected) = (Tree::of(value.settled()), complete(value));
        if found != expected {
            return Err(format!("document {document}: {found:?} is settled, not {expected:?}"));
        }
        known.resize(known.len().max(document + 1), None);
        let before = core::mem::replace(&mut known[document], found);
        let (Some(before), false) = (before, changed) else { continue };
        match &known[document] {
            Some(now) if stays(&before, now) => {}
            now => {
                return Err(format!("document {document}: {before:?} was settled, then {now:?}"));
            }
        }
    }
    Ok(())
}

/// A copy of the value without values that are open and not containers.
fn complete(value: ValueRef<'_>) -> Option<Tree> {
    match value.kind() {
        ValueKind::List => {
            Some(Tree::List(value.entries().filter_map(|(_, item)| complete(item)).collect()))
        }
        ValueKind::Object => {
            let named = |(key, value): (Option<&str>, _)| Some((key?.to_owned(), complete(value)?));
            Some(Tree::Object(value.entries().filter_map(named).collect()))
        }
        _ if value.is_complete() => Tree::of(value),
        _ => None,
    }
}

/// Whether a value still contains another one, with at most additions.
#[must_use]
pub fn stays(before: &Tree, now: &Tree) -> bool {
    match (before, now) {
        (Tree::List(before), Tree::List(now)) => {
            before.len() <= now.len() && before.iter().zip(now).all(|(one, now)| stays(one, now))
        }
        (Tree::Object(before), Tree::Object(now)) => before.iter().all(|(name, one)| {
            now.iter().any(|(other, member)| name == other && stays(one, member))
        }),
        _ => before == now,
    }
}
