//! A valid JSON text, split into parts so that one part can be spoilt.

/// The kind of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `{` or `[`
    Open,
    /// `}` or `]`
    Close,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// A quoted member name.
    Key,
    /// A quoted string.
    Text,
    /// A number or literal.
    Scalar,
}

/// A part of a text.
#[derive(Debug, Clone)]
pub struct Part {
    /// The kind of the part.
    pub role: Role,
    /// The part as written.
    pub text: String,
    /// The whitespace after it.
    pub blanks: String,
}

/// A text in parts.
#[derive(Debug, Clone)]
pub struct Parts(pub Vec<Part>);

impl Parts {
    /// Splits a valid text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let len = length(first, rest);
            let after = rest[len..].trim_start();
            let blanks = rest[len..rest.len() - after.len()].to_owned();
            let role = match first {
                '{' | '[' => Role::Open,
                '}' | ']' => Role::Close,
                ',' => Role::Comma,
                ':' => Role::Colon,
                '"' if after.starts_with(':') => Role::Key,
                '"' => Role::Text,
                _ => Role::Scalar,
            };
            parts.push(Part { role, text: rest[..len].to_owned(), blanks });
            rest = after;
        }
        Self(parts)
    }

    /// Joins the parts.
    #[must_use]
    pub fn print(&self) -> String {
        self.0.iter().flat_map(|part| [part.text.as_str(), part.blanks.as_str()]).collect()
    }

    /// The kind of a part; none past the ends.
    #[must_use]
    pub fn role(&self, at: Option<usize>) -> Option<Role> {
        self.0.get(at?).map(|part| part.role)
    }

    /// The kind of the part before.
    #[must_use]
    pub fn before(&self, at: usize) -> Option<Role> {
        self.role(at.checked_sub(1))
    }

    /// The kind of the part after.
    #[must_use]
    pub fn behind(&self, at: usize) -> Option<Role> {
        self.role(Some(at + 1))
    }

    /// The positions of the openers of all containers around a part. If the part is an opener, it is not
    /// included.
    #[must_use]
    pub fn open_at(&self, at: usize) -> Vec<usize> {
        let mut open = Vec::new();
        for (index, part) in self.0[..at].iter().enumerate() {
            match part.role {
                Role::Open => open.push(index),
                Role::Close => {
                    open.pop();
                }
                _ => {}
            }
        }
        open
    }

    /// Whether the part is directly inside an object.
    #[must_use]
    pub fn in_object(&self, at: usize) -> bool {
        self.open_at(at).last().is_some_and(|open| self.0[*open].text == "{")
    }

    /// The position of the closer that belongs to this opener.
    #[must_use]
    pub fn closer_of(&self, open: usize) -> usize {
        let level = self.open_at(open).len() + 1;
        let closes =
            |at: &usize| self.0[*at].role == Role::Close && self.open_at(*at).len() == level;
        (open + 1..self.0.len()).find(closes).unwrap_or(self.0.len() - 1)
    }
}

fn length(first: char, text: &str) -> usize {
    match first {
        '{' | '}' | '[' | ']' | ',' | ':' => 1,
        '"' => {
            let mut escaped = false;
            let close = text.char_indices().skip(1).find(|(_, char)| {
                let closes = *char == '"' && !escaped;
                escaped = *char == '\\' && !escaped;
                closes
            });
            close.map_or(text.len(), |(at, _)| at + 1)
        }
        _ => text.find([',', ']', '}', ' ', '\n', '\t', '\r']).unwrap_or(text.len()),
    }
}
