//! Reads a part of the raw text again, with the same machine.

use std::borrow::Cow;

use crate::document::{Document, NodeKind};
use crate::fold::Fold;
use crate::format::Machine;
use crate::format::json::JsonFormat;
use crate::lex::{Input, Token, What};
use crate::notice::{Code, Severity};
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
}

/// Reads a root that begins at `start`.
pub(super) fn root(raw: &[u8], start: u64, settings: &Settings) -> Option<Reread> {
    let text = text_from(raw, start)?;
    let read = read(JsonFormat::at_root(&settings.json), None, (&text, start), settings)?;
    Some(read.spanning(raw))
}

/// Reads a text that is one JSON value and nothing else.
pub(super) fn strict(text: &str, start: u64, settings: &Settings) -> Option<Reread> {
    let options = settings.json.clone().into_strict();
    let read = read(JsonFormat::new(&options), None, (text, start), settings)?;
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
    let machine = JsonFormat::in_root(&settings.json, object);
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
    mut machine: JsonFormat,
    inside: Option<NodeKind>,
    (text, start): (&str, u64),
    settings: &Settings,
) -> Option<Reread> {
    let schema = settings.json.schema.clone();
    let mut fold = Fold::new(schema, &settings.json.limits, true, settings.seed.clone());
    if let Some(kind) = inside {
        let what = if kind == NodeKind::Object { What::ObjectOpen } else { What::ListOpen };
        fold.apply(Token::new(what, start), "").ok()?;
    }
    let mut input = Input::new(text, start);
    let mut lossy = false;
    let mut complete = false;
    while !complete {
        let token = match machine.step(&mut input).ok()? {
            Some(token) => token,
            None => match machine.finish(input.offset()).ok()? {
                Some(token) => token,
                None => break,
            },
        };
        complete = token.what == What::RootComplete;
        lossy |= is_loss(token.what);
        let text = match token.text {
            crate::lex::Slice::Input { start, end } => &text[start as usize..end as usize],
            crate::lex::Slice::Buffer { start, end } => {
                &machine.buffer()[start as usize..end as usize]
            }
            crate::lex::Slice::Empty => "",
        };
        fold.apply(token, text).ok()?;
        while fold.pop().is_some() {}
    }
    while fold.close_one(input.offset()).ok()? {}
    let document = settle(fold);
    let span = Span::new(start, input.offset());
    Some(Reread { document, span, complete, lossy, scalar: false })
}

fn is_loss(what: What) -> bool {
    matches!(what, What::Notice(code) | What::NoticeOfNext(code)
        if code.severity() == Severity::Loss && !matches!(code, Code::NonFinite | Code::LoneSurrogate))
}

/// The document with what would be corrections carried out.
fn settle(mut fold: Fold) -> Document {
    let mut document = core::mem::take(&mut fold.documents[0]);
    for (_, node) in &fold.removals {
        document.unlink(*node);
    }
    for successor in &fold.successors {
        document.take_over(successor.target, successor.source);
    }
    document
}
