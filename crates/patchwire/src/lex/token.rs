//! What format machines emit: flat, small, `Copy`. Text is named by where it lies, not borrowed, so
//! that a machine can be asked for one token at a time.

use crate::codes::{Code, SkipReason};
use crate::span::Span;

/// Where the text of a token lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Slice {
    /// Nowhere: there is none.
    Empty,
    /// In the input that was being read.
    Input {
        /// First byte.
        start: u32,
        /// Just past the last.
        end: u32,
    },
    /// In the machine's own buffer.
    Buffer {
        /// First byte.
        start: u32,
        /// Just past the last.
        end: u32,
    },
}

impl Slice {
    pub(crate) const fn input(start: usize, end: usize) -> Self {
        Self::Input { start: start as u32, end: end as u32 }
    }

    pub(crate) const fn buffer(start: usize, end: usize) -> Self {
        Self::Buffer { start: start as u32, end: end as u32 }
    }

    /// The text it names, in the input or in the buffer.
    #[inline]
    pub(crate) fn of<'t>(self, input: &'t str, buffer: &'t str) -> &'t str {
        match self {
            Self::Empty => "",
            Self::Input { start, end } => &input[start as usize..end as usize],
            Self::Buffer { start, end } => &buffer[start as usize..end as usize],
        }
    }
}

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its text.
    pub text: Slice,
    /// Of a notice: where what it speaks of begins in the stream.
    pub start: u64,
    /// Just past its last own byte in the stream.
    pub end: u64,
}

impl Token {
    /// A token without text.
    #[must_use]
    pub const fn new(kind: TokenKind, end: u64) -> Self {
        Self { kind, text: Slice::Empty, start: end, end }
    }

    /// A token with text.
    #[must_use]
    pub const fn with(kind: TokenKind, text: Slice, end: u64) -> Self {
        Self { kind, text, start: end, end }
    }

    pub(crate) const fn notice_of_next(code: Code, span: Span) -> Self {
        Self { start: span.start, ..Self::new(TokenKind::NoticeOfNext(code), span.end) }
    }

    pub(crate) const fn notice_of_key(code: Code, span: Span) -> Self {
        Self { start: span.start, ..Self::new(TokenKind::NoticeOfKey(code), span.end) }
    }

    pub(crate) const fn notice(code: Code, span: Span) -> Self {
        Self { start: span.start, ..Self::new(TokenKind::Notice(code), span.end) }
    }
}

/// What a token says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenKind {
    /// Text outside the payload.
    Outside,
    /// Bytes passed over.
    Skipped(SkipReason),
    /// Something was repaired or guessed. Does not eat bytes.
    Notice(Code),
    /// The same of the value that begins next.
    NoticeOfNext(Code),
    /// The same of a key that is being read: it concerns the object that the key is of.
    NoticeOfKey(Code),
    /// An object begins.
    ObjectOpen,
    /// A list begins.
    ListOpen,
    /// The name of the next member.
    Key,
    /// The name of the next child of an object. Where the object has one of that name, the field
    /// becomes a list of all that have it; where the schema says list, it is one from the start.
    Name,
    /// The open string becomes an object: its text so far, complete, is the member of this name.
    StringToObject,
    /// A string begins.
    StringOpen,
    /// A string grows.
    StringText,
    /// A string ends.
    StringClose,
    /// A number, bool or null, whole.
    Scalar(Scalar),
    /// The innermost container ends.
    Close,
    /// The string item just closed is the next key of the object above: its list should have been
    /// closed before it. Comes before the list's `Close`, then `Key`.
    ItemWasKey,
    /// The member just closed is no value after all: only the end takes it back.
    MemberWasNone,
    /// The root is complete.
    RootComplete,
}

impl TokenKind {
    /// What was repaired or guessed, if that is what it says.
    #[must_use]
    pub const fn notice(self) -> Option<Code> {
        match self {
            Self::Notice(code) | Self::NoticeOfNext(code) | Self::NoticeOfKey(code) => Some(code),
            _ => None,
        }
    }

    /// Whether it changes a document, and makes one patch at most.
    pub(crate) const fn is_plain(self) -> bool {
        matches!(
            self,
            Self::ObjectOpen
                | Self::ListOpen
                | Self::Key
                | Self::StringOpen
                | Self::StringText
                | Self::StringClose
                | Self::Scalar(_)
                | Self::Close
        )
    }

    /// The name in traces.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Outside => "outside",
            Self::Skipped(_) => "skipped",
            Self::Notice(_) => "notice",
            Self::NoticeOfNext(_) => "notice_of_next",
            Self::NoticeOfKey(_) => "notice_of_key",
            Self::ObjectOpen => "object_open",
            Self::ListOpen => "list_open",
            Self::Key => "key",
            Self::Name => "name",
            Self::StringToObject => "string_to_object",
            Self::StringOpen => "string_open",
            Self::StringText => "string_text",
            Self::StringClose => "string_close",
            Self::Scalar(_) => "scalar",
            Self::Close => "close",
            Self::ItemWasKey => "item_was_key",
            Self::MemberWasNone => "member_was_none",
            Self::RootComplete => "root_complete",
        }
    }
}

/// A value that comes whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "JSON has no other scalars")]
pub enum Scalar {
    /// `null`.
    Null,
    /// `false`.
    False,
    /// `true`.
    True,
    /// A number; its text is the token's.
    Number,
}

/// Tokens on their way out, in order. A transition makes at most a handful.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Queue {
    tokens: Vec<Token>,
    next: usize,
}

impl Queue {
    pub(crate) fn push(&mut self, token: Token) {
        self.tokens.push(token);
    }

    pub(crate) fn pop(&mut self) -> Option<Token> {
        let token = *self.tokens.get(self.next)?;
        self.next += 1;
        if self.is_empty() {
            self.tokens.clear();
            self.next = 0;
        }
        Some(token)
    }

    /// Text that lies in `input` is copied to `buffer`: the input is about to go.
    pub(crate) fn own_inputs(&mut self, input: &str, buffer: &mut String) {
        for token in &mut self.tokens[self.next..] {
            if let Slice::Input { start, end } = token.text {
                let from = buffer.len();
                buffer.push_str(&input[start as usize..end as usize]);
                token.text = Slice::buffer(from, buffer.len());
            }
        }
    }

    /// Nobody wants them.
    pub(crate) fn clear(&mut self) {
        self.tokens.clear();
        self.next = 0;
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.next >= self.tokens.len()
    }
}
