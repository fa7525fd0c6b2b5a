//! The position in the document: the path, the open containers, and the schema of the next value.

use super::keys::{ObjectKeys, OpenKeys, Seed};
use crate::document::{NodeId, Placement};
use crate::error::{Error, ErrorKind};
use crate::limits::{Limit, Limits};
use crate::path::PathStack;
use crate::schema::tree::Slot;
use crate::schema::{Choices, Schema, SchemaId};

/// Initial capacity for open containers.
const CAPACITY: usize = 32;
/// The schema of a place is certain within at most this many containers: they are searched for each value.
const MOST_AROUND: usize = 64;

/// The place at which the next value begins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PathCursor {
    pub(crate) path: PathStack,
    /// Open containers, the innermost last.
    pub(super) levels: Vec<Level>,
    keys: OpenKeys,
    /// The path names an item or a member that has not begun.
    pub(super) names_next_child: bool,
    schema: Option<Schema>,
    /// The schema has a fallback for a value that was not granted.
    pub(super) has_fallbacks: bool,
    field_limit: u64,
}

/// An open container.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Level {
    pub(super) node: NodeId,
    schema: Option<SchemaId>,
    keys: ObjectKeys,
    /// A list of siblings: the level closes after each item and opens again for the next.
    pub(super) is_visited: bool,
}

/// A place of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PathMark {
    pub(super) depth: usize,
    /// The children of the innermost container that have begun.
    count: u32,
    pub(super) names_next_child: bool,
}

impl PathCursor {
    pub(super) fn new(schema: Option<Schema>, limits: &Limits, seed: Seed) -> Self {
        Self {
            path: PathStack::default(),
            levels: Vec::new(),
            keys: OpenKeys::new(seed),
            names_next_child: false,
            has_fallbacks: schema.as_ref().is_some_and(Schema::guards),
            schema,
            field_limit: limits.get(Limit::Fields),
        }
    }

    /// Makes room for most documents at once: growing step by step costs several times as much.
    pub(super) fn reserve(&mut self) {
        self.levels.reserve(CAPACITY);
        self.path.reserve(CAPACITY);
        self.keys.reserve(2 * CAPACITY);
    }

    #[cfg_attr(target_family = "wasm", inline)]
    pub(super) fn innermost(&self) -> Option<NodeId> {
        self.levels.last().map(|level| level.node)
    }

