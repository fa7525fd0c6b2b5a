//! Finds markers in text, and decides which text lies in which element.
//!
//! The router holds the bytes from the oldest place on where a marker may have begun. A candidate that
//! dies gives back exactly the bytes before the next one. Nothing is searched twice, with two
//! exceptions: bytes after a marker that might have grown longer, and bytes after a closer that
//! turned out to be content.

use super::acts::{Act, ActQueue};
use super::code_guard::{CodeGuard, MarkerRule};
use super::element_stack::{ElementStack, FoundMarker};
use super::family::{Anchor, Channel};
use super::held_text::HeldText;
use super::literal::{LiteralContext, LiteralMarker, LiteralSearch};
use super::marker_candidate::{MarkerCandidate, char_len};
use super::marker_effect::MarkerEffect;
use super::marker_place::MarkerPlace;
use super::marker_rules::{Around, MarkerRules};
use super::marker_search::MarkerSearch;
use super::pending_closer::{CloserVerdict, PendingCloser};
use super::pending_follower::PendingFollower;
use super::pending_marker::PendingMarker;
use super::pending_mention::{BehindWord, MentionPlace, PendingMention};
use super::routed::Routed;
use super::tag_set::{MarkerSide, TagSet};
use super::token_run::{TokenRun, TokenRuns};
use crate::codes::Code;
use crate::lex::Input;
use crate::span::Span;

/// Chunks shorter than this are searched byte by byte: a vector search costs more to begin.
const SHORT: usize = 16;

/// How a stream begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RouterStart {
    /// The family of an element that is open from the first byte on.
    pub(crate) start_in: Option<u16>,
    /// Stream offset from which on nothing hides markers.
    pub(crate) bare_from: Option<u64>,
    /// Whether token runs are kept for a reparse.
    pub(crate) keep_runs: bool,
}

/// The position among markers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Router {
    pub(super) tags: TagSet,
    pub(super) stack: ElementStack,
    pub(super) rules: MarkerRules,
    /// The code around the text that was routed.
    pub(super) guard: CodeGuard,
    /// How many payloads had begun when text was last scanned.
    payloads: u32,
    pub(super) search: MarkerSearch,
    pub(super) held: HeldText,
    acts: ActQueue,
    literals: Option<Box<LiteralSearch>>,
}

impl Router {
    pub(crate) fn new(tags: TagSet, start: RouterStart) -> Self {
        let mut stack = ElementStack::new();
        let mut guard = CodeGuard::START;
        if let Some(family) = start.start_in {
            stack.start_in(&tags, family);
            guard = CodeGuard::START_IN;
        }
        let rules = MarkerRules {
            place: MarkerPlace::of(&tags, &stack.open),
            runs: TokenRuns::new(start.keep_runs),
            bare_from: start.bare_from.unwrap_or(u64::MAX),
            code: tags.0.code,
        };
        Self {
            tags,
            stack,
            rules,
            guard,
            payloads: 0,
            search: MarkerSearch::new(),
            held: HeldText::default(),
            acts: ActQueue::default(),
            literals: None,
        }
    }

    pub(crate) const fn tags(&self) -> &TagSet {
        &self.tags
    }

    /// The held text that [`Routed::Released`] gave out.
    pub(crate) fn released(&self) -> &str {
        self.held.released()
    }

    /// The next effect of the last marker.
    pub(crate) fn act(&mut self) -> Option<Act> {
        self.acts.take_next()
    }

    /// Whether the last marker closes nothing.
    pub(crate) fn is_stray(&self) -> bool {
        self.acts.has_stray()
    }

    /// Brings the state into canonical form at the end of a chunk.
    pub(crate) fn canonicalize(&mut self) {
        self.search.canonicalize();
        self.held.canonicalize();
    }

    /// Whether no marker has begun. All effects of the last one have to be taken.
    pub(crate) fn is_clear(&self) -> bool {
        self.search.is_idle() && self.held.is_empty()
    }

    /// Sets what the source knows about the tokens from an offset on.
    #[inline]
    pub(crate) fn set_run(&mut self, from: u64, run: TokenRun) {
        if run == TokenRun::Text && self.rules.runs.all().is_empty() {
            return;
        }
        self.rules.runs.set(from, run);
        self.rules.runs.drop_before(self.held.front_before(from));
    }

    /// The offset where each token run begins. [`TokenRun::Text`] comes before the first.
    pub(crate) fn runs(&self) -> &[(u64, TokenRun)] {
        self.rules.runs.all()
    }

