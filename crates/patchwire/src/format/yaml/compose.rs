//! Values that are read whole: a YAML 1.2 library reads the kept text into nodes, which are
//! emitted.
//!
//! "Compose" is YAML's word for the step from parse events to nodes (section 3.1).

use super::anchors::Anchors;
use super::emitter::{PlainWant, YamlEmitter};
use crate::codes::Code;
use crate::error::Error;
use crate::span::Span;

/// The key that adds the members of other mappings (<https://yaml.org/type/merge.html>).
pub(super) const MERGE_KEY: &str = "<<";

/// The most levels of a value that is read whole, however high the limit of the depth is. The functions that visit its
/// nodes are recursive, so more levels could overflow the stack.
pub(super) const MOST_LEVELS: usize = 1_000;

/// A value that was read whole.
#[cfg_attr(not(feature = "yaml"), expect(dead_code, reason = "no library makes nodes then"))]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum YamlNode {
    Scalar {
        text: String,
        /// The core schema decides the type of the text. Otherwise it is a string.
        plain: bool,
        /// A tag of the core schema gives the type.
        tagged: bool,
    },
    /// The number of an anchored value in [`Anchors`].
    Alias(usize),
    /// The name of an alias without an anchor.
    UnknownAlias(String),
    Collection(YamlCollection),
}

/// A list, or a mapping with its keys and values in turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct YamlCollection {
    pub(super) list: bool,
    /// A block collection without an anchor or a tag.
    bare: bool,
    /// The source text of an outermost flow collection.
    source: Option<String>,
    pub(super) children: Vec<YamlNode>,
}

/// Why a text has no value.
#[cfg_attr(not(feature = "yaml"), expect(dead_code, reason = "no library reads then"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum YamlRefused {
    /// The text is not valid YAML, or a key is not a scalar.
    Bad,
    /// The nesting is too deep.
    Depth,
}

/// Reads the first document of a text, and keeps its anchors. A text with more than [`MOST_LEVELS`] has no value.
#[cfg(feature = "yaml")]
pub(super) fn read(
    text: &str,
    depth: usize,
    anchors: &mut Anchors,
) -> Result<YamlNode, YamlRefused> {
    library::read(text, depth, anchors)
}

/// Without the library, values that must be read whole are left out.
#[cfg(not(feature = "yaml"))]
pub(super) fn read(
    _text: &str,
    _depth: usize,
    _anchors: &mut Anchors,
) -> Result<YamlNode, YamlRefused> {
    Err(YamlRefused::Bad)
}

impl YamlNode {
    /// The only value in the mapping or list that was put around it.
    pub(super) fn into_single(self) -> Result<Self, YamlRefused> {
        let Self::Collection(YamlCollection { list, mut children, .. }) = self else {
            return Err(YamlRefused::Bad);
        };
        let only = children.len() == if list { 1 } else { 2 };
        children.pop().filter(|_| only).ok_or(YamlRefused::Bad)
    }

    /// The keys and values of a block mapping.
    pub(super) fn into_members(self) -> Result<Vec<Self>, YamlRefused> {
        match self {
            Self::Collection(YamlCollection { list: false, bare: true, children, .. }) => {
                Ok(children)
            }
            _ => Err(YamlRefused::Bad),
        }
    }
}

/// Emits a value.
pub(super) fn emit(node: &YamlNode, emitter: &mut YamlEmitter, end: u64) -> Result<(), Error> {
    match node {
        YamlNode::Scalar { text, plain: true, tagged } => {
            let want = match emitter.want() {
                PlainWant::TextOrNull if *tagged => PlainWant::Text,
                want => want,
            };
            emitter.plain(text, want, end);
        }
        YamlNode::Scalar { text, .. } => emitter.string(text, end),
        YamlNode::Alias(anchor) => emitter.alias(*anchor, end)?,
        YamlNode::UnknownAlias(name) => {
            emitter.notice_of_next(Code::YamlUnknownAlias, Span::at(end));
            emitter.string(&format!("*{name}"), end);
        }
        YamlNode::Collection(YamlCollection { source: Some(source), .. })
            if emitter.want() != PlainWant::Any =>
        {
            emitter.notice_of_next(Code::TypeMismatch, Span::at(end));
            emitter.string(source, end);
        }
        YamlNode::Collection(YamlCollection { list, children, .. }) => {
            emitter.open(*list, end)?;
            if *list {
                children.iter().try_for_each(|item| emit(item, emitter, end))?;
            } else {
                emit_members(children, false, emitter, end)?;
            }
            emitter.close()?;
        }
    }
    Ok(())
}

