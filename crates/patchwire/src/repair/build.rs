//! Documents and slips from the events of a reading.

use std::collections::HashMap;

use super::SearchOptions;
use super::costs::Slip;
use super::decode::decode;
use super::source::Source;
use super::stack::Container;
use super::trace::{Range, RepairEvent, Step, Steps};
use super::word::{self, Word};
use crate::document::{Document, NodeId, NodeKind, Placement};
use crate::leniency::Leniencies;
use crate::lex::Scalar;
use crate::span::Span;

/// One root of a reading.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundRoot {
    pub(crate) document: Document,
    /// Its bytes, as offsets in the text.
    pub(crate) span: Span,
    /// Whether its closers were written.
    pub(crate) is_complete: bool,
}

/// One slip of a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundSlip {
    pub(crate) slip: Slip,
    pub(crate) cost: u32,
    /// Its bytes, as offsets in the text.
    pub(crate) span: Span,
    /// The root that it is in, and the container in it that was open.
    pub(crate) root: usize,
    pub(crate) node: Option<NodeId>,
}

/// What a reading says.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Interpretation {
    pub(crate) cost: u32,
    pub(crate) roots: Vec<FoundRoot>,
    pub(crate) slips: Vec<FoundSlip>,
}

/// Builds what the events say.
pub(super) fn build(
    source: Source<'_>,
    steps: Steps<'_>,
    cost: u32,
    options: &SearchOptions,
) -> Interpretation {
    let mut builder = Builder::new(source, options);
    let mut next = 0;
    for number in 0.. {
        let Some((at, event)) = steps.get(number) else { break };
        // The next event that is no slip.
        next = next.max(number + 1);
        while steps.get(next).is_some_and(|(_, event)| matches!(event, RepairEvent::Slip(..))) {
            next += 1;
        }
        builder.apply(at, event, steps.get(next));
    }
    Interpretation { cost, roots: builder.roots, slips: builder.slips }
}

/// A container that is open.
struct Open {
    /// None for braces around an object.
    node: Option<NodeId>,
    is_object: bool,
    key: Option<String>,
    /// The members so far.
    names: HashMap<String, NodeId>,
}

struct Builder<'t> {
    source: Source<'t>,
    document: Document,
    open: Vec<Open>,
    /// The last string, which may go on.
    last_text: Option<NodeId>,
    joins: bool,
    /// A member that was there before, and the value that takes its place.
    successors: Vec<(NodeId, NodeId)>,
    start: u32,
    roots: Vec<FoundRoot>,
    slips: Vec<FoundSlip>,
    most_slips: usize,
    rules: Leniencies,
}

impl<'t> Builder<'t> {
    fn new(source: Source<'t>, options: &SearchOptions) -> Self {
        Self {
            source,
            document: Document::default(),
            open: Vec::new(),
            last_text: None,
            joins: false,
            successors: Vec::new(),
            start: 0,
            roots: Vec::new(),
            slips: Vec::new(),
            most_slips: options.slips,
            rules: options.leniencies,
        }
    }

    fn apply(&mut self, at: u32, event: RepairEvent, next: Option<Step>) {
        match event {
            RepairEvent::Root => self.start = at,
            RepairEvent::RootEnd { closed } => self.end_root(at, closed),
            RepairEvent::Open(container) => self.open(container, next),
            RepairEvent::Unwrap => {}
            RepairEvent::Close => self.close(),
            RepairEvent::Key(range, quote) => {
                let key = decode(self.source, range, quote);
                if let Some(open) = self.open.last_mut() {
                    open.key = Some(key);
                }
            }
            RepairEvent::NoValue => {
                if let Some(open) = self.open.last_mut() {
                    open.key = None;
                }
            }
            RepairEvent::Join => self.joins = true,
            RepairEvent::Text(range, quote) => {
                let text = decode(self.source, range, quote);
                self.text(&text);
            }
            RepairEvent::Bare(range) => self.bare(range),
            RepairEvent::Slip(slip, cost) => self.slip(at, slip, u32::from(cost), next),
        }
    }