    /// Where the next value goes in the document.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(super) fn placement(&self) -> Placement<'_> {
        match (self.innermost(), self.path.in_list()) {
            (Some(list), Some(true)) => Placement::Item(list),
            (Some(object), Some(false)) => Placement::Member(object, self.path.key()),
            _ => Placement::Root,
        }
    }

    // Containers.

    // Never inlined: then the fields of the level are written once, from registers to their place. Inlined, the level
    // is made on the stack and copied at once, and the copy waits until all fields are stored.
    #[inline(never)]
    pub(super) fn open(&mut self, node: NodeId, schema: Option<SchemaId>, is_list: bool) {
        self.path.push(is_list);
        let keys = self.keys.open();
        self.levels.push(Level { node, schema, keys, is_visited: false });
    }

    #[inline(always)]
    pub(super) fn close(&mut self) -> Option<NodeId> {
        // In place: moving a level that was just written field by field is slow.
        let level = self.levels.last_mut()?;
        let node = level.node;
        self.keys.close(&mut level.keys);
        self.levels.truncate(self.levels.len() - 1);
        self.path.pop();
        self.names_next_child = false;
        Some(node)
    }

    /// In a list: moves the path to the next item, once. A notice may name an item before it begins.
    #[inline]
    pub(super) fn go_to_next_item(&mut self) {
        if self.path.in_list() == Some(true)
            && !core::mem::replace(&mut self.names_next_child, true)
        {
            self.path.next_index();
        }
    }

    /// Goes back into a list of siblings that has `count` items.
    pub(super) fn visit(&mut self, list: NodeId, schema: Option<SchemaId>, count: u32) {
        self.path.push(true);
        if count > 0 {
            self.path.set_index(count - 1);
        }
        let keys = self.keys.open();
        self.levels.push(Level { node: list, schema, keys, is_visited: true });
    }

    /// Leaves the list of siblings that is visited; its node, and how many items it has.
    pub(super) fn leave_visited(&mut self) -> Option<(NodeId, u32)> {
        let level = self.levels.pop_if(|level| level.is_visited)?;
        let count = self.path.count();
        self.path.pop();
        self.names_next_child = false;
        Some((level.node, count))
    }

    /// Where the path is, to tell whether it moves.
    pub(super) fn mark(&self) -> PathMark {
        let (depth, count) = (self.path.depth(), self.path.count());
        PathMark { depth, count, names_next_child: self.names_next_child }
    }

    // Keys.

    /// Moves the path to the member `key`, which may be new.
    ///
    /// # Errors
    /// The limit on fields.
    #[inline(always)]
    pub(super) fn set_key(&mut self, key: &str, end: u64) -> Result<(), Error> {
        self.path.set_key(key);
        self.names_next_child = true;
        if u64::from(self.path.count()) > self.field_limit {
            return Err(Error::new(ErrorKind::Limit(Limit::Fields), end));
        }
        Ok(())
    }

    /// The member of the innermost object that has this key. `has_key` confirms a hit.
    #[inline(always)]
    pub(super) fn find_key(
        &mut self,
        key: &str,
        has_key: impl Fn(NodeId) -> bool,
    ) -> Option<NodeId> {
        self.keys.find(&self.levels.last()?.keys, key, has_key)
    }

    /// Looks up a key that the innermost object does not have.
    pub(super) fn look_up(&mut self, key: &str) {
        self.keys.look_up(key);
    }

    /// The innermost object has the key looked up last, at this node.
    #[inline]
    pub(super) fn remember_key(&mut self, node: NodeId) {
        if let Some(level) = self.levels.last_mut() {
            self.keys.insert(&mut level.keys, node);
        }
    }

    // The schema.

    pub(super) const fn schema(&self) -> Option<&Schema> {
        self.schema.as_ref()
    }

    /// The schema of the value that begins here. `at_root`: whether the schema describes the root.
    #[inline(always)]
    pub(super) fn schema_here(&self, at_root: bool) -> Option<SchemaId> {
        let schema = self.schema.as_ref()?;
        let Some(level) = self.levels.last() else {
            return at_root.then(|| schema.root());
        };
        let above = level.schema?;
        if self.path.in_list() == Some(true) {
            schema.item(above)
        } else {
            schema.member(above, self.path.key())
        }
    }

    /// The schema of the place whose value has just closed.
    pub(super) fn slot_here(&self) -> Option<Slot> {
        let schema = self.schema.as_ref()?;
        let Some(level) = self.levels.last() else { return Some(schema.root_slot()) };
        let above = level.schema?;
        if self.path.in_list() == Some(true) {
            schema.item_slot(above)
        } else {
            schema.member_slot(above, self.path.key())
        }
    }

    /// Whether the schema of the next value is certain: no container around it may be one of several objects,
    /// and there are few of them.
    pub(super) fn is_certain(&self) -> bool {
        let Some(schema) = &self.schema else { return false };
        let is_joined = |level: &Level| level.schema.is_some_and(|id| schema.is_joined(id));
        self.levels.len() <= MOST_AROUND && !self.levels.iter().any(is_joined)
    }

    /// The listed values of a string.
    pub(super) fn choices(&self, id: SchemaId) -> Option<&Choices> {
        self.schema.as_ref()?.choices(id)
    }

    /// The fallback of a value that matches no granted choice.
    pub(super) fn fallback(&self, id: SchemaId) -> Option<&str> {
        self.schema.as_ref()?.fallback(id)
    }
}

#[cfg(test)]
mod tests {
    use super::{Limits, MOST_AROUND, NodeId, PathCursor, Seed};
    use crate::schema::{Node, Schema, int, list, object, str, union};

