//! Corrections at the end of the stream: patches, each with a notice, for what could not be known before.
//!
//! In this order:
//!
//! 1. A string that ran past the closing line of its fence is cut.
//! 2. List items that turned out to be keys are removed.
//! 3. The last of several members of one key takes the place of the first.
//! 4. Where slips have several meanings, the cheapest reading replaces the streamed one.
//! 5. Children after a closer that came too early are added to the root.
//! 6. A candidate that fits better replaces the root.
//! 7. A value of another type than the schema's becomes that type, if nothing is lost.
//!
//! Formats that write fields have corrections of their own, in [`fields`]. [`Corrections::plan`] decides
//! on the raw text, once; [`Corrections::apply_next`] carries the corrections out one by one.

mod align;
mod apply;
mod candidates;
mod continued;
mod difference;
mod enclosing;
mod fields;
mod locate;
mod lone_scalar;
mod member_names;
mod member_order;
mod other_format;
mod parts;
mod repaired;
mod reread;
mod text_part;
mod unopened;

use std::collections::VecDeque;

use crate::codes::Code;
use crate::document::{DocId, DocNode, Document, ValueRef};
use crate::element::ElementId;
use crate::fold::{Fold, Successor};
use crate::span::Span;
use crate::spec::{Settings, Strictness};
use apply::Applier;
pub(crate) use member_order::order_members;
#[cfg(feature = "_internals")]
pub use repaired::readings;
use repaired::{Doubt, SlipNotice};
use reread::{PathNotice, Reread};
use text_part::PartText;
pub(crate) use text_part::TextPart;

/// The input of the finalizer.
pub(crate) struct EndedStream<'a> {
    pub(crate) raw: Option<&'a [u8]>,
    pub(crate) settings: &'a Settings,
    /// The text outside elements, and the text of each element.
    pub(crate) parts: &'a [TextPart],
    /// Text outside elements that turned out to be reasoning.
    pub(crate) thoughts: &'a [Span],
    /// The elements, from opener to closer.
    pub(crate) elements: Vec<Span>,
    /// The answer, if it is text.
    pub(crate) text: Option<&'a str>,
}

/// The JSON body of an element, with slips that have several meanings.
pub(crate) struct SlippedBody {
    pub(crate) document: DocId,
    /// The text of the element.
    pub(crate) text: Span,
}

/// One correction.
#[derive(Debug, Clone, PartialEq)]
enum Correction {
    Notice(Code, Span),
    /// A notice about one value.
    ValueNotice {
        code: Code,
        at: DocNode,
        span: Span,
    },
    /// A notice about a member of the root that is not there.
    MemberNotice {
        code: Code,
        name: String,
        span: Span,
    },
    /// A notice about the value at this path.
    PathNotice(Box<PathNotice>),
    /// A notice of the search, about the value at this path.
    SlipNotice(Box<SlipNotice>),
    Remove(DocNode),
    /// A shadowed value replaces another.
    Succeed(Successor),
    /// A string keeps only its first `len` bytes. Silent if the string is shadowed.
    Cut {
        at: DocNode,
        len: usize,
        is_silent: bool,
    },
    /// The root of a document, a container, gets the children of this document's root as well.
    Continue(DocId, Document),
    /// A value becomes this one.
    Replace {
        at: DocNode,
        value: Document,
    },
    /// A document begins for an element of which none was streamed.
    Begin(ElementId),
    /// The answer is this text. Text is always emitted so: nothing is repaired.
    Text(Document),
    /// The root of a document becomes this one.
    Root(DocId, Document),
}

/// How often values of other types are looked for: text in a list in text takes three passes.
const ALIGNMENT_PASSES: u8 = 4;

