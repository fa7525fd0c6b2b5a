//! The search: all readings move through the text side by side. At each position the cheapest few go on, and
//! readings that are alike become one.

use super::arms::RepairMachine;
use super::costs::Slip;
use super::state::{Quote, Quoted, Reading, Role, State};

/// Most bytes that an arm eats, plus one.
const RING: usize = 8;
/// Most moves in a row that eat nothing.
pub(super) const STANDSTILLS: usize = 8;

/// The search gives up where the cheapest reading costs more than this, and this much for each byte: the text
/// is no JSON with slips, as a million opening braces are.
const HOPELESS: u32 = 4_000;
const HOPELESS_PER_BYTE: u32 = 16;

/// The readings that are alive.
pub(super) struct Beam<'m, 't> {
    machine: &'m mut RepairMachine<'t>,
    /// Readings by position: slot `at % RING` holds those at `at`.
    ring: [Vec<Reading>; RING],
    /// Readings in the ring.
    waiting: usize,
}

impl<'m, 't> Beam<'m, 't> {
    pub(super) fn new(machine: &'m mut RepairMachine<'t>) -> Self {
        Self { machine, ring: Default::default(), waiting: 0 }
    }

    /// Reads the whole text. Returns the readings at its end, the cheapest first.
    pub(super) fn run(mut self) -> Vec<Reading> {
        let start = self.machine.start();
        self.add(self.machine.at, start);
        self.read();
        self.finish()
    }

    /// Reads the whole text, beginning with these readings, which have eaten some bytes already. What the
    /// cheapest costs there, or as a whole if the text `is_whole`; none if all of them ended.
    pub(super) fn cheapest(
        mut self,
        readings: Vec<(usize, Reading)>,
        is_whole: bool,
    ) -> Option<u32> {
        for (ahead, reading) in readings {
            self.add(self.machine.at + ahead, reading);
        }
        self.read();
        if is_whole {
            return self.finish().first().map(Reading::total);
        }
        self.ring.iter().flatten().map(Reading::total).min()
    }

    fn read(&mut self) {
        let (start, end) = (self.machine.at, self.machine.source.len());
        let mut now = Vec::new();
        while self.machine.at < end && self.waiting > 0 {
            let at = self.machine.at;
            core::mem::swap(&mut now, &mut self.ring[at % RING]);
            self.waiting -= now.len();
            if now.is_empty() {
                self.machine.at += 1;
                continue;
            }
            self.prune(&mut now);
            if is_hopeless(&now[0], at - start) {
                self.ring.iter_mut().for_each(Vec::clear);
                self.waiting = 0;
                return;
            }
            self.tidy(&mut now);
            let dull = if self.waiting == 0 { self.dull_run(&now) } else { 0 };
            if dull > 0 {
                self.machine.at += dull;
                self.waiting += now.len();
                core::mem::swap(&mut now, &mut self.ring[(at + dull) % RING]);
                continue;
            }
            self.step_all(&mut now);
            self.machine.at += 1;
        }
    }

    /// All readings at the position make their moves, and those that ate nothing move again.
    fn step_all(&mut self, now: &mut Vec<Reading>) {
        let at = self.machine.at;
        for _ in 0..STANDSTILLS {
            for reading in now.drain(..) {
                self.machine.step(reading);
                self.distribute(at);
            }
            core::mem::swap(now, &mut self.ring[at % RING]);
            self.waiting -= now.len();
            if now.is_empty() {
                return;
            }
        }
        now.clear();
    }

    fn distribute(&mut self, at: usize) {
        let mut out = core::mem::take(&mut self.machine.out);
        for (ahead, reading) in out.drain(..) {
            self.add(at + ahead, reading);
        }
        self.machine.out = out;
    }

    /// Adds a reading. Of two that are alike the cheaper stays, of equals the older. If a value is wanted, they have
    /// read as much of it.
    fn add(&mut self, at: usize, reading: Reading) {
        if reading.total() > self.machine.options.most {
            return;
        }
        let slot = &mut self.ring[at % RING];
        let alike = |it: &&mut Reading| {
            it.state == reading.state && it.stack == reading.stack && it.matched == reading.matched
        };
        match slot.iter_mut().find(alike) {
            Some(other) if reading.total() < other.total() => *other = reading,
            Some(_) => {}
            None => {
                slot.push(reading);
                self.waiting += 1;
            }
        }
    }

