//! Turns the parts of a document into tokens: decides the types of values and which keys count,
//! resolves aliases and merge keys. Streamed values and values that were read whole both come here.

use std::collections::HashSet;

use super::anchors::Anchors;
use super::compose::{self, YamlCollection, YamlNode};
use crate::codes::Code;
use crate::document::ValueKind;
use crate::error::{Error, ErrorKind};
use crate::format::fields::{FieldDeclaration, FieldNames, PendingTokens};
use crate::format::json::JsonOptions;
use crate::lex::yaml::{CoreValue, resolve, to_json};
use crate::lex::{Scalar, TokenKind};
use crate::limits::Limit;
use crate::schema::{Schema, SchemaId};
use crate::span::Span;

/// An open container that is emitted.
#[derive(Debug, Clone, PartialEq, Eq)]
struct YamlLevel {
    list: bool,
    schema: Option<SchemaId>,
    /// The keys of an object, but for the root's.
    keys: HashSet<String>,
}

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

/// The values on their way to be tokens.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct YamlEmitter {
    pub(super) out: PendingTokens,
    names: FieldNames,
    schema: Option<Schema>,
    depth_limit: usize,
    key_limit: u64,
    levels: Vec<YamlLevel>,
    /// The schema of the value of the last key.
    member: Option<SchemaId>,
    /// The next value, or the one that is read, is passed over; open containers in it.
    skipping: Option<usize>,
    pub(super) anchors: Anchors,
    /// A value is emitted because an alias stands for it.
    in_alias: bool,
    /// The values of `<<` in the root.
    merges: Vec<YamlNode>,
    /// The next value comes late.
    deferred: bool,
    /// Where the last thing that was emitted ended.
    end: u64,
    missing_emitted: bool,
    /// A value of the document came.
    rooted: bool,
}

impl YamlEmitter {
    pub(super) fn new(options: &JsonOptions) -> Self {
        Self {
            out: PendingTokens::default(),
            names: FieldNames::new(options.schema.as_ref()),
            schema: options.schema.clone(),
            depth_limit: options.limits.size(Limit::Depth),
            key_limit: options.limits.get(Limit::Key),
            levels: Vec::new(),
            member: None,
            skipping: None,
            anchors: Anchors::new(&options.limits),
            in_alias: false,
            merges: Vec::new(),
            deferred: false,
            end: 0,
            missing_emitted: false,
            rooted: false,
        }
    }

    /// Where the last thing that was emitted ended.
    pub(super) const fn end(&self) -> u64 {
        self.end
    }

    pub(super) fn depth_limit(&self) -> usize {
        self.depth_limit
    }

    /// The number of open containers, skipped ones included.
    pub(super) fn depth(&self) -> usize {
        self.levels.len() + self.skipping.unwrap_or_default()
    }

    /// The declared names that did not come.
    pub(super) fn missing(&self) -> impl Iterator<Item = &str> {
        self.names.missing()
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
        self.deferred = self.skipping.is_none();
    }

    /// The types that a plain scalar may have here.
    pub(super) fn want(&self) -> PlainWant {
        let id = if self.skipping.is_some() { None } else { self.here() };
        match (&self.schema, id) {
            (Some(schema), Some(id)) if is_text(schema, id) => PlainWant::TextOrNull,
            _ => PlainWant::Any,
        }
    }

    /// The schema of the value that begins here.
    fn here(&self) -> Option<SchemaId> {
        let schema = self.schema.as_ref()?;
        match self.levels.last() {
            None => Some(schema.root()),
            Some(YamlLevel { list: true, schema: above, .. }) => schema.item((*above)?),
            Some(_) => self.member,
        }
    }

    /// A value of this kind begins.
    fn begin(&mut self, kind: ValueKind, end: u64) {
        self.rooted = true;
        if self.skipping.is_some() {
            return;
        }
        let here = Span::at(end);
        if core::mem::take(&mut self.deferred) {
            self.notice_of_next(Code::Deferred, here);
        }
        if let (Some(schema), Some(id)) = (&self.schema, self.here())
            && kind != ValueKind::Null
            && !schema.matches_kind(id, kind)
        {
            self.notice_of_next(Code::TypeMismatch, here);
        }
    }

    /// Whether a string may be the value that begins here.
    pub(super) fn takes_text(&self) -> bool {
        match (&self.schema, self.here()) {
            (Some(schema), Some(id)) => schema.matches_kind(id, ValueKind::String),
            _ => true,
        }
    }

    /// Whether there is a value.
    pub(super) const fn is_rooted(&self) -> bool {
        self.rooted
    }

    /// Whether a value is open, so that the bytes up to the end of the input are its.
    pub(super) const fn is_open(&self) -> bool {
        !self.levels.is_empty()
    }

    /// The value that was to come next does not.
    pub(super) fn no_value(&mut self) {
        self.deferred = false;
        self.value_ends();
    }

    /// Whether the next key is a member of the root that counts.
    pub(super) const fn is_at_root(&self) -> bool {
        self.levels.len() == 1 && self.skipping.is_none()
    }

    /// The document ended.
    pub(super) fn end_document(&mut self) {
        self.emit_missing();
        if self.rooted {
            self.out.push(TokenKind::RootComplete, self.end);
        }
    }

    /// Something was noticed of the value that begins next.
    pub(super) fn notice_of_next(&mut self, code: Code, span: Span) {
        if self.skipping.is_none() {
            self.out.token(crate::lex::Token::notice_of_next(code, span));
        }
    }

