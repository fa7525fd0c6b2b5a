//! The value so far as objects of Python that grow in place, so that a look after each chunk costs what changed.

use patchwire::path::Segment;
use patchwire::{Patch, PatchOp, ValueKind, ValueRef};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::grow;
use crate::paths::Step;
use crate::value::{scalar, to_python};

/// The live value. It exists once somebody looked.
pub(crate) struct Mirror {
    root: Py<PyAny>,
    /// The containers that are open: that of a value at depth `n` is number `n - 1`.
    open: Vec<Py<PyAny>>,
    /// The string that is open.
    string: Option<OpenString>,
    /// Whether something changed that only the document knows. The next look reads it again.
    stale: bool,
}

/// A string that grows. Its new text waits here until somebody looks.
struct OpenString {
    /// Its number of steps below the root; 0 if the root is the string.
    depth: usize,
    key: Step,
    waiting: String,
}

impl Mirror {
    /// The value so far, with what is open in it.
    pub(crate) fn new(py: Python<'_>, value: ValueRef<'_>) -> PyResult<Self> {
        let root = to_python(py, value)?;
        let (mut open, mut string, mut at, mut object) = (Vec::new(), None, value, root.clone());
        while value.exists() && !at.is_complete() {
            let is_container = matches!(at.kind(), ValueKind::List | ValueKind::Object);
            let last = at.entries().enumerate().last();
            if !is_container {
                break;
            }
            open.push(object.clone().unbind());
            let Some((index, (name, child))) = last else { break };
            let key = name.map_or(Step::Index(index as u32), |name| Step::Key(name.into()));
            object = item(py, &object, &key)?;
            if child.kind() == ValueKind::String && !child.is_complete() {
                string = Some(OpenString { depth: open.len(), key, waiting: String::new() });
                break;
            }
            at = child;
        }
        if value.kind() == ValueKind::String && value.exists() && !value.is_complete() {
            string = Some(OpenString { depth: 0, key: Step::Index(0), waiting: String::new() });
        }
        Ok(Self { root: root.unbind(), open, string, stale: false })
    }

    /// What only the document knows has changed.
    pub(crate) const fn spoil(&mut self) {
        self.stale = true;
    }

    /// Applies a patch.
    pub(crate) fn take(&mut self, py: Python<'_>, patch: &Patch<'_>) -> PyResult<()> {
        if self.stale {
            return Ok(());
        }
        match patch.op {
            PatchOp::Delta => {
                if let Some(string) = &mut self.string {
                    string.waiting.push_str(&patch.delta);
                }
            }
            PatchOp::Open => self.begin(py, patch)?,
            PatchOp::Done => match patch.value.kind() {
                ValueKind::List | ValueKind::Object => {}
                ValueKind::String if self.string.is_some() => {
                    self.show_text(py)?;
                    self.string = None;
                }
                _ => self.put(py, patch, scalar(py, patch.value)?)?,
            },
            PatchOp::Replace | PatchOp::Remove => self.stale = true,
        }
        Ok(())
    }

    fn begin(&mut self, py: Python<'_>, patch: &Patch<'_>) -> PyResult<()> {
        let depth = patch.path.len();
        let object = match patch.value.kind() {
            ValueKind::List => PyList::empty(py).into_any(),
            ValueKind::Object => PyDict::new(py).into_any(),
            _ => {
                let key = patch.path.last().map_or(Step::Index(0), Step::from);
                self.string = Some(OpenString { depth, key, waiting: String::new() });
                return self.put(py, patch, PyString::new(py, "").into_any());
            }
        };
        self.put(py, patch, object.clone())?;
        self.open.truncate(depth);
        self.open.push(object.unbind());
        Ok(())
    }

