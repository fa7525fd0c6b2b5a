//! A YAML document as an independent parser reads it: nodes and their values.

use core::ops::Range;
use std::borrow::Cow;

use granit_parser::{Event, Parser, ScalarStyle, StructureStyle, Tag, options};

use super::scalar;
use crate::oracle::Json;
use crate::oracle::fields::{FieldsReading, Type, Verdict};

/// The kind of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeKind {
    /// A scalar.
    Scalar {
        /// The decoded text.
        text: String,
        /// Whether it is written without quotes and block indicators.
        plain: bool,
    },
    /// A list.
    Seq {
        /// Its items.
        items: Vec<Node>,
        /// Whether it is written in brackets.
        flow: bool,
    },
    /// A mapping.
    Map {
        /// Keys and values.
        pairs: Vec<(Node, Node)>,
        /// Whether it is written in braces.
        flow: bool,
    },
    /// An alias of the anchor with this number.
    Alias(usize),
    /// An alias without an anchor.
    Unknown(String),
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The kind.
    pub kind: NodeKind,
    /// The number of its anchor; 0 if it has none.
    pub anchor: usize,
    /// Whether it is a scalar written with `|` or `>`.
    pub block: bool,
    /// Its tag in full.
    pub tag: Option<String>,
    /// The bytes in the document.
    pub span: Range<usize>,
}

impl Node {
    /// The text of a scalar.
    #[must_use]
    pub fn text(&self) -> &str {
        match &self.kind {
            NodeKind::Scalar { text, .. } => text,
            _ => "",
        }
    }
}

/// The nodes of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composed {
    source: String,
    /// Its root; none if it is empty.
    pub root: Option<Node>,
    /// Whether the parser accepted the document. If not, the root is that of its beginning.
    pub verdict: Verdict,
}

/// Reads the first document of a text.
#[must_use]
pub fn read(source: &str) -> Composed {
    let (root, verdict) = match parsed(source) {
        Ok(root) if is_strict(source) => (root, Verdict::Accepted),
        Ok(root) => (root, Verdict::Loose),
        Err(why) => (sound_part(source), Verdict::Rejected(why)),
    };
    Composed { source: source.to_owned(), root, verdict }
}

fn parsed(source: &str) -> Result<Option<Node>, String> {
    let mut events = Vec::new();
    let options = options! { emit_unresolved_aliases: true };
    for next in Parser::new_from_str_with_options(source, options) {
        let (event, span) = next.map_err(|error| error.to_string())?;
        events.push((event, span.byte_range().unwrap_or_default()));
    }
    Ok(Builder { events: &events, at: 0 }.document())
}

fn is_strict(source: &str) -> bool {
    let options = options! { emit_unresolved_aliases: true, strict_indentation: true };
    Parser::new_from_str_with_options(source, options).all(|next| next.is_ok())
}

/// The longest well-formed part of a text that ends before a line like a member of the root. Such a line
/// ends every member before it.
fn sound_part(source: &str) -> Option<Node> {
    let mut starts = source.rmatch_indices('\n').map(|(at, _)| at + 1);
    starts.find_map(|at| {
        let root = parsed(&source[..at]).ok()??;
        let NodeKind::Map { pairs, flow: false } = &root.kind else { return None };
        let first = pairs.first()?.0.span.start;
        let column = first - source[..first].rfind('\n').map_or(0, |at| at + 1);
        let line = &source[at..];
        let text = line.trim_start_matches(' ');
        let word = !text.is_empty() && !text.starts_with(NO_MEMBER);
        let member = line.len() - text.len() == column && word;
        member.then_some(root)
    })
}

/// The characters that do not begin a member of the root.
const NO_MEMBER: [char; 7] = ['#', '-', '\n', '\t', ']', '}', ','];

struct Builder<'e> {
    events: &'e [(Event<'e>, Range<usize>)],
    at: usize,
}