    fn slip(&mut self, at: u32, slip: Slip, cost: u32, next: Option<Step>) {
        // A slip that costs nothing is no slip.
        if self.slips.len() >= self.most_slips || cost == 0 {
            return;
        }
        let end = match slip {
            Slip::Junk => next.map_or(self.source.len(), |(end, _)| end as usize),
            _ => at as usize,
        };
        let end = self.source.trimmed_end(at as usize, end) as u64;
        let span = Span::new(u64::from(at), end.max(u64::from(at)));
        let node = self.open.iter().rev().find_map(|open| open.node);
        self.slips.push(FoundSlip { slip, cost, span, root: self.roots.len(), node });
    }

    fn open(&mut self, container: Container, next: Option<Step>) {
        let is_wrapper =
            container == Container::Wrapper || matches!(next, Some((_, RepairEvent::Unwrap)));
        let is_object = container.has_members();
        let kind = if is_object { NodeKind::Object } else { NodeKind::List };
        // The place of a wrapper is left to the object inside it.
        let node = (!is_wrapper).then(|| self.add(kind, ""));
        self.open.push(Open { node, is_object, key: None, names: HashMap::new() });
    }

    fn close(&mut self) {
        if let Some(node) = self.open.pop().and_then(|open| open.node) {
            self.document.complete(node);
        }
    }

    /// Adds a value at the place that is open.
    fn add(&mut self, kind: NodeKind, text: &str) -> NodeId {
        let holder = self.open.iter_mut().rev().find(|open| open.node.is_some());
        let mut name = None;
        let mut before = None;
        let place = match &holder {
            None if self.document.root().is_none() => Placement::Root,
            None => Placement::Detached,
            Some(open) => match (open.node, &open.key) {
                (Some(node), _) if !open.is_object => Placement::Item(node),
                (Some(node), Some(key)) => {
                    name = Some(key.clone());
                    before = open.names.get(key).copied();
                    if before.is_some() {
                        Placement::Detached
                    } else {
                        Placement::Member(node, key)
                    }
                }
                _ => Placement::Detached,
            },
        };
        let node = if kind.is_container() {
            self.document.open(place, kind)
        } else {
            self.document.scalar(place, kind, text)
        };
        match (holder, name, before) {
            (_, _, Some(before)) => self.successors.push((before, node)),
            (Some(open), Some(name), None) => {
                open.names.insert(name, node);
            }
            _ => {}
        }
        if let Some(open) = self.open.iter_mut().rev().find(|open| open.node.is_some()) {
            open.key = None;
        }
        node
    }

    fn text(&mut self, text: &str) {
        let joined = self.last_text.filter(|_| core::mem::take(&mut self.joins));
        match joined {
            Some(node) => self.document.append(node, text),
            None => self.last_text = Some(self.add(NodeKind::String, text)),
        }
    }

    fn bare(&mut self, range: Range) {
        let text = self.source.slice(range.start, range.end);
        let kind = |scalar: Scalar| match scalar {
            Scalar::True => NodeKind::True,
            Scalar::False => NodeKind::False,
            Scalar::Null => NodeKind::Null,
            Scalar::Number => NodeKind::Number,
        };
        let of = |scalar: Scalar| if scalar == Scalar::Number { text } else { "" };
        match word::classify(text, self.rules) {
            Some(Word::Standard(scalar) | Word::Foreign(scalar, _)) => {
                self.add(kind(scalar), of(scalar));
            }
            Some(Word::ForeignNumber(number)) => {
                self.add(NodeKind::Number, &number);
            }
            None => {
                self.add(NodeKind::String, text);
            }
        }
    }

    fn end_root(&mut self, at: u32, is_complete: bool) {
        let mut document = core::mem::take(&mut self.document);
        for (target, source) in self.successors.drain(..) {
            document.take_over(target, source);
        }
        self.open.clear();
        if document.root().is_some() {
            let span = Span::new(u64::from(self.start), u64::from(at));
            self.roots.push(FoundRoot { document, span, is_complete });
        }
    }
}
