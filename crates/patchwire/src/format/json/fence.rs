//! Code fences (CommonMark 4.5) round a payload: the opening and the closing line.

/// Longest info string that is held.
const INFO_CAP: u8 = 64;
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

/// How far into a line of backticks or tildes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FenceHold {
    mark: char,
    len: u16,
    part: Part,
    info: Info,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// In the run of marks.
    Run,
    /// In the info string.
    Info,
}

/// The info string so far, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Info {
    text: [u8; 16],
    len: u8,
    /// Whether there is more to it than the first word.
    more: bool,
}

impl Info {
    fn push(&mut self, char: char) {
        let at = usize::from(self.len);
        if let (Some(slot), true) = (self.text.get_mut(at), char.is_ascii()) {
            *slot = char.to_ascii_lowercase() as u8;
        }
        self.len = self.len.saturating_add(char.len_utf8() as u8);
    }

    fn is_json(&self) -> bool {
        let Some(text) = self.text.get(..usize::from(self.len)) else { return false };
        let word = text.trim_ascii().split(|byte| *byte == b' ').next().unwrap_or(&[]);
        JSON_NAMES.iter().any(|name| name.as_bytes() == word)
    }

    const fn is_blank(&self) -> bool {
        !self.more
    }
}

/// What one more character of the line means.
pub(super) enum FenceStep {
    Hold,
    /// It is no fence.
    Text,
    /// It is the opening line; if the character is not the line end, the payload begins right here.
    Opens(Fence),
    /// It was the closing line.
    Closes,
}

impl FenceHold {
    /// A line whose first visible byte is `mark`.
    pub(super) fn run(mark: u8) -> Self {
        let info = Info { text: [0; 16], len: 0, more: false };
        Self { mark: char::from(mark), len: 1, part: Part::Run, info }
    }

    pub(super) fn step(&mut self, char: char, open: Option<Fence>) -> FenceStep {
        match self.part {
            Part::Run if char == self.mark => {
                self.len = self.len.saturating_add(1);
                FenceStep::Hold
            }
            Part::Run if self.len < 3 => FenceStep::Text,
            Part::Run => {
                self.part = Part::Info;
                self.step(char, open)
            }
            Part::Info => self.step_info(char, open),
        }
    }

    fn step_info(&mut self, char: char, open: Option<Fence>) -> FenceStep {
        if let Some(fence) = open {
            return match char {
                '\n' if self.closes(fence) => FenceStep::Closes,
                ' ' | '\t' | '\r' if self.closes(fence) && self.info.len < INFO_CAP => {
                    self.info.push(char);
                    FenceStep::Hold
                }
                _ => FenceStep::Text,
            };
        }
        match char {
            '\n' => FenceStep::Opens(self.fence()),
            // No info string of a backtick fence has a backtick; a bracket begins the payload.
            '`' if self.mark == '`' => FenceStep::Text,
            '{' | '[' if self.info.is_json() => FenceStep::Opens(self.fence()),
            _ if self.info.len >= INFO_CAP => FenceStep::Text,
            _ => {
                self.info.more |= !char.is_whitespace();
                self.info.push(char);
                FenceStep::Hold
            }
        }
    }

    const fn closes(&self, fence: Fence) -> bool {
        self.mark as u32 == fence.mark as u32 && self.len >= fence.len && self.info.is_blank()
    }

    /// Whether the line, ending here, closes the fence.
    pub(super) fn closes_at_end(&self, open: Option<Fence>) -> bool {
        open.is_some_and(|fence| self.len >= 3 && self.closes(fence))
    }

    fn fence(&self) -> Fence {
        Fence { mark: self.mark, len: self.len, json: self.info.is_json(), fresh: true }
    }
}
