//! Large pieces of a stream, which are read without the lock of the interpreter.

use patchwire::event::{Event, Recorder};
use patchwire::{OwnedEvent, OwnedPatch, Parser as Engine};
use pyo3::prelude::*;

use crate::parser::feed;
use crate::patch::{Patch, Place};
use crate::verbs::{Slot, Verb};

/// From this size on a piece is read without the lock. A smaller one is read in less time than a thread of Python runs
/// before another one may (5 ms).
pub(crate) const LARGE: usize = 32 << 10;

/// Runs work on so many bytes, without the lock if they are many.
pub(crate) fn unlocked<T: Send>(
    py: Python<'_>,
    bytes: usize,
    work: impl FnOnce() -> T + Send,
) -> T {
    if bytes < LARGE { work() } else { py.detach(work) }
}

/// Patches that wait for the lock, to become objects.
#[derive(Default)]
pub(crate) struct Waiting {
    recorder: Recorder,
    patches: Vec<(Place, OwnedPatch)>,
    /// Which verb waits for which patch.
    wanted: Vec<(usize, usize)>,
}

impl Waiting {
    /// Gives an event to the verbs, and keeps a patch that one of them wants as an object.
    pub(crate) fn take(&mut self, verbs: &mut [Slot], place: Place, event: &Event<'_>) {
        let Self { recorder, patches, wanted } = self;
        let before = wanted.len();
        for (at, verb) in verbs.iter_mut().enumerate() {
            match (verb, event) {
                (Some(Verb::Patches { only, .. }), Event::Patch(patch)) => {
                    if only.as_ref().is_none_or(|only| patch.path.matches(only)) {
                        wanted.push((at, patches.len()));
                    }
                }
                (Some(verb), event) => verb.take_text(place, event),
                (None, _) => {}
            }
        }
        if wanted.len() > before
            && let OwnedEvent::Patch(patch) = recorder.own(event)
        {
            patches.push((place, patch));
        }
    }

    /// Gives the objects to the verbs. Verbs that want the same patch share its object.
    pub(crate) fn give(self, py: Python<'_>, verbs: &mut [Slot]) -> PyResult<()> {
        let mut wanted = self.wanted.into_iter().peekable();
        for (number, (place, patch)) in self.patches.iter().enumerate() {
            let object = Py::new(py, Patch::of_owned(py, patch, *place)?)?.into_any();
            while let Some((verb, _)) = wanted.next_if(|(_, patch)| *patch == number) {
                if let Some(Some(Verb::Patches { queue, .. })) = verbs.get_mut(verb) {
                    queue.push_back(object.clone_ref(py));
                }
            }
        }
        Ok(())
    }
}

/// Reads a large chunk without the lock, and returns the patches that are wanted.
pub(crate) fn patches(
    engine: &mut Engine,
    bytes: &[u8],
    mut wants: impl FnMut(&patchwire::Patch<'_>) -> bool,
) -> (Result<(), patchwire::Error>, Vec<OwnedPatch>) {
    let (mut patches, mut recorder) = (Vec::new(), Recorder::default());
    let fed = feed(engine, bytes, &mut |event| {
        if let Event::Patch(patch) = &event
            && wants(patch)
            && let OwnedEvent::Patch(patch) = recorder.own(&event)
        {
            patches.push(patch);
        }
    });
    (fed, patches)
}
