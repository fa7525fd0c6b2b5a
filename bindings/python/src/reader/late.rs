//! Verbs that begin late: each first gets what was read before.

use pyo3::prelude::*;

use super::Reader;
use crate::verbs::{Ended, Verb};

impl Reader {
    /// Adds a verb, which first sees what was read before. Returns its number.
    pub(crate) fn listen(&mut self, py: Python<'_>, mut verb: Verb) -> PyResult<usize> {
        verb.catch_up(py, &self.answer.engine, self.place())?;
        if let Verb::Calls(queue) = &mut verb {
            for number in 0..self.calls.len() {
                if self.calls[number].is_given {
                    queue.push_back(Py::new(py, self.call(py, number)?)?.into_any());
                }
            }
        }
        let Self { ended, settings, beside, .. } = &*self;
        if let Some(answer) = ended {
            verb.end(py, &Ended { answer, settings, beside })?;
        }
        let free = self.verbs.iter().position(Option::is_none);
        let at = free.unwrap_or(self.verbs.len());
        if at == self.verbs.len() {
            self.verbs.push(None);
        }
        self.verbs[at] = Some(verb);
        Ok(at)
    }
}
