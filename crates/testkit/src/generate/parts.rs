//! A valid JSON text taken apart, so that one part of it can be spoilt.

/// What a part is.
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

/// One part.
#[derive(Debug, Clone)]
pub struct Part {
    /// What it is.
    pub role: Role,
    /// As it was written.
    pub text: String,
    /// The blanks behind it.
    pub blanks: String,
}

/// A text in parts.
#[derive(Debug, Clone)]
pub struct Parts(pub Vec<Part>);

impl Parts {
    /// Takes a valid text apart.
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

    /// The text again.
    #[must_use]
    pub fn print(&self) -> String {
        self.0.iter().flat_map(|part| [part.text.as_str(), part.blanks.as_str()]).collect()
    }

    /// What a part is; none past the ends.
    #[must_use]
    pub fn role(&self, at: Option<usize>) -> Option<Role> {
        self.0.get(at?).map(|part| part.role)
    }

    /// What stands before a part.
    #[must_use]
    pub fn before(&self, at: usize) -> Option<Role> {
        self.role(at.checked_sub(1))
    }

    /// What stands behind a part.
    #[must_use]
    pub fn behind(&self, at: usize) -> Option<Role> {
        self.role(Some(at + 1))
    }

    /// The openers of the containers that a part stands in, by where they are; its own opener not
    /// counted.
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

    /// Whether the part stands directly in an object.
    #[must_use]
    pub fn in_object(&self, at: usize) -> bool {
        self.open_at(at).last().is_some_and(|open| self.0[*open].text == "{")
    }

    /// The closer of the container that is opened here.
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
