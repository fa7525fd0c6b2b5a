//! The names of fields, and the names that have occurred.

use std::collections::HashSet;

use super::seen_ranks::SeenRanks;
use crate::schema::Schema;

/// The declaration of a field that opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldDeclaration {
    /// Declared as text.
    Text,
    /// Declared as another type.
    Typed,
    /// Declared as any type.
    Any,
    /// There is no schema: the wire form decides the type.
    Free,
    /// The schema does not declare it.
    Unknown,
    /// A field with this name occurred before.
    Duplicate,
}

/// The names of a stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FieldNames {
    /// The schema, if its root declares names.
    schema: Option<Schema>,
    seen: HashSet<String>,
    /// The positions of the declared names among them, in the order of the letters.
    ranks: SeenRanks,
}

impl FieldNames {
    pub(crate) fn new(schema: Option<&Schema>) -> Self {
        let declares = |schema: &&Schema| schema.declares_keys(schema.root());
        Self {
            schema: schema.filter(declares).cloned(),
            seen: HashSet::new(),
            ranks: SeenRanks::default(),
        }
    }

    /// Whether a schema declares the names.
    pub(crate) const fn are_declared(&self) -> bool {
        self.schema.is_some()
    }

    /// The declaration of this name, or `Duplicate`.
    pub(crate) fn find(&self, name: &str) -> FieldDeclaration {
        if self.seen.contains(name) { FieldDeclaration::Duplicate } else { self.declared_as(name) }
    }

    /// The declaration of this name, whether or not it occurred before.
    pub(crate) fn declared_as(&self, name: &str) -> FieldDeclaration {
        let Some(schema) = &self.schema else { return FieldDeclaration::Free };
        if !schema.declares(schema.root(), name) {
            return FieldDeclaration::Unknown;
        }
        match schema.member(schema.root(), name) {
            Some(id) if schema.is_any(id) => FieldDeclaration::Any,
            Some(id) if schema.is_text(id) => FieldDeclaration::Text,
            _ => FieldDeclaration::Typed,
        }
    }

    /// Whether a field with this name could open now.
    pub(crate) fn is_new(&self, name: &str) -> bool {
        !matches!(self.find(name), FieldDeclaration::Unknown | FieldDeclaration::Duplicate)
    }

    /// Records that the field opens.
    pub(crate) fn open(&mut self, name: &str) {
        if let Some(schema) = &self.schema
            && let Some(rank) = schema.declared_rank(schema.root(), name)
        {
            self.ranks.insert(rank);
        }
        self.seen.insert(name.to_owned());
    }

    /// The declared names, in order.
    pub(crate) fn declared(&self) -> impl Iterator<Item = &str> {
        self.schema.iter().flat_map(|schema| schema.declared_keys(schema.root()))
    }

    /// The declared names that have not occurred.
    pub(crate) fn missing(&self) -> impl Iterator<Item = &str> {
        self.declared().filter(|name| !self.seen.contains(*name))
    }

    /// Whether this name is declared and has not occurred.
    pub(crate) fn is_missing(&self, name: &str) -> bool {
        let declares = |schema: &Schema| schema.declares(schema.root(), name);
        self.schema.as_ref().is_some_and(declares) && !self.seen.contains(name)
    }

    /// Whether a name with this beginning is declared and has not occurred.
    pub(crate) fn is_missing_beginning(&self, start: &str) -> bool {
        let Some(schema) = &self.schema else { return false };
        !self.ranks.contain_all(schema.declared_ranks(schema.root(), start))
    }
}
