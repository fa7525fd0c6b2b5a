//! Values that are kept as text, and read when they are whole.

use super::YamlFormat;
use super::compose::{self, YamlNode, YamlRefused};
use super::emitter::PlainWant;
use super::state::{Expect, LinePlace, OpenScalar, SignRole, YamlDocument};
use crate::codes::Code;
use crate::error::{Error, ErrorKind};
use crate::held::{Held, HeldBy};
use crate::lex::Input;
use crate::lex::yaml::{FlowBrackets, is_blank};
use crate::limits::Limit;
use crate::span::Span;

/// The construct that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DeferredKind {
    /// A collection in brackets.
    Brackets {
        brackets: FlowBrackets,
        /// Where its text ends, and where that is in the stream, once its last bracket closed.
        closed: Option<(usize, u64)>,
        /// Something that is no comment follows.
        trailing: bool,
    },
    /// A value with an anchor or a tag, in a mapping or list. While its brackets or quotes are open,
    /// it goes on with every line.
    Node {
        list: bool,
        brackets: Option<FlowBrackets>,
        behind: BehindProperty,
    },
    /// An entry of a mapping whose key is no plain or quoted scalar.
    Entry,
    Document,
}

/// The place behind an anchor or a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BehindProperty {
    /// The position in the kept text.
    from: usize,
    column: u64,
    expect: Expect,
}

/// A value that is kept as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Deferred {
    kind: DeferredKind,
    text: String,
    /// The bound of the kept bytes, and whether the text is longer.
    most: usize,
    too_long: bool,
    want: PlainWant,
    start: u64,
    /// Just past its last visible character.
    end: u64,
}

impl Deferred {
    /// The record of the held text.
    pub(super) fn held(&self) -> Held {
        Held::new(HeldBy::YamlDeferred, self.start, &self.text)
    }

    /// Whether every line goes on with it, whatever its indent.
    pub(super) const fn takes_all(&self) -> bool {
        match self.kind {
            DeferredKind::Brackets { .. } | DeferredKind::Document => true,
            DeferredKind::Node { brackets: Some(brackets), .. } => brackets.is_open(),
            DeferredKind::Node { .. } | DeferredKind::Entry => false,
        }
    }

    fn push(&mut self, text: &str) {
        if self.text.len() + text.len() > self.most {
            self.too_long = true;
            self.text = String::new();
        }
        if !self.too_long {
            self.text.push_str(text);
        }
    }

    pub(super) fn push_spaces(&mut self, count: u64) {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        self.too_long |= count > self.most;
        if !self.too_long {
            self.push(&" ".repeat(count));
        }
    }

    pub(super) fn blank_line(&mut self, spaces: u64, tabs: u64) {
        self.push_spaces(spaces);
        // Of what stands behind a tab no more matters than that it is blank.
        if tabs > 0 {
            self.push("\t");
        }
        self.end_line();
    }

    fn end_line(&mut self) {
        self.push("\n");
        match &mut self.kind {
            DeferredKind::Brackets { brackets, closed: None, .. }
            | DeferredKind::Node { brackets: Some(brackets), .. } => brackets.line_end(),
            _ => {}
        }
    }
}

impl YamlFormat {
    /// Keeps the following text, with `before` in front of it.
    fn defer(&mut self, kind: DeferredKind, before: &str) {
        if matches!(kind, DeferredKind::Brackets { .. } | DeferredKind::Node { .. }) {
            self.take_expected();
        }
        let want = self.emitter.want();
        let start = self.document.start;
        let (text, most) = (String::new(), self.most_deferred);
        let mut deferred = Deferred { kind, text, most, too_long: false, want, start, end: start };
        deferred.push(before);
        self.document.scalar = OpenScalar::Deferred(deferred);
        self.document.at = LinePlace::Text;
        self.document.begun = true;
    }

    pub(super) fn defer_brackets(&mut self) {
        let brackets = FlowBrackets::new();
        self.defer(DeferredKind::Brackets { brackets, closed: None, trailing: false }, "");
    }

