//! Updates of tools that still run.

use patchwire::Answer;

use super::tool::{Payload, Tool};

/// Updates of running tools, by the id of the execution, in the order of their first updates. `T` is the
/// caller's own type; the result in the answer replaces the update.
///
/// ```
/// use patchwire_views::ubik::Live;
///
/// let mut logs: Live<Vec<String>> = Live::default();
/// logs.update("call_1").push("searching".to_owned());
/// logs.update("call_2").push("reading".to_owned());
/// logs.update("call_1").push("3 found".to_owned());
/// assert_eq!(logs.get("call_1").map(Vec::len), Some(2));
/// assert!(logs.iter().map(|(id, _)| id).eq(["call_1", "call_2"]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Live<T> {
    updates: Vec<(String, T)>,
}

/// The progress of one tool.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Progress<'l, 'a, T> {
    /// There is no update and no result.
    Waiting,
    /// It runs, and this is its update.
    Running(&'l T),
    /// Its whole result is in the answer.
    Done(Payload<'a>),
}

impl<T> Live<T> {
    /// The update of an execution, to change. Makes an empty one the first time.
    pub fn update(&mut self, id: &str) -> &mut T
    where
        T: Default,
    {
        let known = self.updates.iter().position(|(own, _)| own == id);
        let at = known.unwrap_or_else(|| {
            self.updates.push((id.to_owned(), T::default()));
            self.updates.len() - 1
        });
        &mut self.updates[at].1
    }

    /// The update of an execution.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&T> {
        self.iter().find(|(own, _)| *own == id).map(|(_, update)| update)
    }

    /// All ids and their updates, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.updates.iter().map(|(id, update)| (&**id, update))
    }

    /// The progress of a tool: its result once that is whole, until then its update.
    #[must_use]
    pub fn progress<'a>(&self, tool: Tool<'a>) -> Progress<'_, 'a, T> {
        match (tool.result().filter(Payload::is_complete), self.get(tool.id())) {
            (Some(result), _) => Progress::Done(result),
            (None, Some(update)) => Progress::Running(update),
            (None, None) => Progress::Waiting,
        }
    }

    /// Drops the updates of executions whose whole results are in the answer.
    pub fn settle(&mut self, answer: &Answer) {
        let done = |tool: &Tool<'_>| tool.result().is_some_and(|result| result.is_complete());
        for tool in super::tools(answer).filter(done) {
            self.updates.retain(|(id, _)| id != tool.id());
        }
    }
}
