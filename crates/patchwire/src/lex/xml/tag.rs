//! Text that begins with `<`, read character by character.

use super::names::{continues_name, starts_name};
use super::{XmlPlace, XmlScope};
use crate::lex::attributes::attribute_list;
use crate::text::is_whitespace;

/// The position in bytes that may become markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagPart {
    /// After `<`.
    Start,
    /// In `<!--`, `<![CDATA[`, `<!DOCTYPE` or `<?xml`.
    Literal,
    /// In an opener's name.
    Name,
    /// After whitespace in an opener.
    Blank,
    /// In the name of an attribute.
    Key,
    /// After whitespace that follows the name of an attribute.
    KeyEnd,
    /// After `=`.
    Equals,
    /// In a value in these quotes.
    Quoted(char),
    /// In a value without quotes.
    Bare,
    /// After a value in quotes.
    ValueEnd,
    /// After the `/` of an opener that is its own closer.
    Slash,
    /// After `</`.
    Closer,
    /// In a closer's name.
    CloserName,
    /// After whitespace that follows the name of a closer.
    CloserEnd,
    /// In a document type or declaration, up to its `>`.
    Prolog {
        /// Between `[` and `]`.
        subset: bool,
        /// In these quotes.
        quote: Option<char>,
    },
}

/// What a character decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagStep {
    More(TagPart),
    Whole(Markup),
    /// The bytes before the character are text.
    Refuted,
}

/// Complete markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup {
    Opener { closed: bool },
    Closer,
    Comment,
    Cdata,
    Prolog,
}

/// Markup with a fixed beginning.
const LITERALS: [(&str, Markup); 4] = [
    ("<!--", Markup::Comment),
    ("<![CDATA[", Markup::Cdata),
    ("<!DOCTYPE", Markup::Prolog),
    ("<?xml", Markup::Prolog),
];

/// Held bytes that may become markup, including the last character read.
pub(super) struct TagCandidate<'c> {
    pub(super) held: &'c str,
    pub(super) place: XmlPlace,
    /// Whether the bytes are in code, where only closers of open elements count.
    pub(super) in_code: bool,
    pub(super) scope: &'c XmlScope<'c>,
}

