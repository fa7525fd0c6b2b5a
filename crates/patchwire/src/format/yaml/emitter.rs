//! Turns the parts of a document into tokens: decides the types of values and which keys count, and
//! resolves aliases and merge keys. Handles both streamed and deferred values.

use super::anchors::Anchors;
use super::compose::{self, YamlCollection, YamlNode};
use super::levels::YamlLevels;
use crate::codes::Code;
use crate::document::ValueKind;
use crate::error::{Error, ErrorKind};
use crate::format::fields::{FieldDeclaration, FieldNames, PendingTokens};
use crate::format::json::JsonOptions;
use crate::lex::yaml::{CoreValue, resolve, to_json};
use crate::lex::{Scalar, TokenKind};
use crate::limits::Limit;
use crate::span::Span;

/// The types that a plain scalar may have here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlainWant {
    /// A string.
    Text,
    /// A string, or null.
    TextOrNull,
    /// The type that the core schema gives it.
    Any,
}

/// Values that become tokens.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct YamlEmitter {
    pub(super) out: PendingTokens,
    names: FieldNames,
    /// The longest key, in bytes.
    key_limit: u64,
    levels: YamlLevels,
    pub(super) anchors: Anchors,
    /// Whether the values of an alias are being emitted.
    in_alias: bool,
    /// The values of `<<` in the root.
    merges: Vec<YamlNode>,
    /// Whether the next value was deferred.
    deferred: bool,
    /// The end of the last emission.
    end: u64,
    missing_emitted: bool,
    /// Whether the document has a value.
    rooted: bool,
}

impl YamlEmitter {
    pub(super) fn new(options: &JsonOptions) -> Self {
        Self {
            out: PendingTokens::default(),
            names: FieldNames::new(options.schema.as_ref()),
            key_limit: options.limits.get(Limit::Key),
            levels: YamlLevels::new(options.schema.clone(), options.limits.size(Limit::Depth)),
            anchors: Anchors::new(&options.limits),
            in_alias: false,
            merges: Vec::new(),
            deferred: false,
            end: 0,
            missing_emitted: false,
            rooted: false,
        }
    }

    /// The end of the last emission.
    pub(super) const fn end(&self) -> u64 {
        self.end
    }

    /// The largest number of open containers.
    pub(super) const fn depth_limit(&self) -> usize {
        self.levels.limit()
    }

    /// The number of open containers, skipped ones included.
    pub(super) fn depth(&self) -> usize {
        self.levels.depth()
    }

    /// Whether this key is declared and has not occurred.
    pub(super) fn is_missing(&self, key: &str) -> bool {
        self.names.is_missing(key)
    }

    /// Whether a key with this beginning is declared and has not occurred.
    pub(super) fn is_missing_beginning(&self, start: &str) -> bool {
        self.names.is_missing_beginning(start)
    }

    /// Moves the end of the emitted text forward to this offset, and returns it.
    pub(super) fn reach(&mut self, end: u64) -> u64 {
        self.end = self.end.max(end);
        self.end
    }

    pub(super) fn notice(&mut self, code: Code, span: Span) {
        self.out.notice(code, span);
    }

    /// Marks the next value as deferred: it is held back until it is whole.
    pub(super) fn defer(&mut self) {
        self.deferred = !self.levels.is_skipping();
    }

    /// The types that a plain scalar may have here.
    pub(super) fn want(&self) -> PlainWant {
        if self.levels.takes_only_text() { PlainWant::TextOrNull } else { PlainWant::Any }
    }

    /// Begins a value of this kind.
    fn begin(&mut self, kind: ValueKind, end: u64) {
        self.rooted = true;
        if self.levels.is_skipping() {
            return;
        }
        let here = Span::at(end);
        if core::mem::take(&mut self.deferred) {
            self.notice_of_next(Code::Deferred, here);
        }
        if kind != ValueKind::Null && !self.levels.takes(kind) {
            self.notice_of_next(Code::TypeMismatch, here);
        }
    }

    /// Whether a string may be the value that begins here.
    pub(super) fn takes_text(&self) -> bool {
        self.levels.takes(ValueKind::String)
    }

    /// Whether there is a value.
    pub(super) const fn is_rooted(&self) -> bool {
        self.rooted
    }

    /// Whether a value is open, so that bytes up to the end of the input belong to it.
    pub(super) const fn is_open(&self) -> bool {
        self.levels.is_open()
    }

    /// Drops the expected value.
    pub(super) fn no_value(&mut self) {
        self.deferred = false;
        self.levels.value_ends();
    }

