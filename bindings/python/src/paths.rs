//! Paths as Python sees them: each is made once for a field, and shared by all of its patches.

use core::fmt::Write as _;

use patchwire::path::Segment;
use patchwire::{PatchOp, Pattern, Spec};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyTuple};

use crate::errors;

/// The printed paths of the fields of one parser, by document and number.
#[derive(Default)]
pub(crate) struct PathTable {
    documents: Vec<Vec<Option<Py<PyString>>>>,
    /// Keeps its memory from path to path: a record has a new path for each of its members.
    printed: String,
}

impl PathTable {
    #[inline]
    pub(crate) fn of(
        &mut self,
        py: Python<'_>,
        patch: &patchwire::Patch<'_>,
    ) -> PyResult<Py<PyString>> {
        let (document, node) = (patch.document.index(), patch.node.index());
        // The finalizer may move a field: what it says is not kept.
        if matches!(patch.op, PatchOp::Replace | PatchOp::Remove) {
            return Ok(self.print(py, patch.path));
        }
        if self.documents.len() <= document {
            self.documents.resize_with(document + 1, Vec::new);
        }
        let known = &mut self.documents[document];
        if known.len() <= node {
            known.resize_with(node + 1, || None);
        }
        if let Some(path) = &known[node] {
            return Ok(path.clone_ref(py));
        }
        let path = self.print(py, patch.path);
        self.documents[document][node] = Some(path.clone_ref(py));
        Ok(path)
    }

    fn print(&mut self, py: Python<'_>, path: patchwire::Path<'_>) -> Py<PyString> {
        self.printed.clear();
        // Writing to a `String` cannot fail.
        write!(self.printed, "{path}").unwrap_or_default();
        PyString::new(py, &self.printed).unbind()
    }
}

/// A path as a caller gave it.
pub(crate) fn given<'a>(path: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    let text = path.cast::<PyString>().ok().and_then(|text| text.to_str().ok());
    text.ok_or_else(|| {
        let what = match path.repr() {
            Ok(found) => format!("a path is `str`, such as `rows[0].name`, and this is {found}"),
            Err(error) => error.to_string(),
        };
        errors::raised(path.py(), "PathError", what)
    })
}

/// The steps of a printed path, as a tuple of `str` and `int`.
pub(crate) fn segments<'py>(py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyTuple>> {
    let pattern: Pattern = path.parse().map_err(|error| errors::pattern(py, path, error))?;
    let steps = steps(&pattern).into_iter().map(|step| match step {
        Some(Step::Key(key)) => PyString::new(py, &key).into_any(),
        Some(Step::Index(index)) => PyInt::new(py, index).into_any(),
        None => PyString::new(py, "*").into_any(),
    });
    PyTuple::new(py, steps)
}

/// The steps of a pattern; none for a wildcard. They are read from its printed form.
pub(crate) fn steps(pattern: &Pattern) -> Vec<Option<Step>> {
    let printed = pattern.to_string();
    let (mut steps, mut rest) = (Vec::with_capacity(pattern.len()), &*printed);
    while !rest.is_empty() {
        let (step, after) = next_step(rest);
        steps.push(step);
        rest = after;
    }
    steps
}

/// A printed path as an RFC 6901 JSON Pointer.
pub(crate) fn pointer(path: &str) -> String {
    let (mut pointer, mut rest) = (String::new(), path);
    while !rest.is_empty() {
        let (step, after) = next_step(rest);
        pointer.push('/');
        match step {
            Some(Step::Key(key)) => pointer.push_str(&key.replace('~', "~0").replace('/', "~1")),
            Some(Step::Index(index)) => pointer.push_str(&index.to_string()),
            None => pointer.push('*'),
        }
        rest = after;
    }
    pointer
}

/// A printed path with `[*]` for every index.
pub(crate) fn wildcard(path: &str) -> String {
    let (mut printed, mut rest) = (String::with_capacity(path.len()), path);
    while !rest.is_empty() {
        let (step, after) = next_step(rest);
        let own = &rest[..rest.len() - after.len()];
        printed.push_str(if matches!(step, Some(Step::Index(_))) { "[*]" } else { own });
        rest = after;
    }
    printed
}

/// The first step of a printed pattern, and what follows it.
fn next_step(text: &str) -> (Option<Step>, &str) {
    if let Some(quoted) = text.strip_prefix("[\"") {
        // The quote that closes has an even number of backslashes before it.
        let mut escaped = false;
        let end = quoted.bytes().position(|byte| {
            let closes = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        });
        let end = end.unwrap_or(quoted.len());
        let key = unquoted(&text[1..(end + 3).min(text.len())]);
        return (Some(Step::Key(key.into())), quoted.get(end + 2..).unwrap_or_default());
    }
    if let Some((index, rest)) = text.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        return (index.parse().ok().map(Step::Index), rest);
    }
    let name = text.strip_prefix('.').unwrap_or(text);
    let end = name.find(['.', '[']).unwrap_or(name.len()).max(1).min(name.len());
    (Some(Step::Key(name[..end].into())), &name[end..])
}

/// The text of a JSON string.
fn unquoted(json: &str) -> String {
    let answer = Spec::strict_json().parse(json);
    answer.ok().and_then(|answer| answer.value().as_str().map(str::to_owned)).unwrap_or_default()
}

/// A step of a path that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Key(Box<str>),
    Index(u32),
}

impl Step {
    pub(crate) const fn segment(&self) -> Segment<'_> {
        match self {
            Self::Key(key) => Segment::Key(key),
            Self::Index(index) => Segment::Index(*index),
        }
    }

    pub(crate) fn is(&self, segment: Segment<'_>) -> bool {
        match (self, segment) {
            (Self::Key(key), Segment::Key(name)) => **key == *name,
            (Self::Index(index), Segment::Index(at)) => *index == at,
            _ => false,
        }
    }
}

impl From<Segment<'_>> for Step {
    fn from(segment: Segment<'_>) -> Self {
        match segment {
            Segment::Key(key) => Self::Key(key.into()),
            Segment::Index(index) => Self::Index(index),
        }
    }
}
