//! Collects the items of a list from events.

use std::collections::VecDeque;

use patchwire::{
    OwnedPatch, PatchOp, PathBuf, Pattern, Schema, ValueKind, ValueRef,
    document::{DataError, DocId},
    path::Segment,
};
use serde::de::{DeserializeOwned, Error as _};

use super::follow::{is_below, is_cut, names_beside, patch_of_answer};
use crate::event::ResponseEvent;
use crate::parser_set::ParserSet;
use crate::path_error::PathError;
use crate::tracking::{PartError, Verb, View, located};

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

/// The items of a list as they close. See [`Response::each`](crate::Response::each).
#[derive(Debug)]
pub struct Each<T> {
    items: Pattern,
    /// The path of the list as printed, with wildcards.
    path: String,
    /// The part of it before the first wildcard.
    literal: String,
    /// The list as a printed path, if there is only one.
    list: Option<(Pattern, String)>,
    /// The number of items so far. A corrected item counts once.
    given: usize,
    attempt: u32,
    out: VecDeque<Result<Item<T>, PartError>>,
    closed: bool,
}

impl<T: DeserializeOwned> Each<T> {
    pub(crate) fn new(path: &str, schema: Option<&Schema>) -> Result<Self, PathError> {
        let suffix = ["[*]", ".*"].into_iter().find_map(|suffix| path.strip_suffix(suffix));
        let list = if path == "*" { "" } else { suffix.unwrap_or(path) };
        let list: Pattern = list.parse()?;
        let path = list.to_string();
        let items = format!("{path}[*]").parse()?;
        located(&items, schema)?;
        let literal = path.find("[*]").map_or(&*path, |end| &path[..end]).to_owned();
        // A quoted key may contain a star too. The end of such a list is just not noticed early.
        let list = (!path.contains("[*]")).then(|| (list, path.clone()));
        let out = VecDeque::new();
        Ok(Self { items, path, literal, list, given: 0, attempt: 1, out, closed: false })
    }
}

impl<T: DeserializeOwned> Verb for Each<T> {
    type Item = Item<T>;

    fn catch_up(&mut self, parsers: &ParserSet) {
        let queue = &parsers.queue;
        self.attempt = parsers.attempt();
        let done =
            queue.iter().filter_map(patch_of_answer).filter(|patch| patch.op == PatchOp::Done);
        let mut waiting = 0;
        let mut ends = true;
        for patch in done {
            let is_item = self.items.matches_owned(&patch.path) && !is_cut(patch, parsers);
            waiting += usize::from(is_item);
            ends &= !self.is_list(&patch.path);
        }
        let known = self.complete(parsers.value(), parsers);
        let first = known.len().saturating_sub(waiting);
        known.into_iter().take(first).for_each(|(path, value)| self.give_next(&path, value));
        self.closed = ends && self.list_is_complete(parsers.value(), parsers);
    }

    fn take(&mut self, event: &ResponseEvent, view: View<'_>) {
        let parsers = view.parsers;
        if let Some(patch) = patch_of_answer(event) {
            return self.patch(patch, parsers);
        }
        match event {
            ResponseEvent::Snapshot { document: DocId::ANSWER, value, origin } => {
                self.attempt = origin.attempt;
                let all = self.complete(value.as_ref(), parsers);
                let fresh = all.into_iter().skip(self.given);
                fresh.for_each(|(path, value)| self.give_next(&path, value));
                self.closed = self.list_is_complete(value.as_ref(), parsers);
            }
            ResponseEvent::Reset { attempt } => (self.given, self.attempt) = (0, *attempt),
            _ if event.as_final().is_some() => self.end(parsers),
            _ => {}
        }
    }

