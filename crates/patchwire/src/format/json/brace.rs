//! Whether a bracket in text begins a root.

use crate::caps::Caps;
use crate::leniency::{Leniencies, Leniency};
use crate::schema::Schema;
use crate::text::is_whitespace;

/// What the judgement rests on beside the bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) slips: Leniencies,
    pub(super) schema: Option<&'a Schema>,
    pub(super) caps: Caps,
    /// A letter or digit, or something of a formula, stands before the bracket.
    pub(super) after_word: bool,
}

impl Rules<'_> {
    /// Whether `{}` in text is a root: `\frac{}{}` and `struct{}` are no payload; nor is `{}` one that
    /// lacks what is asked for.
    fn is_empty_root(&self) -> bool {
        !self.after_word && !self.schema.is_some_and(declares_keys)
    }
}

/// What was seen after a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Brace {
    /// First thing of the text or of a fence: little is asked of it.
    first: bool,
    /// First thing of its line.
    line_first: bool,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// `{` and blanks.
    Open,
    /// `{` and a slash.
    Slash,
    /// In a quoted key that began so far into what is held.
    Quoted { quote: char, escaped: bool, from: u32 },
    /// In a key without quotes.
    Name { from: u32 },
    /// After a key, in blanks.
    KeyEnd { from: u32, to: u32 },
    /// After a key the schema does not declare: looking for one that it does.
    Scan(Scan),
    /// `[` and blanks.
    List,
    /// `[` and part of a literal that began so far into what is held.
    Literal { from: u32 },
}

/// The position in JSON that is only looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Scan {
    depth: u32,
    text: Text,
    /// The last string read at the root's level, if nothing but blanks came after it.
    key: Option<(u32, u32)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Text {
    Outside,
    Inside { from: u32 },
    Escaped { from: u32 },
}

/// What one more character means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judgement {
    Hold,
    /// A root begins at the bracket.
    Root,
    /// It is text.
    Text,
    /// It is text, but may be the payload in the end.
    Candidate,
}

impl Brace {
    pub(super) const fn object(first: bool, line_first: bool) -> Self {
        Self { first, line_first, phase: Phase::Open }
    }

    pub(super) const fn list() -> Self {
        Self { first: true, line_first: true, phase: Phase::List }
    }

    /// Whether a key and its colon were read.
    pub(super) const fn is_scanning(self) -> bool {
        matches!(self.phase, Phase::Scan(_))
    }

    /// Whether the end of the input leaves something worth reading again.
    pub(super) const fn is_plausible(self) -> bool {
        !matches!(self.phase, Phase::Open | Phase::List)
    }

    /// What is decided when as much is held as may be.
    pub(super) fn at_cap(self, held: usize, rules: &Rules<'_>) -> Option<Judgement> {
        let opens = self.first && matches!(self.phase, Phase::Open | Phase::List);
        let judgement = if opens { Judgement::Root } else { Judgement::Candidate };
        self.is_capped(held, rules).then_some(judgement)
    }

    /// Whether too much is held, counting what must be held yet before a root can begin. Blanks do not
    /// count where a root may follow any number of them.
    fn is_capped(self, held: usize, rules: &Rules<'_>) -> bool {
        let caps = &rules.caps;
        match self.phase {
            Phase::Scan(_) => held >= caps.declared,
            Phase::Open | Phase::List if self.first => held >= caps.opening,
            Phase::KeyEnd { to, .. } if self.first => held - to as usize >= caps.key,
            // These have bounds of their own.
            Phase::Slash | Phase::Literal { .. } => false,
            Phase::Name { .. } if self.first => false,
            _ => held + self.least(rules) >= caps.key,
        }
    }

    /// The fewest bytes that must be held before the byte that makes a root of it.
    fn least(self, rules: &Rules<'_>) -> usize {
        match self.phase {
            Phase::Open if rules.is_empty_root() => 0,
            Phase::Open if self.names(rules) => 1,
            Phase::Open => 2,
            Phase::Quoted { quote, escaped, .. } => quote.len_utf8() + usize::from(escaped),
            _ => 0,
        }
    }

