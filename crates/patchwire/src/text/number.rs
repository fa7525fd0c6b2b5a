//! Numbers in decimal.

use core::fmt::{self, Write};

/// Writes a number without the formatter of `core::fmt`, which takes several times as long.
pub(crate) fn write_number(out: &mut impl Write, number: u64) -> fmt::Result {
    out.write_str(itoa::Buffer::new().format(number))
}