    /// Starts the search for markers that are text. It changes no other result.
    pub(crate) fn find_literals(&mut self) {
        self.literals = Some(Box::default());
    }

    /// The literal markers found since the last call.
    pub(crate) fn take_literals(&mut self) -> Vec<LiteralMarker> {
        self.literals.as_mut().map(|search| search.take_found()).unwrap_or_default()
    }

    /// Whether no marker may begin in a text. The router must be [clear](Self::is_clear). If the result
    /// is true, the text counts as passed.
    #[inline(always)]
    pub(crate) fn passes(&mut self, text: &str, at: u64) -> bool {
        let quiet = text.len() < SHORT && self.is_idle() && self.is_quiet(text.as_bytes());
        if quiet && self.rules.place.guarded {
            self.guard.pass_quiet(text.as_bytes());
        }
        quiet || self.passes_slowly(text, at)
    }

    #[inline(never)]
    fn passes_slowly(&mut self, text: &str, at: u64) -> bool {
        let is_free = self.rules.is_plain_text_token(at)
            || self.tags.0.automaton.find_marker(text.as_bytes()).is_none();
        if is_free {
            self.passed(text, at);
        }
        is_free
    }

    /// Whether [quiet](Self::is_quiet) text changes no state.
    #[inline]
    fn is_idle(&self) -> bool {
        self.literals.is_none() && (!self.rules.place.guarded || self.guard.is_idle())
    }

    #[inline]
    fn is_quiet(&self, bytes: &[u8]) -> bool {
        let quiet = |byte: u8| self.tags.0.quiet[usize::from(byte)];
        // Four at a time without branches: nearly all chunks are quiet.
        let (fours, rest) = bytes.as_chunks::<4>();
        fours.iter().all(|&[a, b, c, d]| quiet(a) & quiet(b) & quiet(c) & quiet(d))
            && rest.iter().all(|&byte| quiet(byte))
    }

    /// Reads text outside payloads that begins at a stream offset.
    pub(crate) fn passed(&mut self, text: &str, at: u64) {
        if let Some(literals) = &mut self.literals {
            let Self { tags, rules, guard, .. } = self;
            literals.read(text, at, LiteralContext { tags, rules, guard: *guard });
        }
        if self.rules.place.guarded {
            self.guard.read(text.as_bytes(), at, self.rules.code);
        }
    }

    /// Reads a part of the [released](Self::released) text, which ends at a stream offset.
    pub(crate) fn pass_released(&mut self, from: usize, to: usize, end: u64) {
        let released = self.held.take_released();
        self.passed(&released[from..to], end - (released.len() - from) as u64);
        self.held.put_released(released);
    }

    /// Notes that a payload began, in which markers are data. The payload also ends the surrounding
    /// code, unless it is undecided and may turn out to be text.
    pub(crate) fn in_payload(&mut self, undecided: bool) {
        if !undecided {
            self.guard = CodeGuard::MIDDLE;
        }
        // A candidate may reach beyond the payload, where markers count again.
        self.search.drop_candidates(0);
    }

    /// Like [`in_payload`](Self::in_payload), and releases held text as data.
    pub(crate) fn interrupted(&mut self, undecided: bool) -> Option<Routed> {
        self.in_payload(undecided);
        self.held.release_all()
    }

    /// Sets how many payloads have begun. After a new payload, text continues inside the fence that
    /// encloses it.
    pub(crate) fn resume(&mut self, payloads: u32, fence: Option<(u8, u16)>) {
        if core::mem::replace(&mut self.payloads, payloads) != payloads {
            self.guard = CodeGuard::behind_payload(fence);
        }
    }

    /// Sets how many payloads began before the text that comes.
    pub(crate) fn count_from(&mut self, payloads: u32) {
        self.payloads = payloads;
    }

    /// Like [`resume`](Self::resume), at a chunk end: text after the last payload arrives with the next
    /// chunk.
    pub(crate) fn rest(&mut self, payloads: u32) {
        if self.payloads != payloads {
            self.in_payload(false);
        }
    }

    /// Searches on from the position of the input, which is not at its end.
    pub(crate) fn step(&mut self, input: &mut Input<'_>, around: Around) -> Option<Routed> {
        if input.is_replaced() {
            return Some(self.refuse(input, around));
        }
        self.search.restart_if_changed(self.held.front(input), around);
        loop {
            let step = if self.search.pending.is_some() {
                self.decide_pending(input)
            } else {
                match self.search.candidates.first() {
                    None => self.find_start(input, around),
                    Some(oldest) if oldest.done => self.settle(input),
                    Some(_) => self.advance(input, around),
                }
            };
            match step {
                SearchStep::Continue => {}
                SearchStep::Found(routed) => return Some(routed),
                SearchStep::InputUsed => {
                    self.held.absorb(input);
                    return None;
                }
            }
        }
    }

