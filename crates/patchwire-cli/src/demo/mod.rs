//! What `demo` shows: an answer that comes with the command, cut as a model would.

mod demo_page;
mod element_lines;
mod field_lines;
mod json_colours;
mod samples;

pub(crate) use demo_page::DemoPage;
pub(crate) use element_lines::ElementLines;
pub(crate) use field_lines::FieldLines;
pub(crate) use samples::Sample;
