//! Questions to the user.

use patchwire::answer::Element;

use super::fields::without;
use super::parts::text_field;
use super::tool::Payload;

const EXPECTED: &str = "Expected input types";
const CHECKPOINT: &str = "checkpoint_name";

/// A question to the user, and the reply.
///
/// ```
/// use patchwire::{Format, Spec, TagSet};
/// use patchwire_views::ubik::{self, Part};
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

    /// The types of reply that the agent accepts.
    pub fn expected(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let types = text_field(self.0, EXPECTED).unwrap_or("");
        types.split(',').map(str::trim).filter(|kind| !kind.is_empty())
    }

    /// The checkpoint that waits for the reply.
    #[must_use]
    pub fn checkpoint_name(&self) -> Option<&'a str> {
        text_field(self.0, CHECKPOINT)
    }

    /// The reply, if there is one; the last of several.
    #[must_use]
    pub fn reply(&self) -> Option<Payload<'a>> {
        Payload::last(self.0, "user_input")
    }

    /// Whether a closer ended the request.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    /// The element of this part.
    #[must_use]
    pub const fn element(&self) -> Element<'a> {
        self.0
    }
}