    /// Whether the next key is a member of the root that counts.
    pub(super) const fn is_at_root(&self) -> bool {
        self.levels.is_at_root()
    }

    /// Ends the document.
    pub(super) fn end_document(&mut self) {
        self.emit_missing();
        if self.rooted {
            self.out.push(TokenKind::RootComplete, self.end);
        }
    }

    /// Adds a notice about the next value.
    pub(super) fn notice_of_next(&mut self, code: Code, span: Span) {
        if !self.levels.is_skipping() {
            self.out.token(crate::lex::Token::notice_of_next(code, span));
        }
    }

    /// Opens a container.
    pub(super) fn open(&mut self, list: bool, end: u64) -> Result<(), Error> {
        let end = self.reach(end);
        if self.levels.is_full() {
            return Err(Error::new(ErrorKind::Limit(Limit::Depth), end));
        }
        if !self.levels.is_skipping() {
            self.begin(if list { ValueKind::List } else { ValueKind::Object }, end);
            self.out.push(if list { TokenKind::ListOpen } else { TokenKind::ObjectOpen }, end);
        }
        self.levels.open(list);
        Ok(())
    }

    /// Closes the innermost container.
    pub(super) fn close(&mut self) -> Result<(), Error> {
        if self.levels.is_at_root() {
            self.merge()?;
            self.emit_missing();
        }
        if self.levels.close() {
            self.out.push(TokenKind::Close, self.end);
        }
        Ok(())
    }

    /// Adds a notice for each declared name that is missing. Only once.
    pub(super) fn emit_missing(&mut self) {
        if core::mem::replace(&mut self.missing_emitted, true) {
            return;
        }
        let count = self.names.missing().count();
        (0..count).for_each(|_| self.out.notice(Code::MissingField, Span::at(self.end)));
    }

    /// Begins the next member with this key.
    pub(super) fn key(&mut self, key: &str, span: Span) -> Result<(), Error> {
        let end = self.reach(span.end);
        if key.len() as u64 > self.key_limit {
            return Err(Error::new(ErrorKind::Limit(Limit::Key), span.end));
        }
        if self.levels.is_skipping() {
            return Ok(());
        }
        let found = self.find(key);
        self.levels.begin_member(key);
        match found {
            FieldDeclaration::Duplicate => {
                self.out.notice_of_member(Code::DuplicateField, key, span);
                self.levels.skip();
            }
            FieldDeclaration::Unknown => {
                self.out.push_text(TokenKind::Key, key, end);
                self.out.notice(Code::UnknownField, span);
                self.levels.skip();
            }
            FieldDeclaration::Text
            | FieldDeclaration::Typed
            | FieldDeclaration::Any
            | FieldDeclaration::Free => {
                self.out.push_text(TokenKind::Key, key, end);
            }
        }
        Ok(())
    }

    /// Whether the key counts. Records that it occurred.
    fn find(&mut self, key: &str) -> FieldDeclaration {
        if let Some(new) = self.levels.insert_key(key) {
            return if new { FieldDeclaration::Free } else { FieldDeclaration::Duplicate };
        }
        let found = self.names.find(key);
        if !matches!(found, FieldDeclaration::Duplicate | FieldDeclaration::Unknown) {
            self.names.open(key);
        }
        found
    }

    /// Opens a string.
    pub(super) fn string_open(&mut self, end: u64) {
        let end = self.reach(end);
        if !self.levels.is_skipping() {
            self.begin(ValueKind::String, end);
            self.out.push(TokenKind::StringOpen, end);
        }
    }

    /// Adds text to the string.
    pub(super) fn string_text(&mut self, text: &str, end: u64) {
        if text.is_empty() {
            return;
        }
        let end = self.reach(end);
        if !self.levels.is_skipping() {
            self.out.push_text(TokenKind::StringText, text, end);
        }
    }

    /// Records text that the caller emits, if it needs no change here. Returns whether the caller may emit
    /// it.
    pub(super) fn pass_text(&mut self, text: &str, end: u64) -> bool {
        if text.is_empty() || self.levels.is_skipping() || self.end > end {
            return false;
        }
        self.end = end;
        true
    }

    /// Records text that the caller emitted, behind text that it [might](Self::pass_text) emit.
    pub(super) const fn pass_prose(&mut self, end: u64) {
        self.end = end;
    }

    /// Closes the string.
    pub(super) fn string_close(&mut self) {
        if !self.levels.is_skipping() {
            self.out.push(TokenKind::StringClose, self.end);
        }
        self.levels.value_ends();
    }

    /// Closes the string, whose end is this offset.
    pub(super) fn close_string_at(&mut self, end: u64) {
        self.reach(end);
        self.string_close();
    }

