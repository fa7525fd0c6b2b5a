//! Where values begin: the stack of columns, keys and dashes, anchors, tags and aliases.

use super::compose::MERGE_KEY;
use super::deferred::Deferred;
use super::emitter::PlainWant;
use super::line::is_line_end;
use super::nests::Expect;
use super::reader::DocumentReader;
use super::scalars::OpenScalar;
use super::seek::BOM;
use super::state::{LinePlace, SignRole};
use crate::codes::Code;
use crate::error::Error;
use crate::lex::Input;
use crate::lex::yaml::{BlockHeader, KeyFound, KeyProbe, decode, is_blank, is_reserved};
use crate::span::Span;

/// The longest anchor, tag, or alias with the whitespace after it, in bytes.
const LONGEST_PROPERTY: usize = 1 << 10;

/// Whether an entry that begins with this character has a key other than a plain or quoted scalar.
const fn is_complex(char: char) -> bool {
    matches!(char, '&' | '!' | '*' | '{' | '[' | '|' | '>')
}

/// Characters that no anchor name has (section 6.9.2): flow indicators and unprintable characters.
const fn is_no_name(char: char) -> bool {
    matches!(char, ',' | '[' | ']' | '{' | '}' | BOM | '\0'..' ' | '\x7F'..='\u{9F}')
}

impl DocumentReader {
    /// Reads the start of an expected value, or whitespace before it.
    pub(super) fn read_node(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let Some(char) = input.peek_char() else { return Ok(()) };
        let at = input.offset();
        let fresh = self.document.nests.is_fresh();
        if !is_blank(char) {
            self.document.held.start = at;
            self.document.held.text.clear();
        }
        match char {
            '\n' | '\r' => self.take_line_end(input),
            '#' => self.document.at = LinePlace::Rest,
            '|' | '>' => {
                self.document.held.text.push(char);
                input.pos += 1;
                self.document.at = LinePlace::Header(BlockHeader::new(char == '>'));
            }
            '[' | '{' => self.defer_brackets(),
            '&' | '!' | '*' => self.document.at = LinePlace::Property,
            '-' | '?' | ':' if fresh => {
                self.document.at = LinePlace::Sign { role: SignRole::Node, read: false };
            }
            _ if is_blank(char) => {
                input.pos += 1;
                self.document.nests.read_blank(char);
            }
            '"' | '\'' if !fresh => {
                input.pos += 1;
                self.begin_quoted(char, input.offset());
            }
            _ if fresh => self.document.at = LinePlace::Probe(KeyProbe::new(char), SignRole::Node),
            _ => self.begin_plain(char, at),
        }
        Ok(())
    }

    /// Reads a `-`, `?` or `:`, and then the character after it.
    pub(super) fn read_sign(
        &mut self,
        role: SignRole,
        read: bool,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let Some(char) = input.peek_char() else { return Ok(()) };
        if !read {
            self.document.held.start = input.offset();
            self.document.held.begin(char);
            input.pos += 1;
            self.document.at = LinePlace::Sign { role, read: true };
            return Ok(());
        }
        let sign = self.document.held.first().unwrap_or('-');
        let alone = is_blank(char) || is_line_end(char);
        let start = self.document.held.start;
        match (role, sign, alone) {
            (SignRole::Kept, _, true) => self.keep_sign(),
            (SignRole::Kept, _, false) => {
                self.document.held.read_again(input.offset());
                self.end_scalar()?;
                self.structure(sign, start)?;
            }
            (SignRole::Node, '-', true) => self.item(start)?,
            (SignRole::Node, _, true) => self.complex_node(start)?,
            (SignRole::Entry | SignRole::Root, _, true) => self.entry(sign, true, start)?,
            (SignRole::Node, _, false) if self.is_at_parent(start) => {
                // At its key's column only a dash could have begun its value.
                self.document.held.read_again(input.offset());
                self.nothing();
                self.entry(sign, false, start)?;
            }
            (SignRole::Node, _, false) => {
                self.document.held.read_again(input.offset());
                self.document.at = LinePlace::Probe(KeyProbe::new(sign), SignRole::Node);
            }
            (SignRole::Entry | SignRole::Root, _, false) => {
                self.document.held.read_again(input.offset());
                self.entry(sign, false, start)?;
            }
        }
        Ok(())
    }

    fn is_at_parent(&self, at: u64) -> bool {
        self.document.nests.parent() == Some(self.document.line.column_of(at))
    }

    /// Begins a list with the dash that was read.
    pub(super) fn item(&mut self, at: u64) -> Result<(), Error> {
        let expect = self.document.nests.take_expected();
        self.note_indent(&expect, at);
        self.emitter.open(true, at)?;
        let document = &mut self.document;
        document.nests.push(true, document.line.column_of(at));
        self.expect_item(at);
        Ok(())
    }

