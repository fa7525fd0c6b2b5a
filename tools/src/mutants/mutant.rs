//! A change of the code, as a replacement of a byte range of a file.

use std::ops::Range;
use std::path::PathBuf;

/// A part of a replacement.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Text(&'static str),
    Owned(String),
    /// The code of this range of the file, with the mutants inside it.
    Code(Range<usize>),
    /// A call that is true where this mutant is active.
    Active,
    /// A call that is false where this mutant is active.
    Inactive,
}

/// One change of the code.
#[derive(Clone, Debug)]
pub(crate) struct Mutant {
    pub(crate) package: &'static str,
    /// The file, below the folder of the workspace.
    pub(crate) file: PathBuf,
    /// The top-level module of its crate.
    pub(crate) module: String,
    /// The function that it is in, with the type that has it.
    pub(crate) function: String,
    pub(crate) line: usize,
    /// What is changed, in words.
    pub(crate) change: String,
    pub(crate) range: Range<usize>,
    pub(crate) pieces: Vec<Piece>,
    /// The item that is its function: errors anywhere in it may be this mutant's.
    pub(crate) item: Range<usize>,
    /// The keyword `const` of its function, which has to go because a choice is made when the code runs.
    pub(crate) const_keyword: Option<Range<usize>>,
}

impl Mutant {
    /// What names a mutant as long as its function is not rewritten: file, function and change.
    pub(crate) fn key(&self) -> String {
        format!("{} | {} | {}", self.file.display(), self.function, self.change)
    }

    /// What a person reads, and `--list` finds again.
    pub(crate) fn place(&self) -> String {
        format!("{}:{} | {} | {}", self.file.display(), self.line, self.function, self.change)
    }
}
