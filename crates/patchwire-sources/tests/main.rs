//! What providers send, at every cut.

mod bodies;
mod cuts;
mod ends;
mod hostile;
mod recorded;
mod said;