    /// Searches for the next byte that begins a marker.
    pub(super) fn find_start(&mut self, input: &mut Input<'_>, around: Around) -> SearchStep {
        let front = self.held.front(input);
        let Some(byte) = self.held.byte(input, front) else { return SearchStep::InputUsed };
        let rule = self.rules.at(&self.guard, front, around);
        let counts = self.may_begin(byte, front, rule, self.guard.fresh);
        let around = if front >= self.rules.bare_from { Around::Text } else { around };
        if self.search.looked > front
            || around == Around::String
            || !counts
            || self.is_refuted(input)
        {
            // The first byte is text, and so is everything before the next place where a marker may begin.
            let from = self.search.looked.max(front + char_len(byte));
            self.search.looked = from;
            let next = self.next_start(input, from);
            return SearchStep::Found(self.held.give(input, next));
        }
        self.search.ahead = self.guard;
        self.search.begin(front, rule);
        self.take(byte, front, input)
    }

    /// Whether the next few bytes of the input show that no marker begins here.
    fn is_refuted(&self, input: &Input<'_>) -> bool {
        self.held.is_empty() && self.tags.0.automaton.refutes(input.rest().as_bytes())
    }

    /// The next offset where a marker may begin; the end of the text if there is none.
    fn next_start(&self, input: &Input<'_>, from: u64) -> u64 {
        let automaton = &self.tags.0.automaton;
        if let Some(held) = self.held.from(from) {
            return automaton
                .find_start(held)
                .map_or_else(|| self.held.end(), |next| from + next as u64);
        }
        let bytes = &input.text().as_bytes()[input.position_of(from)..];
        from + automaton.find_marker(bytes).unwrap_or(bytes.len()) as u64
    }

    /// Reads one byte more for the candidates that are alive.
    pub(super) fn advance(&mut self, input: &mut Input<'_>, around: Around) -> SearchStep {
        let at = self.search.looked;
        let Some(byte) = self.held.byte(input, at) else {
            return self.give_before_candidates(input);
        };
        let rule = self.rules.at(&self.search.ahead, at, around);
        if self.may_begin(byte, at, rule, self.search.ahead.fresh) {
            self.search.begin(at, rule);
        }
        self.take(byte, at, input)
    }

    /// Whether a marker that counts, or one that gives a notice, may begin with this byte.
    fn may_begin(&self, byte: u8, at: u64, rule: MarkerRule, fresh: bool) -> bool {
        let begins = self.tags.0.automaton.begins(byte);
        begins.meets(&self.rules.place.seen(rule, fresh)) && !self.rules.is_plain_text_token(at)
    }

    fn take(&mut self, byte: u8, offset: u64, input: &mut Input<'_>) -> SearchStep {
        self.search.take(byte, offset, &self.tags.0.automaton, &self.rules);
        self.settle(input)
    }

    /// Applies the oldest candidate if it is decided.
    pub(super) fn settle(&mut self, input: &mut Input<'_>) -> SearchStep {
        match self.search.decided() {
            Some(oldest) => self.complete(oldest, input),
            None => SearchStep::Continue,
        }
    }

    /// Applies the oldest candidate, which is a marker.
    fn complete(&mut self, oldest: MarkerCandidate, input: &mut Input<'_>) -> SearchStep {
        let text_until = self.text_until(&oldest);
        if text_until > self.held.front(input) {
            return SearchStep::Found(self.held.give(input, text_until));
        }
        let Some(found) = self.found(&oldest, input) else {
            // The marker is text, with a notice.
            self.search.candidates.remove(0);
            return SearchStep::Found(Routed::Marker { start: oldest.start });
        };
        let closes = self.stack.closes(&self.tags, &found);
        let opens = matches!(MarkerSide::of(found.first), MarkerSide::Open(_));
        let unnamed = self.tags.family(found.first / 2).named_by.is_none();
        let content = self.rules.place.closed || oldest.rule == MarkerRule::Ends || !unnamed;
        if closes.is_none() && !opens && (content || self.stack.is_mentioned(&self.tags, &found)) {
            // Its parameters differ from those of the element, or its opener was a mention too: it is content.
            self.search.candidates.remove(0);
            return SearchStep::Continue;
        }
        self.search.candidates.clear();
        if let Some(pending) = self.undecided(&oldest, &found, closes.is_some()) {
            self.search.looked = found.span.end;
            self.search.pending = Some(pending);
            return SearchStep::Continue;
        }
        if opens && oldest.rule == MarkerRule::Start && self.is_repeated(&found) {
            self.guard = oldest.guard;
            return SearchStep::Found(self.repeated(&found, input));
        }
        if let (true, false, Some(at)) = (self.rules.place.raw, opens, closes)
            && let Some(closer) = PendingCloser::new(&self.tags, &self.stack.open, at, &found)
        {
            self.search.looked = found.span.end;
            self.search.pending = Some(PendingMarker::Raw(closer));
            return SearchStep::Continue;
        }
        self.guard = oldest.guard;
        self.count(found, input)
    }

