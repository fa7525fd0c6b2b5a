//! Folds tokens into documents, and emits the patches that follow.
//!
//! A machine's tokens carry no paths; they get them here. Each part keeps its own state:
//!
//! | part | state |
//! |---|---|
//! | [`Documents`] | the values, and which root belongs to which element |
//! | [`PathCursor`] | the path, the open containers, the schema of the next value |
//! | [`Strings`] | the string being read, streamed or held |
//! | [`Siblings`] | lists of children that share a name |
//! | [`Shadow`] | values that are read and not emitted |
//! | [`Outbox`] | emissions that were not taken yet |
//! | [`Verdicts`] | checks of the values that close |

mod ambiguities;
mod choice;
mod cursor;
mod documents;
mod emission;
mod keys;
mod outbox;
mod shadow;
mod siblings;
mod strings;
#[cfg(test)]
mod tests;
mod verdicts;

use crate::check::{Checks, Failure};
use crate::codes::Code;
use crate::document::{DocNode, NodeId, NodeKind, Placement};
use crate::error::Error;
use crate::event::{Completion, Patch, PatchOp, Text};
use crate::leniency::Leniencies;
use crate::lex::{Scalar, Token, TokenKind};
use crate::limits::Limits;
use crate::notice::RepairCost;
use crate::schema::{Schema, SchemaId};
use crate::span::Span;
use cursor::{PathCursor, PathMark};
use documents::Documents;
pub(crate) use emission::{Change, Emission, EmissionKind, TextAt};
pub(crate) use keys::Seed;
use outbox::Outbox;
pub(crate) use outbox::SlippedField;
pub(crate) use shadow::Successor;
use shadow::{NextValue, Shadow};
use siblings::Siblings;
use strings::{OpenString, Strings};
use verdicts::Verdicts;

/// Documents being built from tokens.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fold {
    pub(crate) documents: Documents,
    pub(crate) cursor: PathCursor,
    strings: Strings,
    siblings: Siblings,
    pub(crate) shadow: Shadow,
    pub(crate) outbox: Outbox,
    verdicts: Verdicts,
    /// Where the path was at the end of the input, before what was held back was read.
    input_end: Option<PathMark>,
}

impl Fold {
    pub(crate) fn new(
        schema: Option<Schema>,
        limits: &Limits,
        keeps_values: bool,
        seed: Seed,
    ) -> Self {
        Self {
            documents: Documents::new(limits, keeps_values),
            cursor: PathCursor::new(schema, limits, seed),
            strings: Strings::default(),
            siblings: Siblings::default(),
            shadow: Shadow::default(),
            outbox: Outbox::default(),
            verdicts: Verdicts::default(),
            input_end: None,
        }
    }

    // Tokens.

    /// Reads one token, whose text is `text`, and queues what it emits.
    #[inline(always)]
    pub(crate) fn apply(&mut self, token: Token, text: &str) -> Result<(), Error> {
        match token.kind {
            TokenKind::Outside => {
                let text = TextAt::Format(token.text);
                self.outbox.emit_text(EmissionKind::Text, text, token.end);
            }
            TokenKind::Skipped(reason) => {
                self.outbox.emit(EmissionKind::Skipped(reason), token.end);
            }
            TokenKind::Notice(Code::MissingField) if self.documents.keeps_values() => {
                self.outbox.note_missing(self.documents.current_id(), token.end);
            }
            TokenKind::Notice(code) => self.notice(code, Span::new(token.start, token.end)),
            TokenKind::NoticeOfKey(code) => {
                let depth = self.cursor.path.depth().saturating_sub(1);
                self.outbox.notice(code, Span::new(token.start, token.end), depth);
            }
            TokenKind::NoticeOfMember(code) => {
                self.cursor.set_key(text, token.end)?;
                self.notice(code, Span::new(token.start, token.end));
            }
            TokenKind::NoticeOfNext(code) => {
                self.cursor.go_to_next_item();
                self.notice(code, Span::new(token.start, token.end));
            }
            TokenKind::StringText => return self.grow_string(text, token),
            TokenKind::Name => return self.name(text, token.end),
            TokenKind::StringToObject => return self.string_to_object(text, token.end),
            TokenKind::ItemWasKey => self.retract_item(),
            TokenKind::MemberWasNone => self.retract_member(),
            TokenKind::SlippedField => {
                let (document, span) =
                    (self.documents.current_id(), Span::new(token.start, token.end));
                self.outbox.slipped.push(SlippedField { document, name: text.to_owned(), span });
            }
            TokenKind::RootComplete => {
                self.outbox.emit_marker(EmissionKind::RootComplete, Span::at(token.end));
            }
            kind => {
                let change = self.take_fast(kind, text, token.end)?;
                self.outbox.emit_change(change, token.end);
                self.judge(change.as_ref());
            }
        }
        Ok(())
    }

