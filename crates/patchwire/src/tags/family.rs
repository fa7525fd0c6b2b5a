//! Tag families: markers and the treatment of the text between them, as a caller declares them.

use std::sync::Arc;

use serde::{Deserialize, Deserializer};

use super::words::place_of;
use crate::lex::marker::{ByteSet, PARAM_CAP, ParamRule};

/// Where the text of an element goes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Channel {
    /// Reasoning of the model. It becomes `Reasoning` events and stays out of the answer.
    Reasoning,
    /// The answer. It becomes `Text` events. If such an element exists, text outside of it is not the
    /// answer.
    Answer,
    /// The channel of text outside elements.
    Text,
    /// The channel of the element around.
    Parent,
    /// A channel that the caller names. It becomes `Text` events with this name.
    Named(String),
}

impl Channel {
    /// The name in events and in data.
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

/// Which code hides markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Guards {
    /// Code spans and fences.
    #[default]
    Both,
    /// Code spans.
    Inline,
    /// Fences.
    Fences,
    /// No code.
    None,
}

macro_rules! words {
    ($($(#[doc = $doc:literal])+ $name:ident $(default $default:ident)? {
        $($(#[doc = $what:literal])+ $variant:ident = $word:literal,)*
    })*) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name { $($(#[doc = $what])+ $variant,)* }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                const ALL: &[$name] = &[$($name::$variant),*];
                Ok(ALL[place_of(deserializer, &[$($word),*])?])
            }
        }

        impl $name {
            /// The word in data, as `docs/tags.md` lists it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        $(
            impl Default for $name {
                fn default() -> Self {
                    Self::$default
                }
            }
        )?
    )*};
}

words! {
    /// Whether users see the text of an element.
    Visibility {
        /// Users see the text.
        Yes = "yes",
        /// Users do not see the text, as in a scratch pad.
        No = "no",
        /// Users choose.
        Optional = "optional",
    }
    /// How the content of an element is read.
    BodyFormat default Mixed {
        /// Text. Only openers with [`InReasoning::Interrupt`] or [`OnReopen::Restart`] count inside.
        Text = "text",
        /// Text and nested elements.
        Mixed = "mixed",
        /// One JSON text. It becomes patches of a document of its own.
        Json = "json",
        /// Code, files, arguments. Nothing inside is read. If the family has `within`, the closer counts
        /// only before a marker that may follow it.
        Raw = "raw",
        /// Text whose `Key: value` lines are fields.
        Record = "record",
        /// A tree of tags. It becomes patches of a document of its own.
        Xml = "xml",
        /// The payload format of the spec.
        Fields = "fields",
    }
    /// What an opener does directly inside an element of the family or group.
    OnReopen {
        /// The opener is text.
        Literal = "literal",
        /// The opener closes the element and opens another.
        Restart = "restart",
        /// The opener nests.
        Nest = "nest",
        /// The opener nests. Where the outer element ends first, the inner one goes on behind it, as an element of its
        /// own: the two are parallel.
        Parallel = "parallel",
        /// The opener closes the element, whose closer the model left out.
        Sibling = "sibling",
    }
    /// What an opener does inside reasoning.
    InReasoning default Nest {
        /// The element nests. The reasoning continues after it.
        Nest = "nest",
        /// The opener ends the reasoning.
        Interrupt = "interrupt",
    }
    /// What happens to a closer that closes nothing.
    OnStray {
        /// [`Reclassify`](Self::Reclassify) for closers of reasoning and of answers, as long as no
        /// element of their group was opened. [`Drop`](Self::Drop) otherwise.
        Auto = "auto",
        /// The closer is dropped.
        Drop = "drop",
        /// The closer is text.
        Literal = "literal",
        /// The closer is dropped, and the text before it moves to its channel.
        Reclassify = "reclassify",
    }
    /// Whether letters of markers match in either case.
    LetterCase {
        /// Letters match as written.
        Exact = "exact",
        /// Letters match in either case.
        Fold = "fold",
    }
    /// Which attributes an opener may have.
    Attributes default None {
        /// No attributes.
        None = "none",
        /// Attributes with values: `name="value"`.
        Valued = "valued",
        /// Attributes with values, and names alone.
        Bare = "bare",
    }
    /// Where on a line an opener counts.
    Anchor default Anywhere {
        /// Anywhere.
        Anywhere = "anywhere",
        /// After nothing but spaces and tabs on its line, or directly after another marker.
        Line = "line",
        /// Anywhere but between two words of a sentence.
        Apart = "apart",
    }
    /// What happens to a closer whose parameters differ from those of the opener.
    OnMismatch default Stray {
        /// The closer is stray.
        Stray = "stray",
        /// The closer closes the element, with a notice.
        Close = "close",
    }
    /// How an element is a tool call. See [`Answer::calls`](crate::Answer::calls).
    CallForm default Auto {
        /// In the channel `tool`, the parameters of the opener, the body and the elements inside show it.
        Auto = "auto",
        /// It is none.
        None = "none",
        /// Its text is calls in Python's syntax: `[weather(city="Rome")]`.
        Python = "python",
        /// Its text is a call as Gemma writes it: `call:weather{city:<|"|>Rome<|"|>}`.
        Gemma = "gemma",
        /// Its text is the argument, such as code to run.
        Text = "text",
    }
    /// Whether an answer without markers may be tool calls.
    BareCalls default None {
        /// It may not.
        None = "none",
        /// Objects with a name and arguments are calls, and lists of them.
        Json = "json",
        /// A list of calls in Python's syntax is.
        Python = "python",
    }
}

/// A pair of markers, and the treatment of the text between them. `docs/tags.md` lists the settings and
/// their defaults.
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
    pub(crate) channel: Channel,
    pub(crate) visible: Option<Visibility>,
    /// The parameter whose value names the element, instead of the family's name.
    pub(crate) named_by: Option<String>,
    /// Whether elements become comment events.
    pub(crate) comment: bool,
    pub(crate) syntax: MarkerSyntax,
    pub(crate) policy: MarkerPolicy,
    pub(crate) body: FamilyBody,
    pub(crate) call: FamilyCall,
}

