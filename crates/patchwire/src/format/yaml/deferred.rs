//! Values that are kept as text, and read when they are complete.

use super::compose::{self, YamlNode, YamlRefused};
use super::emitter::{PlainWant, YamlEmitter};
use super::nests::{Expect, Nest};
use super::state::YamlDocument;
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
        /// The end of its text, and its stream offset, once the last bracket closed.
        closed: Option<(usize, u64)>,
        /// Whether something other than a comment follows.
        trailing: bool,
    },
    /// A value with an anchor or a tag, in a mapping or list. While its brackets or quotes are open, every
    /// line belongs to it.
    Node {
        list: bool,
        brackets: Option<FlowBrackets>,
        behind: BehindProperty,
    },
    /// An entry of a mapping whose key is not a plain or quoted scalar.
    Entry,
    Document,
}

/// The place after an anchor or a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BehindProperty {
    /// The position in the kept text.
    from: usize,
    pub(super) column: u64,
    pub(super) expect: Expect,
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
    /// The offset just past its last visible character.
    end: u64,
}

/// The effect of the first character of a line on a kept value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeferredLine {
    /// The line belongs to the value.
    Kept,
    /// The line may belong to the value: a `-` or `:` with whitespace after it does.
    Sign,
    /// The value ended.
    Over,
}

/// How a kept value was emitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeferredEnd {
    Emitted,
    /// The library refused the anchor or tag: the value has to be read without it.
    Refused(BehindProperty),
}

impl Deferred {
    fn new(kind: DeferredKind, before: &str, start: u64, most: usize) -> Self {
        let (text, want) = (String::new(), PlainWant::Any);
        let mut deferred = Self { kind, text, most, too_long: false, want, start, end: start };
        deferred.push(before);
        deferred
    }

    /// A collection in brackets that begins at this offset.
    pub(super) fn brackets(start: u64, most: usize) -> Self {
        let brackets = FlowBrackets::new();
        let kind = DeferredKind::Brackets { brackets, closed: None, trailing: false };
        Self::new(kind, "", start, most)
    }

    /// A value with the held anchor or tag. The library reads it as the only value of a mapping or list at
    /// its column.
    pub(super) fn node(document: &YamlDocument, most: usize) -> Self {
        let (list, column) =
            document.nests.last().map_or((false, 0), |nest| (nest.list, nest.column));
        let (held, own) = (&document.held, document.held_column());
        let expect = document.nests.expect.unwrap_or_default();
        let spaces = |count: u64| " ".repeat(usize::try_from(count).unwrap_or(0).min(most));
        let (indent, sign) = (spaces(column), if list { "-" } else { "k:" });
        let gap = match (expect.same_line, list) {
            (true, true) => spaces(own.saturating_sub(column + 1).max(1)),
            (true, false) => " ".to_owned(),
            (false, _) => format!("\n{}", spaces(own)),
        };
        let before = format!("{indent}{sign}{gap}{}", held.text);
        let column = own + held.text.len() as u64;
        let behind = BehindProperty { from: before.len(), column, expect };
        let kind = DeferredKind::Node { list, brackets: Some(FlowBrackets::new()), behind };
        Self::new(kind, &before, held.start, most)
    }

    /// An entry that begins with the held text.
    pub(super) fn entry(document: &YamlDocument, most: usize) -> Self {
        Self::new(DeferredKind::Entry, &indented(document, most), document.held.start, most)
    }

    /// A document that begins with the held text.
    pub(super) fn document(document: &YamlDocument, most: usize) -> Self {
        Self::new(DeferredKind::Document, &indented(document, most), document.held.start, most)
    }

    /// The value, with the types that it may have.
    pub(super) fn with_want(self, want: PlainWant) -> Self {
        Self { want, ..self }
    }

    /// Whether it is the value that was expected.
    pub(super) const fn is_value(&self) -> bool {
        matches!(self.kind, DeferredKind::Brackets { .. } | DeferredKind::Node { .. })
    }

    /// Whether its brackets closed, so that it ends with the line.
    pub(super) const fn is_closed(&self) -> bool {
        matches!(self.kind, DeferredKind::Brackets { closed: Some(_), .. })
    }

    /// The record of the held text.
    pub(super) fn held(&self) -> Held {
        Held::new(HeldBy::YamlDeferred, self.start, &self.text)
    }

