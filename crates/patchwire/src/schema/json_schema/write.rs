//! Writes JSON Schema.
//!
//! Every place for a schema is created empty when its owner is written, and filled later from a queue, so
//! the depth of the schema does not matter. Schemas that several places share are written once, under
//! `$defs`; every cycle contains one.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::document::{Document, NodeId, NodeKind, Placement, Value, ValueKind};
use crate::schema::choices::{Choices, Literal};
use crate::schema::tree::{Object, Others, Presence, SchemaId, Shape, Slot};
use crate::schema::{Schema, Tree};

/// Schemas nested more deeply are written under `$defs`, because readers limit the depth.
const DEPTH_MAX: usize = 48;

/// Which members of an object may be absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::schema) enum Members {
    /// Those that the schema declares as optional.
    AsDeclared,
    /// None. A member that may be absent may be null instead.
    All,
}

pub(in crate::schema) fn write(schema: &Schema, members: Members) -> Value {
    let tree = &*schema.0;
    let twins = twins(tree);
    let mut writer = JsonSchemaWriter {
        tree,
        members,
        apart: apart(tree, &twins),
        twins,
        defs: Vec::new(),
        names: HashMap::new(),
        document: Document::default(),
        queue: VecDeque::new(),
    };
    writer.write();
    Value::of(&Arc::new(writer.document))
}

struct JsonSchemaWriter<'t> {
    tree: &'t Tree,
    members: Members,
    /// For each node, whether it is written once and referred to.
    apart: Vec<bool>,
    /// For each node whose large shape an earlier node has, too: that node.
    twins: HashMap<SchemaId, SchemaId>,
    /// The nodes under `$defs`, in the order of their first reference.
    defs: Vec<SchemaId>,
    /// The names of these nodes under `$defs`.
    names: HashMap<SchemaId, String>,
    document: Document,
    /// Places that are created but not filled.
    queue: VecDeque<(NodeId, SchemaId)>,
}

