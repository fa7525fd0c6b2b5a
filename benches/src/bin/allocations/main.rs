//! Counts allocations, as Markdown. A program of its own: the counting allocator slows everything.

mod steady;
mod whole;

use std::io::{self, Write as _};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "\n## Allocations\n\n{HOW_TO_READ}")?;
    write!(out, "\n{}", steady::steady())?;
    write!(out, "\n{}", steady::beside())?;
    write!(out, "\n{}", whole::whole())
}

const HOW_TO_READ: &str = "\
Counted by an allocator that stands in for the system's. Growing a buffer counts as an allocation, and
the old and the new buffer both count towards a peak.";