    /// Whether a key without quotes may follow.
    const fn names(self, rules: &Rules<'_>) -> bool {
        rules.slips.allow(Leniency::UnquotedKeys) && (self.first || self.line_first)
    }

    /// One more character. `held` is what came from the bracket on.
    pub(super) fn step(&mut self, char: char, held: &str, rules: Rules<'_>) -> Judgement {
        let at = held.len() as u32;
        match self.phase {
            // Backticks on a line of their own may be the payload's fence: the finder looks at them.
            Phase::Open if char == '`' && !self.first && held.contains('\n') => Judgement::Text,
            Phase::Open => self.open(char, at, rules),
            Phase::Slash if matches!(char, '/' | '*') => Judgement::Root,
            Phase::Slash => Judgement::Text,
            Phase::Quoted { quote, escaped, from } => {
                self.phase = match char {
                    _ if escaped => Phase::Quoted { quote, escaped: false, from },
                    '\\' => Phase::Quoted { quote, escaped: true, from },
                    c if c == quote => Phase::KeyEnd { from, to: at },
                    _ => Phase::Quoted { quote, escaped, from },
                };
                Judgement::Hold
            }
            Phase::Name { from } => self.name(char, from, held, rules),
            Phase::KeyEnd { from, to } => match char {
                ':' => self.key(&held[from as usize..to as usize], rules.schema),
                c if is_whitespace(c) => Judgement::Hold,
                _ => Judgement::Text,
            },
            Phase::Scan(scan) => self.scan(scan, char, held, rules.schema),
            Phase::List => self.after_bracket(char, at, rules.slips),
            Phase::Literal { from } => literal(&held[from as usize..], char, rules.slips),
        }
    }

    fn open(&mut self, char: char, at: u32, rules: Rules<'_>) -> Judgement {
        let slips = rules.slips;
        match char {
            c if is_whitespace(c) => Judgement::Hold,
            '}' if self.first || rules.is_empty_root() => Judgement::Root,
            '}' => Judgement::Text,
            '/' if self.first && slips.allow(Leniency::Comments) => {
                self.phase = Phase::Slash;
                Judgement::Hold
            }
            '#' if self.first && at > 1 && slips.allow(Leniency::Comments) => Judgement::Root,
            c => match closing_quote(c, slips) {
                Some(_) if self.first => Judgement::Root,
                Some(quote) => {
                    let from = at + c.len_utf8() as u32;
                    self.phase = Phase::Quoted { quote, escaped: false, from };
                    Judgement::Hold
                }
                None if self.names(&rules) && (c.is_alphanumeric() || matches!(c, '_' | '$')) => {
                    self.phase = Phase::Name { from: at };
                    Judgement::Hold
                }
                None => Judgement::Text,
            },
        }
    }