/// How the elements of a family are tool calls.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct FamilyCall {
    pub(crate) form: CallForm,
    /// The name of the tool, with parameters of the opener in braces.
    pub(crate) name: Option<String>,
    /// The id of the call, with parameters of the opener in braces.
    pub(crate) id: Option<String>,
}

/// How the markers of a family are written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct MarkerSyntax {
    pub(crate) open: Vec<String>,
    pub(crate) close: Vec<String>,
    pub(crate) case: Option<LetterCase>,
    pub(crate) blanks: bool,
    pub(crate) attributes: Attributes,
    pub(crate) params: Vec<ParamRule>,
}

/// Where the markers of a family count, and what they do to open elements.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct MarkerPolicy {
    pub(crate) group: Option<String>,
    pub(crate) within: Vec<String>,
    pub(crate) same: Option<OnReopen>,
    pub(crate) inside: InReasoning,
    pub(crate) mismatch: OnMismatch,
    pub(crate) stray: Option<OnStray>,
    pub(crate) guard_closers: Option<bool>,
    pub(crate) at: Anchor,
    /// What must follow the opener, behind whitespace; anything if empty.
    pub(crate) then: Arc<[String]>,
}

/// How the content of a family's elements is read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct FamilyBody {
    pub(crate) format: BodyFormat,
    /// The declared keys of a `record` body.
    pub(crate) keys: Vec<String>,
    /// Whether a `record` body takes any key.
    pub(crate) any_key: bool,
    /// The tag names of an `xml` body. Empty if every name is a tag.
    pub(crate) names: Vec<String>,
    /// Whether an `xml` body types its values by their text.
    pub(crate) typed: bool,
}