impl JsonSchemaWriter<'_> {
    fn write(&mut self) {
        let id = self.tree.root.schema;
        self.names.insert(id, "#".to_owned());
        let root = self.document.open(Placement::Root, NodeKind::Object);
        self.queue.push_back((root, id));
        self.fill_queued();
        if self.defs.is_empty() {
            return;
        }
        let defs = self.object(Placement::Member(root, "$defs"));
        let mut next = 0;
        // Writing a node under `$defs` may add more of them.
        while let Some(&id) = self.defs.get(next) {
            next += 1;
            let place = self.object(Placement::Member(defs, &name(next)));
            self.queue.push_back((place, id));
            self.fill_queued();
        }
    }

    fn fill_queued(&mut self) {
        while let Some((place, id)) = self.queue.pop_front() {
            self.fill(place, id);
            self.document.complete(place);
        }
    }

    /// Writes the keywords of a schema.
    fn fill(&mut self, place: NodeId, id: SchemaId) {
        let node = &self.tree.nodes[id.index()];
        match &node.shape {
            Shape::Any | Shape::Union(_) => {}
            Shape::Null => self.text(place, "type", "null"),
            Shape::Bool => self.text(place, "type", "boolean"),
            Shape::Int => self.text(place, "type", "integer"),
            Shape::Number => self.text(place, "type", "number"),
            Shape::String => self.text(place, "type", "string"),
            Shape::Object(_) => self.text(place, "type", "object"),
            Shape::List(_) => self.text(place, "type", "array"),
            // Not every reader derives the type from the values.
            Shape::Choices(choices) if is_all_text(choices) => self.text(place, "type", "string"),
            Shape::Choices(_) => {}
        }
        if let Some(description) = &node.description {
            self.text(place, "description", description);
        }
        match &node.shape {
            Shape::Choices(choices) => self.choices(place, choices),
            Shape::Object(object) => self.members(place, object),
            Shape::List(item) => self.schema(Placement::Member(place, "items"), item.schema),
            // `anyOf` must not be empty: a schema that no value fits.
            Shape::Union(union) if union.alternatives.is_empty() => {
                self.list(Placement::Member(place, "enum"));
            }
            Shape::Union(union) => {
                let list = self.list(Placement::Member(place, "anyOf"));
                union.alternatives.iter().for_each(|id| self.schema(Placement::Item(list), *id));
            }
            _ => {}
        }
    }

    /// Creates an empty schema, or writes a reference.
    fn schema(&mut self, at: Placement<'_>, id: SchemaId) {
        let place = self.object(at);
        let twin = self.twins.get(&id).copied();
        if let (Some(_), Some(description)) = (twin, &self.tree.nodes[id.index()].description) {
            self.text(place, "description", description);
        }
        let id = twin.unwrap_or(id);
        if !self.apart[id.index()] {
            self.queue.push_back((place, id));
            return;
        }
        if !self.names.contains_key(&id) {
            self.defs.push(id);
            self.names.insert(id, format!("#/$defs/{}", name(self.defs.len())));
        }
        self.document.scalar(Placement::Member(place, "$ref"), NodeKind::String, &self.names[&id]);
    }

    fn choices(&mut self, place: NodeId, choices: &Choices) {
        if let [only] = choices.literals() {
            self.literal(Placement::Member(place, "const"), only);
            return;
        }
        let list = self.list(Placement::Member(place, "enum"));
        choices.literals().iter().for_each(|literal| self.literal(Placement::Item(list), literal));
    }

    fn literal(&mut self, at: Placement<'_>, literal: &Literal) {
        let text = literal.to_string();
        let (kind, text) = match literal.kind() {
            ValueKind::Bool if text == "true" => (NodeKind::True, ""),
            ValueKind::Bool => (NodeKind::False, ""),
            ValueKind::Number => (NodeKind::Number, &*text),
            ValueKind::String => (NodeKind::String, literal.as_str().unwrap_or_default()),
            _ => (NodeKind::Null, ""),
        };
        self.document.scalar(at, kind, text);
    }

    fn members(&mut self, place: NodeId, object: &Object) {
        if !object.fields().is_empty() {
            let properties = self.object(Placement::Member(place, "properties"));
            for field in object.fields() {
                self.member(Placement::Member(properties, &field.name), field.slot);
            }
        }
        let all = self.members == Members::All;
        let needed = |slot: Slot| all || slot.presence != Presence::Optional;
        if object.fields().iter().any(|field| needed(field.slot)) {
            let required = self.list(Placement::Member(place, "required"));
            for field in object.fields().iter().filter(|field| needed(field.slot)) {
                self.document.scalar(Placement::Item(required), NodeKind::String, &field.name);
            }
        }
        const OTHERS: &str = "additionalProperties";
        match object.others {
            Others::Each(value) => self.schema(Placement::Member(place, OTHERS), value.schema),
            Others::Allowed if !all || object.fields().is_empty() => {}
            Others::Allowed | Others::Forbidden => {
                self.document.scalar(Placement::Member(place, OTHERS), NodeKind::False, "");
            }
        }
    }

    fn member(&mut self, at: Placement<'_>, slot: Slot) {
        let may_be_missing = slot.presence == Presence::Optional;
        if self.members == Members::AsDeclared || !may_be_missing || self.is_nullable(slot.schema) {
            return self.schema(at, slot.schema);
        }
        let place = self.object(at);
        let list = self.list(Placement::Member(place, "anyOf"));
        self.schema(Placement::Item(list), slot.schema);
        let null = self.object(Placement::Item(list));
        self.text(null, "type", "null");
    }

    fn is_nullable(&self, id: SchemaId) -> bool {
        let admits = |shape: &Shape| match shape {
            Shape::Any | Shape::Null => true,
            Shape::Choices(choices) => choices.literals().contains(&Literal::NULL),
            _ => false,
        };
        match &self.tree.nodes[id.index()].shape {
            Shape::Union(union) => {
                union.leaves.iter().any(|leaf| admits(&self.tree.nodes[leaf.index()].shape))
            }
            shape => admits(shape),
        }
    }

    fn object(&mut self, at: Placement<'_>) -> NodeId {
        let place = self.document.open(at, NodeKind::Object);
        self.document.complete(place);
        place
    }

    fn list(&mut self, at: Placement<'_>) -> NodeId {
        let place = self.document.open(at, NodeKind::List);
        self.document.complete(place);
        place
    }

    fn text(&mut self, place: NodeId, keyword: &str, text: &str) {
        self.document.scalar(Placement::Member(place, keyword), NodeKind::String, text);
    }
}

