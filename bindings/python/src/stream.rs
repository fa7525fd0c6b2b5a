//! What a verb of a reader gives, item by item.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyStopAsyncIteration;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::session::{Session, State, again, borrowed, closed, pull_with};
use crate::verbs::{Next, Verb};

/// What a verb gives, item by item.
///
/// It is frozen: who asks for an item while another thread reads meets the session, which says that it is busy.
#[pyclass(frozen, module = "patchwire._core")]
pub(crate) struct Stream {
    session: Py<Session>,
    verb: usize,
    /// The verb and its path, for people.
    what: String,
    /// Makes the item that the caller gets.
    convert: Option<Mutex<Option<Py<PyAny>>>>,
    is_over: AtomicBool,
}

enum Popped {
    Item(Py<PyAny>),
    Wait,
    End,
}

impl Stream {
    pub(crate) fn new(
        session: &Bound<'_, Session>,
        what: String,
        verb: Verb,
        convert: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let verb = borrowed(session)?.reader.listen(session.py(), verb)?;
        let (session, is_over) = (session.clone().unbind(), AtomicBool::new(false));
        let convert = convert.map(|convert| Mutex::new(Some(convert)));
        Ok(Self { session, verb, what, convert, is_over })
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// The next item that is there; none if more has to be read, or at the end.
    #[inline]
    fn pop(&self, py: Python<'_>, session: &mut Session) -> PyResult<Popped> {
        let is_ended = matches!(session.state, State::Ended);
        match session.reader.pop(py, self.verb, is_ended) {
            Next::Item(item) => Ok(Popped::Item(item)),
            Next::End => Ok(Popped::End),
            Next::Error(error) => Err(error),
            Next::Wait => match &session.state {
                State::Failed(error) => Err(again(py, error)),
                State::Closed => Err(closed(py)),
                _ => Ok(Popped::Wait),
            },
        }
    }

    #[inline]
    fn converted(&self, py: Python<'_>, item: Py<PyAny>) -> PyResult<Py<PyAny>> {
        let Some(convert) = &self.convert else { return Ok(item) };
        let convert = {
            let convert = convert.lock().unwrap_or_else(PoisonError::into_inner);
            convert.as_ref().map(|convert| convert.clone_ref(py))
        };
        match convert {
            Some(convert) => convert.call1(py, (item,)),
            None => Ok(item),
        }
    }

    /// The next item, for which the source is read as far as needed.
    #[inline]
    fn next_read(&self, py: Python<'_>) -> PyResult<Popped> {
        let bound = self.session.bind(py);
        let mut session = borrowed(bound)?;
        loop {
            match self.pop(py, &mut session).inspect_err(|_| self.end())? {
                Popped::Wait => {}
                popped => return Ok(popped),
            }
            session = match pull_with(bound, session) {
                Ok(session) => session,
                Err(error) => return self.last(py, error),
            };
        }
    }

    /// What was picked before a failure comes first. The failure comes again after it.
    fn last(&self, py: Python<'_>, error: PyErr) -> PyResult<Popped> {
        let mut session = borrowed(self.session.bind(py))?;
        if let Ok(Popped::Item(item)) = self.pop(py, &mut session) {
            return Ok(Popped::Item(item));
        }
        // Whoever was busy may be asked again.
        if !matches!(session.state, State::Reading) {
            self.end();
        }
        Err(error)
    }
}

#[pymethods]
impl Stream {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        if self.is_over() {
            return Ok(None);
        }
        match self.next_read(py)? {
            Popped::Item(item) => self.converted(py, item).map(Some),
            _ => {
                self.end();
                Ok(None)
            }
        }
    }

    /// The next item in a tuple; `None` if more has to be read first. Raises `StopAsyncIteration` at the end.
    fn take(&self, py: Python<'_>) -> PyResult<Option<(Py<PyAny>,)>> {
        if self.is_over() {
            return Err(PyStopAsyncIteration::new_err(()));
        }
        let popped = {
            let mut session = borrowed(self.session.bind(py))?;
            self.pop(py, &mut session).inspect_err(|_| self.end())?
        };
        match popped {
            Popped::Item(item) => Ok(Some((self.converted(py, item)?,))),
            Popped::Wait => Ok(None),
            Popped::End => {
                self.end();
                Err(PyStopAsyncIteration::new_err(()))
            }
        }
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let state = if self.is_over() { "ended" } else { Session::state(self.session.bind(py)) };
        format!("<{} {state}>", self.what)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.session)?;
        // Whoever holds the lock holds a reference too.
        match self.convert.as_ref().and_then(|convert| convert.try_lock().ok()) {
            Some(convert) => visit.call(&*convert),
            None => Ok(()),
        }
    }

    fn __clear__(&self) {
        if let Some(convert) = &self.convert {
            drop(convert.lock().unwrap_or_else(PoisonError::into_inner).take());
        }
    }

    /// Listens no more.
    fn close(&self, py: Python<'_>) {
        self.end();
        if let Ok(mut session) = self.session.try_borrow_mut(py) {
            drop(session.reader.forget(self.verb));
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        Python::attach(|py| self.close(py));
    }
}
