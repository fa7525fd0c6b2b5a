//! Code fences (CommonMark 4.5) round a payload: the opening and the closing line.

/// Info strings of fences that may hold the payload.
const JSON_NAMES: [&str; 7] = ["", "json", "json5", "jsonc", "jsonl", "ndjson", "application/json"];

/// An open fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fence {
    mark: char,
    len: u16,
    /// Whether its info string lets it hold the payload.
    pub(super) json: bool,
    /// Whether nothing visible came in it yet.
    pub(super) fresh: bool,
}

impl Fence {
    /// The mark and how many of it opened the fence.
    pub(super) const fn run(self) -> (u8, u16) {
        (self.mark as u8, self.len)
    }
}

/// How far into a line of backticks or tildes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FenceLine {
    mark: char,
    len: u16,
    part: Part,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// In the run of marks.
    Run,
    /// Behind the run, of so many bytes.
    Info(Info, usize),
}

/// The info string so far: whether its first word names JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Info {
    /// Blanks only: as good as JSON.
    Blank,
    /// So many letters of the name at this place in [`JSON_NAMES`], or of one further on.
    Name { at: u8, len: u8 },
    /// The name, and a blank behind it.
    Json,
    /// Something else.
    Other,
}

impl Info {
    fn push(self, char: char) -> Self {
        match self {
            Self::Json | Self::Other => self,
            Self::Blank if char.is_whitespace() => self,
            Self::Blank => Self::longer(char, ""),
            Self::Name { at, len } => {
                let name = JSON_NAMES[usize::from(at)];
                match char {
                    c if !c.is_whitespace() => Self::longer(c, &name[..usize::from(len)]),
                    _ if name.len() == usize::from(len) => Self::Json,
                    _ => Self::Other,
                }
            }
        }
    }

    /// The first name, of those that begin with `word` and the letter, that is spelt out so far.
    fn longer(char: char, word: &str) -> Self {
        let letter = char.to_ascii_lowercase();
        let begins = |name: &&str| name.strip_prefix(word).is_some_and(|it| it.starts_with(letter));
        let len = word.len() + 1;
        let mut names = JSON_NAMES.iter().enumerate().filter(|(_, name)| begins(name));
        match names.next() {
            Some((at, _)) => Self::Name { at: at as u8, len: len as u8 },
            None => Self::Other,
        }
    }

    fn is_json(self) -> bool {
        match self {
            Self::Blank | Self::Json => true,
            Self::Name { at, len } => JSON_NAMES[usize::from(at)].len() == usize::from(len),
            Self::Other => false,
        }
    }
}

/// What one more character of the line means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FenceStep {
    /// Not decided, and no fence of the payload either way: nothing need be held.
    Pass,
    /// Not decided.
    Hold,
    /// It is no fence.
    Text,
    /// It is the opening line; if the character is not the line end, the payload begins right here.
    Opens(Fence),
    /// It was the closing line.
    Closes,
}

impl FenceLine {
    /// A line whose first visible byte is `mark`.
    pub(super) fn begin(mark: u8) -> Self {
        Self { mark: char::from(mark), len: 1, part: Part::Run }
    }

    /// One more character of the line. `open` is the fence that it may close; `cap` bounds the info
    /// string of one that may hold the payload.
    pub(super) fn step(&mut self, char: char, open: Option<Fence>, cap: usize) -> FenceStep {
        match self.part {
            Part::Run if char == self.mark => {
                self.len = self.len.saturating_add(1);
                FenceStep::Hold
            }
            Part::Run if self.len < 3 => FenceStep::Text,
            Part::Run => {
                self.part = Part::Info(Info::Blank, 0);
                self.step(char, open, cap)
            }
            Part::Info(info, len) => match open {
                Some(fence) => self.close(char, fence, (len, cap)),
                None => self.open(char, info, (len, cap)),
            },
        }
    }

    /// Behind a run that may close `fence`: blanks only.
    fn close(&mut self, char: char, fence: Fence, (len, cap): (usize, usize)) -> FenceStep {
        match char {
            _ if !self.closes(fence) => FenceStep::Text,
            '\n' => FenceStep::Closes,
            ' ' | '\t' | '\r' if len < cap => {
                self.part = Part::Info(Info::Blank, len + 1);
                FenceStep::Hold
            }
            _ => FenceStep::Text,
        }
    }

    /// In the info string of an opening line.
    fn open(&mut self, char: char, info: Info, (len, cap): (usize, usize)) -> FenceStep {
        match char {
            '\n' => return FenceStep::Opens(self.fence(info)),
            // No info string of a backtick fence has a backtick; a bracket begins the payload.
            '`' if self.mark == '`' => return FenceStep::Text,
            '{' | '[' if info.is_json() => return FenceStep::Opens(self.fence(info)),
            _ => {}
        }
        match info.push(char) {
            Info::Other => {
                self.part = Part::Info(Info::Other, 0);
                FenceStep::Pass
            }
            _ if len >= cap => FenceStep::Text,
            info => {
                self.part = Part::Info(info, len + char.len_utf8());
                FenceStep::Hold
            }
        }
    }

    const fn closes(&self, fence: Fence) -> bool {
        self.mark as u32 == fence.mark as u32 && self.len >= fence.len
    }

    /// Whether the line, ending here, closes the fence.
    pub(super) fn closes_at_end(&self, open: Option<Fence>) -> bool {
        open.is_some_and(|fence| self.len >= 3 && self.closes(fence))
    }

    fn fence(&self, info: Info) -> Fence {
        Fence { mark: self.mark, len: self.len, json: info.is_json(), fresh: true }
    }
}
