//! The proof that cuts do not matter.
//!
//! Let `S(i)` be the state after the first `i` bytes, fed one by one. Suppose that for all `i < j`, feeding
//! the bytes from `i` to `j` in one piece leads from `S(i)` to `S(j)` and emits the events of the single
//! bytes. Then, by induction over the number of chunks, every one of the 2ⁿ⁻¹ cuttings does: the state
//! after each chunk is that of its bytes fed one by one.

use patchwire::{Error, Event, Parser, Patch, PatchOp, Spec, ValueKind};

use crate::cuts::BRUTE_MAX;
use crate::event_log::{Mark, Recorded, RecordedPatch, Recorder, difference, end, size};
use crate::show;
use crate::tree::Tree;

/// The extent of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Proof {
    /// The number of inputs.
    pub inputs: usize,
    /// The number of their bytes, up to the first error.
    pub bytes: usize,
    /// The number of pairs that were fed.
    pub pairs: usize,
}

impl Proof {
    /// The sum of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            inputs: self.inputs + other.inputs,
            bytes: self.bytes + other.bytes,
            pairs: self.pairs + other.pairs,
        }
    }
}

/// The number of bytes after an error that are fed, too: the error must stay.
const BEHIND_ERROR: usize = 2;

/// Proves that no cutting of this input matters.
///
/// # Errors
/// The first counterexample.
pub fn prove(spec: &Spec, input: &[u8]) -> Result<Proof, String> {
    let bytewise = Bytewise::of(spec, input);
    let len = bytewise.states.len() - 1;
    let mut pairs = 0;
    for from in 0..=len {
        for to in from..=len {
            pairs += 1;
            bytewise.check(from, to).map_err(|why| {
                format!(
                    "input {}\n  bytes {from}..{to} in one piece, those before one by one: {why}",
                    show::input(input)
                )
            })?;
        }
    }
    Ok(Proof { inputs: 1, bytes: len, pairs })
}

/// Feeds all 2ⁿ⁻¹ cuttings of an input of at most [`BRUTE_MAX`] bytes to the end. Returns their number.
///
/// This checks the claim of [`prove`] by enumeration.
///
/// # Errors
/// The first cutting that emits other events.
pub fn brute(spec: &Spec, input: &[u8]) -> Result<usize, String> {
    assert!(input.len() <= BRUTE_MAX, "{} bytes have too many cuttings", input.len());
    let bytewise = Bytewise::of(spec, input);
    let (last, recorder) = bytewise.ended();
    let mut brute = Brute { bytewise, last, recorder, cuts: Vec::new(), count: 0 };
    let start = brute.bytewise.states[0].clone();
    brute.from(0, &start)?;
    Ok(brute.count)
}

/// An input fed byte by byte.
struct Bytewise<'i> {
    input: &'i [u8],
    /// The states after 0 bytes, 1 byte, and so on, to the end or a little past an error.
    states: Vec<Parser>,
    marks: Vec<Mark>,
    recorder: Recorder,
    /// The number of bytes at which the error occurred, and the error.
    error: Option<(usize, Error)>,
}

impl<'i> Bytewise<'i> {
    fn of(spec: &Spec, input: &'i [u8]) -> Self {
        let mut parser = spec.parser();
        let mut recorder = Recorder::default();
        let (mut states, mut marks) = (vec![parser.clone()], vec![Mark::default()]);
        let mut error = None;
        for at in 0..input.len() {
            let result = parser.feed(&input[at..=at], |event| recorder.push(&event));
            states.push(parser.clone());
            marks.push(recorder.mark());
            if let Err(latched) = result {
                error.get_or_insert((at + 1, latched));
            }
            if error.is_some_and(|(seen, _)| at + 1 >= seen + BEHIND_ERROR) {
                break;
            }
        }
        Self { input, states, marks, recorder, error }
    }

    fn result(&self, to: usize) -> Result<(), Error> {
        match self.error {
            Some((seen, error)) if seen <= to => Err(error),
            _ => Ok(()),
        }
    }

    /// Feeds `from..to` in one piece to the state at `from`.
    fn check(&self, from: usize, to: usize) -> Result<(), String> {
        let mut parser = self.states[from].clone();
        let mut follower = Follower::new(self.recorder.events(), self.marks[from]);
        let result = parser.feed(&self.input[from..to], |event| follower.take(&event));
        self.compare(to, (&parser, result), follower)
    }