/// Corrections in the order in which they are carried out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Corrections {
    /// Strings that are cut, with their notices. They come first.
    cuts: VecDeque<Correction>,
    /// How many of the fold's removals and successors were carried out.
    removed: usize,
    succeeded: usize,
    queue: VecDeque<Correction>,
    /// Documents that ended early.
    truncated: Vec<DocId>,
    /// Elements whose document only the finalizer found.
    found: Vec<(ElementId, DocId)>,
    /// The documents that the schema describes, and where the text of each ends.
    described: Vec<(DocId, u64)>,
    /// How often these were searched for values of other types than the schema's.
    passes: u8,
    /// Whether the notices about missing fields were emitted.
    has_emitted_missing: bool,
    applier: Applier,
}

impl Corrections {
    /// Decides on all corrections but those of types. Changes nothing.
    pub(crate) fn plan(fold: &Fold, ended: &EndedStream<'_>) -> Self {
        let mut plan = Self {
            cuts: VecDeque::new(),
            removed: 0,
            succeeded: 0,
            queue: VecDeque::new(),
            truncated: Vec::new(),
            found: Vec::new(),
            described: Vec::new(),
            passes: 0,
            has_emitted_missing: false,
            applier: Applier::default(),
        };
        if !fold.documents.keeps_values() {
            let cut = ended.parts.iter().filter(|part| part.is_truncated);
            plan.truncated.extend(cut.filter_map(|part| part.document));
            return plan;
        }
        ended.parts.iter().for_each(|part| plan.plan_cut(fold, part));
        ended.parts.iter().for_each(|part| plan.plan_part(fold, ended, part));
        if let Some(text) = ended.text {
            plan.queue.push_back(Correction::Text(Document::string(text)));
        } else if ended.settings.json.schema.is_some() {
            plan.describe(fold, ended.parts);
        }
        plan
    }

    /// Whether the input, or its element, ended inside this document.
    pub(crate) fn is_truncated(&self, document: usize) -> bool {
        self.truncated.iter().any(|cut| cut.index() == document)
    }

    /// Elements whose document only the finalizer found.
    pub(crate) fn found(&self) -> &[(ElementId, DocId)] {
        &self.found
    }

    /// Carries out the next correction and emits it. False when none is left.
    pub(crate) fn apply_next(&mut self, fold: &mut Fold, settings: &Settings, end: u64) -> bool {
        if let Some(correction) = self.next_noted(fold) {
            // Each of them takes one step.
            self.applier.apply(correction, fold, end);
            return true;
        }
        if self.queue.is_empty() {
            self.plan_alignment(fold, settings);
        }
        if self.queue.is_empty() && !self.has_emitted_missing {
            self.has_emitted_missing = true;
            self.plan_missing(fold, settings);
        }
        let Some(correction) = self.queue.pop_front() else {
            fold.cursor.path.clear();
            return false;
        };
        if let Some(rest) = self.applier.apply(correction, fold, end) {
            self.queue.push_front(rest);
        }
        true
    }

    /// The next cut, or after them the next removal or replacement that the fold noted. Those are not copied
    /// to the queue: a stream may have a million repeated keys.
    fn next_noted(&mut self, fold: &Fold) -> Option<Correction> {
        if let Some(cut) = self.cuts.pop_front() {
            return Some(cut);
        }
        if let Some(&node) = fold.shadow.removals.get(self.removed) {
            self.removed += 1;
            return Some(Correction::Remove(node));
        }
        let successor = *fold.shadow.successors.get(self.succeeded)?;
        self.succeeded += 1;
        Some(Correction::Succeed(successor))
    }

    /// Plans that a document, which is the beginning of a text, becomes that text.
    pub(crate) fn become_text(&mut self, document: DocId, text: &str, span: Span) {
        self.queue.push_back(Correction::Notice(Code::BodyNotJson, span));
        self.queue.push_back(Correction::Root(document, Document::string(text)));
    }