    /// Expects a value after a dash.
    fn expect_item(&mut self, dash: u64) {
        self.document.nests.expect_item(dash);
        self.document.at = LinePlace::Node;
    }

    /// Notes a tab before a mapping or list that begins on its line.
    fn note_indent(&mut self, expect: &Expect, at: u64) {
        if expect.tab {
            self.emitter.notice(Code::YamlTab, Span::at(at));
        }
    }

    /// Opens a mapping whose first key is not a plain or quoted scalar.
    fn complex_node(&mut self, at: u64) -> Result<(), Error> {
        self.document.nests.take_expected();
        self.emitter.open(false, at)?;
        let document = &mut self.document;
        document.nests.push(false, document.line.column_of(at));
        self.defer_entry();
        Ok(())
    }

    /// Keeps the text that follows.
    fn defer(&mut self, deferred: Deferred) {
        if deferred.is_value() {
            self.document.nests.take_expected();
        }
        let deferred = deferred.with_want(self.emitter.want());
        self.document.scalar = OpenScalar::Deferred(deferred);
        self.document.at = LinePlace::Text;
        self.document.frame.begun = true;
    }

    fn defer_brackets(&mut self) {
        self.defer(Deferred::brackets(self.document.held.start, self.bounds.deferred));
    }

    fn defer_node(&mut self) {
        self.defer(Deferred::node(&self.document, self.bounds.deferred));
    }

    fn defer_entry(&mut self) {
        self.defer(Deferred::entry(&self.document, self.bounds.deferred));
    }

    /// Keeps the whole document, which begins with the held text.
    pub(super) fn defer_document(&mut self) {
        self.defer(Deferred::document(&self.document, self.bounds.deferred));
    }

    /// Ends the expectation of a value: it is missing.
    pub(super) fn nothing(&mut self) {
        if let Some(expect) = self.document.nests.expect.take() {
            self.emitter.plain("", PlainWant::Any, expect.end);
        }
    }

    /// Begins an entry with this character. `alone`: whether it is an indicator with whitespace after it.
    pub(super) fn entry(&mut self, char: char, alone: bool, at: u64) -> Result<(), Error> {
        let column = self.document.line.column_of(at);
        if self.document.nests.open.is_empty() {
            if alone || is_complex(char) {
                self.defer_document();
            } else {
                self.document.at = LinePlace::Probe(KeyProbe::new(char), SignRole::Root);
            }
            return Ok(());
        }
        let dash = alone && char == '-';
        self.leave_deeper(column, dash)?;
        let Some(nest) = self.document.nests.last() else { return Ok(()) };
        if nest.column != column {
            self.emitter.notice(Code::YamlBadIndent, Span::at(at));
        }
        match (nest.list, dash) {
            (true, _) => self.expect_item(at),
            (false, true) => self.stray(at),
            (false, false) if alone || is_complex(char) => self.defer_entry(),
            (false, false) => {
                self.document.at = LinePlace::Probe(KeyProbe::new(char), SignRole::Entry)
            }
        }
        Ok(())
    }

    /// Closes the collections that a line at this column does not belong to.
    fn leave_deeper(&mut self, column: u64, dash: bool) -> Result<(), Error> {
        let nests = &self.document.nests;
        self.close_down_to(nests.open.len() - nests.left_by(column, dash))
    }

    /// Notes a line that belongs to nothing.
    pub(super) fn stray(&mut self, at: u64) {
        self.emitter.notice(Code::StrayText, Span::at(at));
        self.document.at = LinePlace::Rest;
    }

