//! An agent's history as typed parts: the elements that [`TagSet::ubik`](patchwire::TagSet::ubik) finds.
//!
//! Parts are views. They borrow from the answer, are `Copy`, and build nothing in advance: [`parts()`](parts()) gives
//! the outermost ones, and each part gives the parts inside it.
//!
//! ```
//! use patchwire_views::ubik::{self, Part};
//! use patchwire::{Format, Spec, TagSet};
//!
//! let spec = Spec::builder().format(Format::Text).tags(TagSet::ubik()).build()?;
//! let answer = spec.parse("Hello.\n<<STEP_START>>\nStep 1: Looking\nOne moment.\n<<STEP_END>>")?;
//! let parts = ubik::parts(&answer);
//! let [Part::Text(text), Part::Step(step)] = parts[..] else { unreachable!() };
//! assert_eq!((text, step.title()), ("Hello.", Some("Step 1: Looking")));
//! assert_eq!(ubik::markdown(&answer), "Hello.\n\n### Step 1: Looking\n\nOne moment.\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod fields;
mod live;
mod markdown;
mod parts;
mod request;
mod title;
mod tool;

pub use live::{Live, Progress};
pub use markdown::{Markdown, markdown};
pub use parts::{Checkpoint, Failure, Part, Step, Thinking};
pub use request::InputRequest;
pub use tool::{Payload, Tool};

use patchwire::Answer;

/// The parts of an answer, in order. Whitespace between markers is no part.
#[must_use]
pub fn parts(answer: &Answer) -> Vec<Part<'_>> {
    answer.nodes().filter_map(Part::outside).collect()
}

/// Every tool of an answer at any depth, in the order of the openers.
pub fn tools(answer: &Answer) -> impl Iterator<Item = Tool<'_>> {
    answer.elements().filter_map(Tool::of)
}
