//! The engine of the npm package `patchwire`, as WebAssembly.
//!
//! JavaScript calls a few functions that take and return numbers. A chunk is written into a buffer of this
//! module; its events come back as records of five words and one text, which JavaScript decodes. Objects made
//! across the border would cost ten times as much as reading the chunk.
//!
//! | module | what lives there |
//! |---|---|
//! | `exports` | the functions that JavaScript calls |
//! | `specs` | specs by number |
//! | `options` | the options of a reader, from JSON |
//! | `members` | the members of a JSON object, as they were written |
//! | `ending` | the end of a stream |
//! | `cuts` | whether chunk boundaries make a difference |
//! | `page` | what only the page needs |
//!
//! What each chunk passes is the crate `patchwire-js-feed`.

mod cuts;
mod ending;
mod exports;
mod members;
mod options;
#[cfg(feature = "page")]
mod page;
mod specs;
