//! The positions of a reading. A state names its text by offsets, so that states can be compared.

use super::stack::StackId;
use super::trace::TraceId;

/// Where a value is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Root,
    /// After the colon of a member.
    Member,
    /// First in a list.
    First,
    /// After a comma of a list.
    Next,
}

/// What a quoted text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Key,
    Value,
}

/// The quotes around a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quote {
    Double,
    /// `"`, and quotes inside are doubled.
    Csv,
    /// `"` around JSON whose quotes are not escaped.
    Nested,
    Single,
    Backtick,
    SmartDouble,
    SmartSingle,
    TripleDouble,
    TripleSingle,
    /// Three backticks.
    Fence,
    /// `""…""`
    Doubled,
    /// `''…''`
    DoubledSingle,
    /// `\"…\"`
    Escaped,
    /// `&quot;…&quot;`
    Entity,
}

impl Quote {
    /// Whether a text in these quotes may have many lines.
    pub(super) const fn spans_lines(self) -> bool {
        matches!(
            self,
            Self::TripleDouble | Self::TripleSingle | Self::Fence | Self::Backtick | Self::Nested
        )
    }
}

/// A quoted text that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quoted {
    pub(super) quote: Quote,
    pub(super) role: Role,
    pub(super) start: u32,
    /// Quotes inside: exact up to four, then 5 or 6 by parity.
    pub(super) inner: u8,
    /// Openers without their closers inside.
    pub(super) balance: i8,
}

/// A string without quotes that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bare {
    pub(super) start: u32,
    /// Brackets that are open inside.
    pub(super) depth: u8,
    /// Whether the outermost of them is round.
    pub(super) is_round: bool,
    /// Whether it is a scalar if it ends here.
    pub(super) is_scalar: bool,
    /// Whether it has several words.
    pub(super) has_words: bool,
    /// Whether another string without quotes came before.
    pub(super) is_habit: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommentKind {
    Line,
    Block,
    Html,
}

/// What comes after a comment, or after a text that was looked at whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resume {
    Value(Place),
    Key { first: bool },
    Colon,
    After { newline: bool },
}

/// What comes next. `skipping` says that the text before did not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// A value.
    Value { place: Place, skipping: bool },
    /// A key, or the closer.
    Key { first: bool, skipping: bool },
    /// The colon.
    Colon { skipping: bool },
    /// A comma or a closer. Whether a line ended, and whether the value before was a string.
    After { newline: bool, text: bool, skipping: bool },
    /// More of a quoted text.
    Quoted(Quoted),
    /// More of a text without quotes.
    Bare(Bare),
    /// More of a key without quotes.
    BareKey { start: u32 },
    /// More of a comment.
    Comment(CommentKind, Resume),
    /// More of a remark in brackets after a value, at most `left` bytes.
    Remark { closer: char, left: u8 },
    /// More of a text that was looked at whole: so many bytes are left.
    Passing { left: u8, back: Resume },
    /// The string that continues the one before.
    Join,
    /// Text after the root.
    Tail(TailText),
}

/// Text after a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TailText {
    /// Whether the text is on the line of the root.
    pub(super) fresh: bool,
    /// How many quotes it has, up to four.
    pub(super) quotes: u8,
    /// How many brackets are open in it.
    pub(super) depth: u8,
    /// What it costs so far, and the most that it may cost; 0 before its first character.
    pub(super) spent: u16,
    pub(super) most: u16,
}

impl TailText {
    /// Before the text: on the line of the root, or on a later one.
    pub(super) const fn new(fresh: bool) -> Self {
        Self { fresh, quotes: 0, depth: 0, spent: 0, most: 0 }
    }
}

impl State {
    pub(super) const AFTER: Self = Self::After { newline: false, text: false, skipping: false };
    pub(super) const AFTER_TEXT: Self = Self::After { newline: false, text: true, skipping: false };
    pub(super) const MEMBER: Self = Self::Value { place: Place::Member, skipping: false };
    pub(super) const TAIL: Self = Self::Tail(TailText::new(true));
}

impl Resume {
    pub(super) const fn state(self) -> State {
        match self {
            Self::Value(place) => State::Value { place, skipping: false },
            Self::Key { first } => State::Key { first, skipping: false },
            Self::Colon => State::Colon { skipping: false },
            Self::After { newline } => State::After { newline, text: false, skipping: false },
        }
    }
}

/// One way to read the text so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    pub(super) state: State,
    pub(super) stack: StackId,
    /// What its slips cost.
    pub(super) cost: u32,
    /// What is odd but valid. It counts only beside a slip, so that valid JSON costs nothing.
    pub(super) doubt: u32,
    pub(super) trace: TraceId,
    /// Slips that it has, as bits.
    pub(super) habits: u32,
    /// Roots that have ended, as far as they are counted.
    pub(super) roots: u32,
    /// What it has of the wanted value.
    pub(super) matched: Matched,
}

/// How far a reading has a wanted value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Matched {
    /// Keys, scalars and containers that are those of the value.
    pub(super) count: u32,
    /// Containers that are open.
    pub(super) depth: u32,
    /// Whether the last key is another one.
    pub(super) is_astray: bool,
}

impl Matched {
    /// In one container more.
    pub(super) const fn inside(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    /// In one container less.
    pub(super) const fn outside(self) -> Self {
        Self { depth: self.depth.saturating_sub(1), ..self }
    }
}

/// Most that oddities may cost.
const MOST_DOUBT: u32 = 200;

impl Reading {
    /// The cost of a reading that has not the wanted value.
    pub(super) const DEAD: u32 = u32::MAX;

    /// A reading of nothing so far, in this state.
    pub(super) const fn at(state: State, stack: StackId) -> Self {
        Self {
            state,
            stack,
            cost: 0,
            doubt: 0,
            trace: TraceId::NONE,
            habits: 0,
            roots: 0,
            matched: Matched { count: 0, depth: 0, is_astray: false },
        }
    }

    /// What the reading costs in comparison with others.
    pub(super) const fn total(&self) -> u32 {
        match self.cost {
            0 => 0,
            cost => cost.saturating_add(self.doubt),
        }
    }

    /// The reading with a slip of this cost.
    pub(super) const fn with_cost(self, cost: u32) -> Self {
        Self { cost: self.cost.saturating_add(cost), ..self }
    }

    /// The reading with an oddity.
    pub(super) fn doubting(self, doubt: u32) -> Self {
        Self { doubt: (self.doubt + doubt).min(MOST_DOUBT), ..self }
    }
}
