//! What providers send, at every cut.

mod bodies;
mod cuts;
mod decoded;
mod ends;
mod hostile;
mod recorded;