impl Builder<'_> {
    fn document(&mut self) -> Option<Node> {
        while matches!(
            self.events.get(self.at),
            Some((Event::StreamStart | Event::DocumentStart(..), _))
        ) {
            self.at += 1;
        }
        self.node()
    }

    /// The node that begins here, if there is one.
    fn node(&mut self) -> Option<Node> {
        let (event, span) = self.events.get(self.at)?;
        let (anchor, tag, span) = (event.anchor_id().unwrap_or(0), event.tag(), span.clone());
        let tag = tag.map(full);
        let block =
            matches!(event, Event::Scalar(_, ScalarStyle::Literal | ScalarStyle::Folded, ..));
        let kind = match event {
            Event::Scalar(text, style, ..) => {
                let plain = matches!(style, ScalarStyle::Plain);
                // The parser reports a missing scalar as `~`.
                let text = if plain && span.is_empty() { &Cow::Borrowed("") } else { text };
                NodeKind::Scalar { text: text.clone().into_owned(), plain }
            }
            Event::Alias(of) => NodeKind::Alias(*of),
            Event::UnresolvedAlias(name) => NodeKind::Unknown(format!("*{name}")),
            Event::SequenceStart(style, ..) | Event::MappingStart(style, ..) => {
                let flow = matches!(style, StructureStyle::Flow);
                let is_map = matches!(event, Event::MappingStart(..));
                return Some(self.collection(
                    is_map,
                    flow,
                    Node { kind: NodeKind::Alias(0), anchor, block, tag, span },
                ));
            }
            _ => return None,
        };
        self.at += 1;
        Some(Node { kind, anchor, block, tag, span })
    }

    fn collection(&mut self, is_map: bool, flow: bool, node: Node) -> Node {
        self.at += 1;
        let mut children = Vec::new();
        while let Some(child) = self.node() {
            children.push(child);
        }
        let end = self.events.get(self.at).map_or(node.span.end, |(_, span)| span.end);
        self.at += 1;
        let kind = if is_map {
            let mut children = children.into_iter();
            let pair = || Some((children.next()?, children.next()?));
            NodeKind::Map { pairs: core::iter::from_fn(pair).collect(), flow }
        } else {
            NodeKind::Seq { items: children, flow }
        };
        Node { kind, span: node.span.start..end, ..node }
    }
}

fn full(tag: &Tag) -> String {
    format!("{}{}", tag.handle(), tag.suffix())
}

impl Composed {
    /// Whether the document ends with a scalar in quotes.
    #[must_use]
    pub fn ends_in_quotes(&self) -> bool {
        let mut node = self.root.as_ref();
        while let Some(inner) = node.and_then(Node::last) {
            node = Some(inner);
        }
        node.is_some_and(|node| {
            let quoted = matches!(node.kind, NodeKind::Scalar { plain: false, .. });
            quoted && node.span.end == self.source.len()
        })
    }

    /// The text.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The value of a node under a declared type.
    #[must_use]
    pub fn value(&self, node: &Node, kind: Type) -> Json {
        match &node.kind {
            NodeKind::Alias(of) => match self.target(*of) {
                Some(target) if !matches!(target.kind, NodeKind::Alias(_)) => {
                    self.value(target, kind)
                }
                _ => Json::Null,
            },
            NodeKind::Scalar { text, plain: true } if kind == Type::Str => {
                let null = node.tag.is_none() && scalar::is_null(text);
                if null { Json::Null } else { Json::String(text.clone()) }
            }
            NodeKind::Seq { flow: true, .. } | NodeKind::Map { flow: true, .. }
                if kind == Type::Str =>
            {
                Json::String(self.source[node.span.clone()].to_owned())
            }
            _ => self.of(node, &mut Vec::new()),
        }
    }

    /// The node of an alias.
    fn target(&self, number: usize) -> Option<&Node> {
        self.root.as_ref().and_then(|root| root.anchored(number))
    }

