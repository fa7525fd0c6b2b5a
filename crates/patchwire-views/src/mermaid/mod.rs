//! Mermaid diagrams in an answer: fenced code whose info string begins with `mermaid`.
//!
//! ```
//! use patchwire::{Format, Spec};
//! use patchwire_views::mermaid::{self, DiagramKind};
//!
//! let spec = Spec::builder().format(Format::Text).build()?;
//! let answer = spec.parse("As drawn:\n```mermaid\ngraph TD\nA-->B\n```\n")?;
//! let diagram = &mermaid::diagrams(&answer)[0];
//! assert_eq!((diagram.kind, &*diagram.code), (DiagramKind::Flowchart, "graph TD\nA-->B"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod diagram_kind;
mod fences;
mod search;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use patchwire::event::ElementId;

pub use diagram_kind::DiagramKind;
pub(crate) use fences::Fences;
pub use search::diagrams;

/// A Mermaid diagram: fenced code (CommonMark 0.31, section 4.5) whose info string begins with `mermaid`.
/// Listed by [`diagrams`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagram<'a> {
    /// Its number in the answer, from 0.
    pub index: usize,
    /// The kind of diagram, by the first word of the code.
    pub kind: DiagramKind,
    /// The lines between the fence's lines, without the last line break.
    pub code: String,
    /// Whether the fence was closed.
    pub is_complete: bool,
    /// The channel of the text around the fence.
    pub channel: &'a str,
    /// The element around the fence; none outside all elements.
    pub element: Option<ElementId>,
}

impl Diagram<'_> {
    /// A link that opens the diagram in Mermaid's live editor. The link holds the code after `#`, so no
    /// server receives it.
    ///
    /// ```
    /// use patchwire::{Format, Spec};
    /// use patchwire_views::mermaid;
    ///
    /// let spec = Spec::builder().format(Format::Text).build()?;
    /// let answer = spec.parse("```mermaid\npie\n```")?;
    /// let url = mermaid::diagrams(&answer)[0].edit_url();
    /// assert!(url.starts_with("https://mermaid.live/edit#base64:eyJjb2RlIjoicGllIi"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn edit_url(&self) -> String {
        let state = serde_json::json!({ "code": self.code, "mermaid": { "theme": "default" } });
        format!("https://mermaid.live/edit#base64:{}", URL_SAFE_NO_PAD.encode(state.to_string()))
    }
}
