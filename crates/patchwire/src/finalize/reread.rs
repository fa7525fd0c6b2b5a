//! Reads a part of the raw text again, with the same machine.

use std::borrow::Cow;

use crate::codes::{Code, Severity};
use crate::document::{Document, NodeKind};
use crate::fold::{EmissionKind, Fold};
use crate::format::Format;
use crate::format::json::{JsonFormat, Mark};
use crate::lex::{Input, Token, TokenKind};
use crate::span::Span;
use crate::spec::Settings;

/// What a part of the text gave.
pub(super) struct Reread {
    pub(super) document: Document,
    /// The bytes that were read.
    pub(super) span: Span,
    /// Whether the root came whole.
    pub(super) complete: bool,
    /// Whether text was dropped on the way.
    pub(super) lossy: bool,
    /// Whether it is a scalar that stands alone.
    pub(super) scalar: bool,
    /// Whether a kind in it was not granted.
    pub(super) refused: bool,
}

/// Reads a root that begins at `start`.
pub(super) fn root(raw: &[u8], start: u64, settings: &Settings) -> Option<Reread> {
    let text = text_from(raw, start)?;
    let machine = json(JsonFormat::at_root(&settings.json));
    let read = read(machine, None, (&text, start), settings)?;
    Some(read.spanning(raw))
}

/// Reads a root with any machine.
pub(super) fn root_of(
    machine: Format,
    (text, start): (&str, u64),
    settings: &Settings,
) -> Option<Reread> {
    read(machine, None, (text, start), settings)
}

/// Reads the first JSON root in a text, and says where others begin.
pub(super) fn first_json(
    machine: JsonFormat,
    (text, start): (&str, u64),
    settings: &Settings,
) -> Option<(Option<Reread>, Vec<Mark>)> {
    let mut machine = json(machine);
    let first = Reading { until_root: false, ..Reading::new(settings) };
    let first = first.read(&mut machine, (text, start));
    let marks = machine.candidates().map(|candidates| candidates.marks);
    Some((first, marks.unwrap_or_default()))
}

fn json(machine: JsonFormat) -> Format {
    Format::Json(Box::new(machine))
}

/// Reads a text that is one JSON value and nothing else.
pub(super) fn strict(text: &str, start: u64, settings: &Settings) -> Option<Reread> {
    let options = settings.json.clone().into_strict();
    let read = read(json(JsonFormat::new(&options)), None, (text, start), settings)?;
    (read.span.len() == text.len() as u64).then_some(read)
}

fn text_from(raw: &[u8], start: u64) -> Option<Cow<'_, str>> {
    Some(String::from_utf8_lossy(raw.get(usize::try_from(start).ok()?..)?))
}

/// Reads on at `start` inside a root of the same kind as one that closed too early.
pub(super) fn inside(
    raw: &[u8],
    start: u64,
    kind: NodeKind,
    settings: &Settings,
) -> Option<Reread> {
    let text = text_from(raw, start)?;
    let object = kind == NodeKind::Object;
    let machine = json(JsonFormat::in_root(&settings.json, object));
    Some(read(machine, Some(kind), (&text, start), settings)?.spanning(raw))
}

impl Reread {
    /// The same with its end counted in raw bytes: a U+FFFD stands for one to three of them.
    fn spanning(mut self, raw: &[u8]) -> Self {
        let mut left = self.span.len() as usize;
        let mut end = self.span.start as usize;
        for chunk in raw[end..].utf8_chunks() {
            let valid = chunk.valid().len().min(left);
            left -= valid;
            end += valid;
            if left == 0 {
                break;
            }
            left = left.saturating_sub(char::REPLACEMENT_CHARACTER.len_utf8());
            end += chunk.invalid().len();
        }
        self.span.end = end as u64;
        self
    }
}

fn read(
    mut machine: Format,
    inside: Option<NodeKind>,
    text: (&str, u64),
    settings: &Settings,
) -> Option<Reread> {
    let mut reading = Reading::new(settings);
    if let Some(kind) = inside {
        let what =
            if kind == NodeKind::Object { TokenKind::ObjectOpen } else { TokenKind::ListOpen };
        reading.fold.apply(Token::new(what, text.1), "").ok()?;
    }
    reading.read(&mut machine, text)
}

/// A text that is being read again.
struct Reading {
    fold: Fold,
    /// Whether it ends with the first root that is complete.
    until_root: bool,
    lossy: bool,
    complete: bool,
    refused: bool,
}

impl Reading {
    fn new(settings: &Settings) -> Self {
        let schema = settings.json.schema.clone();
        let fold = Fold::new(schema, &settings.json.limits, true, settings.seed.clone());
        Self { fold, until_root: true, lossy: false, complete: false, refused: false }
    }

    fn read(mut self, machine: &mut Format, (text, start): (&str, u64)) -> Option<Reread> {
        let mut input = Input::new(text, start);
        while !(self.complete && self.until_root) {
            let token = match machine.step(&mut input).ok()? {
                Some(token) => token,
                None => match machine.finish(input.offset()).ok()? {
                    Some(token) => token,
                    None => break,
                },
            };
            self.complete |= token.kind == TokenKind::RootComplete;
            self.lossy |= is_loss(token.kind);
            let text = machine.resolve(token.text, text);
            self.fold.apply(token, text).ok()?;
            self.inspect_emitted();
        }
        while self.fold.close_one(input.offset()).ok()? {}
        self.inspect_emitted();
        let document = settle(self.fold);
        let span = Span::new(start, input.offset());
        let Self { lossy, complete, refused, .. } = self;
        Some(Reread { document, span, complete, lossy, scalar: false, refused })
    }

    /// Nobody is emitted, but of what was refused.
    fn inspect_emitted(&mut self) {
        while let Some(emission) = self.fold.pop() {
            self.refused |= matches!(emission.kind, EmissionKind::Notice(Code::KindNotGranted, _));
        }
    }
}

fn is_loss(what: TokenKind) -> bool {
    let excused = |code| matches!(code, Code::NonFinite | Code::LoneSurrogate);
    what.notice().is_some_and(|code| code.severity() == Severity::Loss && !excused(code))
}

/// The document with what would be corrections carried out.
fn settle(mut fold: Fold) -> Document {
    let mut document = core::mem::take(&mut fold.documents.all[0]);
    for (_, node) in &fold.shadow.removals {
        document.unlink(*node);
    }
    for successor in &fold.shadow.successors {
        document.take_over(successor.target, successor.source);
    }
    document
}