    /// Reads a possible key.
    pub(super) fn read_probe(
        &mut self,
        probe: KeyProbe,
        role: SignRole,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let mut probe = probe;
        while let Some(char) = input.peek_char() {
            match probe.push((!is_line_end(char)).then_some(char)) {
                KeyFound::More => {
                    self.document.held.text.push(char);
                    input.pos += char.len_utf8();
                    self.document.at = LinePlace::Probe(probe, role);
                }
                KeyFound::Key => return self.key(probe.is_quoted(), role, input.offset()),
                KeyFound::Scalar => {
                    self.no_key(role, input.offset());
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Begins a member: the held text is a key with its colon.
    pub(super) fn key(&mut self, quoted: bool, role: SignRole, end: u64) -> Result<(), Error> {
        let held = core::mem::take(&mut self.document.held.text);
        let text = held.strip_suffix(':').unwrap_or(&held).trim_end_matches(is_blank);
        let span = Span::new(self.document.held.start, end);
        let (name, codes) = if quoted { decode(text) } else { (text.to_owned(), Vec::new()) };
        if role != SignRole::Entry {
            self.open_mapping(role, span.start)?;
        }
        if !quoted && name == MERGE_KEY && self.document.nests.open.len() == 1 {
            self.document.held.text = held;
            self.defer_entry();
            return Ok(());
        }
        if held.starts_with(is_reserved) {
            self.emitter.notice(Code::YamlReserved, span);
        }
        for code in codes {
            self.emitter.notice(code, span);
        }
        self.emitter.key(&name, span)?;
        self.document.nests.expect_member(end);
        self.document.at = LinePlace::Node;
        Ok(())
    }

    /// Begins a mapping with the key at this offset.
    fn open_mapping(&mut self, role: SignRole, at: u64) -> Result<(), Error> {
        let expect = self.document.nests.take_expected();
        self.note_indent(&expect, at);
        let document = &mut self.document;
        let line = &document.line;
        let column = if role == SignRole::Root { line.column() } else { line.column_of(at) };
        document.nests.push(false, column);
        document.frame.begun = true;
        self.emitter.open(false, at)
    }

    /// Begins a value: the held text is no key.
    fn no_key(&mut self, role: SignRole, end: u64) {
        match role {
            SignRole::Entry | SignRole::Kept => self.stray(self.document.held.start),
            SignRole::Root => self.defer_document(),
            SignRole::Node => self.begin_held(end),
        }
    }

    /// Begins a plain or quoted scalar with the held text, which ends at `end`.
    pub(super) fn begin_held(&mut self, end: u64) {
        let first = self.document.held.first().unwrap_or(' ');
        if matches!(first, '"' | '\'') {
            self.document.held.text.remove(0);
            let start = self.document.held.start + 1;
            self.document.held.read_again(end);
            self.begin_quoted(first, start);
        } else {
            self.document.held.read_again(end);
            self.begin_plain(first, self.document.held.start);
        }
    }

    /// Reads an anchor, a tag or an alias.
    pub(super) fn read_property(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        while let Some(char) = input.peek_char() {
            if is_blank(char) || is_line_end(char) {
                self.property(input.offset());
                return Ok(());
            }
            let held = &mut self.document.held.text;
            held.push(char);
            let known = !held.starts_with('*') || self.emitter.anchors.begins(&held[1..]);
            if !known || held.len() > LONGEST_PROPERTY {
                held.pop();
                self.property_is_text(char, input.offset());
                return Ok(());
            }
            input.pos += char.len_utf8();
        }
        Ok(())
    }

    /// Handles the held anchor, tag or alias, which is complete.
    fn property(&mut self, end: u64) {
        let (sign, name) = self.document.held.text.split_at(1);
        let is_anchor = sign == "&" && !name.is_empty() && !name.contains(is_no_name);
        match sign {
            "!" | "&" if self.document.without_properties && (sign == "!" || is_anchor) => {
                self.document.at = LinePlace::Node;
            }
            "!" => self.defer_node(),
            "&" if is_anchor => self.defer_node(),
            "*" if self.is_alias() => self.document.at = LinePlace::Alias,
            _ => self.property_is_text(' ', end),
        }
    }

    /// Begins a plain scalar with the held text and the next character.
    fn property_is_text(&mut self, next: char, end: u64) {
        let start = self.document.held.start;
        let first = self.document.held.first().unwrap_or(next);
        let code = if first == '*' { Code::YamlUnknownAlias } else { Code::YamlReserved };
        self.emitter.notice(code, Span::new(start, end));
        self.document.held.read_again(end);
        // A colon makes no key here: it would be part of the name.
        self.begin_plain('x', start);
    }

    /// After an alias that has a value: only a comment may follow.
    pub(super) fn read_behind_alias(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        while let Some(char) = input.peek_char() {
            let held = &mut self.document.held.text;
            if is_line_end(char) || char == '#' && held.ends_with(is_blank) {
                self.emit_alias()?;
                self.document.at = LinePlace::Rest;
                return Ok(());
            }
            if !is_blank(char) || held.len() > LONGEST_PROPERTY {
                self.property_is_text(char, input.offset());
                return Ok(());
            }
            held.push(char);
            input.pos += 1;
        }
        Ok(())
    }

    /// Whether the held text is an alias of a known anchor.
    pub(super) fn is_alias(&self) -> bool {
        self.held_alias().is_some()
    }

    fn held_alias(&self) -> Option<usize> {
        let name = self.document.held.text.trim_end_matches(is_blank).strip_prefix('*')?;
        self.emitter.anchors.find(name)
    }

    /// Emits the value of the held alias.
    pub(super) fn emit_alias(&mut self) -> Result<(), Error> {
        let Some(value) = self.held_alias() else { return Ok(()) };
        let held = core::mem::take(&mut self.document.held.text);
        let end = self.document.held.start + held.trim_end_matches(is_blank).len() as u64;
        self.document.nests.take_expected();
        self.emitter.alias(value, end)
    }
}
