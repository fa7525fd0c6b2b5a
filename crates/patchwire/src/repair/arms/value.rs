//! Before a value.

use super::super::costs::Slip;
use super::super::source::{LOOK, continues_name, is_any_quote};
use super::super::stack::Container;
use super::super::state::{Place, Quote, Quoted, Reading, Resume, Role, State};
use super::super::trace::{Range, RepairEvent};
use super::RepairMachine;

impl RepairMachine<'_> {
    /// At a value.
    pub(super) fn value(&mut self, reading: Reading, place: Place, skipping: bool, char: char) {
        if self.blank(reading, char) || self.opens_comment(reading, Resume::Value(place), char) {
            return;
        }
        let closes = matches!(char, '}' | ']' | '｝' | '］' | ')');
        let reading = if closes || skipping { reading } else { self.child(reading) };
        let next = self.source.visible_from(self.at + char.len_utf8());
        if self.source.has(self.at, "```")
            && matches!(place, Place::Next | Place::Member)
            && self.begins_line()
        {
            self.fence_before_value(reading, place);
        }
        self.missing_opener(reading, place, char);
        match char {
            '{' | '｛' => {
                self.open(reading, Container::Object, char.len_utf8());
                if next.is_some_and(is_any_quote) || self.source.has_items_next(self.at + 1) {
                    self.open_with(reading, Slip::Set, Container::Set, char.len_utf8());
                }
                self.placeholder(reading, place);
            }
            '[' | '［' => self.open(reading, Container::List, char.len_utf8()),
            '}' | ']' | '｝' | '］' => self.close_before_value(reading, place, char),
            ')' if self.stacks.top(reading.stack) == Some(Container::Tuple) => {
                self.close_before_value(reading, place, char);
            }
            ',' | '，' => self.comma_before_value(reading, place, char),
            _ if self.opens_quote(char) => self.quote_or_junk(reading, place, skipping, char),
            _ => self.word_or_junk(reading, place, skipping, char),
        }
    }

    /// The fence around the root ends where a value is due.
    fn fence_before_value(&mut self, reading: Reading, place: Place) {
        if place != Place::Member {
            return self.fence_end(reading);
        }
        if let Some(reading) = self.slip(reading, Slip::EndValue) {
            let reading = self.event(reading, RepairEvent::NoValue);
            self.fence_end(reading);
        }
    }

    /// Members or items begin although nothing opened their container.
    fn missing_opener(&mut self, reading: Reading, place: Place, char: char) {
        let is_quote = matches!(char, '"' | '\'');
        if is_quote && self.source.after_member_name(self.at).is_some() {
            self.open_with(reading, Slip::MissingOpen, Container::Object, 0);
        }
        if place == Place::Member && self.source.has_items(self.at) {
            self.open_with(reading, Slip::MissingOpen, Container::List, 0);
        }
    }

    /// A placeholder of a template in braces is text.
    fn placeholder(&mut self, reading: Reading, place: Place) {
        let end = self.source.after_placeholder(self.at).filter(|_| place != Place::Root);
        let reading = end.and_then(|_| self.slip(reading, Slip::Placeholder));
        if let (Some(end), Some(reading)) = (end, reading) {
            let range = Range { start: self.at as u32, end: end as u32 };
            let reading = self.event(reading, RepairEvent::Bare(range));
            self.pass(reading, end - self.at, Resume::After { newline: false });
        }
    }

    /// Whether only whitespace comes before the position on its line.
    fn begins_line(&self) -> bool {
        let mut before =
            (0..LOOK.min(self.at)).map_while(|len| self.source.char_before(self.at - len));
        before.find(|char| !matches!(char, ' ' | '\t')) == Some('\n')
    }

    fn open_with(&mut self, reading: Reading, slip: Slip, container: Container, ahead: usize) {
        if let Some(reading) = self.slip(reading, slip) {
            self.open(reading, container, ahead);
        }
    }

    /// A closer where a value is due.
    fn close_before_value(&mut self, reading: Reading, place: Place, char: char) {
        match place {
            Place::Root => {}
            Place::First => self.close(reading, char),
            Place::Next => {
                if let Some(reading) = self.slip(reading, Slip::TrailingComma) {
                    self.close(reading, char);
                }
            }
            Place::Member => {
                if let Some(reading) = self.slip(reading, Slip::EmptyValue) {
                    let reading = self.event(reading, RepairEvent::NoValue);
                    self.close(Reading { state: State::AFTER, ..reading }, char);
                }
            }
        }
    }

    fn comma_before_value(&mut self, reading: Reading, place: Place, char: char) {
        match place {
            Place::Root => {}
            Place::Member => {
                self.go_with(reading, Slip::ExtraComma, char.len_utf8(), reading.state);
                if let Some(reading) = self.slip(reading, Slip::EmptyValue) {
                    let reading = self.event(reading, RepairEvent::NoValue);
                    self.go(reading, 0, State::AFTER);
                }
            }
            Place::First | Place::Next => {
                self.go_with(reading, Slip::ExtraComma, char.len_utf8(), reading.state);
            }
        }
    }

    fn quote_or_junk(&mut self, reading: Reading, place: Place, skipping: bool, char: char) {
        let is_tight = skipping && self.source.char_before(self.at).is_some_and(continues_name);
        let text = if is_tight { self.slips(reading, Slip::JunkMore, 5) } else { Some(reading) };
        if let Some(text) = text {
            self.open_quotes(text, Role::Value, char);
        }
        if place == Place::First
            && self.may_leave_list(reading, 0)
            && let Some(left) = self.slip(reading, Slip::MissingClose)
        {
            let left = self.pop(left);
            self.go(left, 0, State::Key { first: false, skipping: false });
        }
        let in_list = self.stacks.top(reading.stack) == Some(Container::List);
        let is_root = place == Place::Root;
        if (in_list || is_root) && self.source.may_be_key(self.at) {
            self.open_with(reading, Slip::ImpliedObject, Container::Implied, 0);
        }
        if skipping {
            self.junk(reading, true, reading.state);
        }
    }

    fn word_or_junk(&mut self, reading: Reading, place: Place, skipping: bool, char: char) {
        let ellipsis = self.ellipsis(char);
        if ellipsis > 0
            && place != Place::Root
            && let Some(mut reading) = self.slip(reading, Slip::Ellipsis)
        {
            if place == Place::Member {
                reading = self.event(reading, RepairEvent::NoValue);
            }
            self.go(reading, ellipsis, State::AFTER);
        }
        if char == '(' {
            self.open_with(reading, Slip::Tuple, Container::Tuple, 1);
        }
        let is_prefix = matches!(char, 'f' | 'F' | 'r' | 'R' | 'b' | 'B' | 'u' | 'U');
        let quote = self.source.byte(self.at + 1).filter(|_| is_prefix);
        if matches!(quote, Some(b'"' | b'\'')) {
            self.go_with(reading, Slip::QuotePrefix, 1, reading.state);
        }
        let is_inside = skipping && self.source.char_before(self.at).is_some_and(continues_name);
        // A text without quotes that has a single one right behind its first letter is rare.
        let bare = self.slips(reading, Slip::BareQuote, u32::from(quote == Some(b'\'')));
        if let Some(bare) = bare
            && !(matches!(char, ':' | '=' | ';' | ')') || (char == '>' && !self.is_bound()))
            && !is_inside
        {
            self.open_bare(bare, char);
        }
        if place != Place::Root {
            self.emphasis(reading, char);
            self.junk(reading, skipping, State::Value { place, skipping: true });
        }
    }

    /// Whether a sign and a number are a bound, such as `>5`.
    fn is_bound(&self) -> bool {
        let at = self.at + 1 + usize::from(self.source.has(self.at + 1, "="));
        self.source.byte(at).is_some_and(|byte| byte.is_ascii_digit())
    }

    /// Whether a string may open here. A kind of quotes that is not allowed opens none: it is text.
    pub(super) fn opens_quote(&self, char: char) -> bool {
        let slip = match char {
            '"' => None,
            '\'' if self.source.has(self.at, "'''") => Some(Slip::TripleQuotes),
            '\'' => Some(Slip::SingleQuotes),
            '`' => Some(Slip::BacktickQuotes),
            '\\' if self.source.has(self.at, "\\\"") => Some(Slip::EscapedQuotes),
            '&' if self.source.has(self.at, "&quot;") => Some(Slip::EntityQuotes),
            _ if is_any_quote(char) => Some(Slip::SmartQuotes),
            _ => return false,
        };
        slip.is_none_or(|slip| slip.is_allowed(self.options.leniencies))
    }

    /// A string opens, in each kind of quotes that it may be in.
    pub(super) fn open_quotes(&mut self, reading: Reading, role: Role, char: char) {
        let at = self.at;
        let far = |len: usize| {
            !matches!(self.source.visible_from(at + len), None | Some(',' | '}' | ']' | ':'))
        };
        let (plain, len, slip) = match char {
            '"' => (Quote::Double, 1, None),
            '\'' => (Quote::Single, 1, Some(Slip::SingleQuotes)),
            '`' => (Quote::Backtick, 1, Some(Slip::BacktickQuotes)),
            '‘' | '’' | '‚' | '´' => {
                (Quote::SmartSingle, char.len_utf8(), Some(Slip::SmartQuotes))
            }
            '\\' => (Quote::Escaped, 2, Some(Slip::EscapedQuotes)),
            '&' => (Quote::Entity, 6, Some(Slip::EntityQuotes)),
            _ => (Quote::SmartDouble, char.len_utf8(), Some(Slip::SmartQuotes)),
        };
        let other = match char {
            '"' if self.source.has(at, "\"\"\"") => {
                Some((Quote::TripleDouble, 3, Slip::TripleQuotes))
            }
            '"' if self.source.has(at, "\"\"") && far(2) => {
                Some((Quote::Doubled, 2, Slip::DoubledQuotes))
            }
            '\'' if self.source.has(at, "'''") => {
                Some((Quote::TripleSingle, 3, Slip::TripleQuotes))
            }
            '\'' if self.source.has(at, "''") && far(2) => {
                Some((Quote::DoubledSingle, 2, Slip::DoubledQuotes))
            }
            '`' if self.source.has(at, "```") && !self.source.has(at + 3, "<") => {
                Some((Quote::Fence, 3, Slip::FenceQuotes))
            }
            _ => None,
        };
        if let Some((quote, len, slip)) = other {
            let state = self.text_from(quote, role, len);
            let doubled = matches!(quote, Quote::Doubled | Quote::DoubledSingle);
            let is_new = reading.habits & Slip::DoubledQuotes.habit() == 0;
            let lone = u32::from(doubled && is_new && role == Role::Value);
            if let Some(reading) = self.slips(reading, Slip::DoubledValue, lone) {
                self.go_with(reading, slip, len, state);
            }
        }
        if char == '"' {
            self.open_odd(reading, role);
        }
        let state = self.text_from(plain, role, len);
        match slip {
            // Three backticks are no pair of quotes and one more.
            _ if matches!(other, Some((Quote::Fence, ..))) => {}
            Some(slip) => self.go_with(reading, slip, len, state),
            None => self.go(reading, len, state),
        }
    }

    /// A string opens with a quote too many, or it holds JSON whose quotes are not escaped.
    fn open_odd(&mut self, reading: Reading, role: Role) {
        let next = self.source.visible_from(self.at + 2);
        if self.source.has(self.at, "\"\"") && next.is_some_and(char::is_alphanumeric) {
            self.go_with(reading, Slip::StrayQuote, 2, self.text_from(Quote::Double, role, 2));
        }
        let opens = self.source.visible_from(self.at + 1);
        if role == Role::Value && matches!(opens, Some('{' | '[')) && self.holds_json() {
            let state = self.text_from(Quote::Nested, role, 1);
            self.go_with(reading, Slip::NestedJson, 1, state);
        }
    }

    /// Whether a bracket and a quote, or two brackets, begin the string at the position.
    fn holds_json(&self) -> bool {
        let bracket = |at: &usize| matches!(self.source.byte(*at), Some(b'{' | b'['));
        let at = (self.at..self.at + LOOK).find(bracket);
        let next = at.and_then(|at| self.source.visible_from(at + 1));
        matches!(next, Some('"' | '{' | '['))
    }

    fn text_from(&self, quote: Quote, role: Role, len: usize) -> State {
        State::Quoted(Quoted { quote, role, start: (self.at + len) as u32, inner: 0, balance: 0 })
    }
}