    /// Applies a marker, unless what must follow it is not known yet.
    fn count(&mut self, found: FoundMarker, input: &mut Input<'_>) -> SearchStep {
        if let MarkerSide::Open(family) = MarkerSide::of(found.first)
            && let then = &self.tags.family(family).policy.then
            && !then.is_empty()
        {
            self.search.looked = found.span.end;
            let follower = PendingFollower::new(found, then);
            self.search.pending = Some(PendingMarker::Follower(follower));
            return SearchStep::Continue;
        }
        let start = self.mark(found, input);
        SearchStep::Found(Routed::Marker { start })
    }

    /// A marker in a code span, or behind a sign that may enclose it, if that would hide the marker.
    fn undecided(
        &self,
        marker: &MarkerCandidate,
        found: &FoundMarker,
        closes: bool,
    ) -> Option<PendingMarker> {
        let span = marker.guard.open_span();
        let place = MentionPlace { before: marker.guard.before, span };
        let behind_word = match MarkerSide::of(found.first) {
            MarkerSide::Open(family) if self.tags.family(family).comment => BehindWord::Never,
            MarkerSide::Open(family) if self.tags.family(family).policy.at == Anchor::Apart => {
                BehindWord::ApartOpener
            }
            MarkerSide::Open(_) => BehindWord::Opener,
            MarkerSide::Close(_) if !closes && self.stack.open.is_empty() => {
                BehindWord::StrayCloser
            }
            MarkerSide::Close(_) => BehindWord::Never,
        };
        let mention = PendingMention::new(found, place, behind_word);
        let in_span = |span| PendingMarker::in_span(found.clone(), span);
        let pending = mention.map(PendingMarker::Mention).or_else(|| span.map(in_span))?;
        self.may_be_hidden(marker).then_some(pending)
    }

    /// The offset up to which text is given out before a complete marker: its start, or its end if the
    /// marker turned out to be text (so that its notice follows it).
    fn text_until(&self, marker: &MarkerCandidate) -> u64 {
        let enabled = self.rules.place.enabled(marker.rule, marker.fresh);
        let automaton = &self.tags.0.automaton;
        let end = match marker.whole {
            Some((at, end)) if automaton.accept(at, &enabled).is_none() => end,
            _ => return marker.start,
        };
        let held = self.search.holding_from(marker.start + 1, automaton, &self.rules);
        held.unwrap_or(end).min(end)
    }

    /// The marker that a candidate is. None, with a notice, if it does not count.
    fn found(&mut self, candidate: &MarkerCandidate, input: &Input<'_>) -> Option<FoundMarker> {
        let (at, end) = candidate.whole?;
        let automaton = &self.tags.0.automaton;
        let enabled = self.rules.place.enabled(candidate.rule, candidate.fresh);
        let span = Span::new(candidate.start, end);
        let Some(first) = automaton.accept(at, &enabled) else {
            self.acts.push(Act::Notice(Code::StrayCloser, span));
            return None;
        };
        let markers = automaton.accepted(at, &enabled);
        let params = self.tags.params(first.pattern, &self.held.text(input, span));
        Some(FoundMarker { markers, first: first.marker, params, empty: first.empty, span })
    }

    /// Consumes the bytes of a marker and applies it. Returns its start.
    fn mark(&mut self, found: FoundMarker, input: &mut Input<'_>) -> u64 {
        let start = found.span.start;
        self.held.eat(input, found.span.end);
        self.search.looked = found.span.end;
        let family = self.tags.family(found.first / 2);
        let reasoning = family.channel() == &Channel::Reasoning || family.comment;
        self.guard.marked(found.first.is_multiple_of(2));
        self.effect().take(found);
        if !reasoning {
            // A fence may still wrap the answer after reasoning, but after no other element.
            self.guard.pass_first();
            self.stack.pass_first();
        }
        self.update_place();
        start
    }

