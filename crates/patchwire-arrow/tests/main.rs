//! Columns beside single answers.

mod fingerprints;
mod hostile;
mod layouts;
mod oracle;
mod threads;
mod values;
