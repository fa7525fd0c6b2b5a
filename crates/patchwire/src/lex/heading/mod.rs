//! A line that may be a header, read character by character.
//!
//! ```text
//! ###  **Final answer**: [json] ##
//! ^^^ the level
//!      ^^            ^^ emphasis
//!        ^^^^^^^^^^^^ the name; what follows it is in `tail`
//! ```
//!
//! [`Titles`] holds the known names. A name may contain characters that may also surround a name, so a
//! header has several readings while it streams. They advance side by side. Of the readings that reach
//! the end of the line, the one with the longest name counts.

mod tail;
mod titles;

pub(crate) use tail::HeaderKind;
use tail::Tail;
use titles::TitlePlace;
pub(crate) use titles::Titles;

/// Most bytes of a header that may have any name, from its first visible character after the marks to
/// its last.
const LONGEST: usize = 128;

/// A complete header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SectionHeader {
    pub(crate) level: u8,
    pub(crate) name: String,
    /// The kind of the section, if the header names it. Only read if any name is allowed.
    pub(crate) kind: Option<HeaderKind>,
    /// Whether the name has its declared spelling.
    pub(crate) exact: bool,
}

/// What one more character decides about a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineStep {
    /// Undecided.
    More,
    /// The line ended, and it matches.
    Whole,
    /// The character cannot belong to such a line.
    Refuted,
}

/// The beginning of a line that may be a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heading {
    text: String,
    /// Stream offset of the line.
    start: u64,
    level: u8,
    state: HeadingState,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum HeadingState {
    Marks,
    /// In the whitespace after the marks.
    Lead,
    /// In a header with a known name.
    Known(Vec<HeadingReading>),
    /// In a header with any name, which begins at this position of the line.
    Any {
        from: usize,
    },
    /// After a carriage return, which ends the line if a line feed follows.
    Return(Option<TitleMatch>),
}

/// The range of a name in the line, and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TitleMatch {
    from: usize,
    to: usize,
    title: u32,
}

/// One way of reading the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeadingReading {
    /// In the emphasis in front of the name.
    Before,
    /// In the name.
    Name {
        at: TitlePlace,
        from: usize,
    },
    Behind {
        tail: Tail,
        name: TitleMatch,
    },
}

impl Heading {
    /// A line that begins at a stream offset.
    pub(crate) const fn new(start: u64) -> Self {
        Self { text: String::new(), start, level: 0, state: HeadingState::Marks }
    }

    /// The line so far.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) const fn start(&self) -> u64 {
        self.start
    }

    /// Reads one character. `level` is the level of all headers, once it is known.
    pub(crate) fn push(&mut self, char: char, titles: &Titles, level: Option<u8>) -> LineStep {
        let step = match &self.state {
            HeadingState::Marks => self.mark(char, level),
            HeadingState::Lead => self.lead(char, titles),
            HeadingState::Known(_) => self.known(char, titles),
            HeadingState::Any { from } => self.any(char, *from),
            HeadingState::Return(_) if char == '\n' => LineStep::Whole,
            HeadingState::Return(_) => LineStep::Refuted,
        };
        if step == LineStep::More {
            self.text.push(char);
        }
        step
    }

    fn mark(&mut self, char: char, level: Option<u8>) -> LineStep {
        let most = level.unwrap_or(6);
        match char {
            '#' if self.level < most => self.level += 1,
            ' ' | '\t' if self.level > 0 && level.is_none_or(|level| level == self.level) => {
                self.state = HeadingState::Lead;
            }
            _ => return LineStep::Refuted,
        }
        LineStep::More
    }

    fn lead(&mut self, char: char, titles: &Titles) -> LineStep {
        match char {
            ' ' | '\t' => LineStep::More,
            '\r' | '\n' => LineStep::Refuted,
            _ if titles.are_any() => {
                self.state = HeadingState::Any { from: self.text.len() };
                LineStep::More
            }
            _ => {
                self.state = HeadingState::Known(vec![HeadingReading::Before]);
                self.known(char, titles)
            }
        }
    }

    fn any(&mut self, char: char, from: usize) -> LineStep {
        match char {
            '\n' => {
                return if self.title(from).is_some() {
                    LineStep::Whole
                } else {
                    LineStep::Refuted
                };
            }
            '\r' if self.title(from).is_none() => return LineStep::Refuted,
            '\r' => self.state = HeadingState::Return(Some(TitleMatch { from, to: 0, title: 0 })),
            ' ' | '\t' => {}
            _ if self.text.len() + char.len_utf8() - from > LONGEST => return LineStep::Refuted,
            _ => {}
        }
        LineStep::More
    }

    /// The name and kind of a header that may have any name.
    fn title(&self, from: usize) -> Option<(&str, Option<HeaderKind>)> {
        tail::split(self.text[from..].trim_end_matches('\r'))
    }

    fn known(&mut self, char: char, titles: &Titles) -> LineStep {
        let HeadingState::Known(readings) = &self.state else { return LineStep::Refuted };
        if matches!(char, '\r' | '\n') {
            let Some(found) = self.best(readings, titles) else { return LineStep::Refuted };
            if char == '\n' {
                return LineStep::Whole;
            }
            self.state = HeadingState::Return(Some(found));
            return LineStep::More;
        }
        let at = self.text.len();
        let mut next = Vec::with_capacity(readings.len() + 1);
        for reading in readings {
            reading.step(char, at, titles, &mut next);
        }
        if next.is_empty() {
            return LineStep::Refuted;
        }
        self.state = HeadingState::Known(next);
        LineStep::More
    }

    /// The first reading with the longest name, of those that may end here.
    fn best(&self, readings: &[HeadingReading], titles: &Titles) -> Option<TitleMatch> {
        let mut best: Option<TitleMatch> = None;
        for reading in readings {
            let found = match *reading {
                HeadingReading::Before => continue,
                HeadingReading::Name { at, from } if titles.ends(at.node) => {
                    TitleMatch { from, to: self.text.len(), title: at.node }
                }
                HeadingReading::Behind { tail, name } if tail.ends() => name,
                _ => continue,
            };
            if best.is_none_or(|best| found.longer_than(best)) {
                best = Some(found);
            }
        }
        best
    }

    /// The header, if the line ends here.
    pub(crate) fn end(&self, titles: &Titles) -> Option<SectionHeader> {
        let found = match &self.state {
            HeadingState::Marks | HeadingState::Lead => return None,
            HeadingState::Any { from } => return self.any_header(*from),
            HeadingState::Return(Some(found)) if titles.are_any() => {
                return self.any_header(found.from);
            }
            HeadingState::Return(found) => (*found)?,
            HeadingState::Known(readings) => self.best(readings, titles)?,
        };
        let spelling = &self.text[found.from..found.to];
        let name = titles.name(found.title, spelling);
        let (level, exact) = (self.level, name == spelling);
        Some(SectionHeader { level, name: name.to_owned(), kind: None, exact })
    }

    fn any_header(&self, from: usize) -> Option<SectionHeader> {
        let (name, kind) = self.title(from)?;
        Some(SectionHeader { level: self.level, name: name.to_owned(), kind, exact: true })
    }
}