    /// The value of a node. The anchors in `open` enclose it, so their aliases are not expanded again.
    fn of(&self, node: &Node, open: &mut Vec<usize>) -> Json {
        match &node.kind {
            NodeKind::Scalar { text, plain } => self.scalar(node, text, *plain),
            NodeKind::Unknown(text) => Json::String(text.clone()),
            NodeKind::Alias(of) => {
                let Some(target) = self.target(*of).filter(|_| !open.contains(of)) else {
                    return Json::Null;
                };
                open.push(*of);
                let value = self.of(target, open);
                open.pop();
                value
            }
            NodeKind::Seq { items, .. } => {
                Json::List(items.iter().map(|item| self.of(item, open)).collect())
            }
            NodeKind::Map { pairs, .. } => {
                let mut members: Vec<(String, Json)> = Vec::new();
                for (key, value) in pairs {
                    let key = self.key(key, open);
                    if !members.iter().any(|(known, _)| *known == key) {
                        members.push((key, self.of(value, open)));
                    }
                }
                Json::Object(members)
            }
        }
    }

    fn scalar(&self, node: &Node, text: &str, plain: bool) -> Json {
        match node.tag.as_deref() {
            None if plain => scalar::core(text),
            Some(tag) if CORE.contains(&tag) => scalar::core(text),
            _ => Json::String(text.to_owned()),
        }
    }

    fn key(&self, key: &Node, open: &mut Vec<usize>) -> String {
        match &key.kind {
            NodeKind::Scalar { text, .. } => text.clone(),
            NodeKind::Unknown(name) => name.clone(),
            _ => self.of(key, open).to_string(),
        }
    }

    /// Adds the notices of a value.
    pub fn notices_of(&self, node: &Node, reading: &mut FieldsReading) {
        match &node.kind {
            NodeKind::Scalar { plain: true, text } if !text.is_empty() => {
                let behind = &self.source[node.span.end.min(self.source.len())..];
                let blanks = behind.trim_start_matches([' ', '\t']);
                if blanks.starts_with('#') && blanks.len() < behind.len() {
                    reading.notices.insert("comment_truncated");
                }
            }
            NodeKind::Scalar { .. } | NodeKind::Alias(_) => {}
            NodeKind::Unknown(_) => drop(reading.notices.insert("yaml_unknown_alias")),
            NodeKind::Seq { items, .. } => items.iter().for_each(|it| self.notices_of(it, reading)),
            NodeKind::Map { pairs, .. } => {
                for (at, (key, value)) in pairs.iter().enumerate() {
                    let name = |key: &Node| self.key(key, &mut Vec::new());
                    if pairs[..at].iter().any(|(known, _)| name(known) == name(key)) {
                        reading.notices.insert("duplicate_key");
                    }
                    self.notices_of(value, reading);
                }
            }
        }
    }
}

/// Tags for the types that an untagged word may have.
const CORE: [&str; 4] = [
    "tag:yaml.org,2002:int",
    "tag:yaml.org,2002:float",
    "tag:yaml.org,2002:bool",
    "tag:yaml.org,2002:null",
];

impl Node {
    /// The last node of a collection.
    fn last(&self) -> Option<&Self> {
        match &self.kind {
            NodeKind::Seq { items, .. } => items.last(),
            NodeKind::Map { pairs, .. } => pairs.last().map(|(_, value)| value),
            _ => None,
        }
    }

    fn anchored(&self, number: usize) -> Option<&Self> {
        if self.anchor == number && !matches!(self.kind, NodeKind::Alias(_)) {
            return Some(self);
        }
        match &self.kind {
            NodeKind::Seq { items, .. } => items.iter().find_map(|item| item.anchored(number)),
            NodeKind::Map { pairs, .. } => pairs
                .iter()
                .find_map(|(key, value)| key.anchored(number).or_else(|| value.anchored(number))),
            _ => None,
        }
    }
}
