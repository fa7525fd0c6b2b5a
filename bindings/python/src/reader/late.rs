//! Verbs that begin late: each first gets what was read before.

use patchwire::document::DocId;
use patchwire_async::ResponseEvent;
use pyo3::prelude::*;

use super::{Part, Reader};
use crate::verbs::{Ended, Verb, Wire};

impl Reader {
    /// Adds a verb, which first sees what was read before. Returns its number.
    pub(crate) fn listen(&mut self, py: Python<'_>, mut verb: Verb) -> PyResult<usize> {
        match &mut verb {
            Verb::Calls(queue) => queue.extend(self.calls_so_far(py)?),
            Verb::Reasoning { waiting } => waiting.push_str(&self.reasoned),
            Verb::Wire(wire) => self.send_so_far(wire),
            verb => self.catch_up(py, verb)?,
        }
        let free = self.verbs.iter().position(Option::is_none);
        let at = free.unwrap_or(self.verbs.len());
        if at == self.verbs.len() {
            self.verbs.push(None);
        }
        self.verbs[at] = Some(verb);
        Ok(at)
    }

    /// Shows the value so far to a verb, and its end.
    fn catch_up(&self, py: Python<'_>, verb: &mut Verb) -> PyResult<()> {
        let Self { settings, beside, .. } = self;
        let ended = self.ended.as_ref().map(|answer| Ended { answer, settings, beside });
        let value = match &self.ended {
            Some(answer) => answer.value(),
            None => self.answer.engine.value(),
        };
        verb.catch_up(py, value, self.place(), ended.as_ref())?;
        ended.map_or(Ok(()), |ended| verb.end(py, &ended))
    }

    /// The calls that are complete: those of the provider, and those that the model wrote as text.
    fn calls_so_far(&mut self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        // Those who wait already get what is complete before it counts as given.
        self.give_text_calls(py)?;
        let given = (0..self.calls.len()).filter(|at| self.calls[*at].is_given);
        let mut calls = given
            .map(|at| Ok(Py::new(py, self.call(py, at)?)?.into_any()))
            .collect::<PyResult<Vec<_>>>()?;
        let written = self.ready_text_calls(py, 0)?;
        self.text_calls = written.len();
        calls.extend(written);
        Ok(calls)
    }

    /// Sends the calls and the documents so far, and the end of the stream if it has ended.
    fn send_so_far(&self, wire: &mut Wire) {
        let known =
            |call: &&super::CallPart| call.state.id().is_some() || call.state.name().is_some();
        self.calls.iter().filter(known).for_each(|call| wire.send(&call.event()));
        self.send_documents(wire, &self.answer, None);
        for call in &self.calls {
            if let Some(part) = &call.part {
                self.send_documents(wire, part, Some(call.number));
            }
        }
        if let Some(answer) = &self.ended {
            wire.end(answer);
        }
        if let Some((code, message)) = &self.failure {
            wire.fail(code, message);
        }
    }

    fn send_documents(&self, wire: &mut Wire, part: &Part, call: Option<u32>) {
        for (local, document) in (0..).zip(&part.documents) {
            let value = part.engine.document(DocId::from_number(local));
            let value = value.filter(|value| value.exists());
            if let (Some(value), Some(mut origin)) = (value, document.origin) {
                (origin.attempt, origin.call) = (self.attempt, call);
                let document = DocId::from_number(document.number);
                let value = value.to_value();
                wire.send(&ResponseEvent::Snapshot { document, origin, value });
            }
        }
    }
}