    /// A container opens.
    pub(super) fn open(&mut self, list: bool, end: u64) -> Result<(), Error> {
        let end = self.reach(end);
        if self.depth() >= self.depth_limit {
            return Err(Error::new(ErrorKind::Limit(Limit::Depth), end));
        }
        if let Some(depth) = &mut self.skipping {
            *depth += 1;
            return Ok(());
        }
        self.begin(if list { ValueKind::List } else { ValueKind::Object }, end);
        let schema = self.here();
        self.levels.push(YamlLevel { list, schema, keys: HashSet::new() });
        self.out.push(if list { TokenKind::ListOpen } else { TokenKind::ObjectOpen }, end);
        Ok(())
    }

    /// The innermost container closes.
    pub(super) fn close(&mut self) -> Result<(), Error> {
        if self.levels.len() == 1 && self.skipping.is_none() {
            self.merge()?;
            self.emit_missing();
        }
        match &mut self.skipping {
            Some(depth) => *depth = depth.saturating_sub(1),
            None => {
                self.levels.pop();
                self.out.push(TokenKind::Close, self.end);
            }
        }
        self.value_ends();
        Ok(())
    }

    /// A value ended.
    fn value_ends(&mut self) {
        if self.skipping == Some(0) {
            self.skipping = None;
        }
    }

    /// The declared names that did not come, once.
    pub(super) fn emit_missing(&mut self) {
        if core::mem::replace(&mut self.missing_emitted, true) {
            return;
        }
        let count = self.names.missing().count();
        (0..count).for_each(|_| self.out.notice(Code::MissingField, Span::at(self.end)));
    }

    /// The key of the next member, which ends there.
    pub(super) fn key(&mut self, key: &str, span: Span) -> Result<(), Error> {
        let end = self.reach(span.end);
        if key.len() as u64 > self.key_limit {
            return Err(Error::new(ErrorKind::Limit(Limit::Key), span.end));
        }
        if self.skipping.is_some() {
            return Ok(());
        }
        let found = self.find(key);
        let (schema, above) = (&self.schema, self.levels.last().and_then(|level| level.schema));
        self.member = schema.as_ref().zip(above).and_then(|(it, above)| it.member(above, key));
        match found {
            FieldDeclaration::Duplicate => {
                self.out.notice(Code::DuplicateField, span);
                self.skipping = Some(0);
            }
            FieldDeclaration::Unknown => {
                self.out.push_text(TokenKind::Key, key, end);
                self.out.notice(Code::UnknownField, span);
                self.skipping = Some(0);
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

    /// Whether the key counts; from now on it was there.
    fn find(&mut self, key: &str) -> FieldDeclaration {
        if let [_, .., level] = &mut self.levels[..] {
            let new = level.keys.insert(key.to_owned());
            return if new { FieldDeclaration::Free } else { FieldDeclaration::Duplicate };
        }
        let found = self.names.find(key);
        if !matches!(found, FieldDeclaration::Duplicate | FieldDeclaration::Unknown) {
            self.names.open(key);
        }
        found
    }

    /// A string begins.
    pub(super) fn string_open(&mut self, end: u64) {
        let end = self.reach(end);
        if self.skipping.is_none() {
            self.begin(ValueKind::String, end);
            self.out.push(TokenKind::StringOpen, end);
        }
    }

    /// The string grows.
    pub(super) fn string_text(&mut self, text: &str, end: u64) {
        if text.is_empty() {
            return;
        }
        let end = self.reach(end);
        if self.skipping.is_none() {
            self.out.push_text(TokenKind::StringText, text, end);
        }
    }

    /// The string grows by text that somebody else emits, if nothing is to be done with it here.
    pub(super) fn pass_text(&mut self, text: &str, end: u64) -> bool {
        if text.is_empty() || self.skipping.is_some() || self.end > end {
            return false;
        }
        self.end = end;
        true
    }

    /// The open string ended.
    pub(super) fn string_close(&mut self) {
        if self.skipping.is_none() {
            self.out.push(TokenKind::StringClose, self.end);
        }
        self.value_ends();
    }

    /// Emits a whole string.
    pub(super) fn string(&mut self, text: &str, end: u64) {
        self.string_open(end.max(self.end));
        self.string_text(text, end);
        self.string_close();
    }

    /// Emits a whole plain scalar, with the type that its text has.
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
        if self.skipping.is_none() {
            self.begin(kind, end);
            if resolved == CoreValue::NonFinite {
                self.notice_of_next(Code::NonFinite, Span::at(end));
            }
            let number = if scalar == Scalar::Number { to_json(text) } else { String::new() };
            self.out.push_text(TokenKind::Scalar(scalar), &number, end);
        }
        self.value_ends();
    }

    /// The value that an alias stands for, or null if aliases stood for too much already.
    pub(super) fn alias(&mut self, value: usize, end: u64) -> Result<(), Error> {
        if !self.in_alias && !self.anchors.charge(value) {
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

    /// The value of `<<` in the root. Its members count if the root has none of these names, so they
    /// come when the root closes.
    pub(super) fn merge_at_close(&mut self, value: &YamlNode) {
        if self.anchors.take_room(value) {
            self.merges.push(value.clone());
        } else {
            self.out.notice(Code::YamlAliasBudget, Span::at(self.end));
        }
    }

    /// The members that `<<` adds to the root.
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

    /// Clears buffers that are no part of the state, once every token was taken.
    pub(super) fn canonicalize(&mut self) {
        self.out.canonicalize();
    }
}

const fn is_mapping(node: &YamlNode) -> bool {
    matches!(node, YamlNode::Collection(YamlCollection { list: false, .. }))
}

/// Whether the schema allows only a string, or null.
fn is_text(schema: &Schema, id: SchemaId) -> bool {
    let others = [ValueKind::Bool, ValueKind::Number, ValueKind::List, ValueKind::Object];
    schema.matches_kind(id, ValueKind::String)
        && !others.into_iter().any(|kind| schema.matches_kind(id, kind))
}
