//! Reads a part of the raw text again, with the machine of the format.

use std::borrow::Cow;

use super::fields;
use crate::codes::{Code, Severity};
use crate::document::{Document, NodeKind};
use crate::fold::{EmissionKind, Fold, SlippedField};
use crate::format::FormatMachine;
use crate::format::json::{JsonFormat, Mark};
use crate::lex::{Input, Token, TokenKind};
use crate::path::PathStack;
use crate::span::Span;
use crate::spec::Settings;

/// How many notices about a text are kept.
const MOST_NOTICES: usize = 256;
/// The longest path of a notice, in bytes.
const MOST_PATH: usize = 1 << 10;

/// The value that was read again.
#[derive(Default)]
pub(super) struct Reread {
    pub(super) document: Document,
    /// The bytes that were read.
    pub(super) span: Span,
    /// Whether the root ended before the text did.
    pub(super) is_complete: bool,
    /// Whether text was lost.
    pub(super) is_lossy: bool,
    /// Whether the value is a scalar without a container around it.
    pub(super) is_lone_scalar: bool,
    /// Whether a value in the text was not granted.
    pub(super) is_refused: bool,
    /// Whether a slip in the text has several meanings.
    pub(super) is_ambiguous: bool,
    /// Fields whose JSON has slips.
    pub(super) slipped: Vec<SlippedField>,
    /// The notices about slips and losses.
    pub(super) notices: Vec<PathNotice>,
    /// Whether text in or behind a value was skipped, or may mean something else.
    pub(super) has_skipped: bool,
}

/// A notice, with the path of the value that it is about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PathNotice {
    pub(super) code: Code,
    pub(super) span: Span,
    pub(super) path: PathStack,
}

/// A text and the offset at which it begins in the stream.
#[derive(Clone, Copy)]
pub(super) struct OffsetText<'t> {
    pub(super) text: &'t str,
    pub(super) start: u64,
}

/// Reads a root that begins at `start`.
pub(super) fn root(raw: &[u8], start: u64, settings: &Settings) -> Option<Reread> {
    let text = text_from(raw, start)?;
    let machine = json(JsonFormat::at_root(&settings.json));
    let read = read(machine, None, OffsetText { text: &text, start }, settings)?;
    Some(read.spanning(raw))
}

/// Reads a root with any machine.
pub(super) fn root_of(
    machine: FormatMachine,
    text: OffsetText<'_>,
    settings: &Settings,
) -> Option<Reread> {
    read(machine, None, text, settings)
}

/// Reads the first JSON root in a text. Also returns the places at which other roots may begin.
pub(super) fn first_json(
    machine: JsonFormat,
    text: OffsetText<'_>,
    settings: &Settings,
) -> Option<(Option<Reread>, Vec<Mark>)> {
    let mut machine = json(machine);
    let first = RereadFold { until_root: false, ..RereadFold::new(settings) };
    let first = first.read(&mut machine, text);
    let marks = machine.candidates().map(|candidates| candidates.marks);
    Some((first, marks.unwrap_or_default()))
}

fn json(machine: JsonFormat) -> FormatMachine {
    FormatMachine::Json(Box::new(machine))
}

/// Reads a text that is one JSON value and nothing else.
pub(super) fn strict(text: &str, start: u64, settings: &Settings) -> Option<Reread> {
    let options = settings.json.clone().into_strict();
    let machine = json(JsonFormat::new(&options));
    let read = read(machine, None, OffsetText { text, start }, settings)?;
    (read.span.len() == text.len() as u64).then_some(read)
}

fn text_from(raw: &[u8], start: u64) -> Option<Cow<'_, str>> {
    Some(String::from_utf8_lossy(raw.get(usize::try_from(start).ok()?..)?))
}

/// Reads the children that begin at `start`, in a root of this kind that closed too early.
pub(super) fn inside(
    raw: &[u8],
    start: u64,
    kind: NodeKind,
    settings: &Settings,
) -> Option<Reread> {
    let text = text_from(raw, start)?;
    let object = kind == NodeKind::Object;
    let machine = json(JsonFormat::in_root(&settings.json, object));
    let text = OffsetText { text: &text, start };
    Some(read(machine, Some(kind), text, settings)?.spanning(raw))
}

impl Reread {
    /// Counts the end of the span in raw bytes: one U+FFFD replaces one to three invalid bytes.
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