fn name(number: usize) -> String {
    format!("type{number}")
}

fn is_all_text(choices: &Choices) -> bool {
    let mut literals = choices.literals().iter();
    !choices.literals().is_empty() && literals.all(|literal| literal.as_str().is_some())
}

/// Shapes with more text than this are written once.
const LARGE: usize = 1 << 10;

/// The bytes of a shape, about.
fn bytes(shape: &Shape) -> usize {
    /// Around one part.
    const AROUND: usize = 16;
    match shape {
        Shape::Choices(choices) => choices.bytes(),
        Shape::Object(object) => object.fields().iter().map(|it| AROUND + it.name.len()).sum(),
        Shape::Union(union) => AROUND * union.alternatives.len(),
        _ => 0,
    }
}

/// The nodes whose large shape an earlier node has, too: references with descriptions share it.
fn twins(tree: &Tree) -> HashMap<SchemaId, SchemaId> {
    let mut first: HashMap<usize, Option<SchemaId>> = HashMap::new();
    let mut twins = HashMap::new();
    for (at, node) in tree.nodes.iter().enumerate() {
        let address = match &node.shape {
            Shape::Choices(it) => Arc::as_ptr(it).addr(),
            Shape::Object(it) => Arc::as_ptr(it).addr(),
            Shape::Union(it) => Arc::as_ptr(it).addr(),
            _ => continue,
        };
        let id = SchemaId::nth(at);
        let large =
            first.entry(address).or_insert_with(|| (bytes(&node.shape) > LARGE).then_some(id));
        if let Some(large) = large.filter(|it| *it != id) {
            twins.insert(id, large);
        }
    }
    twins
}

/// The nodes that are written once and referred to: containers and long texts that several places lead to, the
/// root if any place does, and schemas that are nested too deeply.
fn apart(tree: &Tree, twins: &HashMap<SchemaId, SchemaId>) -> Vec<bool> {
    let mut apart = vec![false; tree.nodes.len()];
    twins.values().for_each(|first| apart[first.index()] = true);
    let mut seen = vec![false; tree.nodes.len()];
    let mut open = VecDeque::from([(tree.root.schema, 0)]);
    while let Some((id, depth)) = open.pop_front() {
        let at = id.index();
        let children = match twins.get(&id) {
            Some(first) => vec![*first],
            None => children(&tree.nodes[at].shape),
        };
        if core::mem::replace(&mut seen[at], true) {
            let description = tree.nodes[at].description.as_ref().map_or(0, |it| it.len());
            let is_long = || description + bytes(&tree.nodes[at].shape) > LARGE;
            apart[at] |= !children.is_empty() || is_long();
            continue;
        }
        let too_deep = depth >= DEPTH_MAX && !children.is_empty();
        apart[at] |= too_deep;
        let below = if too_deep { 1 } else { depth + 1 };
        open.extend(children.into_iter().map(|child| (child, below)));
    }
    apart
}

fn children(shape: &Shape) -> Vec<SchemaId> {
    match shape {
        Shape::List(item) => vec![item.schema],
        Shape::Union(union) => union.alternatives.clone(),
        Shape::Object(object) => {
            let fields = object.fields().iter().map(|field| field.slot.schema);
            let others = match object.others {
                Others::Each(value) => Some(value.schema),
                Others::Allowed | Others::Forbidden => None,
            };
            fields.chain(others).collect()
        }
        _ => Vec::new(),
    }
}
