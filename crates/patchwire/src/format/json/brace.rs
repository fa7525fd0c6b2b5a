//! Decides whether a bracket in text begins a root.

use crate::caps::Caps;
use crate::leniency::{Leniencies, Leniency};
use crate::lex::json::scalar;
use crate::schema::Schema;
use crate::text::{is_unicode_space, is_whitespace};

/// What the decision depends on, other than the bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) slips: Leniencies,
    pub(super) schema: Option<&'a Schema>,
    pub(super) caps: Caps,
    /// Whether a letter, a digit or part of a formula precedes the bracket.
    pub(super) after_word: bool,
}

impl Rules<'_> {
    /// Whether `{}` in text is a root. In `\frac{}{}` and `struct{}` it is not, nor is it if it lacks a
    /// required field.
    fn is_empty_root(&self) -> bool {
        !self.after_word && !self.schema.is_some_and(declares_keys)
    }
}

/// Where a `[` stands, which decides how much must follow before it opens a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListStart {
    /// First in the text or a fence, or the schema wants a list: one item must begin.
    First,
    /// First in a fence that names JSON, or in the text if the schema has nothing but a list: an item without
    /// quotes may begin, too.
    Fenced,
    /// After prose: a string, a scalar with a comma, an object's key or another such list must follow.
    Prose,
}

/// The bytes seen after a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Brace {
    /// Whether the bracket begins the text or a fence: then fewer bytes are needed to accept it.
    first: bool,
    /// Whether the bracket begins its line, as the first one in a text or a fence does.
    line_first: bool,
    /// Where the bracket stands, if it is not `{`.
    list: ListStart,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// After `{` and whitespace.
    Open,
    /// After `{` and a slash.
    Slash,
    /// In a quoted key, which begins at this position of the held text.
    Quoted { quote: char, escaped: bool, from: u32 },
    /// In an unquoted key, which begins at this position.
    Name { from: u32 },
    /// After a key, in whitespace.
    KeyEnd { from: u32, to: u32 },
    /// After a key that the schema does not declare: looking for a declared one.
    Scan(Scan),
    /// After `[` and whitespace.
    List,
    /// In a literal after `[`, which begins at this position of the held text.
    Literal { from: u32 },
    /// In a number after a `[` in prose, which begins at this position.
    Number { from: u32 },
    /// After a first item in prose, in whitespace.
    ItemEnd,
    /// After `[` and a `+` or points.
    Sign,
}

/// The position in JSON that is searched for a declared key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Scan {
    depth: u32,
    text: Text,
    /// The last string at the root's level, if only whitespace followed it.
    key: Option<(u32, u32)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Text {
    Outside,
    Inside { from: u32 },
    Escaped { from: u32 },
}

/// What a character decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judgement {
    Hold,
    /// A root begins at the bracket.
    Root,
    /// The bracket is text.
    Text,
    /// The bracket is text for now. The finalizer may still choose it as the payload.
    Candidate,
}

impl Brace {
    pub(super) const fn object(first: bool, line_first: bool) -> Self {
        Self { first, line_first, list: ListStart::First, phase: Phase::Open }
    }

    pub(super) const fn list(list: ListStart) -> Self {
        let first = !matches!(list, ListStart::Prose);
        Self { first, line_first: true, list, phase: Phase::List }
    }

    /// Whether a key and its colon were read already.
    pub(super) const fn is_scanning(self) -> bool {
        matches!(self.phase, Phase::Scan(_))
    }

    /// Whether the held bytes are worth reading again if the input ends here.
    pub(super) const fn is_plausible(self) -> bool {
        !matches!(
            self.phase,
            Phase::Open | Phase::List | Phase::Number { .. } | Phase::ItemEnd | Phase::Sign
        )
    }

    /// The decision at the cap; none if the held bytes are below it.
    pub(super) fn at_cap(self, held: usize, rules: &Rules<'_>) -> Option<Judgement> {
        let opens = self.first && matches!(self.phase, Phase::Open | Phase::List);
        let judgement = if opens { Judgement::Root } else { Judgement::Candidate };
        self.is_capped(held, rules).then_some(judgement)
    }