    /// Plans cheaper readings of JSON bodies with slips.
    pub(crate) fn repair_bodies(
        &mut self,
        fold: &Fold,
        ended: &EndedStream<'_>,
        bodies: &[SlippedBody],
    ) {
        let lenient = ended.settings.strictness == Strictness::Lenient;
        let Some(raw) = ended.raw.filter(|_| lenient) else { return };
        for &SlippedBody { document, text: span } in bodies {
            let opens = |at: &u64| matches!(raw.get(*at as usize), Some(b'{' | b'['));
            let Some(start) = (span.start..span.end).find(opens) else { continue };
            let span = Span::new(start, span.end);
            let settings = ended.settings.without_schema();
            match repaired::doubt_of_field(raw, span, &settings, true) {
                Doubt::None => {}
                Doubt::TooLong(span) => {
                    self.queue.push_back(Correction::Notice(Code::RepairLimit, span));
                }
                Doubt::Text(start, text) => {
                    let old = repaired::settled(fold, document);
                    if let Some(repair) = repaired::better(start, text, &settings, old.value()) {
                        self.notice_repair(&repair);
                        let new = repair.root.document.value();
                        self.queue.extend(difference::corrections(document, old.value(), new));
                    }
                }
            }
        }
    }

    /// Notes the documents of the parts: the roots of each, and the one that only the finalizer found. A stream may have a
    /// hundred thousand elements, so their documents are sorted once.
    fn describe(&mut self, fold: &Fold, parts: &[TextPart]) {
        let streamed = fold.documents.origins.iter().map(|origin| origin.element);
        let streamed = streamed.zip((0..).map(DocId));
        let found = self.found.iter().map(|&(element, document)| (Some(element), document));
        let mut documents: Vec<_> = streamed.chain(found).collect();
        documents.sort_by_key(|(element, _)| *element);
        for part in parts {
            let first = documents.partition_point(|(element, _)| *element < part.element);
            let own = documents[first..].iter().take_while(|(of, _)| *of == part.element);
            self.described.extend(own.map(|&(_, document)| (document, part.span.end)));
        }
    }

    /// Plans the notices about declared fields that are nowhere in the answer.
    fn plan_missing(&mut self, fold: &Fold, settings: &Settings) {
        let Some(schema) = settings.json.schema.as_ref() else { return };
        for &(document, end) in &fold.outbox.missing {
            let tree = fold.documents.all.get(document.index());
            let members = tree.map(|tree| tree.value().members()).unwrap_or_default();
            let has = |name: &str| members.contains_key(name);
            for name in schema.declared_keys(schema.root()).filter(|name| !has(name)) {
                let (code, name) = (Code::MissingField, name.to_owned());
                self.queue.push_back(Correction::MemberNotice { code, name, span: Span::at(end) });
            }
        }
    }

    /// Plans the next pass of type corrections. A corrected value may hold more of them.
    fn plan_alignment(&mut self, fold: &mut Fold, settings: &Settings) {
        let Some(schema) = settings.json.schema.as_ref().filter(|_| self.passes < ALIGNMENT_PASSES)
        else {
            return;
        };
        self.passes += 1;
        self.applier.reset(fold);
        for &(document, end) in &self.described {
            let span = Span::at(end);
            let Some(tree) = fold.documents.all.get(document.index()) else { continue };
            for align::Aligned { code, node, value } in align::find(tree.value(), schema, settings)
            {
                let at = DocNode { document, node };
                self.queue.push_back(Correction::ValueNotice { code, at, span });
                self.queue.push_back(Correction::Replace { at, value });
            }
        }
        if self.queue.is_empty() {
            self.passes = ALIGNMENT_PASSES;
        }
    }

    /// Cuts a string that was open at the end and contains the closing line of the payload's fence.
    fn plan_cut(&mut self, fold: &Fold, part: &TextPart) {
        let is_fenced = part.candidates.taken.is_some_and(|taken| taken.fenced);
        let Some(at) = part.leaf.filter(|_| is_fenced && part.is_truncated) else { return };
        let document = &fold.documents.all[at.document.index()];
        let text = document.at(at.node).as_str().unwrap_or("");
        let fences = ["\n```", "\n~~~"];
        if let Some(len) = fences.iter().filter_map(|fence| text.find(fence)).min() {
            let len = text[..len].trim_end_matches('\r').len();
            let here = Span::at(fold.outbox.last_end);
            self.cuts.push_back(Correction::Notice(Code::FenceInString, here));
            let is_silent = !document.is_in_place(at.node);
            self.cuts.push_back(Correction::Cut { at, len, is_silent });
        }
    }

