//! Attributes of a tag, read a character at a time: `name="value"`, in any order.
//!
//! Values stand in quotes of either kind, where `>` and line ends count, CRLF as LF, or without any up to
//! a blank, a quote, `/` or `>`. The five entities of XML 1.0, section 4.6, are decoded. Of two
//! attributes of one name the first counts; what is no attribute is passed over.

/// Where the reading stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Between,
    Name,
    /// Behind a name, before its `=`.
    Named,
    /// Behind the `=`.
    Equals,
    Quoted(char),
    Bare,
    /// Behind a slash that may be the tag's last.
    Slash,
    Done {
        empty: bool,
    },
}

/// The attributes of one tag, so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Attributes {
    state: State,
    name: String,
    value: String,
    read: Vec<(String, String)>,
}

impl Attributes {
    /// One more character behind the tag's name.
    pub(crate) fn push(&mut self, char: char) {
        let blank = matches!(char, ' ' | '\t' | '\n' | '\r');
        self.state = match (self.state, char) {
            (State::Quoted(quote), _) if char == quote => self.end_value(),
            (State::Quoted(_), _) => {
                if char == '\n' && self.value.ends_with('\r') {
                    self.value.pop();
                }
                self.value.push(char);
                self.state
            }
            (State::Bare, _) if blank => self.end_value(),
            (State::Bare, '"' | '\'' | '/' | '>') => {
                self.end_value();
                self.state = State::Between;
                return self.push(char);
            }
            (State::Bare, _) => {
                self.value.push(char);
                State::Bare
            }
            (State::Slash, '>') => State::Done { empty: true },
            (State::Equals, '/' | '>') => {
                self.end_value();
                self.state = State::Between;
                return self.push(char);
            }
            (_, '>') => State::Done { empty: false },
            (State::Equals, '"' | '\'') => State::Quoted(char),
            (State::Equals, _) if blank => State::Equals,
            (State::Equals, _) => {
                self.value.push(char);
                State::Bare
            }
            (_, '/') => State::Slash,
            (State::Name | State::Named, '=') => State::Equals,
            (State::Name, _) if blank => State::Named,
            (State::Name, _) if !matches!(char, '"' | '\'') => {
                self.name.push(char);
                State::Name
            }
            (State::Named, _) if blank => State::Named,
            (_, _) if blank => State::Between,
            (_, '"' | '\'') => {
                self.forget();
                State::Quoted(char)
            }
            (_, '=') => {
                self.forget();
                State::Between
            }
            (_, _) => {
                self.forget();
                self.name.push(char);
                State::Name
            }
        };
    }

    fn forget(&mut self) {
        self.name.clear();
        self.value.clear();
    }

    fn end_value(&mut self) -> State {
        let name = self.name.to_ascii_lowercase();
        let value = decode(&self.value);
        self.forget();
        if !name.is_empty() && self.get(&name).is_none() {
            self.read.push((name, value));
        }
        State::Between
    }

    /// Whether the tag is whole.
    pub(crate) const fn is_done(&self) -> bool {
        matches!(self.state, State::Done { .. })
    }

    /// Whether it ended in `/>`.
    pub(crate) const fn is_empty(&self) -> bool {
        matches!(self.state, State::Done { empty: true })
    }

    /// The value of an attribute, by its name in lower case, once it is whole.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.read.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// What the value of an attribute that is being read may begin with: more than one thing where an
    /// entity has begun.
    pub(crate) fn reading(&self, name: &str) -> Option<Vec<String>> {
        let inside = matches!(self.state, State::Quoted(_) | State::Bare);
        if !inside || !self.name.eq_ignore_ascii_case(name) {
            return None;
        }
        let begun = self.value.rfind('&').filter(|&at| {
            ENTITIES.iter().any(|(entity, _)| entity.starts_with(&self.value[at..]))
                && !self.value.ends_with(';')
        });
        let sure = decode(&self.value[..begun.unwrap_or(self.value.len())]);
        let Some(at) = begun else { return Some(vec![sure]) };
        let entity = &self.value[at..];
        let chars = ENTITIES.iter().filter(|(whole, _)| whole.starts_with(entity));
        let ends = chars.map(|(_, char)| char.to_string()).chain([entity.to_owned()]);
        Some(ends.map(|end| format!("{sure}{end}")).collect())
    }
}

const ENTITIES: [(&str, char); 5] =
    [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&quot;", '"'), ("&apos;", '\'')];

/// A text with its entities decoded; what is none stays.
fn decode(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let entity = ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity));
        let (len, char) = entity.map_or((1, '&'), |(entity, char)| (entity.len(), *char));
        out.push(char);
        rest = &rest[len..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::Attributes;

    fn read(text: &str) -> (Option<String>, Option<String>, bool) {
        let mut attributes = Attributes::default();
        for char in text.chars() {
            assert!(!attributes.is_done(), "{text:?} goes on");
            attributes.push(char);
        }
        assert!(attributes.is_done(), "{text:?} is not whole");
        let get = |name| attributes.get(name).map(str::to_owned);
        (get("name"), get("type"), attributes.is_empty())
    }

    #[test]
    fn attributes_come_in_any_order_and_form() {
        for (text, name, kind, empty) in [
            (" name=\"a\" type=\"text\">", Some("a"), Some("text"), false),
            (" type='json' NAME = 'a>b'/>", Some("a>b"), Some("json"), true),
            (" name=a type=b>", Some("a"), Some("b"), false),
            ("\n name\n=\n\"a&amp;&lt;&x\">", Some("a&<&x"), None, false),
            (" name=\"a\" name=\"b\" junk other>", Some("a"), None, false),
            ("/>", None, None, true),
            (" name='a\r\nb\rc\n\rd'>", Some("a\nb\rc\n\rd"), None, false),
            (" name=/type=\"b\" name='c'>", Some(""), Some("b"), false),
            (" =name='a' 'x'= type=b>", Some("a"), Some("b"), false),
            (">", None, None, false),
        ] {
            let (read_name, read_kind, read_empty) = read(text);
            assert_eq!(
                (read_name.as_deref(), read_kind.as_deref(), read_empty),
                (name, kind, empty),
                "{text:?}"
            );
        }
    }
}
