//! The open containers of all readings: one tree, in which a stack is a node. Equal stacks are one node, so
//! that comparing stacks is comparing numbers.

/// What an open container is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Container {
    Object,
    List,
    /// A list in round brackets.
    Tuple,
    /// A list in braces.
    Set,
    /// Braces around an object.
    Wrapper,
    /// An object without braces, in a list or at the root.
    Implied,
}

impl Container {
    pub(super) const fn closer(self) -> char {
        match self {
            Self::List => ']',
            Self::Tuple => ')',
            _ => '}',
        }
    }

    pub(super) const fn has_members(self) -> bool {
        matches!(self, Self::Object | Self::Implied)
    }
}

/// A stack of containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StackId(u32);

impl StackId {
    pub(super) const EMPTY: Self = Self(0);
}

#[derive(Debug)]
struct Node {
    parent: u32,
    container: Container,
    depth: u32,
    /// The indent of its children that begin a line; none if there was none yet.
    indent: Option<u8>,
    /// The first stack with one container more; 0 for none.
    above: u32,
    /// The next stack with the same parent; 0 for none.
    beside: u32,
}

/// All stacks.
#[derive(Debug)]
pub(super) struct Stacks {
    nodes: Vec<Node>,
}

impl Default for Stacks {
    fn default() -> Self {
        let container = Container::Object;
        let empty = Node { parent: 0, container, depth: 0, indent: None, above: 0, beside: 0 };
        Self { nodes: vec![empty] }
    }
}

impl Stacks {
    /// The stack with one container more.
    pub(super) fn push(&mut self, stack: StackId, container: Container) -> StackId {
        self.with(stack, container, None)
    }

    fn with(&mut self, stack: StackId, container: Container, indent: Option<u8>) -> StackId {
        let below = &self.nodes[stack.0 as usize];
        let (first, depth) = (below.above, below.depth + 1);
        let mut next = first;
        while next != 0 {
            let node = &self.nodes[next as usize];
            if node.container == container && node.indent == indent {
                return StackId(next);
            }
            next = node.beside;
        }
        let id = self.nodes.len() as u32;
        self.nodes[stack.0 as usize].above = id;
        let parent = stack.0;
        self.nodes.push(Node { parent, container, depth, indent, above: 0, beside: first });
        StackId(id)
    }

    /// The stack after a child that begins a line with this indent, and whether its siblings had another.
    pub(super) fn child_at(&mut self, stack: StackId, indent: u8) -> (StackId, bool) {
        let node = &self.nodes[stack.0 as usize];
        match (self.top(stack), node.indent) {
            (Some(container), None) => {
                (self.with(StackId(node.parent), container, Some(indent)), false)
            }
            (_, known) => (stack, known.is_some_and(|known| known != indent)),
        }
    }

    /// The indent of the children of the innermost container.
    pub(super) fn indent(&self, stack: StackId) -> Option<u8> {
        self.nodes[stack.0 as usize].indent
    }

    /// The stack without its innermost container.
    pub(super) fn pop(&self, stack: StackId) -> StackId {
        StackId(self.nodes[stack.0 as usize].parent)
    }

    /// The innermost container.
    pub(super) fn top(&self, stack: StackId) -> Option<Container> {
        (stack != StackId::EMPTY).then(|| self.nodes[stack.0 as usize].container)
    }

    /// The container around the innermost one.
    pub(super) fn outer(&self, stack: StackId) -> Option<Container> {
        self.top(self.pop(stack))
    }

    pub(super) fn depth(&self, stack: StackId) -> u32 {
        self.nodes[stack.0 as usize].depth
    }
}
