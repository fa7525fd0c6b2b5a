//! Questions to the user.

use super::fields::without;
use super::parts::text_field;
use super::tool::Payload;
use crate::answer::Element;

const EXPECTED: &str = "Expected input types";
const CHECKPOINT: &str = "checkpoint_name";

/// A question to the user, and the reply.
///
/// ```
/// use patchwire::{Format, Spec, TagSet};
/// use patchwire::ubik::{self, Part};
///
/// let spec = Spec::builder().format(Format::Text).tags(TagSet::ubik()).build()?;
/// let text = "<<INPUT_REQUIRED_START>>\nWhere to?\nExpected input types: text\n";
/// let answer = spec.parse(text)?;
/// let Part::InputRequest(request) = ubik::parts(&answer)[0] else { unreachable!() };
/// assert_eq!(request.prompt(), "Where to?");
/// assert!(request.expected().eq(["text"]) && request.reply().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct InputRequest<'a>(pub(super) Element<'a>);

impl<'a> InputRequest<'a> {
    /// The question, without the lines that say how to answer it.
    #[must_use]
    pub fn prompt(&self) -> String {
        without(&self.0.text(), &[EXPECTED, CHECKPOINT])
    }

    /// What kinds of reply are wanted.
    pub fn expected(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let types = text_field(self.0, EXPECTED).unwrap_or("");
        types.split(',').map(str::trim).filter(|kind| !kind.is_empty())
    }

    /// The checkpoint that waits for the reply.
    #[must_use]
    pub fn checkpoint_name(&self) -> Option<&'a str> {
        text_field(self.0, CHECKPOINT)
    }

    /// The reply, if it came; the last, if there are several.
    #[must_use]
    pub fn reply(&self) -> Option<Payload<'a>> {
        Payload::last(self.0, "user_input")
    }

    /// Whether it ended.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    /// The element it is.
    #[must_use]
    pub const fn element(&self) -> Element<'a> {
        self.0
    }
}