    /// Emits a whole string.
    pub(super) fn string(&mut self, text: &str, end: u64) {
        self.string_open(end.max(self.end));
        self.string_text(text, end);
        self.string_close();
    }

    /// Emits a complete plain scalar, with the type of its text.
    pub(super) fn plain(&mut self, text: &str, want: PlainWant, end: u64) {
        let nulls = want == PlainWant::TextOrNull;
        let resolved = if want == PlainWant::Text { CoreValue::Text } else { resolve(text, nulls) };
        let (kind, scalar) = match resolved {
            CoreValue::Text => return self.string(text, end),
            CoreValue::Null | CoreValue::NonFinite => (ValueKind::Null, Scalar::Null),
            CoreValue::Bool(true) => (ValueKind::Bool, Scalar::True),
            CoreValue::Bool(false) => (ValueKind::Bool, Scalar::False),
            CoreValue::Number => (ValueKind::Number, Scalar::Number),
        };
        let end = self.reach(end);
        if !self.levels.is_skipping() {
            self.begin(kind, end);
            if resolved == CoreValue::NonFinite {
                self.notice_of_next(Code::NonFinite, Span::at(end));
            }
            let number = if scalar == Scalar::Number { to_json(text) } else { String::new() };
            self.out.push_text(TokenKind::Scalar(scalar), &number, end);
        }
        self.levels.value_ends();
    }

    /// Emits the value of an alias, or null if aliases expanded to too much already, or too deep.
    pub(super) fn alias(&mut self, value: usize, end: u64) -> Result<(), Error> {
        let is_too_deep = self.depth() > compose::MOST_LEVELS;
        if is_too_deep || !self.in_alias && !self.anchors.charge(value) {
            self.notice_of_next(Code::YamlAliasBudget, Span::at(end));
            self.plain("", PlainWant::Any, end);
            return Ok(());
        }
        if !self.in_alias {
            self.defer();
        }
        let outer = core::mem::replace(&mut self.in_alias, true);
        let node = self.anchors.node(value);
        let emitted = compose::emit(&node, self, end);
        self.in_alias = outer;
        emitted
    }

    /// Keeps the value of `<<` in the root. Members that the root lacks are emitted when the root closes.
    pub(super) fn merge_at_close(&mut self, value: &YamlNode) {
        if self.anchors.take_room(value) {
            self.merges.push(value.clone());
        } else {
            self.out.notice(Code::YamlAliasBudget, Span::at(self.end));
        }
    }

    /// Emits the members that `<<` adds to the root.
    fn merge(&mut self) -> Result<(), Error> {
        core::mem::take(&mut self.merges).iter().try_for_each(|value| self.merge_value(value))
    }

    fn merge_value(&mut self, value: &YamlNode) -> Result<(), Error> {
        match value {
            YamlNode::Collection(YamlCollection { list: false, children, .. }) => {
                self.merge_members(children)
            }
            YamlNode::Collection(YamlCollection { children, .. }) => {
                for item in children {
                    let merges = match item {
                        YamlNode::Alias(value) => is_mapping(&self.anchors.node(*value)),
                        item => is_mapping(item),
                    };
                    if merges {
                        self.merge_value(item)?;
                    }
                }
                Ok(())
            }
            YamlNode::Alias(value) => {
                if !self.in_alias && !self.anchors.charge(*value) {
                    self.out.notice(Code::YamlAliasBudget, Span::at(self.end));
                    return Ok(());
                }
                let outer = core::mem::replace(&mut self.in_alias, true);
                let node = self.anchors.node(*value);
                let merged = self.merge_value(&node);
                self.in_alias = outer;
                merged
            }
            YamlNode::Scalar { .. } | YamlNode::UnknownAlias(_) => {
                self.out.notice(Code::BadYaml, Span::at(self.end));
                Ok(())
            }
        }
    }

    fn merge_members(&mut self, members: &[YamlNode]) -> Result<(), Error> {
        for member in members.chunks_exact(2) {
            if let YamlNode::Scalar { text: key, .. } = &member[0]
                && self.names.find(key) != FieldDeclaration::Duplicate
            {
                self.key(key, Span::at(self.end))?;
                self.defer();
                compose::emit(&member[1], self, self.end)?;
            }
        }
        Ok(())
    }

    /// Clears buffers that are not part of the state, once every token was taken.
    pub(super) fn canonicalize(&mut self) {
        self.out.canonicalize();
    }
}

const fn is_mapping(node: &YamlNode) -> bool {
    matches!(node, YamlNode::Collection(YamlCollection { list: false, .. }))
}