    /// Plans what concerns the root of a part: it is continued, replaced, or found only now.
    fn plan_part(&mut self, fold: &Fold, ended: &EndedStream<'_>, part: &TextPart) {
        let next = || DocId(fold.documents.count() + self.found.len() as u32);
        let document = part.document.unwrap_or_else(next);
        let raw = ended.raw.filter(|_| ended.settings.strictness == Strictness::Lenient);
        let has_fields = ended.settings.row.fields().is_some();
        let is_truncated = match raw {
            _ if has_fields => self.plan_fields(fold, document, ended, part),
            Some(raw) => {
                let raw = &raw[..part.span.end as usize];
                let text = PartText { raw, part, thoughts: ended.thoughts };
                self.plan_root(fold, document, &text, ended)
            }
            None => part.is_truncated,
        };
        // What is truncated has a document: it was streamed, or is planned by now.
        if is_truncated {
            self.truncated.push(document);
        }
    }

    /// Plans corrections of a root. Whether the root that results is truncated.
    fn plan_root(
        &mut self,
        fold: &Fold,
        document: DocId,
        text: &PartText<'_>,
        ended: &EndedStream<'_>,
    ) -> bool {
        let (part, settings) = (text.part, ended.settings);
        let mut is_truncated = part.is_truncated;
        let none = Document::default();
        let streamed =
            part.document.map_or(&none, |known| &fold.documents.all[known.index()]).value();
        let root = if text.is_disowned(settings) { streamed.absent() } else { streamed };
        if root.exists()
            && let Some(list) = unopened::list(text, settings)
        {
            self.queue.push_back(Correction::Notice(Code::BetterCandidate, list.span));
            self.queue.push_back(Correction::Root(document, list.document));
            return false;
        }
        if root.exists() && self.plan_format_around(document, text, root, ended) {
            return false;
        }
        if let Some(repair) = enclosing::object(text, root, settings) {
            self.notice_repair(&repair);
            self.queue.push_back(Correction::Root(document, repair.root.document));
            return !repair.root.is_complete;
        }
        if let Some(is_truncated) = self.plan_repair(fold, document, text, settings) {
            return is_truncated;
        }
        let mut taken = Span::at(0);
        if let Some(more) = continued::find(text, settings, root) {
            self.queue.push_back(Correction::Notice(Code::ContinuedRoot, more.span));
            self.notice_refusal(&more);
            self.queue.push_back(Correction::Continue(document, more.document));
            taken = more.span;
            is_truncated |= !more.is_complete;
        }
        let current = candidates::Current { root, taken, is_truncated };
        let Some(best) = candidates::best(text, settings, &current) else {
            if let (false, Some(node)) = (root.exists(), streamed.node()) {
                self.queue.push_back(Correction::Remove(DocNode { document, node }));
            }
            let is_new = !streamed.exists();
            if !is_new {
                return is_truncated;
            }
            let found = self.plan_found(document, text, ended);
            return found.unwrap_or_else(|| {
                !self.plan_other_format(fold, document, part, ended) && is_truncated
            });
        };
        if self.plan_format_around(document, text, best.document.value(), ended) {
            return false;
        }
        self.begin_if_new(document, part);
        if streamed.exists() {
            self.queue.push_back(Correction::Notice(Code::BetterCandidate, best.span));
        } else if best.is_lone_scalar {
            self.queue.push_back(Correction::Notice(Code::ScalarRoot, best.span));
        }
        self.notice_refusal(&best);
        self.queue.push_back(Correction::Root(document, best.document));
        !best.is_complete
    }