    /// A value begins with the held anchor or tag. The library gets it as the only value of a
    /// mapping or list at its column.
    pub(super) fn defer_node(&mut self) {
        let document = &self.document;
        let (list, column) =
            document.nests.last().map_or((false, 0), |nest| (nest.list, nest.column));
        let own = document.start - document.line;
        let expect = document.expect.unwrap_or_default();
        let most = self.most_deferred;
        let spaces = |count: u64| " ".repeat(usize::try_from(count).unwrap_or(0).min(most));
        let (indent, sign) = (spaces(column), if list { "-" } else { "k:" });
        let gap = match (expect.same_line, list) {
            (true, true) => spaces(own.saturating_sub(column + 1).max(1)),
            (true, false) => " ".to_owned(),
            (false, _) => format!("\n{}", spaces(own)),
        };
        let before = format!("{indent}{sign}{gap}{}", document.held);
        let column = own + document.held.len() as u64;
        let behind = BehindProperty { from: before.len(), column, expect };
        self.defer(
            DeferredKind::Node { list, brackets: Some(FlowBrackets::new()), behind },
            &before,
        );
    }

    /// An entry begins with the held text.
    pub(super) fn defer_entry(&mut self) {
        let before = self.indented();
        self.defer(DeferredKind::Entry, &before);
    }

    /// The document begins with the held text.
    pub(super) fn defer_document(&mut self) {
        let before = self.indented();
        self.defer(DeferredKind::Document, &before);
    }

    /// The held text with its indent.
    fn indented(&self) -> String {
        let document = &self.document;
        let own = usize::try_from(document.start - document.line).unwrap_or(0);
        let own = own.min(self.most_deferred);
        format!("{}{}", " ".repeat(own), document.held)
    }

    /// Keeps the next part of a line.
    pub(super) fn read_deferred(&mut self, text: &str, input: &mut Input<'_>) -> Result<(), Error> {
        let (depth, limit) = (self.emitter.depth(), self.emitter.depth_limit());
        let base = input.pos;
        let OpenScalar::Deferred(deferred) = &mut self.document.scalar else { return Ok(()) };
        let kept = deferred.text.len();
        deferred.push(text);
        input.pos += text.len();
        if let DeferredKind::Brackets { brackets, closed, trailing } = &mut deferred.kind {
            for (at, char) in text.char_indices() {
                if closed.is_some() {
                    let comment = char == '#' && ends_with_blank(&deferred.text, kept + at);
                    *trailing |= !is_blank(char) && !comment;
                    if comment && !*trailing {
                        self.document.at = LinePlace::Rest;
                        return self.end_scalar();
                    }
                    continue;
                }
                let past = at + char.len_utf8();
                if brackets.push(char) {
                    *closed = Some((kept + past, input.offset_of(base + past)));
                }
                if brackets.depth() + depth as u64 > limit as u64 {
                    let offset = input.offset_of(base + at);
                    return Err(Error::new(ErrorKind::Limit(Limit::Depth), offset));
                }
            }
        }
        if let DeferredKind::Node { brackets, .. } = &mut deferred.kind {
            *brackets = brackets.and_then(|brackets| read_brackets(brackets, text));
        }
        let visible = text.trim_end_matches(is_blank).len();
        if visible > 0 {
            deferred.end = input.offset_of(base + visible);
        }
        Ok(())
    }

    /// Ends a kept line.
    pub(super) fn end_deferred_line(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let OpenScalar::Deferred(deferred) = &mut self.document.scalar else { return Ok(()) };
        if let DeferredKind::Brackets { closed: Some(_), .. } = deferred.kind {
            self.end_scalar()?;
        } else {
            deferred.end_line();
        }
        self.take_line_end(input);
        Ok(())
    }