    /// Runs steps: `{` and `[` open, `}` closes, a letter is a key, `,` goes to the next item.
    fn follow(cursor: &mut PathCursor, steps: &str) {
        for (node, step) in steps.chars().enumerate() {
            match step {
                '{' | '[' => {
                    cursor.names_next_child = false;
                    cursor.open(NodeId(node as u32), None, step == '[');
                }
                '}' => drop(cursor.close()),
                ',' => cursor.go_to_next_item(),
                key => cursor.set_key(key.encode_utf8(&mut [0; 4]), 0).unwrap(),
            }
        }
    }

    fn path_after(steps: &str) -> String {
        let mut cursor = PathCursor::new(None, &Limits::default(), Seed::default());
        follow(&mut cursor, steps);
        cursor.path.path(cursor.path.depth()).to_string()
    }

    #[test]
    fn where_the_path_stands() {
        for (steps, path) in [
            ("", ""),
            ("{a", "a"),
            ("{ab", "b"),
            ("{a{b", "a.b"),
            ("{a{b}", "a"),
            ("{a[,", "a[0]"),
            // A notice about the next item moves the path; the item itself does not move it again.
            ("{a[,,", "a[0]"),
            ("{a[,{x},", "a[1]"),
            ("{a[,{x},}b", "b"),
        ] {
            assert_eq!(path_after(steps), path, "{steps}");
        }
    }

    #[test]
    fn only_a_list_has_a_next_item() {
        for steps in ["", "{", "{a", "{a{b}", "{a[,}"] {
            let mut cursor = PathCursor::new(None, &Limits::default(), Seed::default());
            follow(&mut cursor, steps);
            let before = cursor.clone();
            cursor.go_to_next_item();
            assert!(cursor == before, "{steps}");
        }
    }

    #[test]
    fn a_visited_list_goes_on_where_it_was_left() {
        let mut cursor = PathCursor::new(None, &Limits::default(), Seed::default());
        cursor.open(NodeId(0), None, false);
        for count in 0..3 {
            cursor.path.return_to_key("a");
            cursor.visit(NodeId(1), None, count);
            cursor.go_to_next_item();
            assert_eq!(cursor.path.path(2).to_string(), format!("a[{count}]"));
            assert_eq!(cursor.leave_visited(), Some((NodeId(1), count + 1)));
            assert_eq!(cursor.leave_visited(), None);
        }
    }

    /// Where a container may be one of two objects, only its end shows which one it was.
    #[test]
    fn what_is_within_one_of_several_objects_is_not_certain() {
        let one = |name: &str| object().field(name, list(int("")));
        let schema: Schema = object()
            .field("one", union([Node::from(one("x")), str("")]))
            .field("either", union([one("x"), one("y")]))
            .into();
        let certain = |keys: &[&str]| -> Vec<bool> {
            let mut cursor =
                PathCursor::new(Some(schema.clone()), &Limits::default(), Seed::default());
            let mut certain = vec![cursor.is_certain()];
            let mut id = schema.root();
            for (node, key) in (0..).zip(keys) {
                cursor.open(NodeId(node), Some(id), false);
                id = schema.member(id, key).expect("declared");
                certain.push(cursor.is_certain());
            }
            cursor.open(NodeId(9), Some(id), true);
            certain.push(cursor.is_certain());
            certain
        };
        assert_eq!(certain(&["one", "x"]), [true, true, true, true]);
        assert_eq!(certain(&["either", "y"]), [true, true, false, false]);
        let without = PathCursor::new(None, &Limits::default(), Seed::default());
        assert!(!without.is_certain());
    }

    #[test]
    fn what_is_within_many_containers_is_not_certain() {
        let schema: Schema = list(int("")).into();
        let mut cursor = PathCursor::new(Some(schema), &Limits::default(), Seed::default());
        for node in 0..MOST_AROUND {
            cursor.open(NodeId(node as u32), None, true);
        }
        assert!(cursor.is_certain());
        cursor.open(NodeId(MOST_AROUND as u32), None, true);
        assert!(!cursor.is_certain());
        cursor.close();
        assert!(cursor.is_certain());
    }
}
