//! The end of a stream. It is here, and not with the steps before it, because it is compiled for size.

use patchwire::{Error, Parser};
use patchwire_js_feed::steps::Take;

/// Ends a stream.
pub(crate) fn take(parser: &mut Parser, take: &mut Take<'_>) -> Result<(), Error> {
    parser.finish(take).map(drop)
}
