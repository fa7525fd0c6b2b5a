//! The opening and closing lines of code fences around a payload.

use crate::lex::fence_line::FenceRun;

/// Info strings of fences that may hold the payload.
const JSON_NAMES: [&str; 7] = ["", "json", "json5", "jsonc", "jsonl", "ndjson", "application/json"];

/// An open fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenFence {
    run: FenceRun,
    /// Whether the info string allows the fence to hold the payload.
    pub(super) json: bool,
    /// Whether the info string names JSON.
    pub(super) named: bool,
    /// Whether only whitespace has followed the opening line.
    pub(super) fresh: bool,
}

impl OpenFence {
    /// The mark of the opening run, and its length.
    pub(super) const fn run(self) -> (u8, u16) {
        (self.run.mark, self.run.len)
    }
}

/// A line that begins with backticks or tildes, up to the last character read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FenceLine {
    run: FenceRun,
    part: FencePart,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FencePart {
    /// In the run of marks.
    Run,
    /// After the run: the info string, and its held bytes.
    Info(FenceInfo, usize),
}

/// Whether the first word of the info string so far names JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FenceInfo {
    /// Only whitespace. The fence may hold the payload.
    Blank,
    /// The first `len` letters of the name at an index of [`JSON_NAMES`], or of a later name.
    Name { at: u8, len: u8 },
    /// A complete name, and whitespace after it.
    Json,
    /// Another language.
    Other,
}

impl FenceInfo {
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

    /// The first name that begins with `word` and the letter.
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

/// What one more character of the line decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FenceStep {
    /// Not decided. The line opens no fence for the payload, so nothing is held.
    Pass,
    /// Not decided. The line is held.
    Hold,
    /// The line is no fence line.
    Text,
    /// The line opens a fence. If the character is not a line end, the payload begins with it.
    Opens(OpenFence),
    /// The line closes the fence.
    Closes,
}

impl FenceLine {
    /// A line whose first visible byte is `mark`.
    pub(super) fn begin(mark: u8) -> Self {
        Self { run: FenceRun::begin(mark), part: FencePart::Run }
    }

    /// Reads one more character of the line. `open` is the fence that the line may close. `cap` limits the
    /// held bytes of an info string.
    pub(super) fn step(&mut self, char: char, open: Option<OpenFence>, cap: usize) -> FenceStep {
        match self.part {
            FencePart::Run if self.run.goes_on(char) => {
                self.run = self.run.grown();
                FenceStep::Hold
            }
            FencePart::Run if !self.run.opens() => FenceStep::Text,
            FencePart::Run => {
                self.part = FencePart::Info(FenceInfo::Blank, 0);
                self.step(char, open, cap)
            }
            FencePart::Info(info, len) => match open {
                Some(fence) => self.close(char, fence.run, len, cap),
                None => self.open(char, info, len, cap),
            },
        }
    }

    /// Reads on after a closing run: only whitespace may follow.
    fn close(&mut self, char: char, open: FenceRun, len: usize, cap: usize) -> FenceStep {
        match char {
            _ if !self.run.closes(open) => FenceStep::Text,
            '\n' => FenceStep::Closes,
            ' ' | '\t' | '\r' if len < cap => {
                self.part = FencePart::Info(FenceInfo::Blank, len + 1);
                FenceStep::Hold
            }
            _ => FenceStep::Text,
        }
    }

    /// Reads on in the info string of an opening line.
    fn open(&mut self, char: char, info: FenceInfo, len: usize, cap: usize) -> FenceStep {
        match char {
            '\n' => return FenceStep::Opens(self.fence(info)),
            _ if !self.run.allows_info(char) => return FenceStep::Text,
            // The payload may begin on the opening line.
            '{' | '[' if info.is_json() => return FenceStep::Opens(self.fence(info)),
            _ => {}
        }
        match info.push(char) {
            FenceInfo::Other => {
                self.part = FencePart::Info(FenceInfo::Other, 0);
                FenceStep::Pass
            }
            _ if len >= cap => FenceStep::Text,
            info => {
                self.part = FencePart::Info(info, len + char.len_utf8());
                FenceStep::Hold
            }
        }
    }

