//! Builds a schema in Rust.

use std::sync::Arc;

use super::Schema;
use super::budget::Budget;
use super::choices::{Choices, Literal};
use super::object::ObjectDraft;
use super::tree::{Others, Presence, SchemaId, SchemaNode, Shape, Slot, settle_unions};

/// A type under construction, with the presence that its value needs where it is used.
///
/// Made by the functions of this [module](super). `into()` makes it a [`Schema`].
#[derive(Debug, Clone)]
#[must_use]
pub struct Node {
    /// This type first, then those it contains: flat, so that a deep one drops without recursion.
    nodes: Vec<SchemaNode>,
    presence: Presence,
}

/// An object under construction. Made by [`object`] or [`Schema::object`].
///
/// ```
/// use patchwire::schema::{Node, list, number, object, str};
///
/// let order: Node = object()
///     .field("sku", str("as printed on the box").required())
///     .field("prices", list(number("in euros")))
///     .closed()
///     .describe("one position")
///     .into();
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct ObjectNode {
    node: Node,
    object: ObjectDraft,
}

/// Text. An empty description counts as none.
pub fn str(description: &str) -> Node {
    Node::new(Shape::String).describe(description)
}

/// A number without a fraction.
pub fn int(description: &str) -> Node {
    Node::new(Shape::Int).describe(description)
}

/// A number.
pub fn number(description: &str) -> Node {
    Node::new(Shape::Number).describe(description)
}

/// `true` or `false`.
pub fn bool(description: &str) -> Node {
    Node::new(Shape::Bool).describe(description)
}

/// Any value.
pub fn any(description: &str) -> Node {
    Node::new(Shape::Any).describe(description)
}

/// Only `null`. See [`Node::nullable`] for "or null".
pub fn null() -> Node {
    Node::new(Shape::Null)
}

/// One of the given scalars, mostly strings.
///
/// ```
/// use patchwire::schema::one_of;
///
/// let priority = one_of(["low", "in progress", "done"]).required();
/// let grade = one_of(1..=6);
/// ```
pub fn one_of<L: Into<Literal>>(choices: impl IntoIterator<Item = L>) -> Node {
    let choices = Choices::new(choices);
    Node::new(Shape::Choices(Arc::new(choices)))
}

/// One of the given strings, and nothing else: no event and no value contains another one, neither while
/// the answer streams nor at its end.
///
/// `fallback` replaces every other value, with the notice
/// [`Code::KindNotGranted`](crate::Code::KindNotGranted). A string that differs from one choice only in
/// spelling becomes that choice, as with [`one_of`]. A `fallback` that is not among the choices is added as
/// the last one. A missing member stays missing: require it with [`present`](Node::present).
///
/// Use it if code acts on the value and must never see an unexpected one: the name of a command, a role, a
/// route. The guard belongs to the place: it is lost if the node becomes [`nullable`](Node::nullable) or
/// part of a [`union`].
///
/// ```
/// use patchwire::Spec;
/// use patchwire::schema::{object, one_of_or};
///
/// let schema = object().field("action", one_of_or(["reply", "wait"], "wait"));
/// let spec = Spec::builder().schema(schema).build()?;
/// for (text, value) in [
///     (r#"{"action": "reply"}"#, r#"{"action":"reply"}"#),
///     (r#"{"action": "delete everything"}"#, r#"{"action":"wait"}"#),
///     (r#"{"action": {"name": "reply"}}"#, r#"{"action":"wait"}"#),
/// ] {
///     assert_eq!(spec.parse(text)?.value().to_string(), value);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn one_of_or<S: Into<String>>(
    choices: impl IntoIterator<Item = S>,
    fallback: impl Into<String>,
) -> Node {
    let fallback = fallback.into();
    let choices = choices.into_iter().map(Into::into);
    let mut choices: Vec<String> = choices.collect();
    // A choice that is there already counts once.
    choices.push(fallback.clone());
    let choices = Choices::new(choices).falling_back_to(&fallback);
    Node::new(Shape::Choices(Arc::new(choices)))
}

/// Exactly this scalar.
///
/// ```
/// use patchwire::schema::{literal, object, str, union};
///
/// let event = union([
///     object().field("kind", literal("say")).field("text", str("what is said")),
///     object().field("kind", literal("leave")),
/// ]);
/// ```
pub fn literal(value: impl Into<Literal>) -> Node {
    one_of([value.into()])
}

/// An object. Add fields in the order in which the model should write them.
pub fn object() -> ObjectNode {
    ObjectNode { node: Node::new(Shape::Any), object: ObjectDraft::default() }
}