    /// The first character of a line decides whether the kept value goes on.
    pub(super) fn deferred_line(&mut self, char: char, at: u64) -> Result<(), Error> {
        let document = &mut self.document;
        let (spaces, nest) = (document.spaces, document.nests.last().copied());
        let OpenScalar::Deferred(deferred) = &mut document.scalar else { return Ok(()) };
        if document.tabs > 0 {
            self.emitter.notice(Code::YamlTab, Span::at(at));
        }
        let low = nest.is_some_and(|nest| spaces <= nest.column);
        let level = nest.is_some_and(|nest| spaces == nest.column);
        // A list need not be deeper than the key or colon it follows.
        let over = match deferred.kind {
            _ if deferred.takes_all() => false,
            DeferredKind::Brackets { .. } | DeferredKind::Document => false,
            DeferredKind::Node { list, .. } if level && !list && char == '-' => {
                return self.sign_of_kept();
            }
            DeferredKind::Entry if level && matches!(char, ':' | '-') => {
                return self.sign_of_kept();
            }
            DeferredKind::Node { .. } | DeferredKind::Entry => low && char != '#',
        };
        if over {
            self.end_scalar()?;
            return self.structure(char, at);
        }
        if low && char == '\t' {
            self.emitter.notice(Code::YamlTab, Span::at(at));
        }
        deferred.push_spaces(spaces);
        document.at = LinePlace::Text;
        Ok(())
    }

    fn sign_of_kept(&mut self) -> Result<(), Error> {
        self.document.at = LinePlace::Sign { role: SignRole::Kept, read: false };
        Ok(())
    }

    /// At the end of the input: the held text of the line belongs to the kept value, if there is
    /// one.
    pub(super) fn keep_held(&mut self) {
        let document = &mut self.document;
        if let OpenScalar::Deferred(deferred) = &mut document.scalar {
            deferred.push_spaces(document.spaces);
            deferred.push(&document.held);
            document.at = LinePlace::Text;
        }
    }

    /// The line of the held indicator belongs to the kept value.
    pub(super) fn keep_sign(&mut self) {
        let document = &mut self.document;
        if let OpenScalar::Deferred(deferred) = &mut document.scalar {
            deferred.push_spaces(document.spaces);
            deferred.push(&document.held);
            deferred.end = document.start + 1;
        }
        document.at = LinePlace::Text;
    }

    /// Reads and emits a kept value. `whole` is false if the input ended in it.
    pub(super) fn emit_deferred(&mut self, deferred: Deferred, whole: bool) -> Result<(), Error> {
        let here = Span::new(deferred.start, deferred.end);
        if deferred.too_long {
            self.emitter.notice(Code::DeferredTooLong, here);
            self.emitter.no_value();
            return Ok(());
        }
        match deferred.kind {
            DeferredKind::Brackets { closed, trailing, .. } => {
                let end = closed.filter(|_| !trailing);
                let text = match end {
                    Some((end, _)) => &deferred.text[..end],
                    // Not all that is white is a blank of YAML.
                    None => deferred.text.trim_end_matches([' ', '\t', '\n']),
                };
                let end = end.map_or(deferred.end, |(_, end)| end);
                if trailing && deferred.want != PlainWant::Any {
                    self.emitter.notice_of_next(Code::BadYaml, here);
                }
                self.emit_brackets(&deferred, text, end, whole || closed.is_some())
            }
            DeferredKind::Node { behind, .. } => {
                let node = self.compose(&deferred.text).and_then(YamlNode::into_single);
                match node {
                    Err(YamlRefused::Bad) => self.read_without_property(&deferred, behind, whole),
                    node => self.emit_value(&deferred, node),
                }
            }
            DeferredKind::Entry => {
                let members = self.compose(&deferred.text).and_then(YamlNode::into_members);
                match accept(members, deferred.end)? {
                    Some(members) => {
                        compose::emit_members(&members, true, &mut self.emitter, deferred.end)
                    }
                    None => {
                        self.emitter.notice(Code::BadYaml, here);
                        Ok(())
                    }
                }
            }
            DeferredKind::Document => {
                let node = self.compose(&deferred.text);
                self.emit_value(&deferred, node)
            }
        }
    }

