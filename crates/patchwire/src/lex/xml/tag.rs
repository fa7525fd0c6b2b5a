//! What begins with `<`, one character at a time.

use super::names::{continues_name, starts_name};
use super::{Place, Scope};
use crate::lex::attributes::attribute_list;
use crate::text::is_whitespace;

/// What is not yet known to be markup: the place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Behind `<`.
    Start,
    /// In `<!--`, `<![CDATA[`, `<!DOCTYPE` or `<?xml`.
    Literal,
    /// In an opener's name.
    Name,
    /// Behind a blank in an opener.
    Blank,
    /// In the name of an attribute.
    Key,
    /// Behind a blank that follows the name of an attribute.
    KeyEnd,
    /// Behind `=`.
    Equals,
    /// In a value in these quotes.
    Quoted(char),
    /// In a value without quotes.
    Bare,
    /// Behind a value in quotes.
    ValueEnd,
    /// Behind the `/` of an opener that is its own closer.
    Slash,
    /// Behind `</`.
    Closer,
    /// In a closer's name.
    CloserName,
    /// Behind a blank that follows a closer's name.
    CloserEnd,
    /// In a document type or declaration, up to its `>`.
    Prolog {
        /// Between `[` and `]`.
        subset: bool,
        /// In these quotes.
        quote: Option<char>,
    },
}

/// What a character makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    More(Part),
    Whole(Markup),
    /// It is text up to here.
    Refuted,
}

/// What turned out to be markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup {
    Opener { closed: bool },
    Closer,
    Comment,
    Cdata,
    Prolog,
}

/// Markup that is known by its first characters.
const LITERALS: [(&str, Markup); 4] = [
    ("<!--", Markup::Comment),
    ("<![CDATA[", Markup::Cdata),
    ("<!DOCTYPE", Markup::Prolog),
    ("<?xml", Markup::Prolog),
];

/// What is held, with the character that was read last, and where it stands.
pub(super) struct Candidate<'c> {
    pub(super) held: &'c str,
    pub(super) place: Place,
    pub(super) scope: &'c Scope<'c>,
}

impl Candidate<'_> {
    /// The next character.
    pub(super) fn take(&self, part: Part, char: char) -> Next {
        match (part, char) {
            (Part::Start, '/') if self.scope.may_begin_closer("") => Next::More(Part::Closer),
            (Part::Start, '!' | '?') | (Part::Literal, _) => self.literal(),
            (Part::Start, _) if starts_name(char) => self.name(),
            (Part::Name, _) if continues_name(char) => self.name(),
            (Part::Name, _) if !self.is_tag(&self.before(char)[1..]) => Next::Refuted,
            (Part::Name | Part::Blank | Part::ValueEnd, '/') => Next::More(Part::Slash),
            (Part::Name | Part::Blank | Part::ValueEnd | Part::Bare, '>') => {
                let closed = part == Part::Bare && self.before(char).ends_with('/');
                Next::Whole(Markup::Opener { closed })
            }
            (Part::Name | Part::Blank | Part::ValueEnd | Part::Bare, _) if is_whitespace(char) => {
                Next::More(Part::Blank)
            }
            (Part::Blank, _) if starts_name(char) => Next::More(Part::Key),
            (Part::Key, _) if continues_name(char) => Next::More(Part::Key),
            (Part::Key | Part::KeyEnd, '=') => Next::More(Part::Equals),
            (Part::Key | Part::KeyEnd, _) if is_whitespace(char) => Next::More(Part::KeyEnd),
            (Part::Equals, '"' | '\'') => Next::More(Part::Quoted(char)),
            (Part::Equals, _) if is_whitespace(char) => Next::More(Part::Equals),
            (Part::Equals | Part::Bare, _) if is_bare(char) => Next::More(Part::Bare),
            (Part::Quoted(quote), _) if char == quote => Next::More(Part::ValueEnd),
            (Part::Quoted(_), _) => Next::More(part),
            (Part::Slash, '>') => Next::Whole(Markup::Opener { closed: true }),
            (Part::Closer, _) if starts_name(char) => self.closer(),
            (Part::CloserName, _) if continues_name(char) => self.closer(),
            (Part::CloserName, _) if !self.scope.may_close(&self.before(char)[2..]) => {
                Next::Refuted
            }
            (Part::CloserName | Part::CloserEnd, '>') => Next::Whole(Markup::Closer),
            (Part::CloserName | Part::CloserEnd, _) if is_whitespace(char) => {
                Next::More(Part::CloserEnd)
            }
            (Part::Prolog { subset, quote }, _) => prolog(subset, quote, char),
            _ => Next::Refuted,
        }
    }

    /// What is held before the last character.
    fn before(&self, last: char) -> &str {
        &self.held[..self.held.len() - last.len_utf8()]
    }

    fn name(&self) -> Next {
        let scope = self.scope;
        let placed = scope.inside || scope.known.is_some() || self.place.fresh;
        let fits = scope.known.is_none_or(|known| known.any_begins(&self.held[1..]));
        if scope.openers && placed && fits { Next::More(Part::Name) } else { Next::Refuted }
    }

    fn is_tag(&self, name: &str) -> bool {
        self.scope.known.is_none_or(|known| known.contains(name))
    }

    fn closer(&self) -> Next {
        let fits = self.scope.may_begin_closer(&self.held[2..]);
        if fits { Next::More(Part::CloserName) } else { Next::Refuted }
    }

    fn literal(&self) -> Next {
        let prolog = self.place.start;
        let fits = LITERALS.iter().find(|(literal, markup)| {
            literal.starts_with(self.held) && (*markup != Markup::Prolog || prolog)
        });
        match fits {
            None => Next::Refuted,
            Some((literal, _)) if literal.len() > self.held.len() => Next::More(Part::Literal),
            Some((_, Markup::Prolog)) => Next::More(Part::Prolog { subset: false, quote: None }),
            Some((_, markup)) => Next::Whole(*markup),
        }
    }
}

fn prolog(subset: bool, quote: Option<char>, char: char) -> Next {
    let (subset, quote) = match (quote, char) {
        (None, '>') if !subset => return Next::Whole(Markup::Prolog),
        (None, '[') => (true, None),
        (None, ']') => (false, None),
        (None, '"' | '\'') => (subset, Some(char)),
        (Some(quote), _) if quote == char => (subset, None),
        _ => (subset, quote),
    };
    Next::More(Part::Prolog { subset, quote })
}

const fn is_bare(char: char) -> bool {
    !is_whitespace(char) && !matches!(char, '"' | '\'' | '<' | '>' | '=' | '`')
}

/// The name in a whole tag.
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