    /// Puts a value where the path of the patch leads.
    fn put(&mut self, py: Python<'_>, patch: &Patch<'_>, value: Bound<'_, PyAny>) -> PyResult<()> {
        let depth = patch.path.len();
        let Some(last) = patch.path.last() else {
            self.root = value.unbind();
            return Ok(());
        };
        let Some(parent) = self.open.get(depth - 1).map(|parent| parent.bind(py)) else {
            self.stale = true;
            return Ok(());
        };
        match (last, parent.cast::<PyList>()) {
            (Segment::Index(index), Ok(list)) if index as usize == list.len() => list.append(value),
            (Segment::Index(index), Ok(list)) if (index as usize) < list.len() => {
                list.set_item(index as usize, value)
            }
            (Segment::Key(key), Err(_)) => parent.set_item(key, value),
            // Someone else changed the objects.
            _ => {
                self.stale = true;
                Ok(())
            }
        }
    }

    /// The live value. `document` is the value as the parser has it.
    pub(crate) fn look<'py>(
        &mut self,
        py: Python<'py>,
        document: ValueRef<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !self.stale {
            self.show_text(py)?;
        }
        if self.stale {
            let fresh = Self::new(py, document)?;
            let root = self.root.clone_ref(py);
            *self = fresh;
            self.keep_identity(py, root.bind(py))?;
        }
        Ok(self.root.bind(py).clone())
    }

    /// Fills the root that callers hold with what is in the new one, if both are of one kind.
    fn keep_identity(&mut self, py: Python<'_>, before: &Bound<'_, PyAny>) -> PyResult<()> {
        let fresh = self.root.bind(py).clone();
        if let (Ok(before), Ok(fresh)) = (before.cast::<PyDict>(), fresh.cast::<PyDict>()) {
            before.clear();
            before.update(fresh.as_mapping())?;
        } else if let (Ok(before), Ok(fresh)) = (before.cast::<PyList>(), fresh.cast::<PyList>()) {
            before.set_slice(0, before.len(), fresh)?;
        } else {
            return Ok(());
        }
        self.root = before.clone().unbind();
        if let Some(first) = self.open.first_mut() {
            *first = before.clone().unbind();
        }
        Ok(())
    }

    /// Appends the text that waits to the string that is open.
    fn show_text(&mut self, py: Python<'_>) -> PyResult<()> {
        let Some(OpenString { depth, key, waiting }) = &mut self.string else { return Ok(()) };
        if waiting.is_empty() {
            return Ok(());
        }
        let delta = PyString::new(py, waiting);
        waiting.clear();
        let Some(above) = depth.checked_sub(1) else {
            // The root itself is the string.
            let text = core::mem::replace(&mut self.root, py.None());
            self.root = grow::append(py, text, &delta)?;
            return Ok(());
        };
        let Some(parent) = self.open.get(above).map(|parent| parent.bind(py)) else {
            self.stale = true;
            return Ok(());
        };
        let Some(text) =
            item(py, parent, key).ok().filter(|text| text.is_instance_of::<PyString>())
        else {
            // Someone else changed the objects.
            self.stale = true;
            return Ok(());
        };
        let text = text.unbind();
        // The container lets go of the string, so that it can grow where it is.
        set(py, parent, key, py.None().into_bound(py))?;
        let text = grow::append(py, text, &delta)?.into_bound(py);
        set(py, parent, key, text)
    }
}

fn item<'py>(
    py: Python<'py>,
    parent: &Bound<'py, PyAny>,
    key: &Step,
) -> PyResult<Bound<'py, PyAny>> {
    match key {
        Step::Key(key) => parent.get_item(PyString::new(py, key)),
        Step::Index(index) => parent.get_item(index),
    }
}

fn set(
    _: Python<'_>,
    parent: &Bound<'_, PyAny>,
    key: &Step,
    value: Bound<'_, PyAny>,
) -> PyResult<()> {
    match key {
        Step::Key(key) => parent.set_item(&**key, value),
        Step::Index(index) => parent.set_item(index, value),
    }
}

/// The object at these steps; none if there is none.
pub(crate) fn at<'py>(
    py: Python<'py>,
    root: &Bound<'py, PyAny>,
    steps: &[Step],
) -> Option<Bound<'py, PyAny>> {
    steps.iter().try_fold(root.clone(), |object, step| item(py, &object, step).ok())
}
