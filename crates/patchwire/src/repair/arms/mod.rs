//! The arms of the machine: for each state and character, how a reading may go on, and what that costs.
//! One file holds one area of the grammar.

mod after;
mod bare;
mod end;
mod gap;
mod key;
mod quoted;
mod tail;
mod value;

use super::SearchOptions;
use super::costs::Slip;
use super::source::Source;
use super::stack::{Container, StackId, Stacks};
use super::state::{Place, Reading, Resume, State};
use super::target::Target;
use super::trace::{RepairEvent, Trace};

/// The doubt about a child whose line is indented otherwise than its siblings'.
const ODD_INDENT: u32 = 40;
/// The doubt about a child whose line is indented as the children of the container around are.
const OUTER_INDENT: u32 = 75;

/// The machine at one position. It knows the text and no other reading.
#[derive(Debug)]
pub(super) struct RepairMachine<'t> {
    pub(super) source: Source<'t>,
    pub(super) options: SearchOptions,
    /// Whether the text ends in a closer.
    pub(super) is_closed: bool,
    /// The value that a reading must have, if any is wanted.
    pub(super) target: Option<&'t Target<'t>>,
    pub(super) stacks: Stacks,
    pub(super) trace: Trace,
    /// The position.
    pub(super) at: usize,
    /// How the reading may go on: bytes to eat, and the reading behind them.
    pub(super) out: Vec<(usize, Reading)>,
}

impl<'t> RepairMachine<'t> {
    pub(super) fn new(text: &'t str, options: SearchOptions) -> Self {
        let source = Source::new(text);
        Self {
            source,
            is_closed: source.ends_in_closer(),
            options,
            target: None,
            stacks: Stacks::default(),
            trace: Trace::default(),
            at: 0,
            out: Vec::new(),
        }
    }

    /// The reading in front of a root.
    pub(super) fn start(&mut self) -> Reading {
        let state = State::Value { place: Place::Root, skipping: false };
        let reading = Reading::at(state, StackId::EMPTY);
        self.event(reading, RepairEvent::Root)
    }

    /// All ways in which a reading may go on at the position. They are added to `out`.
    pub(super) fn step(&mut self, reading: Reading) {
        let Some(char) = self.source.char(self.at) else { return };
        match reading.state {
            State::Value { place, skipping } => self.value(reading, place, skipping, char),
            State::Key { first, skipping } => self.key(reading, first, skipping, char),
            State::Colon { skipping } => self.colon(reading, skipping, char),
            State::After { .. } => self.after(reading, char),
            State::Quoted(text) => self.quoted(reading, text, char),
            State::Bare(bare) => self.bare(reading, bare, char),
            State::BareKey { start } => self.bare_key(reading, start, char),
            State::Comment(kind, back) => self.comment(reading, kind, back, char),
            State::Remark { closer, left } => self.remark(reading, closer, left, char),
            State::Passing { left, back } => self.passing(reading, left, back, char),
            State::Join => self.join(reading, char),
            State::Tail(text) => self.tail(reading, text, char),
        }
    }

    /// The reading goes on `ahead` bytes further.
    fn go(&mut self, reading: Reading, ahead: usize, state: State) {
        if reading.cost != Reading::DEAD {
            self.out.push((ahead, Reading { state, ..reading }));
        }
    }

    /// The reading goes on with a slip, if it is allowed.
    fn go_with(&mut self, reading: Reading, slip: Slip, ahead: usize, state: State) {
        if let Some(reading) = self.slip(reading, slip) {
            self.go(reading, ahead, state);
        }
    }

    /// The reading goes on behind a text of `len` bytes that was looked at whole.
    fn pass(&mut self, reading: Reading, len: usize, back: Resume) {
        let left = u8::try_from(len).unwrap_or(u8::MAX);
        self.go(reading, 0, State::Passing { left, back });
    }

    fn passing(&mut self, reading: Reading, left: u8, back: Resume, char: char) {
        let len = char.len_utf8();
        let state = match left.checked_sub(len as u8) {
            None | Some(0) => back.state(),
            Some(left) => State::Passing { left, back },
        };
        self.go(reading, len, state);
    }

    /// The reading with a slip, if it is allowed.
    fn slip(&mut self, reading: Reading, slip: Slip) -> Option<Reading> {
        self.slips(reading, slip, 1)
    }

    /// The reading with a slip so many times.
    fn slips(&mut self, mut reading: Reading, slip: Slip, times: u32) -> Option<Reading> {
        if times == 0 {
            return Some(reading);
        }
        if !slip.is_allowed(self.options.leniencies) {
            return None;
        }
        let cost = slip.cost() / share_of(reading, slip) * times;
        if !self.can_pay(reading, cost) {
            return None;
        }
        reading.habits |= slip.habit();
        Some(self.charged(reading, slip, cost))
    }

