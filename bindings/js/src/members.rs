//! The members of a JSON object, each as it was written.

use core::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// Members, sorted by name. There are few of them, and a list is less code than a tree.
#[derive(Debug, Default)]
pub(crate) struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(name, value)| (&**name, *value))
    }

    /// The last value of a name counts.
    fn insert(&mut self, name: String, value: &'a RawValue) {
        let at = self.0.partition_point(|(known, _)| *known < name);
        match self.0.get_mut(at) {
            Some((known, before)) if *known == name => *before = value,
            _ => self.0.insert(at, (name, value)),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor(Members::default()))
    }
}

struct MembersVisitor<'a>(Members<'a>);

impl<'de: 'a, 'a> Visitor<'de> for MembersVisitor<'a> {
    type Value = Members<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Members<'a>, A::Error> {
        while let Some((name, value)) = map.next_entry()? {
            self.0.insert(name, value);
        }
        Ok(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Members;

    #[test]
    fn members_are_sorted_and_the_last_of_a_name_counts() {
        let members: Members<'_> =
            serde_json::from_str(r#"{"b": 1, "\u0061": [2], "b": 3}"#).unwrap();
        let found: Vec<_> = members.iter().map(|(name, value)| (name, value.get())).collect();
        assert_eq!(found, [("a", "[2]"), ("b", "3")]);
        assert_eq!(members.get("a").map(|value| value.get()), Some("[2]"));
        assert!(members.get("c").is_none());
        let error = serde_json::from_str::<Members<'_>>("7").unwrap_err().to_string();
        assert!(error.starts_with("invalid type: integer `7`, expected a map"), "{error}");
    }
}