    /// Whether every line belongs to it, whatever its indent.
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
        // After a tab it only matters whether the rest is blank.
        if tabs > 0 {
            self.push("\t");
        }
        self.end_line();
    }

    /// Ends a line.
    pub(super) fn end_line(&mut self) {
        self.push("\n");
        match &mut self.kind {
            DeferredKind::Brackets { brackets, closed: None, .. }
            | DeferredKind::Node { brackets: Some(brackets), .. } => brackets.line_end(),
            _ => {}
        }
    }

    /// Reads a part of a line. Returns whether a comment after its brackets ended the value.
    ///
    /// # Errors
    /// If the brackets are nested too deeply.
    pub(super) fn read(
        &mut self,
        text: &str,
        input: &mut Input<'_>,
        emitter: &YamlEmitter,
    ) -> Result<bool, Error> {
        let (depth, limit) = (emitter.depth(), emitter.depth_limit());
        let base = input.pos;
        let kept = self.text.len();
        self.push(text);
        input.pos += text.len();
        if let DeferredKind::Brackets { brackets, closed, trailing } = &mut self.kind {
            for (at, char) in text.char_indices() {
                if closed.is_some() {
                    let comment = char == '#' && ends_with_blank(&self.text, kept + at);
                    *trailing |= !is_blank(char) && !comment;
                    if comment && !*trailing {
                        return Ok(true);
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
        if let DeferredKind::Node { brackets, .. } = &mut self.kind {
            *brackets = brackets.and_then(|brackets| read_brackets(brackets, text));
        }
        let visible = text.trim_end_matches(is_blank).len();
        if visible > 0 {
            self.end = input.offset_of(base + visible);
        }
        Ok(false)
    }

    /// Decides by the first character of a line, after these spaces, whether the value continues.
    pub(super) fn line(&self, char: char, spaces: u64, nest: Option<Nest>) -> DeferredLine {
        let low = nest.is_some_and(|nest| spaces <= nest.column);
        let level = nest.is_some_and(|nest| spaces == nest.column);
        // A list may have the indent of the key or colon before it.
        match self.kind {
            _ if self.takes_all() => DeferredLine::Kept,
            DeferredKind::Node { list: false, .. } if level && char == '-' => DeferredLine::Sign,
            DeferredKind::Entry if level && matches!(char, ':' | '-') => DeferredLine::Sign,
            DeferredKind::Node { .. } | DeferredKind::Entry if low && char != '#' => {
                DeferredLine::Over
            }
            _ => DeferredLine::Kept,
        }
    }

    /// Adds the held text of a line with its indent.
    pub(super) fn push_held(&mut self, spaces: u64, held: &str) {
        self.push_spaces(spaces);
        self.push(held);
    }

    /// Adds a line that begins with the held indicator at this offset.
    pub(super) fn push_sign(&mut self, spaces: u64, held: &str, start: u64) {
        self.push_held(spaces, held);
        self.end = start + 1;
    }

    /// Reads and emits the value. `whole` is false if the input ended inside it. `column` is that of the
    /// collection around it.
    ///
    /// # Errors
    /// If the value exceeds a limit.
    pub(super) fn emit(
        &self,
        whole: bool,
        column: u64,
        emitter: &mut YamlEmitter,
    ) -> Result<DeferredEnd, Error> {
        if self.too_long {
            emitter.notice(Code::DeferredTooLong, self.span());
            emitter.no_value();
            return Ok(DeferredEnd::Emitted);
        }
        match self.kind {
            DeferredKind::Brackets { closed, trailing, .. } => {
                let end = closed.filter(|_| !trailing);
                let text = match end {
                    Some((end, _)) => &self.text[..end],
                    // `trim_end` would also remove whitespace that YAML does not define as such.
                    None => self.text.trim_end_matches([' ', '\t', '\n']),
                };
                let end = end.map_or(self.end, |(_, end)| end);
                if trailing && self.want != PlainWant::Any {
                    emitter.notice_of_next(Code::BadYaml, self.span());
                }
                match whole || closed.is_some() || self.want != PlainWant::Any {
                    true => self.emit_brackets(text, end, column, emitter)?,
                    false => {
                        emitter.notice(Code::TruncatedScalar, Span::new(self.start, end));
                        emitter.no_value();
                    }
                }
            }
            DeferredKind::Node { behind, .. } => {
                let node = compose_text(&self.text, emitter).and_then(YamlNode::into_single);
                if let Err(YamlRefused::Bad) = node {
                    emitter.notice(Code::BadYaml, self.span());
                    return Ok(DeferredEnd::Refused(behind));
                }
                self.emit_value(node, emitter)?;
            }
            DeferredKind::Entry => self.emit_entry(emitter)?,
            DeferredKind::Document => {
                let node = compose_text(&self.text, emitter);
                self.emit_value(node, emitter)?;
            }
        }
        Ok(DeferredEnd::Emitted)
    }

    /// The text behind the anchor or tag, and the offset at which it begins.
    pub(super) fn behind(&self, behind: BehindProperty) -> (&str, u64) {
        let text = &self.text[behind.from..];
        // Offsets are counted from the end, because the kept text has no carriage returns.
        (text, self.end.saturating_sub(text.trim_end().len() as u64))
    }

    const fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }

    fn emit_entry(&self, emitter: &mut YamlEmitter) -> Result<(), Error> {
        let members = compose_text(&self.text, emitter).and_then(YamlNode::into_members);
        match accept(members, self.end)? {
            Some(members) => compose::emit_members(&members, true, emitter, self.end),
            None => {
                emitter.notice(Code::BadYaml, self.span());
                Ok(())
            }
        }
    }

    fn emit_value(
        &self,
        node: Result<YamlNode, YamlRefused>,
        emitter: &mut YamlEmitter,
    ) -> Result<(), Error> {
        let Some(node) = accept(node, self.end)? else {
            emitter.notice(Code::BadYaml, self.span());
            emitter.no_value();
            return Ok(());
        };
        emitter.defer();
        compose::emit(&node, emitter, self.end)
    }

    /// Emits a collection in brackets with this text, which ends at this offset.
    fn emit_brackets(
        &self,
        text: &str,
        end: u64,
        column: u64,
        emitter: &mut YamlEmitter,
    ) -> Result<(), Error> {
        let here = Span::new(self.start, end);
        if self.want != PlainWant::Any {
            emitter.defer();
            emitter.notice_of_next(Code::TypeMismatch, here);
            emitter.string(text, end);
            return Ok(());
        }
        // After a key the lines need an indent, as in the document.
        let column = usize::try_from(column).unwrap_or_default();
        let spaces = " ".repeat(column.min(self.most));
        let lines = text.contains('\n').then(|| format!("{spaces}k: {text}"));
        let depth = emitter.depth_limit();
        let node = match lines {
            Some(lines) => compose::read(&lines, depth.saturating_add(1), &mut emitter.anchors)
                .and_then(YamlNode::into_single),
            None => compose::read(text, depth, &mut emitter.anchors),
        };
        emitter.defer();
        match accept(node, end)? {
            Some(node) => compose::emit(&node, emitter, end),
            None => {
                emitter.notice_of_next(Code::BadYaml, here);
                emitter.string(text, end);
                Ok(())
            }
        }
    }
}

/// The held text with its indent.
fn indented(document: &YamlDocument, most: usize) -> String {
    let own = usize::try_from(document.held_column()).unwrap_or(0);
    format!("{}{}", " ".repeat(own.min(most)), document.held.text)
}

fn compose_text(text: &str, emitter: &mut YamlEmitter) -> Result<YamlNode, YamlRefused> {
    let depth = emitter.depth_limit();
    compose::read(text, depth, &mut emitter.anchors)
}

/// The result, or none if the text is no YAML.
fn accept<T>(read: Result<T, YamlRefused>, end: u64) -> Result<Option<T>, Error> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(YamlRefused::Bad) => Ok(None),
        Err(YamlRefused::Depth) => Err(Error::new(ErrorKind::Limit(Limit::Depth), end)),
    }
}

