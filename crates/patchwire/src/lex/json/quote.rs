//! Quotes: the standard one, and those that models write instead.

use crate::codes::Code;
use crate::leniency::Leniency;

/// The quotes around a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonQuote {
    /// `"`, RFC 8259 §7.
    Double,
    /// `'`
    Single,
    /// `` ` ``
    Backtick,
    /// `“` and similar quotes. Any of them closes, and so does `"`.
    SmartDouble,
    /// `‘` and similar quotes. Any of them closes, and so does `'`.
    SmartSingle,
    /// `"""`
    TripleDouble,
    /// `'''`
    TripleSingle,
    /// `""`, as in text that was quoted for CSV.
    DoubledDouble,
}

const SMART_DOUBLE: [char; 6] = ['“', '”', '„', '‟', '＂', '″'];
const SMART_SINGLE: [char; 6] = ['‘', '’', '‚', '‛', '＇', '′'];

impl JsonQuote {
    /// The quotes that begin `text`, and the length of the opener.
    pub(super) fn opening(text: &str) -> Option<(Self, usize)> {
        let char = text.chars().next()?;
        let quote = match char {
            '"' => Self::Double,
            '\'' => Self::Single,
            '`' => Self::Backtick,
            c if SMART_DOUBLE.contains(&c) => Self::SmartDouble,
            c if SMART_SINGLE.contains(&c) => Self::SmartSingle,
            _ => return None,
        };
        Some((quote, char.len_utf8()))
    }

    /// The length of the closer, if `text` begins with it.
    pub(super) fn closing(self, text: &str) -> Option<usize> {
        text.chars().next().filter(|char| self.is_closed_by(*char)).map(char::len_utf8)
    }

    /// Whether a character is the closer, or the first one of it.
    pub(super) fn is_closed_by(self, char: char) -> bool {
        match self {
            Self::Double | Self::TripleDouble | Self::DoubledDouble => char == '"',
            Self::Single | Self::TripleSingle => char == '\'',
            Self::Backtick => char == '`',
            Self::SmartDouble => char == '"' || SMART_DOUBLE.contains(&char),
            Self::SmartSingle => char == '\'' || SMART_SINGLE.contains(&char),
        }
    }

    /// The tripled form of these quotes, if there is one.
    pub(super) const fn tripled(self) -> Option<Self> {
        match self {
            Self::Double => Some(Self::TripleDouble),
            Self::Single => Some(Self::TripleSingle),
            _ => None,
        }
    }

    /// How many characters the closer has.
    pub(super) const fn marks(self) -> u8 {
        match self {
            Self::TripleDouble | Self::TripleSingle => 3,
            Self::DoubledDouble => 2,
            _ => 1,
        }
    }

    /// A quote character that `\` may escape in such a text, in addition to `"`.
    pub(super) const fn escaped(self) -> Option<u8> {
        match self {
            Self::Single | Self::SmartSingle | Self::TripleSingle => Some(b'\''),
            Self::Backtick => Some(b'`'),
            _ => None,
        }
    }

    /// The slip of using these quotes; none for `"`.
    pub(super) const fn slip(self) -> Option<(Leniency, Code)> {
        match self {
            Self::Double => None,
            Self::Single => Some((Leniency::SingleQuotes, Code::SingleQuotes)),
            Self::Backtick => Some((Leniency::BacktickQuotes, Code::BacktickQuotes)),
            Self::SmartDouble | Self::SmartSingle => {
                Some((Leniency::SmartQuotes, Code::SmartQuotes))
            }
            Self::TripleDouble | Self::TripleSingle | Self::DoubledDouble => {
                Some((Leniency::TripleQuotes, Code::TripleQuotes))
            }
        }
    }

    /// Whether a byte may begin something other than plain text: a closer, an escape or a control
    /// character.
    pub(super) const fn stops_at(self, byte: u8) -> bool {
        if byte < b' ' || byte == b'\\' {
            return true;
        }
        match self {
            Self::Double | Self::TripleDouble | Self::DoubledDouble => byte == b'"',
            Self::Single | Self::TripleSingle => byte == b'\'',
            Self::Backtick => byte == b'`',
            Self::SmartDouble => matches!(byte, b'"' | 0xE2 | 0xEF),
            Self::SmartSingle => matches!(byte, b'\'' | 0xE2 | 0xEF),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::JsonQuote;

    #[test]
    fn openers_and_the_closers_they_need() {
        for (text, quote, len, closers, content) in [
            ("\"a", JsonQuote::Double, 1, "\"", "'`“"),
            ("'a", JsonQuote::Single, 1, "'", "\"’"),
            ("`a", JsonQuote::Backtick, 1, "`", "\"'"),
            ("“a", JsonQuote::SmartDouble, 3, "”“\"", "'’"),
            ("‘a", JsonQuote::SmartSingle, 3, "’‘'", "\"”"),
        ] {
            assert_eq!(JsonQuote::opening(text), Some((quote, len)), "{text}");
            for char in closers.chars() {
                let closer = char.to_string();
                assert_eq!(quote.closing(&closer), Some(closer.len()), "{text} {char}");
                assert!(quote.stops_at(closer.as_bytes()[0]), "{text} {char}");
            }
            let closes = |char: char| quote.closing(&char.to_string()).is_some();
            assert!(!content.chars().any(closes), "{text} {content}");
        }
        assert_eq!(JsonQuote::opening("a\""), None);
        assert_eq!(JsonQuote::opening(""), None);
        assert_eq!(JsonQuote::TripleSingle.closing("'"), Some(1));
    }
}
