//! A line that may be a header, read a character at a time.
//!
//! ```text
//! ###  **Final answer**: [json] ##
//! ^^^ the level
//!      ^^            ^^ emphasis
//!        ^^^^^^^^^^^^ the name; what follows it is in `tail`
//! ```
//!
//! Which names there are is somebody else's to say: [`Titles`]. A name may have in it what may also
//! stand round one, so that a header has several readings while it comes. They go on side by side; of
//! those that come to the end of the line the longest name counts.

mod tail;
mod titles;

pub(crate) use tail::Kind;
use tail::Tail;
pub(crate) use titles::Titles;

/// Most bytes of a header that may have any name, from its first visible character behind the marks
/// to its last.
const LONGEST: usize = 128;

/// A header that is whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) level: u8,
    pub(crate) name: String,
    /// Where any name may stand, what the header says of its section.
    pub(crate) kind: Option<Kind>,
    /// Whether the name is spelt as it is known.
    pub(crate) exact: bool,
}

/// What one more character makes of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// It may still be a header.
    More,
    /// The line ended, and it is one.
    Whole,
    /// It is none, by this character.
    Refuted,
}

/// A line that may be a header, so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heading {
    text: String,
    /// Where the line begins in the stream.
    start: u64,
    level: u8,
    state: State,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Marks,
    /// In the blanks behind the marks.
    Lead,
    /// In a header of a known name.
    Known(Vec<Reading>),
    /// In a header of any name: where it begins in the line.
    Any {
        from: usize,
    },
    /// Behind a carriage return: the end of the line if a line feed follows.
    Return(Option<Found>),
}

/// Where the name lies in the line, and which it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    from: usize,
    to: usize,
    title: u32,
}

/// One way of reading the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// In the emphasis in front of the name.
    Before,
    /// In the name.
    Name {
        at: (u32, bool),
        from: usize,
    },
    Behind {
        tail: Tail,
        name: Found,
    },
}

impl Heading {
    /// A line that begins there.
    pub(crate) const fn new(start: u64) -> Self {
        Self { text: String::new(), start, level: 0, state: State::Marks }
    }

    /// The line so far.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) const fn start(&self) -> u64 {
        self.start
    }

    /// One more character. `level` is that of all headers, if it is known.
    pub(crate) fn push(&mut self, char: char, titles: &Titles, level: Option<u8>) -> Step {
        let step = match &self.state {
            State::Marks => self.mark(char, level),
            State::Lead => self.lead(char, titles),
            State::Known(_) => self.known(char, titles),
            State::Any { from } => self.any(char, *from),
            State::Return(_) if char == '\n' => Step::Whole,
            State::Return(_) => Step::Refuted,
        };
        if step == Step::More {
            self.text.push(char);
        }
        step
    }

    fn mark(&mut self, char: char, level: Option<u8>) -> Step {
        let most = level.unwrap_or(6);
        match char {
            '#' if self.level < most => self.level += 1,
            ' ' | '\t' if self.level > 0 && level.is_none_or(|level| level == self.level) => {
                self.state = State::Lead;
            }
            _ => return Step::Refuted,
        }
        Step::More
    }

    fn lead(&mut self, char: char, titles: &Titles) -> Step {
        match char {
            ' ' | '\t' => Step::More,
            '\r' | '\n' => Step::Refuted,
            _ if titles.are_any() => {
                self.state = State::Any { from: self.text.len() };
                Step::More
            }
            _ => {
                self.state = State::Known(vec![Reading::Before]);
                self.known(char, titles)
            }
        }
    }

    fn any(&mut self, char: char, from: usize) -> Step {
        match char {
            '\n' => return if self.title(from).is_some() { Step::Whole } else { Step::Refuted },
            '\r' if self.title(from).is_none() => return Step::Refuted,
            '\r' => self.state = State::Return(Some(Found { from, to: 0, title: 0 })),
            ' ' | '\t' => {}
            _ if self.text.len() + char.len_utf8() - from > LONGEST => return Step::Refuted,
            _ => {}
        }
        Step::More
    }

    /// The name and kind of a header that may have any.
    fn title(&self, from: usize) -> Option<(&str, Option<Kind>)> {
        tail::split(self.text[from..].trim_end_matches('\r'))
    }

    fn known(&mut self, char: char, titles: &Titles) -> Step {
        let State::Known(readings) = &self.state else { return Step::Refuted };
        if matches!(char, '\r' | '\n') {
            let Some(found) = self.best(readings, titles) else { return Step::Refuted };
            if char == '\n' {
                return Step::Whole;
            }
            self.state = State::Return(Some(found));
            return Step::More;
        }
        let at = self.text.len();
        let mut next = Vec::with_capacity(readings.len() + 1);
        for reading in readings {
            reading.step(char, at, titles, &mut next);
        }
        if next.is_empty() {
            return Step::Refuted;
        }
        self.state = State::Known(next);
        Step::More
    }

    /// Of the readings that may end here that of the longest name, and of those the first.
    fn best(&self, readings: &[Reading], titles: &Titles) -> Option<Found> {
        let mut best: Option<Found> = None;
        for reading in readings {
            let found = match *reading {
                Reading::Before => continue,
                Reading::Name { at: (title, _), from } if titles.ends(title) => {
                    Found { from, to: self.text.len(), title }
                }
                Reading::Behind { tail, name } if tail.ends() => name,
                _ => continue,
            };
            if best.is_none_or(|best| found.longer_than(best)) {
                best = Some(found);
            }
        }
        best
    }

    /// The header, if the line ends here.
    pub(crate) fn end(&self, titles: &Titles) -> Option<Header> {
        let found = match &self.state {
            State::Marks | State::Lead => return None,
            State::Any { from } => return self.any_header(*from),
            State::Return(Some(found)) if titles.are_any() => return self.any_header(found.from),
            State::Return(found) => (*found)?,
            State::Known(readings) => self.best(readings, titles)?,
        };
        let spelling = &self.text[found.from..found.to];
        let name = titles.name(found.title, spelling);
        let (level, exact) = (self.level, name == spelling);
        Some(Header { level, name: name.to_owned(), kind: None, exact })
    }

    fn any_header(&self, from: usize) -> Option<Header> {
        let (name, kind) = self.title(from)?;
        Some(Header { level: self.level, name: name.to_owned(), kind, exact: true })
    }
}

