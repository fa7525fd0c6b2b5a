//! Columns beside single answers.

mod hostile;
mod layouts;
mod oracle;
mod threads;
mod values;