    /// Whether the line closes the fence if it ends here.
    pub(super) fn closes_at_end(&self, open: Option<OpenFence>) -> bool {
        open.is_some_and(|fence| self.run.opens() && self.run.closes(fence.run))
    }

    fn fence(&self, info: FenceInfo) -> OpenFence {
        OpenFence {
            run: self.run,
            json: info.is_json(),
            named: info.is_json() && info != FenceInfo::Blank,
            fresh: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FenceLine, FenceStep, OpenFence};
    use crate::lex::fence_line::FenceRun;

    /// The last step of a line, and how many characters it took.
    fn step(line: &str, open: Option<OpenFence>) -> (usize, String) {
        let mut chars = line.chars();
        let mut state = FenceLine::begin(chars.next().expect("a mark") as u8);
        let mut last = (1, FenceStep::Hold);
        for (at, char) in chars.enumerate() {
            last = (at + 2, state.step(char, open, 16));
            if !matches!(last.1, FenceStep::Hold | FenceStep::Pass) {
                break;
            }
        }
        let shown = match last.1 {
            FenceStep::Opens(fence) => format!("{:?} json={}", fence.run().1, fence.json),
            other => format!("{other:?}"),
        };
        (last.0, shown)
    }

    #[test]
    fn opening_lines_by_their_info_strings() {
        for (line, len, end) in [
            ("```\n", 4, "3 json=true"),
            ("````json\n", 9, "4 json=true"),
            ("~~~ JSON5 x\n", 12, "3 json=true"),
            ("```json{", 8, "3 json=true"),
            ("```py\n", 6, "3 json=false"),
            ("```py {x", 8, "Pass"),
            ("```jso\n", 7, "3 json=false"),
            ("``x", 3, "Text"),
            ("```a`", 5, "Text"),
            ("~~~a`\n", 6, "3 json=false"),
            ("```jso", 6, "Hold"),
            // At the cap of 16 bytes, and one byte more.
            ("```                \n", 20, "3 json=true"),
            ("```                 \n", 20, "Text"),
        ] {
            assert_eq!(step(line, None), (len, end.to_owned()), "{line:?}");
        }
    }

    #[test]
    fn closing_lines_match_the_run_that_opened() {
        let open = OpenFence {
            run: FenceRun { mark: b'`', len: 4 },
            json: true,
            named: false,
            fresh: false,
        };
        for (line, len, end) in [
            ("````\n", 5, "Closes"),
            ("`````  \r\n", 9, "Closes"),
            ("```\n", 4, "Text"),
            ("~~~~\n", 5, "Text"),
            ("````x", 5, "Text"),
            // At the cap of 16 bytes, and one byte more.
            ("````                \n", 21, "Closes"),
            ("````                 \n", 21, "Text"),
        ] {
            assert_eq!(step(line, Some(open)), (len, end.to_owned()), "{line:?}");
        }
        for (line, closes) in
            [("````", true), ("`````  ", true), ("```", false), ("~~~~", false), ("``", false)]
        {
            let mut state = FenceLine::begin(line.as_bytes()[0]);
            for char in line.chars().skip(1) {
                assert_eq!(state.step(char, Some(open), 16), FenceStep::Hold, "{line:?}");
            }
            assert_eq!(state.closes_at_end(Some(open)), closes, "{line:?}");
            assert!(!state.closes_at_end(None), "{line:?}");
        }
    }

    #[test]
    fn the_first_word_of_the_info_string_may_name_json() {
        for (info, json, named) in [
            ("", true, false),
            ("  ", true, false),
            ("json", true, true),
            (" JSON ", true, true),
            ("json5", true, true),
            ("jsonc x", true, true),
            ("jsonl", true, true),
            ("ndjson", true, true),
            ("application/json", true, true),
            ("application/jso", false, false),
            ("application/xml", false, false),
            ("json6", false, false),
            ("jsonx y", false, false),
            ("jso n", false, false),
            ("x json", false, false),
        ] {
            let mut state = FenceLine::begin(b'`');
            let mut last = FenceStep::Hold;
            for char in format!("``{info}\n").chars() {
                last = state.step(char, None, 32);
            }
            let FenceStep::Opens(fence) = last else { panic!("{info:?}: {last:?}") };
            assert_eq!((fence.json, fence.named, fence.fresh), (json, named, true), "{info:?}");
        }
    }
}
