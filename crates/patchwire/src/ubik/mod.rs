//! What [`TagSet::ubik`](crate::TagSet::ubik) finds, as an agent's history: steps, tools, checkpoints, requests.
//!
//! The parts are views: they borrow from the answer, are `Copy`, and nothing is built before it is
//! asked for. What lies in a part is asked of the part.
//!
//! ```
//! use patchwire::ubik::{self, Part};
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

use crate::answer::Answer;

/// The parts of an answer, in order. Blanks between markers are no part.
#[must_use]
pub fn parts(answer: &Answer) -> Vec<Part<'_>> {
    answer.nodes().filter_map(Part::outside).collect()
}

/// Every tool of an answer, however deep it lies, in the order of the openers.
pub fn tools(answer: &Answer) -> impl Iterator<Item = Tool<'_>> {
    answer.elements().filter_map(Tool::of)
}