/// Emits keys and values as members of the open object. `deferred`: whether each value was held back until
/// it was complete.
pub(super) fn emit_members(
    members: &[YamlNode],
    deferred: bool,
    emitter: &mut YamlEmitter,
    end: u64,
) -> Result<(), Error> {
    for member in members.chunks_exact(2) {
        let (key, value) = (&member[0], &member[1]);
        let here = Span::at(end);
        match key {
            YamlNode::Scalar { text, plain: true, .. }
                if text == MERGE_KEY && emitter.is_at_root() =>
            {
                emitter.merge_at_close(value);
                continue;
            }
            YamlNode::Scalar { text, .. } => emitter.key(text, here)?,
            YamlNode::UnknownAlias(name) => {
                emitter.notice(Code::YamlUnknownAlias, here);
                emitter.key(&format!("*{name}"), here)?;
            }
            YamlNode::Alias(_) | YamlNode::Collection(_) => continue,
        }
        if deferred {
            emitter.defer();
        }
        emit(value, emitter, end)?;
    }
    Ok(())
}

/// Builds nodes from the library's events.
#[cfg(feature = "yaml")]
mod library {
    use std::collections::HashMap;

    use granit_parser::{Event, Options, Parser, ScalarStyle, StructureStyle, Tag};

    use super::{Anchors, MOST_LEVELS, YamlCollection, YamlNode, YamlRefused};

    pub(super) fn read(
        text: &str,
        depth: usize,
        anchors: &mut Anchors,
    ) -> Result<YamlNode, YamlRefused> {
        let mut options = Options::default();
        options.emit_unresolved_aliases = true;
        options.emit_anchor_events = true;
        let levels = depth.min(MOST_LEVELS).saturating_add(1);
        options.flow_nesting_limit = levels;
        options.block_nesting_limit = levels;
        options.set_emit_comments(false);
        let mut builder = NodeBuilder::new(anchors);
        for event in Parser::new_from_str_with_options(text, options) {
            let refused =
                if builder.open.len() >= depth { YamlRefused::Depth } else { YamlRefused::Bad };
            let (event, span) = event.map_err(|_| refused)?;
            let at = span.byte_range().unwrap_or_default();
            match event {
                Event::SequenceStart(style, ..) => {
                    builder.open(true, style == StructureStyle::Flow, false, at.start)?;
                }
                Event::MappingStart(style, anchor, tag) => {
                    let flow = style == StructureStyle::Flow;
                    builder.open(false, flow, !flow && anchor == 0 && tag.is_none(), at.start)?;
                }
                Event::SequenceEnd | Event::MappingEnd => builder.close(text, at.end)?,
                Event::Scalar(text, style, _, tag) => {
                    // The library reports `~` for a missing value.
                    let absent = style == ScalarStyle::Plain && span.is_empty();
                    let (plain, tagged) = (is_plain(style, tag.as_deref()), tag.is_some());
                    let text = if absent { String::new() } else { text.into_owned() };
                    builder.add(YamlNode::Scalar { text, plain, tagged })?;
                }
                Event::Anchor(id, name) => builder.anchor(id, name.into_owned()),
                Event::Alias(id) => builder.alias(id)?,
                Event::UnresolvedAlias(name) => builder.outer_alias(&name)?,
                _ => {}
            }
        }
        builder.finish()
    }

    /// Whether the core schema decides the type of a scalar.
    fn is_plain(style: ScalarStyle, tag: Option<&Tag>) -> bool {
        match tag {
            None => style == ScalarStyle::Plain,
            Some(tag) => tag.core_suffix().is_some_and(|suffix| suffix != "str"),
        }
    }

    /// An open collection.
    struct OpenCollection {
        collection: YamlCollection,
        flow: bool,
        /// The start of its source text.
        start: usize,
        /// The library's number of its anchor, and the name.
        anchor: Option<(usize, String)>,
    }