/// The brackets or quotes that begin a value after this text. None once they are closed, or if the value
/// begins with something else.
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

#[cfg(test)]
mod tests {
    use super::{Deferred, DeferredLine};
    use crate::format::yaml::state::YamlDocument;

    #[test]
    fn the_first_character_of_a_line_decides_whether_the_value_continues() {
        let mut document = YamlDocument::default();
        document.nests.push(false, 2);
        document.held.text = "? a".to_owned();
        let brackets = Deferred::brackets(0, 64);
        let whole = Deferred::document(&document, 64);
        let entry = Deferred::entry(&document, 64);
        let node = Deferred::node(&document, 64);
        for (deferred, char, spaces, line) in [
            (&brackets, 'x', 0, DeferredLine::Kept),
            (&whole, 'x', 0, DeferredLine::Kept),
            (&entry, 'x', 3, DeferredLine::Kept),
            (&entry, 'x', 2, DeferredLine::Over),
            (&entry, '#', 2, DeferredLine::Kept),
            (&entry, ':', 2, DeferredLine::Sign),
            (&entry, '-', 2, DeferredLine::Sign),
            (&entry, ':', 0, DeferredLine::Over),
            (&node, '-', 2, DeferredLine::Sign),
            (&node, ':', 2, DeferredLine::Over),
            (&node, 'x', 3, DeferredLine::Kept),
        ] {
            let found = deferred.line(char, spaces, document.nests.last());
            assert_eq!(found, line, "{deferred:?} {char:?} {spaces}");
        }
    }
}
