//! The engine of the npm package `patchwire`, as WebAssembly.
//!
//! JavaScript calls a few functions that take and return numbers. A chunk is written into a buffer of this
//! module; its events come back as records of five words and one text, which JavaScript decodes. Objects made
//! across the border would cost ten times as much as reading the chunk.
//!
//! | module | what lives there |
//! |---|---|
//! | `exports` | the functions that JavaScript calls |
//! | `store` | specs and parsers by number, and the buffers |
//! | `options` | the options of a reader, from JSON |
//! | `records` | events as words and text |
//! | `steps` | the steps of a stream |
//! | `line` | which path JavaScript knows at each depth |
//! | `cuts` | whether chunk boundaries make a difference |
//! | `page` | what only the page needs |

mod cuts;
mod exports;
mod line;
mod options;
#[cfg(feature = "page")]
mod page;
mod records;
mod steps;
mod store;
