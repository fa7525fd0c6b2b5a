//! Tokens of format machines: flat, small, `Copy`. A token names its text by a range instead of borrowing
//! it, so that a machine can return one token at a time.

use crate::codes::{Code, SkipReason};
use crate::span::Span;

/// The range of a token's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Slice {
    /// No text.
    Empty,
    /// A range of the input.
    Input {
        /// First byte.
        start: u32,
        /// Just past the last.
        end: u32,
    },
    /// A range of the machine's own buffer.
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

    /// The text in the range, of the input or of the buffer.
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
    /// The kind of token.
    pub kind: TokenKind,
    /// The text.
    pub text: Slice,
    /// Stream offset where a notice begins. Equals `end` in other tokens.
    pub start: u64,
    /// Stream offset just past the last byte of the token.
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

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenKind {
    /// Text outside the payload.
    Outside,
    /// Skipped bytes.
    Skipped(SkipReason),
    /// A repair or a guess. The token consumes no bytes.
    Notice(Code),
    /// A repair or a guess about the value that begins next.
    NoticeOfNext(Code),
    /// A repair or a guess about the key that is being read. It concerns the object with the key.
    NoticeOfKey(Code),
    /// A repair or a guess about the member of this name, of which nothing follows.
    NoticeOfMember(Code),
    /// An object begins.
    ObjectOpen,
    /// A list begins.
    ListOpen,
    /// The name of the next member.
    Key,
    /// The name of the next child of an object. If the object has a child of that name, the field becomes
    /// a list of all of them. If the schema wants a list, the field is one from the start.
    Name,
    /// The open string becomes an object. Its text so far is a complete member of this name.
    StringToObject,
    /// A string begins.
    StringOpen,
    /// A string grows.
    StringText,
    /// A string ends.
    StringClose,
    /// A complete number, bool or null.
    Scalar(Scalar),
    /// The innermost container ends.
    Close,
    /// The last string item is the next key of the object above: the model left out the closer of the
    /// list. `Close` of the list and `Key` follow.
    ItemWasKey,
    /// The last member is not a value. The finalizer removes it.
    MemberWasNone,
    /// The JSON of the field of this name, from its bracket to the end of the field, has slips.
    SlippedField,
    /// The root is complete.
    RootComplete,
}

impl TokenKind {
    /// The code, if the token is a notice.
    #[must_use]
    pub const fn notice(self) -> Option<Code> {
        match self {
            Self::Notice(code)
            | Self::NoticeOfNext(code)
            | Self::NoticeOfKey(code)
            | Self::NoticeOfMember(code) => Some(code),
            _ => None,
        }
    }

    /// Whether the token changes a document and makes at most one patch.
    pub(crate) const fn is_on_fast_path(self) -> bool {
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
            Self::NoticeOfMember(_) => "notice_of_member",
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
            Self::SlippedField => "slipped_field",
            Self::RootComplete => "root_complete",
        }
    }
}

/// A value without parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "_internals",
    expect(clippy::exhaustive_enums, reason = "JSON has no other scalars")
)]
pub enum Scalar {
    /// `null`.
    Null,
    /// `false`.
    False,
    /// `true`.
    True,
    /// A number. The token has its text.
    Number,
}

/// Pending tokens, in order. A transition makes at most a handful.
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

    /// Copies the text of tokens from `input` to `buffer`, before the input is dropped.
    pub(crate) fn own_inputs(&mut self, input: &str, buffer: &mut String) {
        for token in &mut self.tokens[self.next..] {
            if let Slice::Input { start, end } = token.text {
                let from = buffer.len();
                buffer.push_str(&input[start as usize..end as usize]);
                token.text = Slice::buffer(from, buffer.len());
            }
        }
    }

    /// Drops all tokens.
    pub(crate) fn clear(&mut self) {
        self.tokens.clear();
        self.next = 0;
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.next >= self.tokens.len()
    }
}
