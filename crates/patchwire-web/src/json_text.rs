//! The parts of a JSON text as slices of it, so that a text can be changed in one place and stay as it is elsewhere.

use core::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member<'t> {
    pub(crate) name: String,
    /// The name as it was written, with its quotes.
    pub(crate) key: &'t str,
    /// The value as it was written.
    pub(crate) value: &'t str,
}

/// The members of an object, in order; `None` if the text is none.
pub(crate) fn members(text: &str) -> Option<Vec<Member<'_>>> {
    let Members(members) = serde_json::from_str(text).ok()?;
    Some(members)
}

/// The items of a list; `None` if the text is none.
pub(crate) fn items(text: &str) -> Option<Vec<&str>> {
    let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    Some(items.into_iter().map(RawValue::get).collect())
}

/// A member's value. Of several with the same name the last counts, as for most readers of JSON.
pub(crate) fn value<'t>(members: &[Member<'t>], name: &str) -> Option<&'t str> {
    members.iter().rev().find(|member| member.name == name).map(|member| member.value)
}

/// A member's value, unless it is null.
pub(crate) fn given<'t>(members: &[Member<'t>], name: &str) -> Option<&'t str> {
    value(members, name).filter(|value| *value != "null")
}

/// The text of a member that is a string.
pub(crate) fn text(members: &[Member<'_>], name: &str) -> Option<String> {
    serde_json::from_str(value(members, name)?).ok()
}

/// Where a part of a text begins in it.
pub(crate) fn offset(part: &str, whole: &str) -> usize {
    part.as_ptr().addr().saturating_sub(whole.as_ptr().addr())
}

struct Members<'t>(Vec<Member<'t>>);

impl<'de: 't, 't> Deserialize<'de> for Members<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
                    let (key, value) = (key.get(), value.get());
                    // A name with half of a character is no name that is looked for.
                    let name = serde_json::from_str(key).unwrap_or_default();
                    members.push(Member { name, key, value });
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_slices_of_the_text() {
        let text = " {\"a\" : [1, {\"b\":2} ],\"\\u0061\":null, \"\\ud800\": 1e999} ";
        let found = members(text).unwrap();
        let shown: Vec<_> = found.iter().map(|it| (&*it.name, it.key, it.value)).collect();
        assert_eq!(shown[0], ("a", "\"a\"", "[1, {\"b\":2} ]"));
        assert_eq!(shown[1], ("a", "\"\\u0061\"", "null"));
        assert_eq!(shown[2], ("", "\"\\ud800\"", "1e999"));
        assert_eq!((value(&found, "a"), given(&found, "a")), (Some("null"), None));
        for member in &found {
            for part in [member.key, member.value] {
                let at = offset(part, text);
                assert_eq!(&text[at..at + part.len()], part);
            }
        }
        assert_eq!(items(found[0].value), Some(vec!["1", "{\"b\":2}"]));
    }

    #[test]
    fn what_is_no_object_and_no_list_has_no_parts() {
        for text in ["", "[]", "1", "{\"a\":}", "{} x", "{\"a\":1"] {
            assert_eq!(members(text), None, "{text}");
        }
        assert_eq!((items("{}"), items("[1,]"), items("[]")), (None, None, Some(vec![])));
    }
}