    fn name(&mut self, char: char, from: u32, held: &str, rules: Rules<'_>) -> Judgement {
        let name = &held[from as usize..];
        match char {
            ':' => self.key(name, rules.schema),
            c if is_whitespace(c) => {
                self.phase = Phase::KeyEnd { from, to: held.len() as u32 };
                Judgement::Hold
            }
            c if c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.') => {
                if name.len() < rules.caps.name { Judgement::Hold } else { Judgement::Text }
            }
            _ => Judgement::Text,
        }
    }

    /// A key and its colon were read.
    fn key(&mut self, key: &str, schema: Option<&Schema>) -> Judgement {
        if self.first || schema.is_none_or(|schema| is_declared(schema, key)) {
            return Judgement::Root;
        }
        self.phase = Phase::Scan(Scan { depth: 1, text: Text::Outside, key: None });
        Judgement::Hold
    }

    /// Looks through the candidate for a key the schema declares.
    fn scan(
        &mut self,
        mut scan: Scan,
        char: char,
        held: &str,
        schema: Option<&Schema>,
    ) -> Judgement {
        let at = held.len() as u32;
        match (scan.text, char) {
            (Text::Escaped { from }, _) => scan.text = Text::Inside { from },
            (Text::Inside { from }, '\\') => scan.text = Text::Escaped { from },
            (Text::Inside { from }, '"') => {
                scan.text = Text::Outside;
                scan.key = (scan.depth == 1).then_some((from, at));
            }
            (Text::Inside { .. }, _) => {}
            (Text::Outside, '"') => scan.text = Text::Inside { from: at + 1 },
            (Text::Outside, ':') => {
                let key = scan.key.take().map(|(from, to)| &held[from as usize..to as usize]);
                if key.is_some_and(|key| schema.is_none_or(|schema| is_declared(schema, key))) {
                    return Judgement::Root;
                }
            }
            (Text::Outside, '{' | '[') => scan.depth += 1,
            (Text::Outside, '}' | ']') => {
                scan.depth -= 1;
                if scan.depth == 0 {
                    return Judgement::Candidate;
                }
            }
            (Text::Outside, c) if is_whitespace(c) => {}
            (Text::Outside, _) => scan.key = None,
        }
        self.phase = Phase::Scan(scan);
        Judgement::Hold
    }

    fn after_bracket(&mut self, char: char, at: u32, rules: Leniencies) -> Judgement {
        match char {
            c if is_whitespace(c) => Judgement::Hold,
            '"' | '0'..='9' | '-' | '{' | '[' | ']' => Judgement::Root,
            '/' if rules.allow(Leniency::Comments) => {
                self.phase = Phase::Slash;
                Judgement::Hold
            }
            '#' if at > 1 && rules.allow(Leniency::Comments) => Judgement::Root,
            c if closing_quote(c, rules).is_some() => Judgement::Root,
            c if c.is_ascii_alphabetic() => {
                self.phase = Phase::Literal { from: at };
                literal("", c, rules)
            }
            _ => Judgement::Text,
        }
    }
}

const STANDARD: [&str; 3] = ["true", "false", "null"];
const FOREIGN: [&str; 6] = ["True", "False", "None", "undefined", "NaN", "Infinity"];

/// Whether a word in a list, with `char` behind it, is a whole literal or may become one.
fn literal(word: &str, char: char, rules: Leniencies) -> Judgement {
    let foreign: &[&str] = if rules.allow(Leniency::ForeignLiterals) { &FOREIGN } else { &[] };
    let mut known = STANDARD.iter().chain(foreign);
    if char.is_ascii_alphabetic() {
        let longer = |name: &&str| name.strip_prefix(word).is_some_and(|it| it.starts_with(char));
        return if known.any(longer) { Judgement::Hold } else { Judgement::Text };
    }
    let ended = is_whitespace(char) || matches!(char, ',' | ']' | '}');
    if ended && known.any(|name| *name == word) { Judgement::Root } else { Judgement::Text }
}

/// The quote that closes what `char` opens, if it opens a key.
fn closing_quote(char: char, rules: Leniencies) -> Option<char> {
    match char {
        '"' => Some('"'),
        '\'' if rules.allow(Leniency::SingleQuotes) => Some('\''),
        '`' if rules.allow(Leniency::BacktickQuotes) => Some('`'),
        _ if !rules.allow(Leniency::SmartQuotes) => None,
        '“' | '”' | '‟' => Some('”'),
        '‘' | '’' | '‛' => Some('’'),
        '„' => Some('“'),
        '‚' => Some('‘'),
        '＂' | '″' | '＇' | '′' => Some(char),
        _ => None,
    }
}

fn declares_keys(schema: &Schema) -> bool {
    schema.declares_keys(schema.root())
}

/// Whether the schema has this key at its root, or no keys at all.
fn is_declared(schema: &Schema, key: &str) -> bool {
    !declares_keys(schema) || schema.declares(schema.root(), key)
}
