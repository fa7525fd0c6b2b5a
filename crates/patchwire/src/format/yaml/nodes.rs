//! Where values begin: the stack of columns, keys and dashes, anchors, tags and aliases.

use super::YamlFormat;
use super::compose::MERGE_KEY;
use super::emitter::PlainWant;
use super::lines::is_line_end;
use super::seek::BOM;
use super::state::{Expect, LinePlace, Nest, SignRole};
use crate::codes::Code;
use crate::error::Error;
use crate::lex::Input;
use crate::lex::yaml::{BlockHeader, KeyFound, KeyProbe, decode, is_blank, is_reserved};
use crate::span::Span;

/// The longest anchor, tag, or alias with the whitespace after it, in bytes.
const LONGEST_PROPERTY: usize = 1 << 10;

/// Whether an entry of a mapping that begins so is no key of one word.
const fn is_complex(char: char) -> bool {
    matches!(char, '&' | '!' | '*' | '{' | '[' | '|' | '>')
}

/// Characters that no anchor name has (section 6.9.2): flow indicators and unprintable characters.
const fn is_no_name(char: char) -> bool {
    matches!(char, ',' | '[' | ']' | '{' | '}' | BOM | '\0'..' ' | '\x7F'..='\u{9F}')
}

impl YamlFormat {
    /// Reads the start of an expected value, or whitespace before it.
    pub(super) fn read_node(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let Some(char) = input.peek_char() else { return Ok(()) };
        let at = input.offset();
        let fresh = self.document.expect.as_ref().is_some_and(|expect| expect.fresh);
        if !is_blank(char) {
            self.document.start = at;
            self.document.held.clear();
        }
        match char {
            '\n' | '\r' => self.take_line_end(input),
            '#' => self.document.at = LinePlace::Rest,
            '|' | '>' => {
                self.document.held.push(char);
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
                if let Some(expect) = &mut self.document.expect {
                    expect.tab |= char == '\t';
                }
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
            self.document.start = input.offset();
            self.document.held.clear();
            self.document.held.push(char);
            input.pos += 1;
            self.document.at = LinePlace::Sign { role, read: true };
            return Ok(());
        }
        let sign = self.document.held.chars().next().unwrap_or('-');
        let alone = is_blank(char) || is_line_end(char);
        let start = self.document.start;
        match (role, sign, alone) {
            (SignRole::Kept, _, true) => self.keep_sign(),
            (SignRole::Kept, _, false) => {
                self.read_held_again(input.offset());
                self.end_scalar()?;
                self.structure(sign, start)?;
            }
            (SignRole::Node, '-', true) => self.item(start)?,
            (SignRole::Node, _, true) => self.complex_node(start)?,
            (SignRole::Entry | SignRole::Root, _, true) => self.entry(sign, true, start)?,
            (SignRole::Node, _, false) if self.is_at_parent(start) => {
                // At its key's column only a dash could have been its value.
                self.read_held_again(input.offset());
                self.nothing();
                self.entry(sign, false, start)?;
            }
            (SignRole::Node, _, false) => {
                self.read_held_again(input.offset());
                self.document.at = LinePlace::Probe(KeyProbe::new(sign), SignRole::Node);
            }
            (SignRole::Entry | SignRole::Root, _, false) => {
                self.read_held_again(input.offset());
                self.entry(sign, false, start)?;
            }
        }
        Ok(())
    }

    fn is_at_parent(&self, at: u64) -> bool {
        self.document.parent() == Some(at - self.document.line)
    }

    /// A list begins with the dash that was read.
    pub(super) fn item(&mut self, at: u64) -> Result<(), Error> {
        let expect = self.take_expected();
        self.note_indent(&expect, at);
        self.emitter.open(true, at)?;
        self.document.nests.push(Nest { list: true, column: at - self.document.line });
        self.expect_item(at);
        Ok(())
    }

    /// Behind a dash.
    fn expect_item(&mut self, dash: u64) {
        let end = dash + 1;
        let expect = Expect { end, fresh: true, same_line: true, ..Expect::default() };
        self.document.expect = Some(expect);
        self.document.at = LinePlace::Node;
    }

    /// A tab stands before a mapping or list that begins in its line.
    fn note_indent(&mut self, expect: &Expect, at: u64) {
        if expect.tab {
            self.emitter.notice(Code::YamlTab, Span::at(at));
        }
    }

    /// Opens a mapping whose first key is no plain or quoted scalar.
    fn complex_node(&mut self, at: u64) -> Result<(), Error> {
        self.take_expected();
        self.emitter.open(false, at)?;
        self.document.nests.push(Nest { list: false, column: at - self.document.line });
        self.defer_entry();
        Ok(())
    }

    pub(super) fn take_expected(&mut self) -> Expect {
        self.document.expect.take().unwrap_or_default()
    }

    /// The value that is expected does not come.
    pub(super) fn nothing(&mut self) {
        if let Some(expect) = self.document.expect.take() {
            self.emitter.plain("", PlainWant::Any, expect.end);
        }
    }

    /// Begins an entry with this character. `alone` says that it is an indicator with whitespace
    /// after it.
    pub(super) fn entry(&mut self, char: char, alone: bool, at: u64) -> Result<(), Error> {
        let column = at - self.document.line;
        if self.document.nests.is_empty() {
            if alone || is_complex(char) {
                self.defer_document();
            } else {
                self.document.at = LinePlace::Probe(KeyProbe::new(char), SignRole::Root);
            }
            return Ok(());
        }
        let dash = alone && char == '-';
        self.leave_deeper(column, dash)?;
        let Some(nest) = self.document.nests.last().copied() else { return Ok(()) };
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
        while let [.., above, last] = self.document.nests[..] {
            let item = last.list && dash && last.column == column;
            let inside = if last.list && !dash { false } else { column > above.column };
            if item || inside {
                break;
            }
            self.document.nests.pop();
            self.emitter.close()?;
        }
        Ok(())
    }

    /// The line belongs to nothing.
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
                    self.document.held.push(char);
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

    /// The held text is a key with its colon.
    pub(super) fn key(&mut self, quoted: bool, role: SignRole, end: u64) -> Result<(), Error> {
        let held = core::mem::take(&mut self.document.held);
        let text = held.strip_suffix(':').unwrap_or(&held).trim_end_matches(is_blank);
        let span = Span::new(self.document.start, end);
        let (name, codes) = if quoted { decode(text) } else { (text.to_owned(), Vec::new()) };
        if role != SignRole::Entry {
            self.open_mapping(role, span.start)?;
        }
        if !quoted && name == MERGE_KEY && self.document.nests.len() == 1 {
            self.document.held = held;
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
        self.document.expect = Some(Expect { end, same_line: true, ..Expect::default() });
        self.document.at = LinePlace::Node;
        Ok(())
    }

    /// A mapping begins with the key at this offset.
    fn open_mapping(&mut self, role: SignRole, at: u64) -> Result<(), Error> {
        let expect = self.take_expected();
        self.note_indent(&expect, at);
        let document = &mut self.document;
        let column = if role == SignRole::Root { document.column() } else { at - document.line };
        document.nests.push(Nest { list: false, column });
        document.begun = true;
        self.emitter.open(false, at)
    }

    /// The held text is no key.
    fn no_key(&mut self, role: SignRole, end: u64) {
        match role {
            SignRole::Entry | SignRole::Kept => self.stray(self.document.start),
            SignRole::Root => self.defer_document(),
            SignRole::Node => self.begin_held(end),
        }
    }

    /// The held text begins a plain or quoted scalar. It ends at the offset `end`.
    pub(super) fn begin_held(&mut self, end: u64) {
        let first = self.document.held.chars().next().unwrap_or(' ');
        if matches!(first, '"' | '\'') {
            self.document.held.remove(0);
            let start = self.document.start + 1;
            self.read_held_again(end);
            self.begin_quoted(first, start);
        } else {
            self.read_held_again(end);
            self.begin_plain(first, self.document.start);
        }
    }

    /// An anchor, a tag or an alias.
    pub(super) fn read_property(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        while let Some(char) = input.peek_char() {
            if is_blank(char) || is_line_end(char) {
                self.property(input.offset());
                return Ok(());
            }
            let held = &mut self.document.held;
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

    /// The held anchor, tag or alias is complete.
    fn property(&mut self, end: u64) {
        let (sign, name) = self.document.held.split_at(1);
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

    /// The held text is a plain scalar, and the next character belongs to it.
    fn property_is_text(&mut self, next: char, end: u64) {
        let start = self.document.start;
        let first = self.document.held.chars().next().unwrap_or(next);
        let code = if first == '*' { Code::YamlUnknownAlias } else { Code::YamlReserved };
        self.emitter.notice(code, Span::new(start, end));
        self.read_held_again(end);
        // A colon in it makes no key: it is part of what would be the name.
        self.begin_plain('x', start);
    }

    /// Behind an alias that has a value: a comment may follow, and nothing else.
    pub(super) fn read_behind_alias(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        while let Some(char) = input.peek_char() {
            let held = &mut self.document.held;
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
        let name = self.document.held.trim_end_matches(is_blank).strip_prefix('*')?;
        self.emitter.anchors.find(name)
    }

    /// The alias that is held is the value.
    pub(super) fn emit_alias(&mut self) -> Result<(), Error> {
        let Some(value) = self.held_alias() else { return Ok(()) };
        let held = core::mem::take(&mut self.document.held);
        let end = self.document.start + held.trim_end_matches(is_blank).len() as u64;
        self.take_expected();
        self.emitter.alias(value, end)
    }
}
