//! What an option can be, where that is one of a few.

use clap::ValueEnum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    /// JSON
    #[default]
    Json,
    /// No format: the answer is text
    Text,
}

/// What the demo shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Show {
    /// JSON: its fields
    #[default]
    Json,
    /// Text between tags: a scratch pad, and the output
    Tags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum InputForm {
    /// The bytes of one stream
    #[default]
    Raw,
    /// One stream a line, fed with its own cuts: {"deltas": ["…", …]}
    Recording,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Strictness {
    /// The format to the letter, and nothing around it
    Strict,
    /// Prose, fences and known slips are forgiven and noted
    #[default]
    Lenient,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Roots {
    /// The one that fits best; of equals the last
    #[default]
    Best,
    /// The first
    First,
    /// The last
    Last,
    /// All of them
    Concatenated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Values {
    /// `done` of strings and scalars
    #[default]
    Leaf,
    /// Also `done` of lists and objects
    Done,
    /// Also `delta`
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum View {
    /// All, joined
    #[default]
    Concat,
    /// The first
    First,
    /// The last
    Last,
    /// The first that has its closer, else the last
    FirstClosedElseLast,
}
