//! Whether a schema has a path, and the nearest name that it has.

use core::fmt;

use super::Schema;
use super::tree::SchemaId;
use crate::document::ValueKind;
use crate::path::{Pattern, Segment};

/// Most names that the message lists.
const MOST_LISTED: usize = 8;

/// From this similarity on, a name counts as a misspelt one. 1 is equal, 0 has nothing in common.
const SIMILAR: f64 = 0.5;

/// A path that a schema does not declare. Made by [`Schema::locate`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndeclaredPath {
    /// The part of the path up to the name that is not declared.
    pub path: String,
    /// The path with the most similar declared name, if one is similar.
    pub nearest: Option<String>,
    /// The names that are declared in that place.
    pub declared: Vec<String>,
    /// The bytes of `path` before its last step.
    declared_len: usize,
}

impl fmt::Display for UndeclaredPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the schema has no `{}`; ", self.path)?;
        if let Some(nearest) = &self.nearest {
            return write!(f, "did you mean `{nearest}`?");
        }
        if self.declared.is_empty() {
            return self.write_lack(f);
        }
        f.write_str("it has ")?;
        list_names(f, &self.declared)
    }
}

impl UndeclaredPath {
    /// Says that the value before the last step has no items, or no fields.
    fn write_lack(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (above, step) = self.path.split_at(self.declared_len);
        let is_item = step.starts_with('[') && !step.starts_with("[\"");
        let lack = if is_item { "is no list" } else { "has no fields" };
        match above {
            "" => write!(f, "the answer {lack}"),
            _ => write!(f, "`{above}` {lack}"),
        }
    }
}

impl core::error::Error for UndeclaredPath {}

/// Writes names in code spans, the first few of them.
fn list_names(f: &mut fmt::Formatter<'_>, names: &[String]) -> fmt::Result {
    for (at, name) in names.iter().take(MOST_LISTED).enumerate() {
        write!(f, "{}`{name}`", if at == 0 { "" } else { ", " })?;
    }
    match names.len().saturating_sub(MOST_LISTED) {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}

impl Schema {
    /// Checks that the schema declares the values of a path. A wildcard stands for any item or member.
    ///
    /// An object that declares no fields, and a value of any type, have every path.
    ///
    /// ```
    /// use patchwire::{Schema, schema::str};
    ///
    /// let schema = Schema::from(Schema::object().field("title", str("")));
    /// assert!(schema.locate(&"title".parse()?).is_ok());
    /// let error = schema.locate(&"titel".parse()?).unwrap_err();
    /// assert_eq!(error.to_string(), "the schema has no `titel`; did you mean `title`?");
    /// # Ok::<(), patchwire::path::PatternError>(())
    /// ```
    ///
    /// # Errors
    /// The first name of the path that is not declared, and the nearest one that is.
    pub fn locate(&self, path: &Pattern) -> Result<(), UndeclaredPath> {
        let mut id = self.root();
        for (at, step) in path.steps().enumerate() {
            if self.is_any(id) {
                return Ok(());
            }
            let next = match step {
                Some(Segment::Key(key)) if self.has_open_object(id) => match self.member(id, key) {
                    None => return Ok(()),
                    member => member,
                },
                Some(Segment::Key(key)) => self.member(id, key),
                Some(Segment::Index(_)) => self.item(id),
                // Members may be of many types: what follows is not checked.
                None if self.item(id).is_none() && self.has_object(id) => return Ok(()),
                None => self.item(id),
            };
            id = next.ok_or_else(|| self.undeclared(id, path, at))?;
        }
        Ok(())
    }

    /// Whether there is an object without declared fields.
    fn has_open_object(&self, id: SchemaId) -> bool {
        self.has_object(id) && !self.declares_keys(id)
    }

    fn has_object(&self, id: SchemaId) -> bool {
        self.matches_kind(id, ValueKind::Object)
    }

    fn undeclared(&self, id: SchemaId, path: &Pattern, at: usize) -> UndeclaredPath {
        let declared: Vec<String> = self.declared_keys(id).map(str::to_owned).collect();
        let name = match path.steps().nth(at).flatten() {
            Some(Segment::Key(key)) => key,
            _ => "",
        };
        let nearest = nearest(name, &declared).map(|name| path.up_to(at, Some(name)).to_string());
        let declared_len = path.up_to(at, None).to_string().len();
        UndeclaredPath {
            path: path.up_to(at + 1, None).to_string(),
            nearest,
            declared,
            declared_len,
        }
    }
}

/// The most similar of these names; the first of several.
fn nearest<'n>(name: &str, declared: &'n [String]) -> Option<&'n str> {
    let folded = name.to_lowercase();
    let similarity =
        |other: &str| strsim::normalized_damerau_levenshtein(&folded, &other.to_lowercase());
    let mut best: Option<(f64, &str)> = None;
    for other in declared {
        let similar = similarity(other);
        if similar >= SIMILAR && best.is_none_or(|(most, _)| similar > most) {
            best = Some((similar, other));
        }
    }
    best.map(|(_, name)| name)
}
