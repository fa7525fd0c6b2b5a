//! The parts of `patchwire demo`: a built-in answer, cut like a model's tokens.

mod demo_page;
mod element_lines;
mod field_lines;
mod json_colours;
mod samples;

pub(crate) use demo_page::DemoPage;
pub(crate) use element_lines::ElementLines;
pub(crate) use field_lines::FieldLines;
pub(crate) use samples::Sample;
