//! The body of a chat request.

use core::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

/// The body of a chat request: its members in order, each as it was written.
///
/// Members are kept as text, so that the order of a schema's members and the digits of numbers
/// reach the model.
#[derive(Debug, Clone, Default)]
pub struct ChatBody(Vec<(String, Box<RawValue>)>);

impl ChatBody {
    /// A member as it was written.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.get())
    }

    /// A member that is a string.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?).ok()
    }

    /// Sets a member, in place if it exists.
    ///
    /// # Errors If the value cannot be written as JSON.
    pub fn set(&mut self, name: &str, value: &impl Serialize) -> Result<(), serde_json::Error> {
        let value = to_raw_value(value)?;
        let at = self.0.iter().position(|(own, _)| own == name).unwrap_or(self.0.len());
        self.0.retain(|(own, _)| own != name);
        self.0.insert(at, (name.to_owned(), value));
        Ok(())
    }

    /// Removes a member.
    pub(crate) fn remove(&mut self, name: &str) {
        self.take(name);
    }

    /// Sets the members of another body.
    pub(crate) fn extend(&mut self, more: Self) {
        for (name, value) in more.0 {
            self.take(&name);
            self.0.push((name, value));
        }
    }

    /// Removes a member. Of several with the same name, the last counts.
    pub(crate) fn take(&mut self, name: &str) -> Option<Box<RawValue>> {
        let taken = self.0.extract_if(.., |(own, _)| own == name).last();
        taken.map(|(_, value)| value)
    }
}

impl Serialize for ChatBody {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for ChatBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = ChatBody;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ChatBody, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(ChatBody(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}