impl TagCandidate<'_> {
    /// Reads one character.
    pub(super) fn take(&self, part: TagPart, char: char) -> TagStep {
        match (part, char) {
            (TagPart::Start, '/') if self.scope.may_begin_closer("") => {
                TagStep::More(TagPart::Closer)
            }
            (TagPart::Start, '!' | '?') | (TagPart::Literal, _) => self.literal(),
            (TagPart::Start, _) if starts_name(char) => self.name(),
            (TagPart::Name, _) if continues_name(char) => self.name(),
            (TagPart::Name, _) if !self.is_tag(&self.before(char)[1..]) => TagStep::Refuted,
            (TagPart::Name | TagPart::Blank | TagPart::ValueEnd, '/') => {
                TagStep::More(TagPart::Slash)
            }
            (TagPart::Name | TagPart::Blank | TagPart::ValueEnd | TagPart::Bare, '>') => {
                let closed = part == TagPart::Bare && self.before(char).ends_with('/');
                TagStep::Whole(Markup::Opener { closed })
            }
            (TagPart::Name | TagPart::Blank | TagPart::ValueEnd | TagPart::Bare, _)
                if is_whitespace(char) =>
            {
                TagStep::More(TagPart::Blank)
            }
            (TagPart::Blank, _) if starts_name(char) => TagStep::More(TagPart::Key),
            (TagPart::Key, _) if continues_name(char) => TagStep::More(TagPart::Key),
            (TagPart::Key | TagPart::KeyEnd, '=') => TagStep::More(TagPart::Equals),
            (TagPart::Key | TagPart::KeyEnd, _) if is_whitespace(char) => {
                TagStep::More(TagPart::KeyEnd)
            }
            (TagPart::Equals, '"' | '\'') => TagStep::More(TagPart::Quoted(char)),
            (TagPart::Equals, _) if is_whitespace(char) => TagStep::More(TagPart::Equals),
            (TagPart::Equals | TagPart::Bare, _) if is_bare(char) => TagStep::More(TagPart::Bare),
            (TagPart::Quoted(quote), _) if char == quote => TagStep::More(TagPart::ValueEnd),
            (TagPart::Quoted(_), _) => TagStep::More(part),
            (TagPart::Slash, '>') => TagStep::Whole(Markup::Opener { closed: true }),
            (TagPart::Closer, _) if starts_name(char) => self.closer(),
            (TagPart::CloserName, _) if continues_name(char) => self.closer(),
            (TagPart::CloserName, _) if !self.scope.may_close(&self.before(char)[2..]) => {
                TagStep::Refuted
            }
            (TagPart::CloserName | TagPart::CloserEnd, '>') => TagStep::Whole(Markup::Closer),
            (TagPart::CloserName | TagPart::CloserEnd, _) if is_whitespace(char) => {
                TagStep::More(TagPart::CloserEnd)
            }
            (TagPart::Prolog { subset, quote }, _) => prolog(subset, quote, char),
            _ => TagStep::Refuted,
        }
    }

    /// The held text without its last character.
    fn before(&self, last: char) -> &str {
        &self.held[..self.held.len() - last.len_utf8()]
    }

    fn name(&self) -> TagStep {
        let scope = self.scope;
        let placed = scope.inside || scope.known.is_some() || self.place.fresh;
        let fits = scope.known.is_none_or(|known| known.any_begins(&self.held[1..]));
        if scope.openers && placed && fits {
            TagStep::More(TagPart::Name)
        } else {
            TagStep::Refuted
        }
    }

    fn is_tag(&self, name: &str) -> bool {
        self.scope.known.is_none_or(|known| known.contains(name))
    }

    fn closer(&self) -> TagStep {
        let fits = self.scope.may_begin_closer(&self.held[2..]);
        if fits { TagStep::More(TagPart::CloserName) } else { TagStep::Refuted }
    }

    fn literal(&self) -> TagStep {
        if self.in_code {
            return TagStep::Refuted;
        }
        let prolog = self.place.start;
        let fits = LITERALS.iter().find(|(literal, markup)| {
            literal.starts_with(self.held) && (*markup != Markup::Prolog || prolog)
        });
        match fits {
            None => TagStep::Refuted,
            Some((literal, _)) if literal.len() > self.held.len() => {
                TagStep::More(TagPart::Literal)
            }
            Some((_, Markup::Prolog)) => {
                TagStep::More(TagPart::Prolog { subset: false, quote: None })
            }
            Some((_, markup)) => TagStep::Whole(*markup),
        }
    }
}

fn prolog(subset: bool, quote: Option<char>, char: char) -> TagStep {
    let (subset, quote) = match (quote, char) {
        (None, '>') if !subset => return TagStep::Whole(Markup::Prolog),
        (None, '[') => (true, None),
        (None, ']') => (false, None),
        (None, '"' | '\'') => (subset, Some(char)),
        (Some(quote), _) if quote == char => (subset, None),
        _ => (subset, quote),
    };
    TagStep::More(TagPart::Prolog { subset, quote })
}

/// Whether a value without quotes may have this character. It ends at whitespace, too.
const fn is_bare(char: char) -> bool {
    !matches!(char, '"' | '\'' | '<' | '>' | '=' | '`')
}

/// The name in a complete tag.
pub(super) fn name(tag: &str) -> &str {
    let start = tag.trim_start_matches(['<', '/']);
    start.split(|char| !continues_name(char)).next().unwrap_or("")
}

/// The attributes of a complete opener, their values as they are written.
pub(super) fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    attribute_list(&tag[1 + name(tag).len()..tag.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::{attributes, name};

    #[test]
    fn a_tag_falls_into_its_name_and_attributes() {
        let tag = "<issue id=\"1\" a = 'x > y'\n b=2 c=\"=\" d=q/>";
        assert_eq!(name(tag), "issue");
        let found: Vec<_> = attributes(tag).collect();
        let want = [("id", "1"), ("a", "x > y"), ("b", "2"), ("c", "="), ("d", "q")];
        assert_eq!(found, want);
        assert_eq!(attributes("<a />").count(), 0);
        assert_eq!(attributes("<a b='x'/>").collect::<Vec<_>>(), [("b", "x")]);
        assert_eq!(name("</x >"), "x");
    }
}