    /// Whether the reading may have this slip: before looks that only the slip needs.
    pub(super) fn affords(&self, reading: Reading, slip: Slip) -> bool {
        self.can_pay(reading, slip.cost() / share_of(reading, slip))
    }

    const fn can_pay(&self, reading: Reading, cost: u32) -> bool {
        reading.with_cost(cost).total() <= self.options.most
    }

    /// The reading with a slip that costs at most so much, and what it costs.
    fn slip_up_to(&mut self, mut reading: Reading, slip: Slip, most: u32) -> (Reading, u32) {
        let cost = (slip.cost() / share_of(reading, slip)).min(most);
        reading.habits |= slip.habit();
        (self.charged(reading, slip, cost), cost)
    }

    fn charged(&mut self, mut reading: Reading, slip: Slip, cost: u32) -> Reading {
        reading = reading.with_cost(cost);
        if slip.is_surcharge() {
            return reading;
        }
        self.event(reading, RepairEvent::Slip(slip, cost.min(u32::from(u16::MAX)) as u16))
    }

    fn event(&mut self, reading: Reading, event: RepairEvent) -> Reading {
        self.event_at(reading, self.at, event)
    }

    /// The reading with an event. Nothing is kept of the roots that are too many.
    fn event_at(&mut self, reading: Reading, at: usize, event: RepairEvent) -> Reading {
        if reading.roots >= self.options.roots {
            return reading;
        }
        let matched = match self.target {
            Some(target) => {
                let top = self.stacks.top(reading.stack);
                target.matched(reading.matched, self.source, event, top)
            }
            None => Some(reading.matched),
        };
        let reading = match matched {
            Some(matched) => Reading { matched, ..reading },
            None => Reading { cost: Reading::DEAD, ..reading },
        };
        Reading { trace: self.trace.push(reading.trace, at, event), ..reading }
    }

    /// A root ended.
    fn end_root(&mut self, reading: Reading, at: usize, closed: bool) -> Reading {
        let reading = self.event_at(reading, at, RepairEvent::RootEnd { closed });
        Reading { roots: reading.roots.saturating_add(1), ..reading }
    }

    /// A container opens; its opener has `ahead` bytes. Too deep a reading ends here.
    fn open(&mut self, reading: Reading, container: Container, ahead: usize) {
        if self.stacks.depth(reading.stack) >= self.options.depth {
            return;
        }
        let mut reading = self.event(reading, RepairEvent::Open(container));
        reading.stack = self.stacks.push(reading.stack, container);
        let state = match container {
            Container::Object | Container::Implied | Container::Wrapper => {
                State::Key { first: true, skipping: false }
            }
            _ => State::Value { place: Place::First, skipping: false },
        };
        self.go(reading, ahead, state);
    }

    /// A child begins at the position. It is odd if its line is indented otherwise than its siblings', and more so
    /// if it is indented as the children of the container around them are.
    fn child(&mut self, reading: Reading) -> Reading {
        let Some(indent) = self.source.indent_at(self.at) else { return reading };
        let (stack, is_odd) = self.stacks.child_at(reading.stack, indent);
        let outer = self.stacks.indent(self.stacks.pop(stack));
        let reading = Reading { stack, ..reading };
        match is_odd {
            true if outer == Some(indent) => reading.doubting(OUTER_INDENT),
            true => reading.doubting(ODD_INDENT),
            false => reading,
        }
    }

    /// The innermost container ends.
    fn pop(&mut self, reading: Reading) -> Reading {
        let mut reading = self.event(reading, RepairEvent::Close);
        reading.stack = self.stacks.pop(reading.stack);
        reading
    }

    /// All open containers end. Each that has a closer costs this slip.
    fn close_all(&mut self, mut reading: Reading, slip: Slip) -> Option<Reading> {
        let mut closers = 0;
        while let Some(container) = self.stacks.top(reading.stack) {
            closers += u32::from(container != Container::Implied);
            reading = self.pop(reading);
        }
        let reading = self.end_root(reading, self.at, closers == 0);
        self.slips(reading, slip, closers)
    }

    /// A value ended `ahead` bytes further.
    fn end_value(&mut self, reading: Reading, ahead: usize, state: State) {
        if self.stacks.top(reading.stack).is_some() {
            return self.go(reading, ahead, state);
        }
        let reading = self.end_root(reading, self.at + ahead, true);
        self.go(reading, ahead, State::TAIL);
    }
}

/// The part of its cost that a slip costs beside those that the reading has.
fn share_of(reading: Reading, slip: Slip) -> u32 {
    if reading.habits & slip.habit() == 0 { 1 } else { slip.habit_share() }
}