    fn compare(
        &self,
        to: usize,
        (parser, result): (&Parser, Result<(), Error>),
        follower: Follower<'_>,
    ) -> Result<(), String> {
        follower.reached(self.marks[to])?;
        if result != self.result(to) {
            return Err(format!("feed returns {result:?}, not {:?}", self.result(to)));
        }
        if *parser == self.states[to] {
            return Ok(());
        }
        // After an error only the value is compared: the number of bytes that were refused may differ.
        if result.is_err() && parser.value() == self.states[to].value() {
            return Ok(());
        }
        Err(state_difference(parser, &self.states[to]))
    }

    /// The last state and its record, finished.
    fn ended(&self) -> (Parser, Recorder) {
        let mut parser = self.states[self.states.len() - 1].clone();
        let mut recorder = self.recorder.clone();
        // An error is latched: it was compared where it occurred.
        let _ = end(&mut parser, &mut recorder);
        (parser, recorder)
    }
}

/// The difference between two states, in their printed form.
pub(crate) fn state_difference(one: &Parser, other: &Parser) -> String {
    let (one, other) = (format!("{one:#?}"), format!("{other:#?}"));
    let found = one.lines().zip(other.lines()).enumerate().find(|(_, (one, other))| one != other);
    let Some((at, (left, right))) = found else {
        return "the states differ, in nothing that they print".to_owned();
    };
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut above = Vec::new();
    let mut inner = depth(left);
    for line in one.lines().take(at).collect::<Vec<_>>().into_iter().rev() {
        if depth(line) < inner {
            inner = depth(line);
            above.push(line.trim());
        }
    }
    above.reverse();
    format!("the states differ in {}: `{}` or `{}`", above.join(" "), left.trim(), right.trim())
}

/// Compares events with a known list of coalesced events, although they arrive in other pieces.
#[derive(Debug, Clone)]
struct Follower<'e> {
    expected: &'e [Recorded],
    at: Mark,
    wrong: Option<String>,
}

impl<'e> Follower<'e> {
    const fn new(expected: &'e [Recorded], at: Mark) -> Self {
        Self { expected, at, wrong: None }
    }

    fn take(&mut self, event: &Event<'_>) {
        if self.wrong.is_none() && !self.goes_on(event) && !self.is_next(event) {
            self.wrong = Some(self.complaint(event));
        }
    }

    fn complaint(&self, event: &Event<'_>) -> String {
        let show = |at: usize| {
            self.expected.get(at).map_or_else(|| "nothing".to_owned(), ToString::to_string)
        };
        let last = self.at.events.checked_sub(1).map_or_else(|| "nothing".to_owned(), show);
        format!(
            "it tells\n    {}\n  after\n    {last}\n  instead of its rest from byte {} on, or\n    {}",
            Recorded::of(event),
            self.at.text,
            show(self.at.events),
        )
    }

    /// Whether the event continues the last one.
    fn goes_on(&mut self, event: &Event<'_>) -> bool {
        let Some(last) = self.at.events.checked_sub(1).and_then(|at| self.expected.get(at)) else {
            return false;
        };
        let (Some(span), true) = (event.span(), continues(last, event)) else { return false };
        let delta = text(event);
        let fits = span.start == self.at.end && last.text()[self.at.text..].starts_with(delta);
        self.at.text += delta.len();
        self.at.end = span.end;
        fits
    }

    /// Whether the event is the next one, or its beginning.
    fn is_next(&mut self, event: &Event<'_>) -> bool {
        let Some(next) = self.expected.get(self.at.events) else { return false };
        if !begins(event, next) {
            return false;
        }
        let end = event.span().map_or(0, |span| span.end);
        self.at = Mark { events: self.at.events + 1, text: text(event).len(), end };
        true
    }

    fn reached(&self, mark: Mark) -> Result<(), String> {
        if let Some(wrong) = &self.wrong {
            return Err(wrong.clone());
        }
        if self.at == mark {
            return Ok(());
        }
        let show = |mark: Mark| match mark.events.checked_sub(1) {
            None => "nothing".to_owned(),
            Some(at) => format!(
                "{} events, the last up to byte {} of its text and {} of the stream:\n    {}",
                mark.events, mark.text, mark.end, self.expected[at]
            ),
        };
        Err(format!("it tells\n  {}\n  not\n  {}", show(self.at), show(mark)))
    }
}

fn text<'a>(event: &Event<'a>) -> &'a str {
    match event {
        Event::Patch(patch) => patch.delta.as_str(),
        Event::Text(text) => text.delta.as_str(),
        Event::Reasoning(text) => text.delta.as_str(),
        Event::Comment(comment) => comment.delta.as_str(),
        _ => "",
    }
}