impl Found {
    const fn longer_than(self, other: Self) -> bool {
        self.to - self.from > other.to - other.from
    }
}

impl Reading {
    /// What this reading becomes by the character at this place of the line.
    fn step(self, char: char, at: usize, titles: &Titles, next: &mut Vec<Self>) {
        match self {
            Self::Before => {
                if let Some(begun) = titles.step((0, false), char) {
                    add(Self::Name { at: begun, from: at }, next);
                }
                if matches!(char, '*' | '_' | '`') {
                    next.push(Self::Before);
                }
            }
            Self::Name { at: name, from } => {
                if let Some(longer) = titles.step(name, char) {
                    add(Self::Name { at: longer, from }, next);
                }
                if titles.ends(name.0)
                    && let Some(tail) = Tail::Emphasis.step(char)
                {
                    add(Self::Behind { tail, name: Found { from, to: at, title: name.0 } }, next);
                }
            }
            Self::Behind { tail, name } => {
                if let Some(tail) = tail.step(char) {
                    add(Self::Behind { tail, name }, next);
                }
            }
        }
    }
}

/// Adds a reading, unless one goes on in the same way with a name that is as good.
fn add(new: Reading, readings: &mut Vec<Reading>) {
    for reading in readings.iter_mut() {
        match (reading, new) {
            (Reading::Name { at, .. }, Reading::Name { at: other, .. }) if *at == other => return,
            (Reading::Behind { tail, name }, Reading::Behind { tail: other, name: longer })
                if *tail == other =>
            {
                if longer.longer_than(*name) {
                    *name = longer;
                }
                return;
            }
            _ => {}
        }
    }
    readings.push(new);
}

#[cfg(test)]
mod tests {
    use super::{Heading, Kind, Step, Titles};

    fn read(line: &str, titles: &Titles, level: Option<u8>) -> Option<(String, u8, bool)> {
        let mut heading = Heading::new(0);
        for char in line.chars() {
            match heading.push(char, titles, level) {
                Step::More => {}
                Step::Whole => break,
                Step::Refuted => return None,
            }
        }
        heading.end(titles).map(|header| (header.name, header.level, header.exact))
    }

    #[test]
    fn headers_of_known_names() {
        let titles = Titles::new(["a", "a_", "_b", "final_answer", "x [json]", "é"], true);
        for (line, name) in [
            ("# a", Some(("a", 1, true))),
            ("### a ###\n", Some(("a", 3, true))),
            ("### a\r\n", Some(("a", 3, true))),
            ("### a\r", Some(("a", 3, true))),
            ("### a\rx", None),
            ("###### **a**:\n", Some(("a", 6, true))),
            ("####### a\n", None),
            ("###a", None),
            ("### a_", Some(("a_", 3, true))),
            ("### a _", Some(("a_", 3, false))),
            ("### __b__", Some(("_b", 3, true))),
            ("### Final - Answer: [text]:  #", Some(("final_answer", 3, false))),
            ("### x [json]", Some(("x [json]", 3, true))),
            ("### x [json] [json]", Some(("x [json]", 3, true))),
            ("### a [jso", None),
            ("### a [TEXT]", None),
            ("### a:: (json) :", None),
            ("### a: (json): ", Some(("a", 3, true))),
            ("### ab", None),
            ("### **a:**", None),
            ("### `é`", Some(("é", 3, true))),
            ("### ", None),
            ("##", None),
        ] {
            let want = name.map(|(name, level, exact)| (name.to_owned(), level, exact));
            assert_eq!(read(line, &titles, None), want, "{line:?}");
        }
        assert_eq!(read("## a", &titles, Some(3)), None);
        assert_eq!(read("#### a", &titles, Some(3)), None);
        let exact = Titles::new(["a_b"], false);
        assert_eq!(read("### a b", &exact, None), None);
        assert_eq!(read("### A_b", &exact, None), None);
        assert!(read("### *a_b*:", &exact, None).is_some());
    }

    #[test]
    fn headers_of_any_name() {
        let titles = Titles::any();
        let long = format!("# {}", "x".repeat(128));
        assert!(read(&format!("{long}   \n"), &titles, None).is_some());
        assert!(read(&format!("{long} x"), &titles, None).is_none());
        let mut heading = Heading::new(0);
        for char in "## Data [json]".chars() {
            assert_eq!(heading.push(char, &titles, Some(2)), Step::More);
        }
        let header = heading.end(&titles);
        assert_eq!(header.map(|it| (it.name, it.kind)), Some(("Data".into(), Some(Kind::Json))));
    }
}