    /// Keeps the cheapest readings.
    fn prune(&self, now: &mut Vec<Reading>) {
        if now.len() > 1 {
            now.sort_by_key(Reading::total);
            let most = now[0].total().saturating_add(self.machine.options.margin);
            now.truncate(self.machine.options.width);
            now.retain(|reading| reading.total() <= most);
        }
    }

    /// Frees the memory of what no reading needs.
    fn tidy(&mut self, now: &mut [Reading]) {
        if let ([only], 0) = (&mut *now, self.waiting) {
            self.machine.trace.settle(only);
        } else if self.machine.trace.needs_cleanup() {
            let waiting = self.ring.iter_mut().flatten();
            self.machine.trace.clean_up(now.iter_mut().chain(waiting));
        }
    }

    /// The length of what follows in which no reading decides anything: plain text inside strings, or spaces between values.
    fn dull_run(&self, now: &[Reading]) -> usize {
        let is_dull: fn(u8) -> bool = match now {
            [only] if self.is_poor_in_text(only) => is_dull_to_the_poor,
            _ if now.iter().all(is_in_text) => is_dull,
            _ if now.iter().all(is_between_values) => |byte| byte == b' ',
            _ => return 0,
        };
        let at = self.machine.at;
        let end = self.machine.source.len();
        let stops = |at: &usize| self.machine.source.byte(*at).is_none_or(|byte| !is_dull(byte));
        (at..end).find(stops).unwrap_or(end) - at
    }

    /// Whether the reading is in a string, and can pay for no slip that another byte than a quote, a backslash or a line end
    /// begins. The cheapest of those is the end of the string at a quote of another kind.
    fn is_poor_in_text(&self, reading: &Reading) -> bool {
        let is_plain = matches!(
            reading.state,
            State::Quoted(Quoted { quote: Quote::Double, role: Role::Value, inner: 0, .. })
        );
        is_plain && !self.machine.affords(*reading, Slip::MixedQuotes)
    }

    fn finish(self) -> Vec<Reading> {
        let machine = self.machine;
        machine.at = machine.source.len();
        let ended = self.ring.into_iter().flatten();
        let mut ended: Vec<Reading> = ended.filter_map(|reading| machine.finish(reading)).collect();
        let most = machine.options.most;
        ended.retain(|reading| reading.cost != Reading::DEAD && reading.total() <= most);
        ended.sort_by_key(Reading::total);
        ended
    }
}

const fn is_in_text(reading: &Reading) -> bool {
    matches!(reading.state, State::Quoted(Quoted { role: Role::Value, .. }))
}

const fn is_between_values(reading: &Reading) -> bool {
    matches!(
        reading.state,
        State::Value { .. } | State::Key { .. } | State::Colon { .. } | State::After { .. }
    )
}

/// Whether a byte means nothing inside a string in `"`, if only quotes, escapes and line ends can be paid for.
const fn is_dull_to_the_poor(byte: u8) -> bool {
    // Typographic quotes begin with the last three.
    byte >= b' ' && !matches!(byte, b'"' | b'\\' | 0xC2 | 0xE2 | 0xEF)
}

/// Whether a byte means nothing inside any string, nor begins a character that does.
const fn is_dull(byte: u8) -> bool {
    match byte {
        b'"' | b'\'' | b'`' | b'\\' | b'&' | b',' | b':' | b'{' | b'}' | b'[' | b']' => false,
        // Typographic quotes begin so.
        0xC2 | 0xE2 | 0xEF => false,
        _ => byte >= b' ',
    }
}

/// Whether the cheapest reading has too many slips for the bytes that were read.
const fn is_hopeless(cheapest: &Reading, bytes: usize) -> bool {
    let allowed = (bytes as u32).saturating_mul(HOPELESS_PER_BYTE).saturating_add(HOPELESS);
    cheapest.total() > allowed
}
