//! Mermaid diagrams in texts.

mod fence;
mod kind;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::element::ElementId;
pub(crate) use fence::Fences;
pub use kind::DiagramKind;

/// A Mermaid diagram: a fence whose info string begins with `mermaid`. Listed by
/// [`Answer::diagrams`](crate::Answer::diagrams).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagram<'a> {
    /// Its number in the answer, from 0.
    pub index: usize,
    /// What it is.
    pub kind: DiagramKind,
    /// What stands between the fence's lines, without the last line break.
    pub code: String,
    /// Whether the fence was closed.
    pub is_complete: bool,
    /// The channel of the text it stands in.
    pub channel: &'a str,
    /// The element it stands in; none outside all of them.
    pub element: Option<ElementId>,
}

impl Diagram<'_> {
    /// A link that opens the diagram in Mermaid's live editor. The code is in the link, after `#`:
    /// nothing is sent to a server.
    ///
    /// ```
    /// use patchwire::{Format, Spec};
    ///
    /// let spec = Spec::builder().format(Format::Text).build()?;
    /// let answer = spec.parse("```mermaid\npie\n```")?;
    /// let url = answer.diagrams()[0].edit_url();
    /// assert!(url.starts_with("https://mermaid.live/edit#base64:eyJjb2RlIjoicGllIi"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn edit_url(&self) -> String {
        let state = serde_json::json!({ "code": self.code, "mermaid": { "theme": "default" } });
        format!("https://mermaid.live/edit#base64:{}", URL_SAFE_NO_PAD.encode(state.to_string()))
    }
}

/// A text in which diagrams may stand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) channel: &'a str,
    pub(crate) element: Option<ElementId>,
}

/// The diagrams of a text, with where their fences begin in it. They are not numbered yet.
pub(crate) fn find<'a>(
    source: Source<'a>,
    text: &str,
) -> impl Iterator<Item = (usize, Diagram<'a>)> {
    let is_diagram = |info: &str| {
        info.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("mermaid"))
    };
    Fences::new(text).filter(move |fence| is_diagram(fence.info)).map(move |fence| {
        let diagram = Diagram {
            index: 0,
            kind: DiagramKind::of(&fence.code),
            code: fence.code,
            is_complete: fence.is_closed,
            channel: source.channel,
            element: source.element,
        };
        (fence.at, diagram)
    })
}
