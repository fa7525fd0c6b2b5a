//! Tells the next part of a tool call from the beginning of another call.

use crate::delta::Call;

/// What is known of a tool call, to tell its next part from the beginning of another call.
///
/// Providers number the parts of parallel calls, but not all do it well: Gemini's compatible endpoint gives
/// every call the index 0 and no id, others repeat the name with each part, and Alibaba's continues a call
/// with an empty id. So the id, the name and the arguments decide together:
///
/// | the next part has | the arguments so far are | it is |
/// |---|---|---|
/// | another id and a name | anything | another call |
/// | another id, no name | complete | another call |
/// | another id, no name, but arguments | not complete | the same call: some servers give each part a new id |
/// | the same id | anything, unless complete and the name differs | the same call |
/// | no name | anything | the same call |
/// | a name | empty | the same call; the name grows |
/// | a name that does not begin with the one so far, arguments, and `""` for an id | empty | another call |
/// | another name | begun | another call |
/// | the same name | incomplete | the same call |
/// | the same name and arguments | a complete object or list | another call |
///
/// An empty id or name counts as none.
///
/// ```
/// use patchwire_sources::CallState;
///
/// let mut call = CallState::default();
/// call.take(None, Some("weather"), b"{\"city\": ");
/// assert!(!call.begins_another(Some(""), None, b"\"Rome\"}"));
/// call.take(None, None, b"\"Rome\"}");
/// assert!(call.begins_another(Some(""), Some("delete"), b"{\"path\": \"/\"}"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallState {
    id: Option<Box<str>>,
    name: Box<str>,
    arguments: Progress,
}

/// How much of the arguments was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Progress {
    /// Only whitespace.
    #[default]
    Empty,
    /// In an object or list, or in one of its strings.
    Inside { depth: u32, string: InString },
    /// An object or list is complete.
    Complete,
    /// No object and no list.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InString {
    No,
    Yes,
    /// After a backslash.
    Escape,
}

impl CallState {
    /// Whether a part at the same place of the message begins another call.
    #[must_use]
    pub fn begins_another(&self, id: Option<&str>, name: Option<&str>, arguments: &[u8]) -> bool {
        let has_empty_id = id == Some("");
        let (id, name) = (filled(id), filled(name));
        let is_same_id = match (self.id.as_deref(), id) {
            (Some(known), Some(id)) if known != id => {
                return name.is_some() || !self.goes_on_with(arguments);
            }
            (known, id) => known.is_some() && id.is_some(),
        };
        let Some(name) = name else { return false };
        let differs = *name != *self.name;
        match self.arguments {
            Progress::Empty => {
                // Servers that give no ids write each call in one part.
                let is_whole = has_empty_id && !arguments.trim_ascii().is_empty();
                let is_first = self.name.is_empty() || self.id.is_some();
                is_whole && !is_first && !name.starts_with(&*self.name)
            }
            Progress::Complete if is_same_id => differs,
            Progress::Complete => differs || !arguments.trim_ascii().is_empty(),
            Progress::Inside { .. } | Progress::Other => differs && !is_same_id,
        }
    }

    /// Whether arguments without a name are the next piece of this call's.
    fn goes_on_with(&self, arguments: &[u8]) -> bool {
        let begun = matches!(self.arguments, Progress::Empty | Progress::Inside { .. });
        begun && !self.name.is_empty() && !arguments.is_empty()
    }

    /// Takes a part of this call. Returns whether the id or the name is new or grew.
    pub fn take(&mut self, id: Option<&str>, name: Option<&str>, arguments: &[u8]) -> bool {
        let mut is_new = false;
        if let (None, Some(id)) = (&self.id, filled(id)) {
            self.id = Some(id.into());
            is_new = true;
        }
        if let Some(name) = filled(name).filter(|name| **name != *self.name) {
            // A name after the first arguments is no piece of this one.
            if self.name.is_empty() || self.arguments == Progress::Empty {
                self.grow_name(name);
                is_new = true;
            }
        }
        self.arguments = arguments.iter().fold(self.arguments, |it, byte| it.after(*byte));
        is_new
    }

    /// A piece of the name, or the whole name so far.
    fn grow_name(&mut self, name: &str) {
        self.name = match name.starts_with(&*self.name) {
            true => name.into(),
            false => [&*self.name, name].concat().into(),
        };
    }

    /// The id, if one came.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The name so far, if one came.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        filled(Some(&self.name))
    }

    /// Whether no arguments came, apart from whitespace.
    #[must_use]
    pub fn is_without_arguments(&self) -> bool {
        self.arguments == Progress::Empty
    }

    pub(crate) fn of(part: &Call) -> Self {
        let mut state = Self::default();
        state.take(part.id.as_deref(), part.name.as_deref(), part.arguments.as_bytes());
        state
    }
}

impl Progress {
    const fn after(self, byte: u8) -> Self {
        match self {
            Self::Empty => match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self,
                b'{' | b'[' => Self::Inside { depth: 1, string: InString::No },
                _ => Self::Other,
            },
            Self::Inside { depth, string } => inside(depth, string, byte),
            Self::Complete | Self::Other => self,
        }
    }
}

const fn inside(depth: u32, string: InString, byte: u8) -> Progress {
    let (depth, string) = match (string, byte) {
        (InString::No, b'{' | b'[') => (depth.saturating_add(1), string),
        (InString::No, b'}' | b']') if depth == 1 => return Progress::Complete,
        (InString::No, b'}' | b']') => (depth - 1, string),
        (InString::No, b'"') | (InString::Escape, _) => (depth, InString::Yes),
        (InString::Yes, b'"') => (depth, InString::No),
        (InString::Yes, b'\\') => (depth, InString::Escape),
        _ => (depth, string),
    };
    Progress::Inside { depth, string }
}

/// A text that is not empty.
fn filled(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}
