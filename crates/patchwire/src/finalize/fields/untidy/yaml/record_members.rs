//! The declared members of records, whatever the case of their letters.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::schema::{Schema, SchemaId};

/// The members of a record by their names in lower case. Of several with equal ones it is the first.
type Members<'s> = HashMap<String, &'s str>;

/// The members of the records that were met. Each record is listed once, so a wide one costs its width once.
pub(super) struct RecordMembers<'s> {
    schema: &'s Schema,
    known: RefCell<HashMap<SchemaId, Rc<Members<'s>>>>,
}

impl<'s> RecordMembers<'s> {
    pub(super) fn new(schema: &'s Schema) -> Self {
        Self { schema, known: RefCell::default() }
    }

    /// The member of a record that a key means.
    pub(super) fn find(&self, record: Option<SchemaId>, key: &str) -> Option<&'s str> {
        self.members(record?).get(&key.to_ascii_lowercase()).copied()
    }

    fn members(&self, record: SchemaId) -> Rc<Members<'s>> {
        let mut known = self.known.borrow_mut();
        let list = || {
            let mut members = HashMap::new();
            for name in self.schema.declared_keys(record) {
                members.entry(name.to_ascii_lowercase()).or_insert(name);
            }
            Rc::new(members)
        };
        Rc::clone(known.entry(record).or_insert_with(list))
    }
}

#[cfg(test)]
mod tests {
    use super::RecordMembers;
    use crate::schema::{Schema, list, object, str};

    #[test]
    fn the_case_of_letters_makes_no_difference() {
        let person = object().field("Name", str("")).field("name", str("")).field("age", str(""));
        let schema: Schema = object().field("people", list(person)).into();
        let people = schema.member(schema.root(), "people").unwrap();
        let names = RecordMembers::new(&schema);
        for _ in 0..2 {
            assert_eq!(names.find(schema.item(people), "NAME"), Some("Name"));
            assert_eq!(names.find(schema.item(people), "AGE"), Some("age"));
            assert_eq!(names.find(schema.item(people), "ages"), None);
        }
        assert_eq!(names.find(Some(schema.root()), "People"), Some("people"));
        assert_eq!(names.find(None, "people"), None);
    }
}
