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

#[cfg(test)]
mod tests {
    use super::nearest;
    use crate::schema::{Schema, any, list, map, object, str, union};

    #[test]
    fn the_nearest_name_is_the_most_similar_one_and_the_first_of_several() {
        for (name, declared, wanted) in [
            ("titl", "title titles", Some("title")),
            ("titl", "titles title", Some("title")),
            ("titl", "tit titl_ title", Some("titl_")),
            ("TITLE", "titel title", Some("title")),
            ("titel", "TITLE", Some("TITLE")),
            // A swap of two letters counts once.
            ("ab", "ba", Some("ba")),
            // Half of the letters are enough.
            ("abcd", "abxy", Some("abxy")),
            ("abcde", "abxyz", None),
            ("abc", "xyz", None),
            ("abc", "", None),
        ] {
            let declared: Vec<String> = declared.split_whitespace().map(str::to_owned).collect();
            assert_eq!(nearest(name, &declared), wanted, "{name} of {declared:?}");
        }
    }

    #[test]
    fn what_is_said_of_a_path_that_is_not_declared() {
        let names = |count: usize| {
            (0..count).fold(object(), |object, at| object.field(&format!("field{at}"), str("")))
        };
        let schema: Schema = object()
            .field("few", object().field("a", str("")).field("b", str("")))
            .field("eight", names(8))
            .field("nine", names(9))
            .field("eleven", names(11))
            .field("list", list(object().field("x", str(""))))
            .field("map", map(object().field("x", str(""))))
            .field("open", object())
            .field("any", any(""))
            .field("either", union([list(str("")), object().field("x", str("")).into()]))
            .into();
        for (path, wanted) in [
            ("few.a", ""),
            ("few.q", "the schema has no `few.q`; it has `a`, `b`"),
            (
                "eight.q",
                "the schema has no `eight.q`; it has `field0`, `field1`, `field2`, `field3`, `field4`, `field5`, `field6`, `field7`",
            ),
            (
                "nine.q",
                "the schema has no `nine.q`; it has `field0`, `field1`, `field2`, `field3`, `field4`, `field5`, `field6`, `field7` and 1 more",
            ),
            (
                "eleven.q",
                "the schema has no `eleven.q`; it has `field0`, `field1`, `field2`, `field3`, `field4`, `field5`, `field6`, `field7` and 3 more",
            ),
            ("eleven.field11", "the schema has no `eleven.field11`; did you mean `eleven.field1`?"),
            ("few[0]", "the schema has no `few[0]`; it has `a`, `b`"),
            ("few.a[0]", "the schema has no `few.a[0]`; `few.a` is no list"),
            ("few.a.b", "the schema has no `few.a.b`; `few.a` has no fields"),
            ("few.a[\"b c\"]", "the schema has no `few.a[\"b c\"]`; `few.a` has no fields"),
            ("few[*]", ""),
            ("few[*].anything", ""),
            ("list[3].x", ""),
            ("list[*].x", ""),
            ("list[*].y", "the schema has no `list[*].y`; it has `x`"),
            ("list.x", "the schema has no `list.x`; `list` has no fields"),
            ("map.q.x", ""),
            ("map[*].x", ""),
            ("open.q.r", ""),
            ("open[0]", "the schema has no `open[0]`; `open` is no list"),
            ("any.q[3].r", ""),
            ("either[0]", ""),
            ("either.x", ""),
            ("either.q", "the schema has no `either.q`; it has `x`"),
            ("either[0].x", "the schema has no `either[0].x`; `either[0]` has no fields"),
        ] {
            let found = schema.locate(&path.parse().expect("a path"));
            let said = found.map_err(|it| it.to_string()).err().unwrap_or_default();
            assert_eq!(said, wanted, "{path}");
        }
        let text: Schema = str("").into();
        let error = text.locate(&"[0]".parse().expect("a path")).expect_err("no list");
        assert_eq!(error.to_string(), "the schema has no `[0]`; the answer is no list");
    }
}
