//! What `demo` shows: an answer that comes with the command, cut as a model would.

mod elements;
mod fields;
mod json;
mod page;
mod samples;

pub(crate) use elements::Elements;
pub(crate) use fields::Fields;
pub(crate) use page::Page;
pub(crate) use samples::Sample;
