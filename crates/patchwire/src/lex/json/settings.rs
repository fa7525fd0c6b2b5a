//! The settings of the lexer. They do not change while the stream runs.

use crate::caps::Caps;
use crate::leniency::{Leniencies, Leniency};
use crate::limits::{Limit, Limits};
use crate::text::{is_unicode_space, is_whitespace};

/// The slips that are forgiven, and the most that is held or nested, in bytes and levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LexerSettings {
    pub(super) rules: Leniencies,
    pub(super) caps: Caps,
    pub(super) depth: usize,
    pub(super) key: usize,
    pub(super) word: usize,
    pub(super) held: usize,
}

impl LexerSettings {
    pub(super) fn new(rules: Leniencies, limits: &Limits, caps: Caps) -> Self {
        let limit = |limit| limits.size(limit);
        Self {
            rules,
            caps,
            depth: limit(Limit::Depth),
            key: limit(Limit::Key),
            word: limit(Limit::Number),
            held: limit(Limit::Held),
        }
    }

    pub(super) fn allow(&self, leniency: Leniency) -> bool {
        self.rules.allow(leniency)
    }

    pub(super) fn is_strict(&self) -> bool {
        self.rules == Leniencies::NONE
    }

    /// Whether the character counts as whitespace between tokens.
    pub(super) fn is_blank(&self, char: char) -> bool {
        is_whitespace(char) || self.is_foreign_space(char)
    }

    pub(super) fn is_foreign_space(&self, char: char) -> bool {
        is_unicode_space(char) && self.allow(Leniency::UnicodeSpaces)
    }

    /// Whether the character is a comma of another script.
    pub(super) fn is_foreign_comma(&self, char: char) -> bool {
        matches!(char, '，' | '、') && self.allow(Leniency::UnexpectedText)
    }
}

#[cfg(test)]
mod tests {
    use super::LexerSettings;
    use crate::caps::Caps;
    use crate::leniency::{Leniencies, Leniency};
    use crate::limits::Limits;

    #[test]
    fn characters_between_tokens() {
        let none = Leniencies::NONE;
        let without_spaces = Leniencies::ALL.without(Leniency::UnicodeSpaces);
        for (rules, char, is_blank, is_comma) in [
            (none, ' ', true, false),
            (none, '\u{a0}', false, false),
            (none, '，', false, false),
            (without_spaces, '\u{a0}', false, false),
            (Leniencies::ALL, '\u{a0}', true, false),
            (Leniencies::ALL, '，', false, true),
            (Leniencies::ALL, ',', false, false),
        ] {
            let settings = LexerSettings::new(rules, &Limits::default(), Caps::STANDARD);
            assert_eq!(settings.is_blank(char), is_blank, "{char:?}");
            assert_eq!(settings.is_foreign_comma(char), is_comma, "{char:?}");
            assert_eq!(settings.is_strict(), rules == none);
        }
    }
}