impl TitleMatch {
    const fn longer_than(self, other: Self) -> bool {
        self.to - self.from > other.to - other.from
    }
}

impl HeadingReading {
    /// Adds the readings that continue this one with a character at a position of the line.
    fn step(self, char: char, at: usize, titles: &Titles, next: &mut Vec<Self>) {
        match self {
            Self::Before => {
                if let Some(begun) = titles.step(TitlePlace::default(), char) {
                    next.push(Self::Name { at: begun, from: at });
                }
                if matches!(char, '*' | '_' | '`') {
                    next.push(Self::Before);
                }
            }
            Self::Name { at: name, from } => {
                if let Some(longer) = titles.step(name, char) {
                    next.push(Self::Name { at: longer, from });
                }
                if titles.ends(name.node)
                    && let Some(tail) = Tail::Emphasis.step(char)
                {
                    add_behind(tail, TitleMatch { from, to: at, title: name.node }, next);
                }
            }
            Self::Behind { tail, name } => {
                if let Some(tail) = tail.step(char) {
                    add_behind(tail, name, next);
                }
            }
        }
    }
}

/// Adds a reading behind a name, unless an equivalent one with a name of at least its length exists. Two readings in a name
/// are never equivalent: that which began later has read less of it.
fn add_behind(tail: Tail, name: TitleMatch, readings: &mut Vec<HeadingReading>) {
    for reading in readings.iter_mut() {
        if let HeadingReading::Behind { tail: other, name: known } = reading
            && *other == tail
        {
            if name.longer_than(*known) {
                *known = name;
            }
            return;
        }
    }
    readings.push(HeadingReading::Behind { tail, name });
}

#[cfg(test)]
mod tests {
    use super::{HeaderKind, Heading, LineStep, Titles};

    fn read(line: &str, titles: &Titles, level: Option<u8>) -> Option<(String, u8, bool)> {
        let mut heading = Heading::new(0);
        for char in line.chars() {
            match heading.push(char, titles, level) {
                LineStep::More => {}
                LineStep::Whole => break,
                LineStep::Refuted => return None,
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
        // Both names are as long: the first counts.
        let alike = Titles::new(["c_", "_c"], true);
        assert_eq!(read("### _c_", &alike, None), Some(("_c".to_owned(), 3, true)));
        // The longer name counts, although the shorter one ended before it.
        let nested = Titles::new(["*x", "x**"], false);
        assert_eq!(read("## *x***", &nested, None), Some(("x**".to_owned(), 2, true)));
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
            assert_eq!(heading.push(char, &titles, Some(2)), LineStep::More);
        }
        let header = heading.end(&titles);
        assert_eq!(
            header.map(|it| (it.name, it.kind)),
            Some(("Data".into(), Some(HeaderKind::Json)))
        );
    }
}
