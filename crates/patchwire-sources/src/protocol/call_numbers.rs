//! Gives each tool call of a message a number of its own.

use core::hash::BuildHasher as _;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::RandomState;

use crate::call_state::CallState;
use crate::delta::{Call, Delta};

/// The calls of a message so far. Parts come with the provider's index and leave with the call's number.
#[derive(Debug, Clone, Default)]
pub(super) struct CallNumbers {
    calls: Vec<NumberedCall>,
    /// The last call at each index of the provider.
    last: BTreeMap<u32, u32>,
    /// The calls with ids, because parts of calls with one index may alternate: by the index and the hash of the id.
    ids: BTreeMap<(u32, u64), u32>,
    hashes: RandomState,
    /// The calls whose arguments are JSON and have not begun.
    without_arguments: BTreeSet<u32>,
    numbers: BTreeSet<u32>,
    /// All smaller numbers are in use.
    free: u32,
    /// The calls before the current event.
    settled: usize,
}

#[derive(Debug, Clone)]
struct NumberedCall {
    number: u32,
    state: CallState,
    is_text: bool,
}

impl CallNumbers {
    /// Notes that an event ended. Two names at one index of one event are two calls.
    pub(super) fn event_ended(&mut self) {
        self.settled = self.calls.len();
    }

    /// Whether a call began.
    pub(super) fn any(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Emits a part. Its id and its name are emitted where they are new.
    pub(super) fn part(&mut self, mut part: Call, out: &mut dyn FnMut(Delta)) {
        let known = self.find(&part);
        let at = match known {
            Some(at) => {
                let state = &mut self.calls[at].state;
                let bytes = part.arguments.as_bytes();
                let before = state.id().is_some();
                let is_new = state.take(part.id.as_deref(), part.name.as_deref(), bytes);
                part.id = part.id.filter(|_| !before);
                part.name =
                    state.name().filter(|_| is_new && part.name.is_some()).map(str::to_owned);
                at
            }
            None => self.begin(&part),
        };
        part.id = part.id.filter(|id| !id.is_empty());
        let (call, position) = (&self.calls[at], at as u32);
        if let Some(id) = call.state.id() {
            self.ids.insert((part.index, self.hashes.hash_one(id)), position);
        }
        if call.state.is_without_arguments() && !call.is_text {
            self.without_arguments.insert(position);
        } else {
            self.without_arguments.remove(&position);
        }
        self.last.insert(part.index, position);
        part.index = self.calls[at].number;
        out(Delta::Call(part));
    }

    /// Emits `{}` for calls without arguments. They ended: their tools have no parameters.
    pub(super) fn ended(&mut self, out: &mut dyn FnMut(Delta)) {
        for at in core::mem::take(&mut self.without_arguments) {
            let call = &mut self.calls[at as usize];
            call.state.take(None, None, b"{}");
            let arguments = "{}".to_owned();
            out(Delta::Call(Call { index: call.number, arguments, ..Call::default() }));
        }
    }

    /// The call that the part continues.
    fn find(&self, part: &Call) -> Option<usize> {
        let id = part.id.as_deref();
        let key = id.map(|id| (part.index, self.hashes.hash_one(id)));
        let by_id = key.and_then(|key| self.ids.get(&key)).map(|at| *at as usize);
        let by_id = by_id.filter(|at| self.calls[*at].state.id() == id);
        let last = || self.last.get(&part.index).map(|at| *at as usize);
        let at = by_id.or_else(last)?;
        let state = &self.calls[at].state;
        let (id, name) = (part.id.as_deref(), part.name.as_deref());
        let is_second_of_event =
            at >= self.settled && by_id.is_none() && name.is_some() && name != state.name();
        let is_other =
            is_second_of_event || state.begins_another(id, name, part.arguments.as_bytes());
        (!is_other).then_some(at)
    }

    fn begin(&mut self, part: &Call) -> usize {
        let mut number = part.index;
        if self.numbers.contains(&number) {
            while self.numbers.contains(&self.free) {
                self.free += 1;
            }
            number = self.free;
        }
        self.numbers.insert(number);
        let state = CallState::of(part);
        self.calls.push(NumberedCall { number, state, is_text: part.is_text });
        self.calls.len() - 1
    }
}
