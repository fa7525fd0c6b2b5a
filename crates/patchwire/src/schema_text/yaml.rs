//! Converts YAML text to a value.

use std::collections::HashSet;
use std::sync::Arc;

use granit_parser::{Event, Marker, Options, Parser, ScalarStyle, Tag};

use crate::document::{Document, NodeId, NodeKind, Placement, Value};
use crate::lex::yaml::{CoreValue, resolve, to_json};
use crate::schema::{SchemaError, SchemaErrorKind};

/// The largest nesting of mappings and sequences; more than a schema may have.
const DEPTH: usize = 256;

/// The value of the first document, typed by the core schema.
pub(super) fn read(text: &str) -> Result<Value, SchemaError> {
    let mut options = Options::default();
    options.emit_unresolved_aliases = true;
    options.flow_nesting_limit = DEPTH;
    options.block_nesting_limit = DEPTH;
    options.set_emit_comments(false);
    let mut build = Build::default();
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.map_err(|error| flaw(Flaw::Syntax, *error.marker()))?;
        if !build.event(event).map_err(|what| flaw(what, span.start))? {
            break;
        }
    }
    Ok(Value::of(&Arc::new(build.document)))
}

/// Constructs of YAML that a schema cannot contain.
enum Flaw {
    Syntax,
    Alias,
    RepeatedKey,
    KeyNoText,
}

fn flaw(what: Flaw, at: Marker) -> SchemaError {
    let (line, column) = (at.line(), at.col() + 1);
    let kind = match what {
        Flaw::Syntax => SchemaErrorKind::NotYaml { line, column },
        Flaw::Alias => SchemaErrorKind::YamlAlias { line, column },
        Flaw::RepeatedKey => SchemaErrorKind::RepeatedKey { line, column },
        Flaw::KeyNoText => SchemaErrorKind::KeyNotText { line, column },
    };
    SchemaError::new(kind, "")
}

/// A value under construction.
#[derive(Default)]
struct Build {
    document: Document,
    open: Vec<Open>,
}

struct Open {
    node: NodeId,
    /// In a mapping: its keys so far, and the key whose value comes next.
    keys: Option<(HashSet<String>, Option<String>)>,
}

impl Build {
    /// Adds an event. False after the first document.
    fn event(&mut self, event: Event<'_>) -> Result<bool, Flaw> {
        match event {
            Event::Scalar(text, style, _, tag) if !self.takes_key() => {
                self.scalar(&text, style, tag.as_deref());
            }
            Event::Scalar(text, ..) => self.key(text.into_owned())?,
            Event::SequenceStart(..) => self.begin(NodeKind::List)?,
            Event::MappingStart(..) => self.begin(NodeKind::Object)?,
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(_) | Event::UnresolvedAlias(_) => return Err(Flaw::Alias),
            Event::DocumentEnd => return Ok(false),
            _ => {}
        }
        Ok(true)
    }

    /// Whether the next scalar is a key.
    fn takes_key(&self) -> bool {
        let keys = self.open.last().and_then(|open| open.keys.as_ref());
        keys.is_some_and(|(_, next)| next.is_none())
    }

    fn key(&mut self, text: String) -> Result<(), Flaw> {
        let Some((seen, next)) = self.open.last_mut().and_then(|open| open.keys.as_mut()) else {
            return Ok(());
        };
        if !seen.insert(text.clone()) {
            return Err(Flaw::RepeatedKey);
        }
        *next = Some(text);
        Ok(())
    }

    fn begin(&mut self, kind: NodeKind) -> Result<(), Flaw> {
        if self.takes_key() {
            return Err(Flaw::KeyNoText);
        }
        let node = self.put(kind, None);
        let keys = (kind == NodeKind::Object).then(Default::default);
        self.open.push(Open { node, keys });
        Ok(())
    }

    fn end(&mut self) {
        if let Some(open) = self.open.pop() {
            self.document.complete(open.node);
        }
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, tag: Option<&Tag>) {
        let plain = match tag {
            None => style == ScalarStyle::Plain,
            Some(tag) => tag.core_suffix().is_some_and(|suffix| suffix != "str"),
        };
        match resolve(text, false) {
            CoreValue::Null if plain => self.put(NodeKind::Null, Some("")),
            CoreValue::Bool(true) if plain => self.put(NodeKind::True, Some("")),
            CoreValue::Bool(false) if plain => self.put(NodeKind::False, Some("")),
            CoreValue::Number if plain => self.put(NodeKind::Number, Some(&to_json(text))),
            _ => self.put(NodeKind::String, Some(text)),
        };
    }

    /// Adds a value at the current place. With a text it is complete.
    fn put(&mut self, kind: NodeKind, text: Option<&str>) -> NodeId {
        let key = match self.open.last_mut() {
            Some(Open { keys: Some((_, next)), .. }) => next.take(),
            _ => None,
        };
        let place = match (self.open.last(), key.as_deref()) {
            (None, _) => Placement::Root,
            (Some(object), Some(key)) => Placement::Member(object.node, key),
            (Some(list), None) => Placement::Item(list.node),
        };
        match text {
            Some(text) => self.document.scalar(place, kind, text),
            None => self.document.open(place, kind),
        }
    }
}
