//! The open containers of a document, with their schemas and keys, and the value that is skipped.

use std::collections::HashSet;

use crate::document::ValueKind;
use crate::schema::{Schema, SchemaId};

/// An open container that is emitted.
#[derive(Debug, Clone, PartialEq, Eq)]
struct YamlLevel {
    list: bool,
    schema: Option<SchemaId>,
    /// The keys of an object, except the root's.
    keys: HashSet<String>,
}

/// The open containers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct YamlLevels {
    schema: Option<Schema>,
    /// The largest number of open containers.
    limit: usize,
    open: Vec<YamlLevel>,
    /// The schema of the value of the last key.
    member: Option<SchemaId>,
    /// The number of open containers in a skipped value. `None` if no value is skipped.
    skipping: Option<usize>,
}

impl YamlLevels {
    pub(super) const fn new(schema: Option<Schema>, limit: usize) -> Self {
        Self { schema, limit, open: Vec::new(), member: None, skipping: None }
    }

    /// The largest number of open containers.
    pub(super) const fn limit(&self) -> usize {
        self.limit
    }

    /// The number of open containers, skipped ones included.
    pub(super) fn depth(&self) -> usize {
        self.open.len() + self.skipping.unwrap_or_default()
    }

    /// Whether no more containers may open.
    pub(super) fn is_full(&self) -> bool {
        self.depth() >= self.limit
    }

    /// Whether a container is open that is emitted.
    pub(super) const fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether the innermost container is the root, and emitted.
    pub(super) const fn is_at_root(&self) -> bool {
        self.open.len() == 1 && !self.is_skipping()
    }

    /// Whether a value is skipped.
    pub(super) const fn is_skipping(&self) -> bool {
        self.skipping.is_some()
    }

    /// Skips the next value.
    pub(super) const fn skip(&mut self) {
        self.skipping = Some(0);
    }

    /// Ends a value.
    pub(super) fn value_ends(&mut self) {
        if self.skipping == Some(0) {
            self.skipping = None;
        }
    }

    /// Opens a container at the expected value.
    pub(super) fn open(&mut self, list: bool) {
        match &mut self.skipping {
            Some(depth) => *depth += 1,
            None => {
                let schema = self.here();
                self.open.push(YamlLevel { list, schema, keys: HashSet::new() });
            }
        }
    }

    /// Closes the innermost container. Returns whether it is emitted.
    pub(super) fn close(&mut self) -> bool {
        let is_emitted = match &mut self.skipping {
            Some(depth) => {
                *depth = depth.saturating_sub(1);
                false
            }
            None => {
                self.open.pop();
                true
            }
        };
        self.value_ends();
        is_emitted
    }

    /// Expects the value of this key.
    pub(super) fn begin_member(&mut self, key: &str) {
        let above = self.open.last().and_then(|level| level.schema);
        let schema = self.schema.as_ref().zip(above);
        self.member = schema.and_then(|(schema, above)| schema.member(above, key));
    }

    /// Records a key of an object below the root. Returns whether the key is new; none in the root.
    pub(super) fn insert_key(&mut self, key: &str) -> Option<bool> {
        match &mut self.open[..] {
            [_, .., level] => Some(level.keys.insert(key.to_owned())),
            _ => None,
        }
    }

    /// Whether the expected value may be of this kind.
    pub(super) fn takes(&self, kind: ValueKind) -> bool {
        match (&self.schema, self.here()) {
            (Some(schema), Some(id)) => schema.matches_kind(id, kind),
            _ => true,
        }
    }

    /// Whether the expected value can only be a string, or null.
    pub(super) fn takes_only_text(&self) -> bool {
        match (&self.schema, self.here()) {
            (Some(schema), Some(id)) => !self.is_skipping() && schema.is_text(id),
            _ => false,
        }
    }

    /// The schema of the expected value.
    fn here(&self) -> Option<SchemaId> {
        let schema = self.schema.as_ref()?;
        match self.open.last() {
            None => Some(schema.root()),
            Some(YamlLevel { list: true, schema: above, .. }) => schema.item((*above)?),
            Some(_) => self.member,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::YamlLevels;
    use crate::document::ValueKind;
    use crate::schema::{int, list, object, str};

    #[test]
    fn a_place_takes_what_its_schema_allows() {
        let schema = object().field("n", int("")).field("tags", list(str("")));
        let mut levels = YamlLevels::new(Some(schema.into()), 8);
        assert!(levels.takes(ValueKind::Object) && !levels.takes(ValueKind::List));
        levels.open(false);
        for (key, number, string, list, only_text) in [
            ("n", true, false, false, false),
            ("tags", false, false, true, false),
            // A key without a schema takes every value.
            ("other", true, true, true, false),
        ] {
            levels.begin_member(key);
            let kinds = [ValueKind::Number, ValueKind::String, ValueKind::List];
            assert_eq!(kinds.map(|kind| levels.takes(kind)), [number, string, list], "{key}");
            assert_eq!(levels.takes_only_text(), only_text, "{key}");
        }
        levels.begin_member("tags");
        levels.open(true);
        assert!(levels.takes_only_text());
        assert!(levels.close() && levels.is_at_root());
    }

    #[test]
    fn containers_in_a_skipped_value_count_and_are_not_emitted() {
        let mut levels = YamlLevels::new(None, 3);
        levels.open(false);
        levels.skip();
        levels.open(true);
        levels.open(false);
        assert!(levels.is_full() && levels.is_skipping());
        assert!(!levels.close() && levels.is_skipping());
        assert!(!levels.close() && !levels.is_skipping());
        assert!(levels.is_at_root() && levels.close() && !levels.is_open());
    }

    #[test]
    fn keys_of_the_root_are_recorded_elsewhere() {
        let mut levels = YamlLevels::new(None, 3);
        levels.open(false);
        assert_eq!(levels.insert_key("a"), None);
        levels.open(false);
        assert_eq!([levels.insert_key("a"), levels.insert_key("a")], [Some(true), Some(false)]);
    }
}