    /// Plans to replace a streamed root by a reading that costs less. Whether the root that results is
    /// truncated; none if the streamed root stays.
    fn plan_repair(
        &mut self,
        fold: &Fold,
        document: DocId,
        text: &PartText<'_>,
        settings: &Settings,
    ) -> Option<bool> {
        let part = text.part;
        part.document.filter(|_| !text.is_disowned(settings))?;
        let is_ambiguous = fold.outbox.ambiguities.touches(part.span);
        let (start, raw) = match repaired::doubt(text, settings, is_ambiguous) {
            Doubt::None => return None,
            Doubt::TooLong(span) => {
                self.queue.push_back(Correction::Notice(Code::RepairLimit, span));
                return None;
            }
            Doubt::Text(start, raw) => (start, raw),
        };
        let settled = repaired::settled(fold, document);
        let repair = unopened::object(text, settings)
            .or_else(|| repaired::better(start, raw, settings, settled.value()))?;
        let current = candidates::Current {
            root: repair.root.document.value(),
            taken: repair.root.span,
            is_truncated: !repair.root.is_complete,
        };
        if let Some(best) = candidates::best(text, settings, &current) {
            self.queue.push_back(Correction::Notice(Code::BetterCandidate, best.span));
            self.notice_refusal(&best);
            self.queue.push_back(Correction::Root(document, best.document));
            return Some(!best.is_complete);
        }
        self.notice_repair(&repair);
        let new = repair.root.document.value();
        self.queue.extend(difference::corrections(document, settled.value(), new));
        Some(!repair.root.is_complete)
    }

    /// Plans a root that only the search finds, where nothing was streamed. Whether it is truncated.
    fn plan_found(
        &mut self,
        document: DocId,
        text: &PartText<'_>,
        ended: &EndedStream<'_>,
    ) -> Option<bool> {
        let settings = ended.settings;
        let repair = unopened::object(text, settings).or_else(|| repaired::first(text, settings));
        let repair = repair.or_else(|| lone_scalar::lenient(text, settings))?;
        if self.plan_format_around(document, text, repair.root.document.value(), ended) {
            return Some(false);
        }
        self.begin_if_new(document, text.part);
        self.notice_repair(&repair);
        self.queue.push_back(Correction::Root(document, repair.root.document));
        Some(!repair.root.is_complete)
    }

    /// Plans that the answer is in another format, and a root of JSON only the value of one of its fields. Whether it is.
    fn plan_format_around(
        &mut self,
        document: DocId,
        text: &PartText<'_>,
        root: ValueRef<'_>,
        ended: &EndedStream<'_>,
    ) -> bool {
        let Some((found, span)) = other_format::around(text, root, ended) else { return false };
        self.begin_if_new(document, text.part);
        self.queue.push_back(Correction::Notice(found.code, span));
        self.queue.push_back(Correction::Root(document, found.document));
        true
    }

    /// Plans a root that is written in another format than JSON. Whether there is one.
    fn plan_other_format(
        &mut self,
        fold: &Fold,
        document: DocId,
        part: &TextPart,
        ended: &EndedStream<'_>,
    ) -> bool {
        let Some((found, span)) = other_format::instead(fold, part, ended) else { return false };
        self.begin_if_new(document, part);
        self.queue.push_back(Correction::Notice(found.code, span));
        self.queue.push_back(Correction::Root(document, found.document));
        true
    }

    fn notice_repair(&mut self, repair: &repaired::Repair) {
        let code = if repair.root.is_lone_scalar { Code::ScalarRoot } else { Code::ReadAgain };
        let (span, cost) = (repair.root.span, repair.cost);
        let reading = SlipNotice { code, span, path: repair.path.clone(), cost };
        let notices = core::iter::once(&reading).chain(&repair.notices).cloned();
        self.queue.extend(notices.map(|notice| Correction::SlipNotice(Box::new(notice))));
        self.notice_refusal(&repair.root);
    }

    /// Begins the document of an element of which none was streamed.
    fn begin_if_new(&mut self, document: DocId, part: &TextPart) {
        if let (None, Some(element)) = (part.document, part.element) {
            self.queue.push_back(Correction::Begin(element));
            self.found.push((element, document));
        }
    }

    fn notice_refusal(&mut self, read: &Reread) {
        if read.is_refused {
            self.queue.push_back(Correction::Notice(Code::KindNotGranted, read.span));
        }
    }
}
