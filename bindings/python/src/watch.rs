//! Which fields a caller wants to hear of: each field is judged once, by its number.

use patchwire::{Patch, Pattern};

/// Patterns, and what they said about the fields so far.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    patterns: Vec<Pattern>,
    /// By document and field; none before the first patch of a field.
    known: Vec<Vec<Option<bool>>>,
}

impl Watch {
    pub(crate) const fn new(patterns: Vec<Pattern>) -> Self {
        Self { patterns, known: Vec::new() }
    }

    pub(crate) fn reset(&mut self) {
        self.known.clear();
    }

    #[inline]
    pub(crate) fn wants(&mut self, patch: &Patch<'_>) -> bool {
        let (document, node) = (patch.document.index(), patch.node.index());
        if self.known.len() <= document {
            self.known.resize_with(document + 1, Vec::new);
        }
        let known = &mut self.known[document];
        if known.len() <= node {
            known.resize(node + 1, None);
        }
        let patterns = &self.patterns;
        *known[node].get_or_insert_with(|| patterns.iter().any(|it| patch.path.matches(it)))
    }
}