impl Family {
    /// A family whose elements begin with `open` and end with `close`.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        open: impl Into<String>,
        close: impl Into<String>,
        channel: Channel,
    ) -> Self {
        Self::void(name, open, channel).or_close(close)
    }

    /// A family of one marker, whose elements have no content.
    #[must_use]
    pub fn void(name: impl Into<String>, open: impl Into<String>, channel: Channel) -> Self {
        Self {
            name: name.into(),
            channel,
            visible: None,
            named_by: None,
            comment: false,
            syntax: MarkerSyntax { open: vec![open.into()], ..MarkerSyntax::default() },
            policy: MarkerPolicy::default(),
            body: FamilyBody::default(),
            call: FamilyCall::default(),
        }
    }

    /// The family's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The channel that the text of its elements goes to.
    #[must_use]
    pub const fn channel(&self) -> &Channel {
        &self.channel
    }

    /// How the content of its elements is read.
    #[must_use]
    pub const fn body(&self) -> BodyFormat {
        self.body.format
    }

    /// Whether users see the text of its elements. Default: not for reasoning.
    #[must_use]
    pub fn visible(&self) -> Visibility {
        let hidden = self.channel == Channel::Reasoning;
        self.visible.unwrap_or(if hidden { Visibility::No } else { Visibility::Yes })
    }

    /// Adds another spelling of the opener.
    #[must_use]
    pub fn or_open(mut self, open: impl Into<String>) -> Self {
        self.syntax.open.push(open.into());
        self
    }

    /// Adds another spelling of the closer.
    #[must_use]
    pub fn or_close(mut self, close: impl Into<String>) -> Self {
        self.syntax.close.push(close.into());
        self
    }

    /// Puts the family into a group. Closers of one group close elements of the whole group, with a
    /// notice.
    #[must_use]
    pub fn in_group(mut self, group: impl Into<String>) -> Self {
        self.policy.group = Some(group.into());
        self
    }

    /// Makes the opener count only directly inside an element of another family. Each call adds one.
    #[must_use]
    pub fn within(mut self, family: impl Into<String>) -> Self {
        self.policy.within.push(family.into());
        self
    }

    /// Sets how the content is read. Default: [`BodyFormat::Mixed`].
    #[must_use]
    pub fn with_body(mut self, body: BodyFormat) -> Self {
        self.body.format = body;
        self
    }

    /// Sets whether users see the text.
    #[must_use]
    pub fn with_visible(mut self, visible: Visibility) -> Self {
        self.visible = Some(visible);
        self
    }

    /// Sets what the opener does directly inside an element of the family. Default:
    /// [`OnReopen::Literal`], for `raw` bodies [`OnReopen::Sibling`].
    #[must_use]
    pub fn with_same(mut self, same: OnReopen) -> Self {
        self.policy.same = Some(same);
        self
    }

    /// Sets what the opener does inside reasoning. Default: [`InReasoning::Nest`].
    #[must_use]
    pub fn with_inside(mut self, inside: InReasoning) -> Self {
        self.policy.inside = inside;
        self
    }

    /// Sets whether letters match in either case. Default: [`LetterCase::Exact`].
    #[must_use]
    pub fn with_case(mut self, case: LetterCase) -> Self {
        self.syntax.case = Some(case);
        self
    }

    /// Allows whitespace inside the angle brackets of the markers.
    #[must_use]
    pub fn with_blanks(mut self) -> Self {
        self.syntax.blanks = true;
        self
    }

    /// Sets which attributes the opener may have. Default: [`Attributes::None`].
    #[must_use]
    pub fn with_attributes(mut self, attributes: Attributes) -> Self {
        self.syntax.attributes = attributes;
        self
    }

    /// Sets what happens to a closer that closes nothing. Default: the option of the set.
    #[must_use]
    pub fn with_stray(mut self, stray: OnStray) -> Self {
        self.policy.stray = Some(stray);
        self
    }

    /// Sets what happens to a closer with other parameters than the opener. Default:
    /// [`OnMismatch::Stray`].
    #[must_use]
    pub fn with_mismatch(mut self, mismatch: OnMismatch) -> Self {
        self.policy.mismatch = mismatch;
        self
    }

    /// Sets whether code hides closers that would end an element. Default: if users see the text.
    #[must_use]
    pub fn with_guarded_closers(mut self, guarded: bool) -> Self {
        self.policy.guard_closers = Some(guarded);
        self
    }

    /// Sets where on a line the opener counts. Default: [`Anchor::Anywhere`].
    #[must_use]
    pub fn with_at(mut self, at: Anchor) -> Self {
        self.policy.at = at;
        self
    }

    /// Makes the opener count only before this text, behind whitespace of at most 64 bytes: `<tool_call>` before
    /// `{`. Each call adds one. Where something else follows, the opener is text.
    #[must_use]
    pub fn with_then(mut self, then: impl Into<String>) -> Self {
        let all = self.policy.then.iter().cloned().chain([then.into()]);
        self.policy.then = all.filter(|text| !text.is_empty()).collect();
        self
    }

    /// Names each element by the value of a parameter, instead of by the family.
    #[must_use]
    pub fn named_by(mut self, param: impl Into<String>) -> Self {
        self.named_by = Some(param.into());
        self
    }

    /// Declares a key of a `record` body. Each call adds one.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.body.keys.push(key.into());
        self
    }

    /// Sets whether every `Key: value` line of a `record` body is a field. Default: no.
    #[must_use]
    pub fn with_any_key(mut self, any: bool) -> Self {
        self.body.any_key = any;
        self
    }

    /// Declares a tag name of an `xml` body. Each call adds one. Without any, every name is a tag.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.body.names.push(name.into());
        self
    }

    /// Sets whether values of an `xml` body become numbers if they print as the same text. Default: no.
    #[must_use]
    pub fn with_typed(mut self, typed: bool) -> Self {
        self.body.typed = typed;
        self
    }

    /// Sets how an element is a tool call. Default: [`CallForm::Auto`].
    #[must_use]
    pub fn with_call(mut self, form: CallForm) -> Self {
        self.call.form = form;
        self
    }

    /// Sets the name of the tool that an element calls, with parameters of the opener in braces:
    /// `browser.{name}`. Default: the parameter `name`.
    #[must_use]
    pub fn with_call_name(mut self, template: impl Into<String>) -> Self {
        self.call.name = Some(template.into());
        self
    }

    /// Sets the id of a call, with parameters of the opener in braces. Default: the parameter `id`.
    #[must_use]
    pub fn with_call_id(mut self, template: impl Into<String>) -> Self {
        self.call.id = Some(template.into());
        self
    }

    /// Limits a parameter to the bytes of `allow` and to `cap` bytes. Default: every byte that cannot end
    /// it, and 128 bytes.
    #[must_use]
    pub fn with_param(
        mut self,
        name: impl Into<String>,
        allow: Option<&[u8]>,
        cap: Option<u16>,
    ) -> Self {
        let allow = allow.map(ByteSet::of);
        self.syntax.params.push(ParamRule {
            name: name.into(),
            allow,
            cap: cap.unwrap_or(PARAM_CAP),
        });
        self
    }

    /// How its elements are calls; only elements in channel `tool` are calls unless the family says so.
    pub(crate) fn call_form(&self) -> CallForm {
        let is_tool = self.channel.name() == "tool";
        if self.call.form == CallForm::Auto && !is_tool { CallForm::None } else { self.call.form }
    }

    pub(crate) fn same(&self) -> OnReopen {
        let default =
            if self.body.format == BodyFormat::Raw { OnReopen::Sibling } else { OnReopen::Literal };
        self.policy.same.unwrap_or(default)
    }

    /// Whether code hides its closers where they would end an element.
    pub(crate) fn guards_closers(&self) -> bool {
        self.policy.guard_closers.unwrap_or_else(|| self.visible() == Visibility::Yes)
    }

    /// Every spelling of every marker, openers first.
    pub(super) fn markers(&self) -> impl Iterator<Item = &String> {
        self.syntax.open.iter().chain(&self.syntax.close)
    }

    /// Whether its elements are answers: they are in the answer channel, or they interrupt reasoning and are no
    /// calls.
    pub(super) fn is_answer(&self) -> bool {
        let is_call = matches!(&self.channel, Channel::Named(name) if name == "tool");
        let is_reasoning = self.channel == Channel::Reasoning;
        let interrupts = self.policy.inside == InReasoning::Interrupt;
        self.channel == Channel::Answer || interrupts && !is_call && !is_reasoning
    }

    /// Whether its elements may enclose a whole answer: they have content, which is text of the answer.
    pub(super) fn is_envelope(&self) -> bool {
        self.channel == Channel::Text && !self.is_void() && self.body.format == BodyFormat::Mixed
    }

    pub(crate) fn is_void(&self) -> bool {
        self.syntax.close.is_empty()
    }
}
