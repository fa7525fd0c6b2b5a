//! Gives the members of an object their declared names, where a model spelled them in another way.
//!
//! Only an object in which a required member is missing, or whose type expects no other members than the
//! declared ones, is changed. A member that could have two names keeps its own, and so do two members that
//! could have the same.

use std::collections::HashMap;

use crate::document::{Document, NodeKind, Placement, ValueKind, ValueRef};
use crate::schema::tree::Shape;
use crate::schema::{Schema, SchemaId};

/// The declared names of a type by their letters and digits; none where two names have the same.
type Spellings<'s> = HashMap<String, Option<&'s str>>;

/// Finds declared names. Remembers the names of each type, so that a list of many objects costs no more
/// than its members.
pub(super) struct MemberNames<'s> {
    schema: &'s Schema,
    types: HashMap<SchemaId, Spellings<'s>>,
}

impl<'s> MemberNames<'s> {
    pub(super) fn of(schema: &'s Schema) -> Self {
        Self { schema, types: HashMap::new() }
    }

    /// The object with declared names; none if it fits as it is, or if nothing would change.
    pub(super) fn renamed(&mut self, value: ValueRef<'_>, id: SchemaId) -> Option<Document> {
        let Shape::Object(object) = &self.schema.node(id).shape else { return None };
        let is_object = value.kind() == ValueKind::Object;
        if !is_object || !object.is_closed() && self.schema.has_required(id, value) {
            return None;
        }
        let names = self.names(value, id);
        if names.is_empty() {
            return None;
        }
        let mut renamed = Document::default();
        let root = renamed.open(Placement::Root, NodeKind::Object);
        for (key, member) in value.entries() {
            let key = key?;
            let name = names.get(key).copied().unwrap_or(key);
            renamed.graft(Placement::Member(root, name), member);
        }
        if value.is_complete() {
            renamed.complete(root);
        }
        Some(renamed)
    }

    /// The declared names of the members that have another one.
    fn names<'v>(&mut self, value: ValueRef<'v>, id: SchemaId) -> HashMap<&'v str, &'s str> {
        let schema = self.schema;
        let mut names = HashMap::new();
        let mut taken = HashMap::new();
        for (key, _) in value.entries() {
            let Some(key) = key.filter(|key| !schema.declares(id, key)) else { continue };
            let spellings = self.types.entry(id).or_insert_with(|| spellings(schema, id));
            let known = |key: &str| spellings.get(&letters(key)).copied();
            let name = known(key).or_else(|| known(before_brackets(key)?)).flatten();
            if let Some(name) = name.filter(|name| value.get(name).is_none()) {
                names.insert(key, name);
                *taken.entry(name).or_insert(0) += 1;
            }
        }
        names.retain(|_, name| taken.get(name) == Some(&1));
        names
    }
}

fn spellings(schema: &Schema, id: SchemaId) -> Spellings<'_> {
    let mut all = Spellings::new();
    for name in schema.declared_keys(id) {
        all.entry(letters(name)).and_modify(|other| *other = None).or_insert(Some(name));
    }
    all
}

/// A name without the unit in brackets behind it: `price (USD)`.
fn before_brackets(key: &str) -> Option<&str> {
    Some(key.strip_suffix(')')?.rsplit_once('(')?.0)
}

/// The letters and digits of a name, in lower case: `dueDate`, `Due Date` and `due_date` are one.
fn letters(name: &str) -> String {
    name.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::MemberNames;
    use crate::document::sample::document;
    use crate::schema::{Schema, int, object, str};

    #[test]
    fn members_get_the_names_that_their_spelling_means() {
        let schema: Schema = object()
            .field("due_date", str("").required())
            .field("ID", int(""))
            .field("a-b", int(""))
            .field("ab", int(""))
            .into();
        for (json, want) in [
            (r#"{"dueDate":"x","id":1}"#, Some(r#"{"due_date":"x","ID":1}"#)),
            (r#"{"Due Date":"x","other":[1]}"#, Some(r#"{"due_date":"x","other":[1]}"#)),
            (r#"{"due_date (UTC)":"x","ID":1}"#, Some(r#"{"due_date":"x","ID":1}"#)),
            (r#"{"due_date":"x","id":1}"#, Some(r#"{"due_date":"x","ID":1}"#)),
            // It fits.
            (r#"{"due_date":"x","ID":1}"#, None),
            // Two members for one name.
            (r#"{"dueDate":"x","DueDate":"y"}"#, None),
            // Two names for one member.
            (r#"{"A B":1}"#, None),
            (r#"{"other":1}"#, None),
            (r"[1]", None),
        ] {
            let value = document(json);
            let found = MemberNames::of(&schema).renamed(value.value(), schema.root());
            assert_eq!(found.map(|it| it.value().to_string()).as_deref(), want, "{json}");
        }
    }

    #[test]
    fn an_object_that_fits_keeps_its_names() {
        let schema = r#"{
            "type": "object",
            "properties": {"name": {}, "size": {}},
            "required": ["name"],
            "additionalProperties": {"type": "integer"}
        }"#;
        let schema = Schema::from_text(schema).expect("a schema");
        for (json, want) in [
            (r#"{"name":1,"Size":2}"#, None),
            (r#"{"Name":1,"Size":2}"#, Some(r#"{"name":1,"size":2}"#)),
        ] {
            let value = document(json);
            let found = MemberNames::of(&schema).renamed(value.value(), schema.root());
            assert_eq!(found.map(|it| it.value().to_string()).as_deref(), want, "{json}");
        }
    }
}