    fn end(&mut self, parsers: &ParserSet) {
        if self.closed {
            return;
        }
        self.closed = true;
        let path = self.path.clone();
        let Some(value) = parsers.value().at(&self.literal).filter(|value| value.exists()) else {
            let names = names_beside(&self.literal, parsers);
            self.out.push_back(Err(PartError::Path(PathError::Missing { path, names })));
            return;
        };
        if parsers.is_cut_at(&self.literal) {
            let value = value.to_value();
            self.out.push_back(Err(PartError::Path(PathError::Cut { path, value })));
        }
    }

    fn pop(&mut self) -> Option<Result<Item<T>, PartError>> {
        self.out.pop_front()
    }

    fn is_closed(&self) -> bool {
        self.closed
    }
}

impl<T: DeserializeOwned> Each<T> {
    fn patch(&mut self, patch: &OwnedPatch, parsers: &ParserSet) {
        let answer = parsers.value();
        self.attempt = patch.origin.attempt;
        if self.items.matches_owned(&patch.path) && patch.is_complete() {
            let kept = patch.value.as_ref().map(|value| value.as_ref());
            let value = kept.or_else(|| answer.by_node(patch.node)).unwrap_or(answer);
            match patch.op {
                PatchOp::Done if is_cut(patch, parsers) => {}
                PatchOp::Done => self.give_next(&patch.path, value),
                _ => self.give(&patch.path, value),
            }
        } else if patch.op == PatchOp::Replace && self.is_replaced_by(&patch.path) {
            let all = self.complete(answer, parsers);
            all.into_iter().for_each(|(path, value)| self.give(&path, value));
            self.closed = !self.list_is_cut(parsers);
        } else if patch.op == PatchOp::Done && self.is_list(&patch.path) {
            self.refuse_scalar(patch);
            self.closed = !self.list_is_cut(parsers);
        }
    }

    /// A scalar in the place of the list is an error; null is a list without items.
    fn refuse_scalar(&mut self, patch: &OwnedPatch) {
        let kind = patch.value.as_ref().map(|value| value.as_ref().kind());
        let found = match kind {
            Some(ValueKind::String) => "string",
            Some(ValueKind::Number) => "number",
            Some(ValueKind::Bool) => "bool",
            _ => return,
        };
        let error = DataError::custom(format_args!("invalid type: {found}, expected a list"));
        self.out.push_back(Err(PartError::Data(below(&patch.path, error))));
    }

    fn list_is_cut(&self, parsers: &ParserSet) -> bool {
        parsers.is_cut_at(&self.literal)
    }

    fn is_list(&self, path: &PathBuf) -> bool {
        self.list.as_ref().is_some_and(|(list, _)| list.matches_owned(path))
    }

    fn is_replaced_by(&self, path: &PathBuf) -> bool {
        let inside = |(_, list): &(Pattern, String)| is_below(list, &path.to_string());
        self.is_list(path) || self.list.as_ref().is_some_and(inside)
    }

    fn list_is_complete(&self, answer: ValueRef<'_>, parsers: &ParserSet) -> bool {
        let list = self.list.as_ref().and_then(|(_, path)| answer.at(path));
        list.is_some_and(ValueRef::is_complete) && !self.list_is_cut(parsers)
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
        self.out.push_back(item.map_err(|error| PartError::Data(below(path, error))));
    }

    /// The complete items, in order, without one that was cut.
    fn complete<'a>(
        &self,
        answer: ValueRef<'a>,
        parsers: &ParserSet,
    ) -> Vec<(PathBuf, ValueRef<'a>)> {
        let mut found = Vec::new();
        let mut open = vec![(PathBuf::root(), answer)];
        while let Some((path, value)) = open.pop() {
            if path.len() == self.items.len() {
                let is_whole = value.is_complete() && self.items.matches_owned(&path);
                if is_whole && !parsers.is_cut_at(&path.to_string()) {
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
pub(crate) fn below(path: &PathBuf, mut error: DataError) -> DataError {
    let dot = if error.path.is_empty() || error.path.starts_with('[') { "" } else { "." };
    error.path = format!("{path}{dot}{}", error.path);
    error
}
