//! Families of markers: what a caller declares.

use crate::lex::marker::{ByteSet, PARAM_CAP, ParamRule};

/// Where the text of an element goes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Channel {
    /// The model's reasoning: `Reasoning` events, kept out of the answer.
    Reasoning,
    /// The answer: `Text` events. Where there is such an element, text outside is not the answer.
    Answer,
    /// As outside elements.
    Text,
    /// As where the opener stands.
    Parent,
    /// A channel of the caller's: `Text` events that name it.
    Named(String),
}

impl Channel {
    /// The name in events and data.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Reasoning => "reasoning",
            Self::Answer => "answer",
            Self::Text => "text",
            Self::Parent => "@parent",
            Self::Named(name) => name,
        }
    }

    pub(super) fn of(name: &str) -> Self {
        match name {
            "reasoning" => Self::Reasoning,
            "answer" => Self::Answer,
            "text" => Self::Text,
            "@parent" => Self::Parent,
            name => Self::Named(name.to_owned()),
        }
    }
}

macro_rules! words {
    ($($(#[doc = $doc:literal])+ $name:ident {
        $($(#[doc = $what:literal])+ $variant:ident = $word:literal,)*
    })*) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum $name { $($(#[doc = $what])+ $variant,)* }

        impl $name {
            /// The word in data.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }
    )*};
}

words! {
    /// Whether a user is to see the text of an element.
    Visibility {
        /// Yes.
        Yes = "yes",
        /// No: scratch pads.
        No = "no",
        /// If the user wishes.
        Optional = "optional",
    }
    /// What stands inside an element.
    BodyFormat {
        /// Text; of other families only those that interrupt.
        Text = "text",
        /// Text and elements.
        Mixed = "mixed",
        /// One JSON text: patches of a document of its own.
        Json = "json",
        /// Code, files, arguments: nothing is read, and the closer counts only where something that
        /// may follow it does.
        Raw = "raw",
        /// Text whose lines `Key: value` are fields.
        Record = "record",
        /// A tree of tags.
        Xml = "xml",
        /// The format of the spec.
        Fields = "fields",
    }
    /// What the same opener does again, directly inside.
    OnReopen {
        /// It is text.
        Literal = "literal",
        /// It closes the element and opens another.
        Restart = "restart",
        /// It nests.
        Nest = "nest",
        /// It closes the element, whose closer was forgotten.
        Sibling = "sibling",
    }
    /// What an opener does inside reasoning.
    InReasoning {
        /// It nests; the reasoning goes on after it.
        Nest = "nest",
        /// It ends the reasoning.
        Interrupt = "interrupt",
    }
    /// What a closer is that closes nothing.
    OnStray {
        /// `Reclassify` for closers of reasoning and answers while no element of their group was
        /// opened, else `Drop`.
        Auto = "auto",
        /// It is dropped.
        Drop = "drop",
        /// It is text.
        Literal = "literal",
        /// It is dropped, and the text before it is of its channel.
        Reclassify = "reclassify",
    }
    /// Whether letters of markers match in either case.
    LetterCase {
        /// As written.
        Exact = "exact",
        /// In either case.
        Fold = "fold",
    }
    /// Which attributes an opener may have.
    Attributes {
        /// None.
        None = "none",
        /// `name="value"`.
        Valued = "valued",
        /// Also names alone.
        Bare = "bare",
    }
    /// Where an opener counts.
    Anchor {
        /// Anywhere.
        Anywhere = "anywhere",
        /// Behind nothing but blanks on its line, or right behind another marker.
        Line = "line",
    }
    /// What a closer is whose parameters are not those of the opener.
    OnMismatch {
        /// Stray.
        Stray = "stray",
        /// The closer, with a notice.
        Close = "close",
    }
}

/// A pair of markers and what to do with the text between them. Keys, words and defaults are those of
/// a tag set as data: see `docs/tags.md`.
///
/// ```
/// use patchwire::tags::{Channel, Family};
///
/// let tool = Family::new("tool", "<<TOOL/{name}>>", "<<END/{name}>>", Channel::Named("tool".into()));
/// assert_eq!(tool.name(), "tool");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    pub(crate) name: String,
    pub(crate) open: Vec<String>,
    pub(crate) close: Vec<String>,
    pub(crate) channel: Channel,
    pub(crate) visible: Option<Visibility>,
    pub(crate) body: BodyFormat,
    pub(crate) group: Option<String>,
    pub(crate) within: Vec<String>,
    pub(crate) same: Option<OnReopen>,
    pub(crate) inside: InReasoning,
    pub(crate) case: Option<LetterCase>,
    pub(crate) blanks: bool,
    pub(crate) attributes: Attributes,
    pub(crate) mismatch: OnMismatch,
    pub(crate) stray: Option<OnStray>,
    pub(crate) guard_closers: Option<bool>,
    pub(crate) params: Vec<ParamRule>,
    pub(crate) at: Anchor,
    /// The parameter that is the element's name.
    pub(crate) named_by: Option<String>,
    /// The keys of a record body; whether any is one.
    pub(crate) keys: Vec<String>,
    pub(crate) any_key: bool,
    /// The tags of an `xml` body, if not all are; whether its values are typed by what they say.
    pub(crate) names: Vec<String>,
    pub(crate) typed: bool,
    /// A comment: emitted as such.
    pub(crate) comment: bool,
}

impl Family {
    /// A family: `open` begins an element, `close` ends it.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        open: impl Into<String>,
        close: impl Into<String>,
        channel: Channel,
    ) -> Self {
        Self { close: vec![close.into()], ..Self::void(name, open, channel) }
    }

    /// A family of one marker: its elements have no content.
    #[must_use]
    pub fn void(name: impl Into<String>, open: impl Into<String>, channel: Channel) -> Self {
        Self {
            name: name.into(),
            open: vec![open.into()],
            close: Vec::new(),
            channel,
            visible: None,
            body: BodyFormat::Mixed,
            group: None,
            within: Vec::new(),
            same: None,
            inside: InReasoning::Nest,
            case: None,
            blanks: false,
            attributes: Attributes::None,
            mismatch: OnMismatch::Stray,
            stray: None,
            guard_closers: None,
            params: Vec::new(),
            at: Anchor::Anywhere,
            named_by: None,
            keys: Vec::new(),
            any_key: false,
            names: Vec::new(),
            typed: false,
            comment: false,
        }
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the text of its elements goes.
    #[must_use]
    pub const fn channel(&self) -> &Channel {
        &self.channel
    }

    /// What stands inside its elements.
    #[must_use]
    pub const fn body(&self) -> BodyFormat {
        self.body
    }

    /// Whether a user is to see the text of its elements.
    #[must_use]
    pub fn visible(&self) -> Visibility {
        let hidden = self.channel == Channel::Reasoning;
        self.visible.unwrap_or(if hidden { Visibility::No } else { Visibility::Yes })
    }

    /// One more way to write the opener.
    #[must_use]
    pub fn or_open(mut self, open: impl Into<String>) -> Self {
        self.open.push(open.into());
        self
    }

    /// One more way to write the closer.
    #[must_use]
    pub fn or_close(mut self, close: impl Into<String>) -> Self {
        self.close.push(close.into());
        self
    }

    /// Members of one group may close one another, with a notice.
    #[must_use]
    pub fn in_group(mut self, group: impl Into<String>) -> Self {
        self.group = Some(group.into());
        self
    }

    /// The opener counts only directly inside an element of this family; call again for more.
    #[must_use]
    pub fn within(mut self, family: impl Into<String>) -> Self {
        self.within.push(family.into());
        self
    }

    /// What stands inside.
    #[must_use]
    pub fn with_body(mut self, body: BodyFormat) -> Self {
        self.body = body;
        self
    }

    /// Whether a user is to see the text.
    #[must_use]
    pub fn with_visible(mut self, visible: Visibility) -> Self {
        self.visible = Some(visible);
        self
    }

    /// What the same opener does again, directly inside.
    #[must_use]
    pub fn with_same(mut self, same: OnReopen) -> Self {
        self.same = Some(same);
        self
    }

    /// What the opener does inside reasoning.
    #[must_use]
    pub fn with_inside(mut self, inside: InReasoning) -> Self {
        self.inside = inside;
        self
    }

    /// Whether letters match in either case.
    #[must_use]
    pub fn with_case(mut self, case: LetterCase) -> Self {
        self.case = Some(case);
        self
    }

    /// Blanks may stand inside the angle brackets of its markers.
    #[must_use]
    pub fn with_blanks(mut self) -> Self {
        self.blanks = true;
        self
    }

    /// Which attributes the opener may have.
    #[must_use]
    pub fn with_attributes(mut self, attributes: Attributes) -> Self {
        self.attributes = attributes;
        self
    }

    /// What a closer is that closes nothing.
    #[must_use]
    pub fn with_stray(mut self, stray: OnStray) -> Self {
        self.stray = Some(stray);
        self
    }

    /// What a closer is whose parameters are not those of the opener.
    #[must_use]
    pub fn with_mismatch(mut self, mismatch: OnMismatch) -> Self {
        self.mismatch = mismatch;
        self
    }

    /// Whether code hides closers even where they would end an element.
    #[must_use]
    pub fn with_guarded_closers(mut self, guarded: bool) -> Self {
        self.guard_closers = Some(guarded);
        self
    }

    /// Where the opener counts.
    #[must_use]
    pub fn with_at(mut self, at: Anchor) -> Self {
        self.at = at;
        self
    }

    /// The parameter that is an element's name, in place of the family's.
    #[must_use]
    pub fn named_by(mut self, param: impl Into<String>) -> Self {
        self.named_by = Some(param.into());
        self
    }

    /// A key of a `record` body; call again for more.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.keys.push(key.into());
        self
    }

    /// Whether every `Key: value` line of a `record` body is a field.
    #[must_use]
    pub fn with_any_key(mut self, any: bool) -> Self {
        self.any_key = any;
        self
    }

    /// A name that is a tag in an `xml` body; call again for more. If there are none, all are.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.names.push(name.into());
        self
    }

    /// Whether values of an `xml` body are numbers where they print as one.
    #[must_use]
    pub fn with_typed(mut self, typed: bool) -> Self {
        self.typed = typed;
        self
    }

    /// What a parameter may be: bytes of `allow` (all that cannot end it if none), at most `cap`.
    #[must_use]
    pub fn with_param(
        mut self,
        name: impl Into<String>,
        allow: Option<&[u8]>,
        cap: Option<u16>,
    ) -> Self {
        let allow = allow.map(ByteSet::of);
        self.params.push(ParamRule { name: name.into(), allow, cap: cap.unwrap_or(PARAM_CAP) });
        self
    }

    pub(crate) fn same(&self) -> OnReopen {
        let default =
            if self.body == BodyFormat::Raw { OnReopen::Sibling } else { OnReopen::Literal };
        self.same.unwrap_or(default)
    }

    /// Whether code hides its closers even where they would end an element.
    pub(crate) fn guards_closers(&self) -> bool {
        self.guard_closers.unwrap_or_else(|| self.visible() == Visibility::Yes)
    }

    pub(crate) fn is_void(&self) -> bool {
        self.close.is_empty()
    }
}
