//! What each chunk passes on its way from JavaScript to its events: the only part of the module that is compiled for
//! speed. Generic code is compiled with the crate that names its types, so whatever is rarely called belongs into
//! `patchwire-js`, which is compiled for size. So does all that drops a parser.
//!
//! | module | what lives there |
//! |---|---|
//! | `store` | specs and parsers by number, and the buffers |
//! | `records` | events as words and text |
//! | `steps` | the steps of a stream |
//! | `line` | which path JavaScript knows at each depth |

mod line;
pub mod records;
pub mod steps;
pub mod store;