    /// [`apply`](Self::apply) for callers with few tokens: it is not inlined.
    #[inline(never)]
    pub(crate) fn apply_rare(&mut self, token: Token, text: &str) -> Result<(), Error> {
        self.apply(token, text)
    }

    /// The hot path: reads a token that makes one patch at most. That patch is returned, for the caller
    /// to emit with its [span](Self::span); anything else is queued.
    #[inline(always)]
    pub(crate) fn take_fast(
        &mut self,
        kind: TokenKind,
        text: &str,
        end: u64,
    ) -> Result<Option<Change>, Error> {
        match kind {
            TokenKind::ObjectOpen => self.open_container(NodeKind::Object, end),
            TokenKind::ListOpen => self.open_container(NodeKind::List, end),
            TokenKind::StringOpen => self.open_string(end),
            TokenKind::StringClose => self.close_string(end, Completion::Observed),
            TokenKind::Scalar(scalar) => self.scalar(scalar, text, end),
            TokenKind::Close => self.close(end),
            TokenKind::Key => self.key(text, end).map(|()| None),
            TokenKind::StringText => match self.grow_fast(text) {
                None => self.grow_string(text, Token::new(kind, end)).map(|()| None),
                change => Ok(change),
            },
            _ => Ok(None),
        }
    }

    /// The bytes of a change that this token made. If the token closed a value, the value is checked.
    #[inline(always)]
    pub(crate) fn span(&mut self, kind: TokenKind, change: &Change, end: u64) -> Span {
        let span = self.outbox.span_to(end);
        if matches!(kind, TokenKind::StringClose | TokenKind::Scalar(_) | TokenKind::Close) {
            self.judge(Some(change));
        }
        span
    }

    // Values.