    /// Whether the held bytes exceed the cap, including the bytes that a root needs before it can be
    /// accepted. Whitespace does not count where any amount of it may precede a root.
    fn is_capped(self, held: usize, rules: &Rules<'_>) -> bool {
        let caps = &rules.caps;
        match self.phase {
            Phase::Scan(_) => held >= caps.declared,
            Phase::Open | Phase::List if self.first => held >= caps.opening,
            Phase::KeyEnd { to, .. } if self.first => held - to as usize >= caps.key,
            // These phases have bounds of their own.
            Phase::Slash | Phase::Literal { .. } | Phase::Sign => false,
            Phase::Name { .. } if self.first => false,
            _ => held + self.least(rules) >= caps.key,
        }
    }

    /// The least number of bytes that are held before a byte can make the bracket a root.
    fn least(self, rules: &Rules<'_>) -> usize {
        match self.phase {
            Phase::Open if rules.is_empty_root() => 0,
            Phase::Open if self.names(rules) => 1,
            Phase::Open => 2,
            Phase::Quoted { quote, escaped, .. } => quote.len_utf8() + usize::from(escaped),
            _ => 0,
        }
    }

    /// Whether an item without quotes may follow. A remark in round brackets is no list.
    fn may_be_bare(self, held: &str) -> bool {
        self.list == ListStart::Fenced && held.starts_with('[')
    }

    /// Whether an unquoted key may follow.
    const fn names(self, rules: &Rules<'_>) -> bool {
        rules.slips.allow(Leniency::UnquotedKeys) && self.line_first
    }

    /// Reads one more character. `held` is the text from the bracket on.
    pub(super) fn step(&mut self, char: char, held: &str, rules: Rules<'_>) -> Judgement {
        let at = held.len() as u32;
        match self.phase {
            // Backticks that begin a line may be the payload's fence: the finder reads them.
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
                c if is_blank(c, rules.slips) => Judgement::Hold,
                _ => Judgement::Text,
            },
            Phase::Scan(scan) => self.scan(scan, char, held, rules.schema),
            Phase::List if self.list == ListStart::Prose => self.list_in_prose(char, held, rules),
            Phase::List => self.after_bracket(char, held, rules.slips),
            Phase::Literal { from } => match literal(&held[from as usize..], char, rules.slips) {
                Judgement::Root if self.list == ListStart::Prose => {
                    self.after_item(char, held, rules.slips)
                }
                judgement => judgement,
            },
            Phase::Number { .. } if char.is_ascii_alphanumeric() || "+-.".contains(char) => {
                Judgement::Hold
            }
            Phase::Number { from } => match scalar(&held[from as usize..]) {
                Some(_) => self.after_item(char, held, rules.slips),
                None => Judgement::Text,
            },
            Phase::ItemEnd => self.after_item(char, held, rules.slips),
            Phase::Sign => after_sign(char, held, rules.slips),
        }
    }

    fn open(&mut self, char: char, at: u32, rules: Rules<'_>) -> Judgement {
        let slips = rules.slips;
        match char {
            c if is_blank(c, slips) => Judgement::Hold,
            ',' if self.first && slips.allow(Leniency::ExtraCommas) => Judgement::Hold,
            // Members as the items of a Markdown list.
            '-' | '*' if self.first && slips.allow(Leniency::UnexpectedText) => Judgement::Hold,
            '}' if self.first || rules.is_empty_root() => Judgement::Root,
            '}' => Judgement::Text,
            ']' if self.first && slips.allow(Leniency::MismatchedClosers) => Judgement::Root,
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
            c if is_blank(c, rules.slips) => {
                self.phase = Phase::KeyEnd { from, to: held.len() as u32 };
                Judgement::Hold
            }
            // The quote that closes a key without an opener.
            '"' if !name.is_empty() && rules.slips.allow(Leniency::UnexpectedText) => {
                self.phase = Phase::KeyEnd { from, to: held.len() as u32 };
                Judgement::Hold
            }
            c if c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.') => {
                if name.len() < rules.caps.name { Judgement::Hold } else { Judgement::Text }
            }
            _ => Judgement::Text,
        }
    }

    /// After a key and its colon.
    fn key(&mut self, key: &str, schema: Option<&Schema>) -> Judgement {
        if self.first || schema.is_none_or(|schema| is_declared(schema, key)) {
            return Judgement::Root;
        }
        self.phase = Phase::Scan(Scan { depth: 1, text: Text::Outside, key: None });
        Judgement::Hold
    }

    /// Searches the candidate for a key that the schema declares.
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
            (Text::Outside, c) if is_whitespace(c) || is_unicode_space(c) => {}
            (Text::Outside, _) => scan.key = None,
        }
        self.phase = Phase::Scan(scan);
        Judgement::Hold
    }

    /// After a `[` in prose and whitespace. `[note]`, `[1]` and `[x](y)` stay text.
    fn list_in_prose(&mut self, char: char, held: &str, rules: Rules<'_>) -> Judgement {
        let from = held.len() as u32;
        self.phase = match char {
            c if is_blank(c, rules.slips) => Phase::List,
            '"' => return Judgement::Root,
            '\'' if rules.slips.allow(Leniency::SingleQuotes) => return Judgement::Root,
            '[' => Phase::List,
            '{' => Phase::Open,
            '-' | '0'..='9' => Phase::Number { from },
            c if c.is_ascii_alphabetic() => {
                self.phase = Phase::Literal { from };
                return literal("", c, rules.slips);
            }
            _ => return Judgement::Text,
        };
        Judgement::Hold
    }

    /// After the first scalar of a list in prose.
    fn after_item(&mut self, char: char, held: &str, slips: Leniencies) -> Judgement {
        match char {
            ',' => Judgement::Root,
            ']' if held[1..].contains('[') => Judgement::Root,
            c if is_blank(c, slips) => {
                self.phase = Phase::ItemEnd;
                Judgement::Hold
            }
            _ => Judgement::Text,
        }
    }

    fn after_bracket(&mut self, char: char, held: &str, rules: Leniencies) -> Judgement {
        let at = held.len() as u32;
        match char {
            c if is_blank(c, rules) => Judgement::Hold,
            '"' | '0'..='9' | '-' | '{' | '[' | ']' => Judgement::Root,
            '}' if held.starts_with('[') && rules.allow(Leniency::MismatchedClosers) => {
                Judgement::Root
            }
            '/' if rules.allow(Leniency::Comments) => {
                self.phase = Phase::Slash;
                Judgement::Hold
            }
            '#' if at > 1 && rules.allow(Leniency::Comments) => Judgement::Root,
            ',' if rules.allow(Leniency::ExtraCommas) => Judgement::Hold,
            '+' | '.' if rules.allow(Leniency::ForeignNumbers) => {
                self.phase = Phase::Sign;
                Judgement::Hold
            }
            c if self.may_be_bare(held) && (c.is_alphabetic() || c == '_') => {
                let bare = rules.allow(Leniency::UnquotedValues);
                if bare { Judgement::Root } else { Judgement::Text }
            }
            c if closing_quote(c, rules).is_some() => Judgement::Root,
            c if c.is_ascii_alphabetic() => {
                self.phase = Phase::Literal { from: at };
                literal("", c, rules)
            }
            _ => Judgement::Text,
        }
    }
}

