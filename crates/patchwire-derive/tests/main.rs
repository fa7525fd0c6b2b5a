//! Partial forms, read at every prefix of an answer.

mod forms;
