//! A consumer of patches that does not use the engine: it folds patches by operation, as documented.

use std::collections::BTreeMap;

use patchwire::PatchOp;

use crate::event_log::RecordedPatch;
use crate::tree::Tree;

/// Documents that are folded from patches.
#[derive(Debug, Clone, Default)]
pub struct Folded {
    roots: BTreeMap<usize, Tree>,
}

impl Folded {
    /// Folds these patches.
    ///
    /// # Errors
    /// The first patch that does not fit, and the reason.
    pub fn of<'p>(patches: impl IntoIterator<Item = &'p RecordedPatch>) -> Result<Self, String> {
        let mut folded = Self::default();
        patches.into_iter().try_for_each(|patch| folded.apply(patch))?;
        Ok(folded)
    }

    /// The document with this number.
    #[must_use]
    pub fn document(&self, number: usize) -> Option<&Tree> {
        self.roots.get(&number)
    }

    /// All documents, with their numbers.
    pub fn documents(&self) -> impl Iterator<Item = (usize, &Tree)> {
        self.roots.iter().map(|(number, tree)| (*number, tree))
    }

    /// Folds a patch.
    ///
    /// # Errors
    /// If the patch does not fit the patches before it.
    pub fn apply(&mut self, patch: &RecordedPatch) -> Result<(), String> {
        self.try_apply(patch).map_err(|why| format!("{why}: {patch}"))
    }

    fn try_apply(&mut self, patch: &RecordedPatch) -> Result<(), String> {
        let document = patch.document.index();
        match patch.op {
            PatchOp::Open | PatchOp::Replace => {
                let value = patch.value.clone().ok_or("no value to set")?;
                self.set(document, &patch.pointer, value)
            }
            PatchOp::Delta => match self.find(document, &patch.pointer) {
                Some(Tree::String(text)) => {
                    text.push_str(&patch.delta);
                    Ok(())
                }
                _ => Err("no string to append to".to_owned()),
            },
            PatchOp::Done => self.done(document, patch),
            PatchOp::Remove => self.remove(document, &patch.pointer),
        }
    }

    fn done(&mut self, document: usize, patch: &RecordedPatch) -> Result<(), String> {
        match (self.find(document, &patch.pointer), &patch.value) {
            (Some(Tree::String(text)), Some(Tree::String(value))) if text == value => Ok(()),
            (Some(Tree::String(text)), Some(value)) => {
                Err(format!("the deltas are {text:?} and the value {value:?}"))
            }
            (Some(tree), None) if tree.is_container() => Ok(()),
            (Some(_), _) => Err("done a second time".to_owned()),
            (None, Some(value)) => self.set(document, &patch.pointer, value.clone()),
            (None, None) => Err("a scalar without a value".to_owned()),
        }
    }

    fn find(&mut self, document: usize, pointer: &str) -> Option<&mut Tree> {
        let root = self.roots.get_mut(&document)?;
        steps(pointer).try_fold(root, |tree, step| child(tree, &step))
    }

    fn set(&mut self, document: usize, pointer: &str, value: Tree) -> Result<(), String> {
        let Some((parent, last)) = pointer.rsplit_once('/') else {
            self.roots.insert(document, value);
            return Ok(());
        };
        let last = unescape(last);
        let parent = self.find(document, parent).ok_or("no container for it")?;
        if let Some(known) = child(parent, &last) {
            *known = value;
            return Ok(());
        }
        match parent {
            Tree::List(items) if items.len().to_string() == last => items.push(value),
            Tree::Object(members) => members.push((last, value)),
            _ => return Err("it fits nowhere in its container".to_owned()),
        }
        Ok(())
    }

    fn remove(&mut self, document: usize, pointer: &str) -> Result<(), String> {
        let Some((parent, last)) = pointer.rsplit_once('/') else {
            return self
                .roots
                .remove(&document)
                .map(drop)
                .ok_or_else(|| "no root to remove".to_owned());
        };
        let last = unescape(last);
        let parent = self.find(document, parent).ok_or("no container for it")?;
        if child(parent, &last).is_none() {
            return Err("nothing to remove".to_owned());
        }
        match parent {
            Tree::List(items) => drop(items.remove(index(&last).unwrap_or(0))),
            Tree::Object(members) => members.retain(|(key, _)| *key != last),
            _ => {}
        }
        Ok(())
    }
}

fn child<'t>(tree: &'t mut Tree, step: &str) -> Option<&'t mut Tree> {
    match tree {
        Tree::List(items) => items.get_mut(index(step)?),
        Tree::Object(members) => {
            members.iter_mut().find(|(key, _)| key == step).map(|(_, value)| value)
        }
        _ => None,
    }
}

fn index(step: &str) -> Option<usize> {
    step.parse().ok()
}

/// The steps of an RFC 6901 pointer.
fn steps(pointer: &str) -> impl Iterator<Item = String> {
    pointer.split('/').skip(1).map(unescape)
}

fn unescape(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
