//! The fields of a value that a pattern matches, for verbs that begin after they were read.

use core::iter::Enumerate;

use patchwire::document::Entries;
use patchwire::{PathBuf, ValueRef, path::Segment};

use crate::paths::Step;

/// The fields that match, in the order of the document, with their paths.
pub(super) struct Matches<'s, 'v> {
    steps: &'s [Option<Step>],
    /// The containers on the way, each with what is left of its children. Does not recurse.
    open: Vec<(PathBuf, Children<'s, 'v>)>,
    /// The root, if the pattern is that of the root.
    root: Option<ValueRef<'v>>,
}

impl<'s, 'v> Matches<'s, 'v> {
    pub(super) fn new(steps: &'s [Option<Step>], value: ValueRef<'v>) -> Self {
        let mut matches = Self { steps, open: Vec::new(), root: None };
        match steps.first() {
            _ if !value.exists() => {}
            None => matches.root = Some(value),
            Some(step) => matches.open.push((PathBuf::root(), Children::of(value, step))),
        }
        matches
    }
}

impl<'v> Iterator for Matches<'_, 'v> {
    type Item = (PathBuf, ValueRef<'v>);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(root) = self.root.take() {
            return Some((PathBuf::root(), root));
        }
        loop {
            let depth = self.open.len();
            let (above, children) = self.open.last_mut()?;
            let Some((path, value)) = children.next(above) else {
                self.open.pop();
                continue;
            };
            match self.steps.get(depth) {
                Some(step) => self.open.push((path, Children::of(value, step))),
                None => return Some((path, value)),
            }
        }
    }
}

/// The children of a value that a step of the pattern matches.
enum Children<'s, 'v> {
    All(Enumerate<Entries<'v>>),
    One(Option<(&'s Step, ValueRef<'v>)>),
}

impl<'s, 'v> Children<'s, 'v> {
    fn of(value: ValueRef<'v>, step: &'s Option<Step>) -> Self {
        match step {
            None => Self::All(value.entries().enumerate()),
            Some(step) => {
                let child = match step {
                    Step::Key(key) => value.get(key),
                    Step::Index(index) => value.item(*index as usize),
                };
                Self::One(child.filter(|child| child.exists()).map(|child| (step, child)))
            }
        }
    }

    fn next(&mut self, above: &PathBuf) -> Option<(PathBuf, ValueRef<'v>)> {
        match self {
            Self::All(entries) => entries.next().map(|(index, (key, value))| {
                (above.child(key.map_or(Segment::Index(index as u32), Segment::Key)), value)
            }),
            Self::One(one) => one.take().map(|(step, value)| (above.child(step.segment()), value)),
        }
    }
}
