//! Words of tag sets as data. What serde derives would be compiled anew for each list of words.

use core::fmt;

use serde::Deserializer;
use serde::de::{Error, Visitor};

/// The place that a word of data has in a list of words.
pub(super) fn place_of<'de, D: Deserializer<'de>>(
    deserializer: D,
    words: &'static [&'static str],
) -> Result<usize, D::Error> {
    deserializer.deserialize_str(Words(words))
}

struct Words(&'static [&'static str]);

impl Visitor<'_> for Words {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a word")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<usize, E> {
        let place = self.0.iter().position(|known| *known == word);
        place.ok_or_else(|| E::unknown_variant(word, self.0))
    }
}

#[cfg(test)]
mod tests {
    use crate::tags::{LetterCase, TagSet};

    fn case(word: &str) -> serde_json::Result<LetterCase> {
        serde_json::from_str(word)
    }

    #[test]
    fn a_word_is_its_variant() {
        assert_eq!(case("\"exact\"").unwrap(), LetterCase::Exact);
        assert_eq!(case("\"f\\u006fld\"").unwrap(), LetterCase::Fold);
    }

    #[test]
    fn other_data_is_told_what_there_is() {
        for (data, expected) in [
            ("\"Fold\"", "unknown variant `Fold`, expected `exact` or `fold`"),
            ("7", "invalid type: integer `7`, expected a word"),
            ("null", "invalid type: null, expected a word"),
        ] {
            let error = case(data).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{data}: {error}");
        }
        let set = r#"{"name": "t", "case": "folded"}"#;
        let error = TagSet::from_json(set).unwrap_err().to_string();
        assert!(error.contains("unknown variant `folded`"), "{error}");
    }
}