    /// The library refuses a value with an anchor or a tag: the text behind that is read as if neither
    /// had come.
    fn read_without_property(
        &mut self,
        deferred: &Deferred,
        behind: BehindProperty,
        whole: bool,
    ) -> Result<(), Error> {
        self.emitter.notice(Code::BadYaml, Span::new(deferred.start, deferred.end));
        let text = &deferred.text[behind.from..];
        // Offsets are counted back from the end, since the kept text has no carriage returns.
        let start = deferred.end.saturating_sub(text.trim_end().len() as u64);
        let inner = YamlDocument {
            at: LinePlace::Node,
            line: start.saturating_sub(behind.column),
            expect: Some(Expect { end: start, ..behind.expect }),
            nests: self.document.nests.clone(),
            begun: true,
            without_properties: true,
            ..YamlDocument::default()
        };
        let outer = core::mem::replace(&mut self.document, inner);
        let mut input = Input::new(text, start);
        while !input.is_done() {
            self.read(&mut input)?;
            while self.read_again()? {}
        }
        if whole {
            self.end_scalar()?;
            self.nothing();
            while self.document.nests.len() > outer.nests.len() {
                self.document.nests.pop();
                self.emitter.close()?;
            }
        } else {
            self.cut_line(input.offset())?;
            self.cut_scalar(input.offset())?;
        }
        self.document = outer;
        Ok(())
    }

    fn compose(&mut self, text: &str) -> Result<YamlNode, YamlRefused> {
        compose::read(text, self.emitter.depth_limit(), &mut self.emitter.anchors)
    }

    fn emit_value(
        &mut self,
        deferred: &Deferred,
        node: Result<YamlNode, YamlRefused>,
    ) -> Result<(), Error> {
        let Some(node) = accept(node, deferred.end)? else {
            self.emitter.notice(Code::BadYaml, Span::new(deferred.start, deferred.end));
            self.emitter.no_value();
            return Ok(());
        };
        self.emitter.defer();
        compose::emit(&node, &mut self.emitter, deferred.end)
    }

    fn emit_brackets(
        &mut self,
        deferred: &Deferred,
        text: &str,
        end: u64,
        whole: bool,
    ) -> Result<(), Error> {
        let here = Span::new(deferred.start, end);
        if deferred.want != PlainWant::Any {
            self.emitter.defer();
            self.emitter.notice_of_next(Code::TypeMismatch, here);
            self.emitter.string(text, end);
            return Ok(());
        }
        if !whole {
            self.emitter.notice(Code::TruncatedScalar, here);
            self.emitter.no_value();
            return Ok(());
        }
        // Behind a key its lines need an indent, as they do where it stands.
        let column = self.document.parent().unwrap_or_default();
        let column = usize::try_from(column).unwrap_or_default();
        let spaces = " ".repeat(column.min(self.most_deferred));
        let lines = text.contains('\n').then(|| format!("{spaces}k: {text}"));
        let depth = self.emitter.depth_limit();
        let anchors = &mut self.emitter.anchors;
        let node = match lines {
            Some(lines) => compose::read(&lines, depth.saturating_add(1), anchors)
                .and_then(YamlNode::into_single),
            None => compose::read(text, depth, anchors),
        };
        self.emitter.defer();
        match accept(node, end)? {
            Some(node) => compose::emit(&node, &mut self.emitter, end),
            None => {
                self.emitter.notice_of_next(Code::BadYaml, here);
                self.emitter.string(text, end);
                Ok(())
            }
        }
    }
}

/// The result, or none if the text is no YAML.
fn accept<T>(read: Result<T, YamlRefused>, end: u64) -> Result<Option<T>, Error> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(YamlRefused::Bad) => Ok(None),
        Err(YamlRefused::Depth) => Err(Error::new(ErrorKind::Limit(Limit::Depth), end)),
    }
}

/// The brackets or quotes that a value begins with, behind this text; none once they are closed, or if
/// it begins with something else.
fn read_brackets(mut brackets: FlowBrackets, text: &str) -> Option<FlowBrackets> {
    text.chars().try_for_each(|char| {
        brackets.push(char);
        (brackets.is_at_start() || brackets.is_open()).then_some(())
    })?;
    Some(brackets)
}

/// Whether whitespace comes before this position.
fn ends_with_blank(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.ends_with(is_blank))
}
