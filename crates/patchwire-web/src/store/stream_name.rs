//! The names of answers in a store.

use core::fmt;

/// The name of an answer: 128 random bits, as 32 hexadecimal digits. Nothing else is a name, so no name that a client sends reaches
/// another key of the store than that of an answer.
///
/// ```
/// use patchwire_web::store::StreamName;
///
/// assert!(StreamName::read("0123456789abcdef0123456789abcdef").is_some());
/// assert!(StreamName::read("other-tenant:0123456789abcdef012").is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct StreamName(String);

/// Bytes of a name.
const BYTES: usize = 16;

impl StreamName {
    /// Reads a name. `None` if the text is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let is_name = text.len() == 2 * BYTES
            && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_name.then(|| Self(text.to_owned()))
    }

    /// A name that nobody can guess. `None` if the machine gives no random numbers.
    pub(crate) fn random() -> Option<Self> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).ok()?;
        Some(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whoever knows a name can read the answer, so it is not printed.
impl fmt::Debug for StreamName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StreamName(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_of_the_right_number_are_a_name() {
        let name = StreamName::random().expect("random numbers");
        assert_eq!(StreamName::read(name.as_str()), Some(name.clone()));
        assert_ne!(StreamName::random(), Some(name.clone()));
        assert!(!format!("{name:?}").contains(name.as_str()));
        let wrong = ["", "..", "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef", "*"];
        for text in wrong {
            assert_eq!(StreamName::read(text), None, "{text}");
        }
        let long = format!("{}0", name.as_str());
        assert_eq!(StreamName::read(&long), None);
    }
}