    /// Begins a value at the path.
    #[inline(always)]
    fn begin(&mut self, kind: NodeKind, offset: u64) -> Result<NodeId, Error> {
        self.documents.count_value(offset)?;
        let in_list = self.cursor.path.in_list();
        match in_list {
            None => {
                self.documents.begin_root();
                self.cursor.reserve();
            }
            Some(true) => self.cursor.go_to_next_item(),
            Some(false) => {}
        }
        self.cursor.names_next_child = false;
        let node = self.documents.add_node();
        let next = self.shadow.take_next();
        if self.documents.keeps_values() {
            self.place(kind, next);
        }
        if next != NextValue::New {
            let depth = self.cursor.path.depth();
            self.shadow.begin(next, node, depth, self.documents.kept_id());
        } else if in_list == Some(false) {
            self.cursor.remember_key(node);
        }
        Ok(node)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    fn place(&mut self, kind: NodeKind, next: NextValue) {
        let placement = match next {
            NextValue::New => self.cursor.placement(),
            _ => Placement::Detached,
        };
        self.documents.current_mut().open(placement, kind);
    }

    /// The schema of the value that begins at the path.
    #[inline(always)]
    fn schema_here(&self) -> Option<SchemaId> {
        self.cursor.schema_here(self.documents.has_schema())
    }

    #[inline(always)]
    fn open_container(&mut self, kind: NodeKind, end: u64) -> Result<Option<Change>, Error> {
        if self.cursor.has_fallbacks {
            self.refuse_container(end)?;
        }
        let schema = self.schema_here();
        let node = self.begin(kind, end)?;
        let change = self.opened(node, kind);
        self.cursor.open(node, schema, kind == NodeKind::List);
        Ok(change)
    }

    #[inline(always)]
    fn close_container(&mut self, end: u64, completion: Completion) -> Option<Change> {
        let node = self.cursor.close()?;
        self.shadow.next = NextValue::New;
        self.complete(node, end, completion)
    }

    #[inline(always)]
    fn open_string(&mut self, end: u64) -> Result<Option<Change>, Error> {
        let schema = self.schema_here();
        if let Some(schema) = schema.filter(|id| self.cursor.choices(*id).is_some()) {
            self.strings.hold(schema, end);
            return Ok(None);
        }
        let node = self.begin(NodeKind::String, end)?;
        self.strings.open = OpenString::Streaming(node);
        Ok(self.opened(node, NodeKind::String))
    }

    /// The hot path of [`grow_string`](Self::grow_string): for a string that is emitted as it grows.
    #[inline]
    fn grow_fast(&mut self, text: &str) -> Option<Change> {
        let node = self.strings.streaming()?;
        if self.shadow.is_active() {
            return None;
        }
        self.documents.append(node, text);
        Some(self.change(PatchOp::Delta, node, None))
    }

    fn grow_string(&mut self, text: &str, token: Token) -> Result<(), Error> {
        match self.strings.open {
            OpenString::Held(choice) => return self.grow_choice(choice, text, token.end),
            OpenString::Streaming(node) => {
                self.documents.append(node, text);
                self.emit_growth(node, TextAt::Format(token.text), token.end);
            }
            OpenString::None => {}
        }
        Ok(())
    }

    #[inline(always)]
    fn close_string(&mut self, end: u64, completion: Completion) -> Result<Option<Change>, Error> {
        if let Some(choice) = self.strings.held() {
            return self.close_choice(choice, end, completion).map(|()| None);
        }
        let Some(node) = self.strings.take_streaming() else { return Ok(None) };
        self.strings.last_closed = Some(node);
        Ok(self.complete(node, end, completion))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    fn scalar(&mut self, scalar: Scalar, text: &str, end: u64) -> Result<Option<Change>, Error> {
        if self.cursor.has_fallbacks && self.refuse_value(end)? {
            return Ok(None);
        }
        let (kind, text) = match scalar {
            Scalar::Null => (NodeKind::Null, ""),
            Scalar::False => (NodeKind::False, ""),
            Scalar::True => (NodeKind::True, ""),
            Scalar::Number => (NodeKind::Number, text),
        };
        self.whole(kind, text, end, Completion::Observed)
    }

    /// A value that is emitted as one `Done`.
    #[cfg_attr(target_family = "wasm", inline)]
    fn whole(
        &mut self,
        kind: NodeKind,
        text: &str,
        end: u64,
        completion: Completion,
    ) -> Result<Option<Change>, Error> {
        let node = self.begin(kind, end)?;
        self.documents.append(node, text);
        self.documents.set_last_value(kind, text, true);
        Ok(self.complete_value(node, end, completion, true))
    }

    #[inline]
    fn complete(&mut self, node: NodeId, end: u64, completion: Completion) -> Option<Change> {
        self.complete_value(node, end, completion, false)
    }

    #[inline(always)]
    fn complete_value(
        &mut self,
        node: NodeId,
        end: u64,
        completion: Completion,
        has_last_value: bool,
    ) -> Option<Change> {
        self.documents.complete(node);
        if self.shadow.is_active() {
            self.end_shadow(end);
            return None;
        }
        Some(Change {
            repaired: self.outbox.take_deviation(),
            has_last_value,
            ..self.change(PatchOp::Done, node, Some(completion))
        })
    }

    /// A value closed that is not emitted.
    fn end_shadow(&mut self, end: u64) {
        let (depth, document) = (self.cursor.path.depth(), self.documents.kept_id());
        if let Some(reason) = self.shadow.end(depth, document) {
            self.outbox.emit(EmissionKind::Skipped(reason), end);
        }
    }

    // Keys.

    #[inline(always)]
    fn key(&mut self, key: &str, end: u64) -> Result<(), Error> {
        self.cursor.set_key(key, end)?;
        self.shadow.next = match self.find_key(key) {
            None => NextValue::New,
            Some(node) => {
                self.notice(Code::DuplicateKey, Span::new(self.outbox.last_end, end));
                NextValue::Duplicate(node)
            }
        };
        Ok(())
    }

    #[inline(always)]
    fn find_key(&mut self, key: &str) -> Option<NodeId> {
        let documents = &self.documents;
        self.cursor.find_key(key, |node| documents.has_key(node, key))
    }

    /// The string item that closed last was the next key: the finalizer removes it.
    fn retract_item(&mut self) {
        let Some(node) = self.strings.last_closed.take() else { return };
        let Some(document) = self.documents.kept_id() else { return };
        if self.shadow.is_active() {
            self.documents.current_mut().unlink(node);
        } else {
            self.shadow.removals.push(DocNode { document, node });
        }
    }

    /// Removes the member that closed last, when the stream ends: it has no value. It is a field, and each field of a
    /// format is emitted once.
    fn retract_member(&mut self) {
        let Some(parent) = self.cursor.innermost() else { return };
        let Some(document) = self.documents.kept_id() else { return };
        let member = self.documents.current().at(parent).last().node();
        self.shadow.removals.extend(member.map(|node| DocNode { document, node }));
    }

    // The end of the input.

    /// Notes the end of the input, before what was held back is read.
    pub(crate) fn note_input_end(&mut self) {
        self.input_end.get_or_insert_with(|| self.cursor.mark());
    }

    /// Emits that the input was cut, if a value is open. Whether one is. The path is that of the innermost value that is
    /// not whole: of a container, if the input ended behind a whole child or before the first.
    pub(crate) fn notice_of_cut(&mut self, end: u64) -> bool {
        let (before, now) = (self.input_end.take(), self.cursor.mark());
        if !self.has_open() {
            return false;
        }
        let is_in_child = now.names_next_child || self.strings.open != OpenString::None;
        let is_between = before == Some(now) && !is_in_child;
        let depth = now.depth.saturating_sub(usize::from(is_between));
        self.outbox.notice(Code::Truncated, Span::at(end), depth);
        true
    }

    /// Closes the innermost open value. Whether one was open.
    pub(crate) fn close_one(&mut self, end: u64) -> Result<bool, Error> {
        if let Some(choice) = self.strings.held() {
            self.end_choice(choice, end)?;
        } else if self.strings.streaming().is_some() {
            let change = self.close_string(end, Completion::EndOfInput)?;
            self.outbox.emit_change(change, end);
        } else if self.cursor.levels.is_empty() {
            return Ok(false);
        } else if !self.end_siblings(end, Completion::EndOfInput) {
            let change = self.close_container(end, Completion::EndOfInput);
            self.outbox.emit_change(change, end);
        }
        Ok(true)
    }

    /// The string that is emitted as it grows, if one is open.
    pub(crate) const fn open_string_node(&self) -> Option<NodeId> {
        self.strings.streaming()
    }

    pub(crate) fn has_open(&self) -> bool {
        self.strings.open != OpenString::None || !self.cursor.levels.is_empty()
    }

    // Emissions.

    /// The next emission.
    pub(crate) fn pop(&mut self) -> Option<Emission> {
        let emission = loop {
            if let Some(emission) = self.outbox.take() {
                break emission;
            }
            self.clear_emitted();
            if !self.continue_closing() {
                return None;
            }
        };
        if let (EmissionKind::Patch(change), TextAt::Pending) = (emission.kind, emission.text) {
            self.append_pending(change.node);
        }
        Some(emission)
    }

    /// Whether nothing is left to emit.
    pub(crate) const fn all_emitted(&self) -> bool {
        self.outbox.is_empty() && !self.siblings.is_closing()
    }

    /// Drops what was emitted: nothing refers to pending text any more.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) fn clear_emitted(&mut self) {
        if self.outbox.clear() {
            self.strings.clear_emitted();
        }
    }

    /// The text of the emission whose text is [pending](TextAt::Pending).
    pub(crate) fn pending(&self) -> &str {
        &self.strings.pending
    }

    /// The patch of a change.
    #[inline]
    pub(crate) fn patch<'a>(&'a self, change: &Change, delta: Text<'a>, span: Span) -> Patch<'a> {
        let (document, origin) = self.documents.get(change.document);
        let is_last_value = change.has_last_value && !self.documents.keeps_values();
        Patch {
            document: change.document,
            origin,
            node: change.node,
            path: self.cursor.path.path(change.depth as usize),
            op: change.op,
            delta,
            value: if is_last_value {
                self.documents.last_value().value()
            } else {
                document.at_if_kept(change.node)
            },
            completion: change.completion,
            repaired: change.repaired,
            deferred: false,
            span,
            root: document.value(),
        }
    }

    /// Emits a notice about the value at the path.
    pub(crate) fn notice(&mut self, code: Code, span: Span) {
        self.outbox.notice(code, span, self.cursor.path.depth());
    }

    /// Emits a notice of the search about the value at the path.
    pub(crate) fn repair_notice(&mut self, code: Code, span: Span, cost: RepairCost) {
        self.outbox.repair_notice(code, span, self.cursor.path.depth(), cost);
    }

    #[inline]
    fn change(&self, op: PatchOp, node: NodeId, completion: Option<Completion>) -> Change {
        let depth = self.cursor.path.depth() as u32;
        let document = self.documents.current_id();
        Change { document, op, node, depth, completion, repaired: false, has_last_value: false }
    }

    /// The change of a value that opened. Its kind is that of the empty value in the patch.
    #[inline]
    fn opened(&mut self, node: NodeId, kind: NodeKind) -> Option<Change> {
        if self.shadow.is_active() {
            return None;
        }
        self.documents.set_last_value(kind, "", false);
        let has_last_value = !self.documents.keeps_values();
        Some(Change { has_last_value, ..self.change(PatchOp::Open, node, None) })
    }

    /// Emits that a string grew, unless it is shadowed.
    fn emit_growth(&mut self, node: NodeId, text: TextAt, end: u64) {
        if !self.shadow.is_active() {
            let change = self.change(PatchOp::Delta, node, None);
            self.outbox.emit_text(EmissionKind::Patch(change), text, end);
        }
    }

    // Checks.

    /// Checks values from now on as they close, if values are kept and any check can fail.
    pub(crate) fn watch(&mut self, checks: &Checks, rules: Leniencies) {
        if self.documents.keeps_values() {
            self.verdicts.watch(checks, self.cursor.schema(), rules);
        }
    }

    /// The failure with this number.
    pub(crate) fn verdict(&self, number: u32) -> &Failure {
        self.verdicts.failure(number)
    }

    /// Checks the value that this change completed, and queues its failures.
    #[inline]
    fn judge(&mut self, change: Option<&Change>) {
        if let Some(change) = change.filter(|_| self.verdicts.is_watching()) {
            self.verdicts.judge(change, &self.documents, &self.cursor, &mut self.outbox);
        }
    }
}