    /// Whether an opener repeats that of the element which the stream began in.
    fn is_repeated(&self, opener: &FoundMarker) -> bool {
        let family = opener.first / 2;
        self.stack.open.last().is_some_and(|open| open.is_repeated_by(&self.tags, family))
    }

    /// Consumes an opener that the prompt wrote already.
    fn repeated(&mut self, found: &FoundMarker, input: &mut Input<'_>) -> Routed {
        let Span { start, end } = found.span;
        self.held.eat(input, end);
        self.search.looked = end;
        self.guard.marked(true);
        self.guard.pass_first();
        self.acts.push(Act::Notice(Code::RepeatedOpener, found.span));
        self.acts.push(Act::Stray { family: found.first / 2, end });
        Routed::Marker { start }
    }

    pub(super) fn effect(&mut self) -> MarkerEffect<'_> {
        let Self { tags, stack, guard, acts, .. } = self;
        MarkerEffect { tags, stack, guard, acts }
    }

    /// Computes which markers count, after elements opened or closed.
    pub(super) fn update_place(&mut self) {
        self.rules.place = MarkerPlace::of(&self.tags, &self.stack.open);
    }

    /// Whether a marker that counts here would be text in a code span.
    fn may_be_hidden(&self, marker: &MarkerCandidate) -> bool {
        let rules = &self.rules;
        let has_spans = rules.place.guarded && rules.code.inline;
        let rule = matches!(marker.rule, MarkerRule::Open | MarkerRule::Start);
        let counts_in_spans = rules.place.enabled(MarkerRule::Hidden, marker.fresh);
        let is_text = |at| self.tags.0.automaton.accept(at, &counts_in_spans).is_none();
        has_spans && rule && marker.whole.is_some_and(|(at, _)| is_text(at))
    }

    /// Reads what follows a pending marker.
    pub(super) fn decide_pending(&mut self, input: &mut Input<'_>) -> SearchStep {
        let at = self.search.looked;
        let Some(byte) = self.held.byte(input, at) else { return SearchStep::InputUsed };
        let Some(pending) = &mut self.search.pending else { return SearchStep::Continue };
        self.search.looked += 1;
        match pending.step(&self.tags.0.automaton, byte) {
            CloserVerdict::Undecided => SearchStep::Continue,
            CloserVerdict::Closer => self.take_pending(input),
            CloserVerdict::Content => self.refute_pending(input),
        }
    }

    /// The pending marker is content: its first character is text, and the rest is searched again.
    pub(super) fn refute_pending(&mut self, input: &Input<'_>) -> SearchStep {
        let Some(pending) = self.search.pending.take() else { return SearchStep::Continue };
        match &pending {
            PendingMarker::Span(_) => {}
            PendingMarker::Mention(mention) if mention.is_pair() => {
                self.stack.mention_pair(&mention.marker);
            }
            _ => self.stack.mention(&self.tags, pending.marker()),
        }
        let start = pending.marker().span.start;
        let first = self.held.byte(input, start).unwrap_or_default();
        let next = start + char_len(first);
        self.search.looked = next;
        SearchStep::Found(self.held.give(input, next))
    }

    /// The pending marker counts.
    pub(super) fn take_pending(&mut self, input: &mut Input<'_>) -> SearchStep {
        match self.search.pending.take() {
            None => SearchStep::Continue,
            Some(PendingMarker::Follower(follower)) => {
                let start = self.mark(follower.marker, input);
                SearchStep::Found(Routed::Marker { start })
            }
            Some(PendingMarker::Mention(PendingMention { marker, span: Some(span), .. })) => {
                self.search.looked = marker.span.end;
                self.search.pending = Some(PendingMarker::in_span(marker, span));
                SearchStep::Continue
            }
            Some(pending) => self.count(pending.into_marker(), input),
        }
    }

    /// At the end of a chunk: gives out the text before the oldest candidate that holds.
    fn give_before_candidates(&mut self, input: &Input<'_>) -> SearchStep {
        let oldest = self.search.holding_from(0, &self.tags.0.automaton, &self.rules);
        let until = oldest.unwrap_or(self.search.looked);
        if until > self.held.front(input) {
            return SearchStep::Found(self.held.give(input, until));
        }
        SearchStep::InputUsed
    }
}

/// The result of one step of the search.
pub(super) enum SearchStep {
    /// Continues the search with the next byte.
    Continue,
    Found(Routed),
    /// The input is used up.
    InputUsed,
}