    struct NodeBuilder<'a> {
        anchors: &'a mut Anchors,
        open: Vec<OpenCollection>,
        root: Option<YamlNode>,
        /// The names that this text defines, in order, and by the library's number.
        names: Vec<(String, Option<usize>)>,
        ids: HashMap<usize, usize>,
    }

    impl<'a> NodeBuilder<'a> {
        fn new(anchors: &'a mut Anchors) -> Self {
            Self { anchors, open: Vec::new(), root: None, names: Vec::new(), ids: HashMap::new() }
        }

        fn add(&mut self, node: YamlNode) -> Result<(), YamlRefused> {
            match self.open.last_mut() {
                None => self.root = Some(node),
                Some(open) => {
                    let is_key = !open.collection.list && open.collection.children.len() % 2 == 0;
                    if is_key && matches!(node, YamlNode::Alias(_) | YamlNode::Collection(_)) {
                        return Err(YamlRefused::Bad);
                    }
                    open.collection.children.push(node);
                }
            }
            Ok(())
        }

        fn open(
            &mut self,
            list: bool,
            flow: bool,
            bare: bool,
            start: usize,
        ) -> Result<(), YamlRefused> {
            if self.is_at_key() {
                return Err(YamlRefused::Bad);
            }
            let collection = YamlCollection { list, bare, source: None, children: Vec::new() };
            self.open.push(OpenCollection { collection, flow, start, anchor: None });
            Ok(())
        }

        fn close(&mut self, text: &str, end: usize) -> Result<(), YamlRefused> {
            let Some(OpenCollection { mut collection, flow, start, anchor }) = self.open.pop()
            else {
                return Ok(());
            };
            if flow && !self.open.last().is_some_and(|open| open.flow) {
                collection.source = text.get(start..end).map(str::to_owned);
            }
            let node = YamlNode::Collection(collection);
            if let Some((id, name)) = anchor {
                self.keep(id, name, &node);
            }
            self.add(node)
        }

        fn is_at_key(&self) -> bool {
            self.open.last().is_some_and(|open| {
                !open.collection.list && open.collection.children.len() % 2 == 0
            })
        }

        /// Names the collection that opened last, or the last scalar.
        fn anchor(&mut self, id: usize, name: String) {
            let scalar = match self.open.last_mut() {
                Some(open) => match open.collection.children.last() {
                    None => {
                        open.anchor = Some((id, name));
                        return;
                    }
                    last => last.cloned(),
                },
                None => self.root.clone(),
            };
            if let Some(scalar) = scalar {
                self.keep(id, name, &scalar);
            }
        }

        fn keep(&mut self, id: usize, name: String, node: &YamlNode) {
            let kept = self.anchors.keep(node);
            if let Some(kept) = kept {
                self.ids.insert(id, kept);
            }
            self.names.push((name, kept));
        }

        /// Resolves an alias of an anchor in this text. As a key it is the scalar of the anchor. An anchor
        /// that encloses the alias, or that was not kept, has no value.
        fn alias(&mut self, id: usize) -> Result<(), YamlRefused> {
            let node = match self.ids.get(&id) {
                Some(kept) if self.is_at_key() => match &*self.anchors.node(*kept) {
                    scalar @ YamlNode::Scalar { .. } => scalar.clone(),
                    _ => return Err(YamlRefused::Bad),
                },
                Some(kept) => YamlNode::Alias(*kept),
                None if self.is_at_key() => return Err(YamlRefused::Bad),
                None => {
                    let open = self.open.iter().filter_map(|open| open.anchor.as_ref());
                    let name = open.rev().find(|(open, _)| *open == id);
                    YamlNode::UnknownAlias(name.map(|(_, name)| name.clone()).unwrap_or_default())
                }
            };
            self.add(node)
        }

        /// Resolves an alias of an anchor before this text.
        fn outer_alias(&mut self, name: &str) -> Result<(), YamlRefused> {
            let node = match self.anchors.find(name) {
                Some(kept) if self.is_at_key() => match &*self.anchors.node(kept) {
                    YamlNode::Scalar { text, .. } => {
                        YamlNode::Scalar { text: text.clone(), plain: false, tagged: false }
                    }
                    _ => YamlNode::UnknownAlias(name.to_owned()),
                },
                Some(kept) => YamlNode::Alias(kept),
                None => YamlNode::UnknownAlias(name.to_owned()),
            };
            self.add(node)
        }

        fn finish(self) -> Result<YamlNode, YamlRefused> {
            let root = self.root.ok_or(YamlRefused::Bad)?;
            for (name, kept) in self.names {
                self.anchors.name(name, kept);
            }
            Ok(root)
        }
    }
}
