//! Places in the text, and their descriptions and presences.

use crate::document::{ValueKind, ValueRef};
use crate::schema::{Presence, SchemaError, SchemaErrorKind};
use crate::text::text_path::TextPath;

/// A type in the text.
pub(super) struct DslPlace<'v> {
    pub(super) value: ValueRef<'v>,
    /// Its JSON Pointer.
    path: TextPath,
    /// The number of places around it.
    pub(super) depth: usize,
    stands: DslTypePlace,
}

/// The role of a place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DslTypePlace {
    /// In place of a value.
    ForValue,
    /// The type in a leaf. It cannot be another leaf.
    ForType,
}

/// The description and presence of a value, and the place of its type.
pub(super) struct DslNotes<'v> {
    pub(super) place: DslPlace<'v>,
    pub(super) description: Option<&'v str>,
    pub(super) presence: Presence,
}

const TYPE: &str = "$type";
const DESCRIPTION: &str = "$desc";
const ENSURE: &str = "$ensure";

impl<'v> DslPlace<'v> {
    pub(super) fn root(value: ValueRef<'v>) -> Self {
        Self { value, path: TextPath::default(), depth: 0, stands: DslTypePlace::ForValue }
    }

    pub(super) fn step(&self, name: &str, value: ValueRef<'v>) -> Self {
        let (path, depth) = (self.path.name(name), self.depth + 1);
        Self { value, path, depth, stands: DslTypePlace::ForValue }
    }

    pub(super) fn error(&self, kind: SchemaErrorKind) -> SchemaError {
        SchemaError::new(kind, self.path.to_string())
    }

    /// Separates the description and presence from the type. If nested places repeat them, the
    /// outer description and the stronger presence count.
    pub(super) fn unwrap(self) -> Result<DslNotes<'v>, SchemaError> {
        let mut said = DslNotes { place: self, description: None, presence: Presence::Optional };
        while let Some(inner) = said.place.parts()? {
            said = DslNotes {
                place: inner.place,
                description: said.description.or(inner.description),
                presence: said.presence.max(inner.presence),
            };
        }
        Ok(said)
    }

    /// The parts of a place with more than a type.
    fn parts(&self) -> Result<Option<DslNotes<'v>>, SchemaError> {
        match self.value.kind() {
            ValueKind::List if self.is_row() => self.row().map(Some),
            ValueKind::Object if self.directives().next().is_some() => self.directed().map(Some),
            _ => Ok(None),
        }
    }

    /// Whether a list is `[type, description, ensure]`. A list with one item is that only if the item is a
    /// name and the list is not in place of a type. Other lists are the prototype of a list.
    fn is_row(&self) -> bool {
        let mut items = self.value.entries().map(|(_, item)| item);
        match (items.next(), items.next()) {
            (Some(first), None) => {
                first.kind() == ValueKind::String && self.stands == DslTypePlace::ForValue
            }
            (Some(_), Some(second)) => matches!(second.kind(), ValueKind::String | ValueKind::Null),
            (None, _) => false,
        }
    }

    /// Reads `[type, description, ensure]`, where the last one or two may be missing.
    fn row(&self) -> Result<DslNotes<'v>, SchemaError> {
        let mut said = self.bare();
        for (at, (_, value)) in self.value.entries().enumerate() {
            let part = self.step(&at.to_string(), value);
            match at {
                0 => said.place = part.for_type(),
                1 => said.description = part.description()?,
                2 => said.presence = part.presence()?,
                _ => return Err(part.error(SchemaErrorKind::SurplusPart)),
            }
        }
        Ok(said)
    }

    /// Reads `{$type, $desc, $ensure}`, in any order.
    fn directed(&self) -> Result<DslNotes<'v>, SchemaError> {
        let mut said = self.bare();
        let mut typed = false;
        for (name, value) in self.value.entries() {
            let name = name.unwrap_or_default();
            let part = self.step(name, value);
            match name {
                TYPE => {
                    said.place = part.for_type();
                    typed = true;
                }
                DESCRIPTION => said.description = part.description()?,
                ENSURE => said.presence = part.presence()?,
                _ => return Err(part.error(SchemaErrorKind::UnknownDirective)),
            }
        }
        if typed { Ok(said) } else { Err(self.error(SchemaErrorKind::MissingType)) }
    }

    fn directives(&self) -> impl Iterator<Item = &'v str> {
        self.value.entries().filter_map(|(name, _)| name.filter(|name| name.starts_with('$')))
    }

    fn for_type(self) -> Self {
        Self { stands: DslTypePlace::ForType, ..self }
    }

    fn bare(&self) -> DslNotes<'v> {
        let Self { value, depth, stands, .. } = *self;
        let place = Self { value, path: self.path.clone(), depth, stands };
        DslNotes { place, description: None, presence: Presence::Optional }
    }

    /// The description; an empty one counts as none.
    fn description(&self) -> Result<Option<&'v str>, SchemaError> {
        match self.value.kind() {
            ValueKind::Null => Ok(None),
            ValueKind::String => Ok(self.value.as_str().filter(|text| !text.is_empty())),
            _ => Err(self.error(SchemaErrorKind::InvalidDescription)),
        }
    }

    fn presence(&self) -> Result<Presence, SchemaError> {
        match (self.value.kind(), self.value.as_bool(), self.value.as_str()) {
            (ValueKind::Null, ..) | (_, Some(false), _) => Ok(Presence::Optional),
            (_, Some(true), _) | (_, _, Some("not_null")) => Ok(Presence::Meaningful),
            _ => Err(self.error(SchemaErrorKind::InvalidEnsure)),
        }
    }
}