/// Whether the event continues the text of `last`. Copies nothing.
fn continues(last: &Recorded, event: &Event<'_>) -> bool {
    match (last, event) {
        (Recorded::Patch(last), Event::Patch(patch)) => {
            last.op == PatchOp::Delta
                && patch.op == PatchOp::Delta
                && last.node == patch.node
                && last.document == patch.document
        }
        (Recorded::Text { channel, element, .. }, Event::Text(text)) => {
            channel == text.channel && *element == text.element
        }
        (Recorded::Reasoning { element, .. }, Event::Reasoning(text)) => *element == text.element,
        (Recorded::Comment { element, is_complete: false, .. }, Event::Comment(comment)) => {
            *element == comment.element && !comment.is_complete
        }
        (Recorded::Skipped { reason, .. }, Event::Skipped { reason: next, .. }) => reason == next,
        _ => false,
    }
}

/// Whether the event equals `expected`, or is its beginning. Copies nothing for patches.
fn begins(event: &Event<'_>, expected: &Recorded) -> bool {
    let (Recorded::Patch(expected), Event::Patch(patch)) = (expected, event) else {
        return Recorded::of(event).begins(expected);
    };
    if expected.op != patch.op || !is_same_field(expected, patch) {
        return false;
    }
    if patch.op == PatchOp::Delta {
        return expected.span.start == patch.span.start
            && expected.delta.starts_with(patch.delta.as_str());
    }
    expected.span == patch.span
        && expected.origin == *patch.origin
        && expected.completion == patch.completion
        && expected.repaired == patch.repaired
        && expected.deferred == patch.deferred
        && expected.size == size(patch)
        && has_value(expected, patch)
}

fn is_same_field(expected: &RecordedPatch, patch: &Patch<'_>) -> bool {
    expected.document == patch.document
        && expected.node == patch.node
        && patch.path == *expected.path
}

fn has_value(expected: &RecordedPatch, patch: &Patch<'_>) -> bool {
    let value = patch.value;
    match (&expected.value, patch.op) {
        (Some(tree), PatchOp::Done) => tree.is_leaf(value),
        (None, PatchOp::Done) => {
            !value.exists() || matches!(value.kind(), ValueKind::List | ValueKind::Object)
        }
        (Some(tree), PatchOp::Open) => match tree {
            Tree::String(_) => value.as_str() == Some(""),
            Tree::List(_) => value.kind() == ValueKind::List,
            _ => value.kind() == ValueKind::Object,
        },
        (Some(tree), _) => Tree::of(value).as_ref() == Some(tree),
        (None, _) => !value.exists() || patch.op == PatchOp::Remove,
    }
}

/// The tree of all cuttings: each branch is one more chunk.
struct Brute<'i> {
    bytewise: Bytewise<'i>,
    last: Parser,
    recorder: Recorder,
    cuts: Vec<usize>,
    count: usize,
}

impl Brute<'_> {
    fn from(&mut self, from: usize, state: &Parser) -> Result<(), String> {
        let len = self.bytewise.states.len() - 1;
        if from == len {
            self.count += 1;
            return self.finish(state);
        }
        for to in from + 1..=len {
            let mut parser = state.clone();
            let mut follower =
                Follower::new(self.bytewise.recorder.events(), self.bytewise.marks[from]);
            let result = parser.feed(&self.bytewise.input[from..to], |event| follower.take(&event));
            self.cuts.push(to);
            let compared = self.bytewise.compare(to, (&parser, result), follower);
            compared.map_err(|why| self.explain(&why))?;
            self.from(to, &parser)?;
            self.cuts.pop();
        }
        Ok(())
    }

    fn finish(&self, state: &Parser) -> Result<(), String> {
        let mut parser = state.clone();
        let mut recorder = self.bytewise.recorder.clone();
        let _ = end(&mut parser, &mut recorder);
        if let Some(found) = difference(recorder.events(), self.recorder.events()) {
            return Err(self.explain(&format!("at the end {found}")));
        }
        if parser.answer().map_err(|error| error.kind)
            != self.last.answer().map_err(|error| error.kind)
        {
            return Err(self.explain("the answers differ"));
        }
        Ok(())
    }

    fn explain(&self, why: &str) -> String {
        let input = show::input(self.bytewise.input);
        format!("input {input}\n  in chunks that end at {:?}: {why}", self.cuts)
    }
}
