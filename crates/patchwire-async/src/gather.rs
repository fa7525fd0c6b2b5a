//! Collects the items of a list from events.

use std::collections::VecDeque;

use patchwire::{
    OwnedPatch, PatchOp, PathBuf, Pattern, ValueRef,
    document::{DataError, DocId},
    path::{PatternError, Segment},
};
use serde::de::DeserializeOwned;

use crate::event::ResponseEvent;
use crate::follow::{is_below, patch_of_answer};
use crate::parser_set::ParserSet;
use crate::tracking::Track;

/// An item of a list that closed.
///
/// The finalizer may correct an item; it then comes again with its index. If the request is repeated, the
/// items of the later attempt replace all items before.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Item<T> {
    /// The index in the list; for a member of a map, its position.
    pub index: usize,
    /// The attempt that wrote it, from 1.
    pub attempt: u32,
    /// The item.
    pub value: T,
}

pub(crate) struct Gather<T> {
    items: Pattern,
    /// The list as a printed path, if there is only one.
    list: Option<(Pattern, String)>,
    /// The number of items so far. A corrected item counts once.
    given: usize,
    attempt: u32,
    out: VecDeque<Result<Item<T>, DataError>>,
    closed: bool,
}

impl<T: DeserializeOwned> Gather<T> {
    pub(crate) fn new(path: &str) -> Result<Self, PatternError> {
        let suffix = ["[*]", ".*"].into_iter().find_map(|suffix| path.strip_suffix(suffix));
        let list = if path == "*" { "" } else { suffix.unwrap_or(path) };
        let list: Pattern = list.parse()?;
        let path = list.to_string();
        let items = format!("{path}[*]").parse()?;
        // A quoted key may contain a star too. The end of such a list is just not noticed early.
        let list = (!path.contains("[*]")).then_some((list, path));
        let out = VecDeque::new();
        Ok(Self { items, list, given: 0, attempt: 1, out, closed: false })
    }
}

impl<T: DeserializeOwned> Track for Gather<T> {
    type Item = Item<T>;

    fn catch_up(&mut self, parsers: &ParserSet) {
        let (answer, queue) = (parsers.value(), &parsers.queue);
        self.attempt = parsers.attempt();
        let done =
            queue.iter().filter_map(patch_of_answer).filter(|patch| patch.op == PatchOp::Done);
        let mut waiting = 0;
        let mut ends = true;
        for patch in done {
            waiting += usize::from(self.items.matches_owned(&patch.path));
            ends &= !self.is_list(&patch.path);
        }
        let known = self.complete(answer);
        let first = known.len().saturating_sub(waiting);
        known.into_iter().take(first).for_each(|(path, value)| self.give_next(&path, value));
        self.closed = ends && self.list_is_complete(answer);
    }

    fn take(&mut self, event: &ResponseEvent, answer: ValueRef<'_>) {
        if let Some(patch) = patch_of_answer(event) {
            return self.patch(patch, answer);
        }
        match event {
            ResponseEvent::Snapshot { document: DocId::ANSWER, value, origin } => {
                self.attempt = origin.attempt;
                let fresh = self.complete(value.as_ref()).into_iter().skip(self.given);
                fresh.for_each(|(path, value)| self.give_next(&path, value));
                self.closed = self.list_is_complete(value.as_ref());
            }
            ResponseEvent::Reset { attempt } => (self.given, self.attempt) = (0, *attempt),
            _ => {}
        }
    }

    fn pop(&mut self) -> Option<Result<Item<T>, DataError>> {
        self.out.pop_front()
    }

    fn is_closed(&self) -> bool {
        self.closed
    }
}

impl<T: DeserializeOwned> Gather<T> {
    fn patch(&mut self, patch: &OwnedPatch, answer: ValueRef<'_>) {
        self.attempt = patch.origin.attempt;
        if self.items.matches_owned(&patch.path) && patch.is_complete() {
            let kept = patch.value.as_ref().map(|value| value.as_ref());
            let value = kept.or_else(|| answer.by_node(patch.node)).unwrap_or(answer);
            match patch.op {
                PatchOp::Done => self.give_next(&patch.path, value),
                _ => self.give(&patch.path, value),
            }
        } else if patch.op == PatchOp::Replace && self.is_replaced_by(&patch.path) {
            let all = self.complete(answer);
            all.into_iter().for_each(|(path, value)| self.give(&path, value));
            self.closed = true;
        } else if patch.op == PatchOp::Done && self.is_list(&patch.path) {
            self.closed = true;
        }
    }

    fn is_list(&self, path: &PathBuf) -> bool {
        self.list.as_ref().is_some_and(|(list, _)| list.matches_owned(path))
    }

    fn is_replaced_by(&self, path: &PathBuf) -> bool {
        let inside = |(_, list): &(Pattern, String)| is_below(list, &path.to_string());
        self.is_list(path) || self.list.as_ref().is_some_and(inside)
    }

    fn list_is_complete(&self, answer: ValueRef<'_>) -> bool {
        let list = self.list.as_ref().and_then(|(_, path)| answer.at(path));
        list.is_some_and(ValueRef::is_complete)
    }

    fn give_next(&mut self, path: &PathBuf, value: ValueRef<'_>) {
        self.give(path, value);
        self.given += 1;
    }

    fn give(&mut self, path: &PathBuf, value: ValueRef<'_>) {
        let index = match path.last() {
            Some(Segment::Index(index)) => index as usize,
            _ => self.given,
        };
        let attempt = self.attempt;
        let item = value.read().map(|value| Item { index, attempt, value });
        self.out.push_back(item.map_err(|error| below(path, error)));
    }

    /// The complete items, in order.
    fn complete<'a>(&self, answer: ValueRef<'a>) -> Vec<(PathBuf, ValueRef<'a>)> {
        let mut found = Vec::new();
        let mut open = vec![(PathBuf::root(), answer)];
        while let Some((path, value)) = open.pop() {
            if path.len() == self.items.len() {
                if value.is_complete() && self.items.matches_owned(&path) {
                    found.push((path, value));
                }
                continue;
            }
            let first = open.len();
            open.extend((0..).zip(value.entries()).map(|(index, (key, value))| {
                (path.child(key.map_or(Segment::Index(index), Segment::Key)), value)
            }));
            open[first..].reverse();
        }
        found
    }
}

/// The error with its path from the root of the answer.
fn below(path: &PathBuf, mut error: DataError) -> DataError {
    let dot = if error.path.is_empty() || error.path.starts_with('[') { "" } else { "." };
    error.path = format!("{path}{dot}{}", error.path);
    error
}
