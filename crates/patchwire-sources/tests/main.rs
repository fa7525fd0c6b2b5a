//! What providers send, at every cut.

mod bodies;
mod calls;
mod cuts;
mod decoded;
mod ends;
mod fingerprints;
mod hostile;
mod more;
mod odd;
mod recorded;
