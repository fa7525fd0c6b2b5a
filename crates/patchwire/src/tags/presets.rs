//! Tag sets that come with the engine.

use std::sync::LazyLock;

use super::set::{Channel, Family, TagSet};

/// The names reasoning models use.
const THINK: [&str; 4] = ["think", "thinking", "reasoning", "thought"];

impl TagSet {
    /// Reasoning as most models mark it: `<think>`, `<thinking>`, `<reasoning>` or `<thought>`, in
    /// any case, anywhere outside the payload.
    #[must_use]
    pub fn think() -> Self {
        static SET: LazyLock<TagSet> = LazyLock::new(think);
        SET.clone()
    }
}

/// Compiled once: every lenient spec has it.
fn think() -> TagSet {
    let families = THINK.map(|name| {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        Family::new(name, open, close, Channel::Reasoning).in_group("reasoning")
    });
    match TagSet::new(families) {
        Ok(set) => set,
        Err(error) => unreachable!("the preset's markers differ: {error}"),
    }
}