    /// Moves what lies behind the end of the text to its end: a U+FFFD may be longer than the bytes that it replaces.
    pub(super) fn keep_within(&mut self, end: u64) {
        let within = |span: Span| Span::new(span.start.min(end), span.end.min(end));
        self.span = within(self.span);
        for notice in &mut self.notices {
            notice.span = within(notice.span);
        }
    }
}

fn read(
    mut machine: FormatMachine,
    inside: Option<NodeKind>,
    text: OffsetText<'_>,
    settings: &Settings,
) -> Option<Reread> {
    let mut reading = RereadFold::new(settings);
    if let Some(kind) = inside {
        let opener =
            if kind == NodeKind::Object { TokenKind::ObjectOpen } else { TokenKind::ListOpen };
        reading.fold.apply_rare(Token::new(opener, text.start), "").ok()?;
    }
    let mut read = reading.read(&mut machine, text)?;
    fields::settle(&mut read, text, settings);
    Some(read)
}

/// A separate fold, whose emissions are dropped.
struct RereadFold {
    fold: Fold,
    /// Whether reading stops after the first complete root.
    until_root: bool,
    is_lossy: bool,
    is_complete: bool,
    is_refused: bool,
    notices: Vec<PathNotice>,
}

impl RereadFold {
    fn new(settings: &Settings) -> Self {
        let schema = settings.json.schema.clone();
        let fold = Fold::new(schema, &settings.json.limits, true, settings.seed.clone());
        Self {
            fold,
            until_root: true,
            is_lossy: false,
            is_complete: false,
            is_refused: false,
            notices: Vec::new(),
        }
    }

    fn read(
        mut self,
        machine: &mut FormatMachine,
        OffsetText { text, start }: OffsetText<'_>,
    ) -> Option<Reread> {
        let mut input = Input::new(text, start);
        while !(self.is_complete && self.until_root) {
            let token = match machine.step(&mut input).ok()? {
                Some(token) => token,
                None => match machine.get_mut().finish(input.offset()).ok()? {
                    Some(token) => token,
                    None => break,
                },
            };
            self.is_complete |= token.kind == TokenKind::RootComplete;
            self.is_lossy |= is_loss(token.kind);
            let text = machine.resolve(token.text, text);
            self.fold.apply_rare(token, text).ok()?;
            self.drop_emissions();
        }
        while self.fold.close_one(input.offset()).ok()? {}
        self.drop_emissions();
        let span = Span::new(start, input.offset());
        let is_ambiguous = self.fold.outbox.ambiguities.touches(span);
        let slipped = core::mem::take(&mut self.fold.outbox.slipped);
        let has_skipped = self.fold.outbox.has_skipped_text || self.fold.outbox.is_doubtful;
        let document = corrected(self.fold);
        let Self { is_lossy, is_complete, is_refused, notices, .. } = self;
        let is_lone_scalar = false;
        Some(Reread {
            document,
            span,
            is_complete,
            is_lossy,
            is_lone_scalar,
            is_refused,
            is_ambiguous,
            slipped,
            notices,
            has_skipped,
        })
    }

    /// Drops the emissions, but keeps what they say about slips, and notes a refused value.
    fn drop_emissions(&mut self) {
        while let Some(emission) = self.fold.pop() {
            let EmissionKind::Notice(code, depth) = emission.kind else { continue };
            self.is_refused |= code == Code::KindNotGranted;
            // That of a missing field comes for the whole answer.
            let is_told = code.severity() != Severity::Info && code != Code::MissingField;
            if is_told && self.notices.len() < MOST_NOTICES {
                let path = &self.fold.cursor.path;
                let is_short = path.size() <= MOST_PATH;
                let path = if is_short { path.up_to(depth as usize) } else { PathStack::default() };
                self.notices.push(PathNotice { code, span: emission.span, path });
            }
        }
    }
}

fn is_loss(kind: TokenKind) -> bool {
    let excused = |code| matches!(code, Code::NonFinite | Code::LoneSurrogate);
    kind.notice().is_some_and(|code| code.severity() == Severity::Loss && !excused(code))
}

/// The document after the corrections that the fold noted.
fn corrected(mut fold: Fold) -> Document {
    let mut document = core::mem::take(&mut fold.documents.all[0]);
    for removal in &fold.shadow.removals {
        document.unlink(removal.node);
    }
    for successor in &fold.shadow.successors {
        document.take_over(successor.target, successor.source);
    }
    document
}