/// A list of values of one type. `list(str("").required())` requires that no item is empty.
pub fn list(item: impl Into<Node>) -> Node {
    let mut list = Node::new(Shape::Any);
    let item = list.adopt(item.into());
    list.nodes[0].shape = Shape::List(item);
    list
}

/// An object with any keys, whose values all have this type.
///
/// ```
/// use patchwire::schema::{map, number, object};
///
/// let scores = object().field("scores", map(number("0 to 10")).describe("points by player"));
/// ```
pub fn map(value: impl Into<Node>) -> Node {
    object().others(value).into()
}

/// A value of any of these types. The presence of the alternatives is lost; set it on the union.
pub fn union<N: Into<Node>>(alternatives: impl IntoIterator<Item = N>) -> Node {
    let mut union = Node::new(Shape::Any);
    let ids = alternatives.into_iter().map(|one| union.adopt(one.into()).schema).collect();
    union.nodes[0].shape = Shape::union_of(ids);
    union
}

impl Node {
    /// Describes the value for the model. An empty text is no description.
    pub fn describe(mut self, description: &str) -> Self {
        self.nodes[0].description = (!description.is_empty()).then(|| description.into());
        self
    }

    /// Requires the value to exist and to have content: not null, not blank text, not an empty
    /// list.
    pub const fn required(self) -> Self {
        self.presence(Presence::Meaningful)
    }

    /// Requires the key to exist, with any value.
    pub const fn present(self) -> Self {
        self.presence(Presence::Present)
    }

    /// Sets the presence that the value needs.
    pub const fn presence(mut self, presence: Presence) -> Self {
        self.presence = presence;
        self
    }

    /// Allows null, too. Description and presence stay.
    pub fn nullable(mut self) -> Self {
        let presence = self.presence;
        let description = self.nodes[0].description.take();
        let mut either = union([self, null()]).presence(presence);
        either.nodes[0].description = description;
        either
    }

    fn new(shape: Shape) -> Self {
        Self { nodes: vec![SchemaNode::plain(shape)], presence: Presence::Optional }
    }

    /// Takes over the nodes of a type that this one will contain.
    fn adopt(&mut self, child: Self) -> Slot {
        let offset = self.nodes.len() as u32;
        self.nodes.extend(child.nodes.into_iter().map(|mut node| {
            node.shape.renumber(|id| SchemaId(id.0 + offset));
            node
        }));
        Slot { schema: SchemaId(offset), presence: child.presence }
    }
}

impl ObjectNode {
    /// Adds a field after the others. If the name exists, its type is replaced and its place kept.
    pub fn field(mut self, name: &str, value: impl Into<Node>) -> Self {
        let slot = self.node.adopt(value.into());
        self.object.declare(name, slot);
        self
    }

    /// Allows only the declared fields. Without this call, others are allowed.
    pub const fn closed(mut self) -> Self {
        self.object.others = Others::Forbidden;
        self
    }

    /// Sets the type of fields that are not declared.
    pub fn others(mut self, value: impl Into<Node>) -> Self {
        self.object.others = Others::Each(self.node.adopt(value.into()));
        self
    }

    /// Describes the object for the model. An empty text is no description.
    pub fn describe(mut self, description: &str) -> Self {
        self.node = self.node.describe(description);
        self
    }

    /// Requires the object to exist and not to be null.
    pub fn required(self) -> Self {
        self.presence(Presence::Meaningful)
    }

    /// Requires the key to exist, with any value.
    pub fn present(self) -> Self {
        self.presence(Presence::Present)
    }

    /// Sets the presence that the object needs.
    pub const fn presence(mut self, presence: Presence) -> Self {
        self.node.presence = presence;
        self
    }

    /// Allows null, too. Description and presence stay.
    pub fn nullable(self) -> Node {
        Node::from(self).nullable()
    }
}

impl From<ObjectNode> for Node {
    fn from(object: ObjectNode) -> Self {
        let mut node = object.node;
        node.nodes[0].shape = Shape::Object(Arc::new(object.object.finish()));
        node
    }
}

impl From<Node> for Schema {
    fn from(node: Node) -> Self {
        let mut nodes = node.nodes;
        let settled = settle_unions(&mut nodes, usize::MAX, &mut { Budget::ENDLESS });
        debug_assert!(settled.is_ok(), "no bound was set");
        Self::new(nodes, Slot { schema: SchemaId(0), presence: node.presence }, Vec::new())
    }
}

impl From<ObjectNode> for Schema {
    fn from(object: ObjectNode) -> Self {
        Self::from(Node::from(object))
    }
}