/// After `[` and a `+` or points: a number, or items that were left out before others.
fn after_sign(char: char, held: &str, slips: Leniencies) -> Judgement {
    let points = held.len() - held.trim_end_matches('.').len();
    match char {
        '0'..='9' if points < 2 => Judgement::Root,
        '.' if (1..3).contains(&points) && slips.allow(Leniency::Ellipses) => Judgement::Hold,
        ',' if points == 3 => Judgement::Root,
        _ => Judgement::Text,
    }
}

fn is_blank(char: char, slips: Leniencies) -> bool {
    is_whitespace(char) || is_unicode_space(char) && slips.allow(Leniency::UnicodeSpaces)
}

const STANDARD: [&str; 3] = ["true", "false", "null"];
const FOREIGN: [&str; 6] = ["True", "False", "None", "undefined", "NaN", "Infinity"];

/// Whether a word in a list, followed by `char`, is a complete literal or may become one.
fn literal(word: &str, char: char, rules: Leniencies) -> Judgement {
    let foreign: &[&str] = if rules.allow(Leniency::ForeignLiterals) { &FOREIGN } else { &[] };
    let mut known = STANDARD.iter().chain(foreign);
    if char.is_ascii_alphabetic() {
        let longer = |name: &&str| name.strip_prefix(word).is_some_and(|it| it.starts_with(char));
        return if known.any(longer) { Judgement::Hold } else { Judgement::Text };
    }
    let ended = is_blank(char, rules) || matches!(char, ',' | ']' | '}');
    if ended && known.any(|name| *name == word) { Judgement::Root } else { Judgement::Text }
}

/// The quote that closes a key opened by `char`, if `char` opens one.
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

/// Whether the schema declares the key at its root, or has no keys at all.
fn is_declared(schema: &Schema, key: &str) -> bool {
    !declares_keys(schema) || schema.declares(schema.root(), key)
}

#[cfg(test)]
mod tests;
