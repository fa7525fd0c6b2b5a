//! `patchwire chat --plain`: prints only what the model writes.

use std::cell::RefCell;
use std::io::{self, Write as _};
use std::rc::Rc;

use patchwire_async::{Answer, Call, ResponseEvent};
use patchwire_chat::Chat;
use patchwire_chat::sources::Delta;

use super::{attempt_recordings::AttemptRecordings, report, response, stopped};
use crate::args::ChatArgs;
use crate::exit::{Failure, Status};
use crate::output::{self, Out};

/// The text of the attempts, printed as it comes.
struct Text {
    out: Out,
    /// Whether the last line has no end yet.
    is_open: bool,
    /// Why printing stopped.
    failed: Option<io::Error>,
}

impl Text {
    fn hear(&mut self, delta: &Delta) {
        if let (Delta::Text(text), None) = (delta, &self.failed) {
            let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
            self.failed = written.err();
            self.is_open = text.chars().next_back().map_or(self.is_open, |last| last != '\n');
        }
    }

    /// Ends the last line.
    fn close(&mut self) -> io::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if core::mem::take(&mut self.is_open) {
            writeln!(self.out)?;
        }
        self.out.flush()
    }
}

/// Names the tools that were called: calls are no text.
fn note_calls(answer: &Answer) {
    let names: Vec<&str> = answer.calls().iter().map(Call::name).collect();
    if !names.is_empty() {
        let names = names.join(", ");
        output::note(&format_args!(
            "the model calls {names}; without `--plain` the calls are printed"
        ));
    }
}

/// Asks the model, and prints its text. A note on stderr says why it is asked again.
pub(super) async fn run(args: &ChatArgs, chat: &Chat, prompt: String) -> Result<Status, Failure> {
    let recordings = Rc::new(RefCell::new(AttemptRecordings::new(args)?));
    let text = Text { out: output::stdout(), is_open: false, failed: None };
    let text = Rc::new(RefCell::new(text));
    let (recording, printed) = (Rc::clone(&recordings), Rc::clone(&text));
    let mut response = response(args, chat, prompt, move |delta| {
        recording.borrow_mut().hear(delta);
        printed.borrow_mut().hear(delta);
    });
    let mut stop = None;
    // The error of an event is reported after the loop.
    while let Some(Ok(event)) = response.next().await {
        if text.borrow().failed.is_some() {
            break;
        }
        match &event {
            ResponseEvent::Reset { .. } => recordings.borrow_mut().next()?,
            ResponseEvent::Rejected(_) => text.borrow_mut().close()?,
            ResponseEvent::Retrying { attempt, rejection } => {
                output::note(&format_args!("attempt {attempt} begins: {rejection}"));
            }
            event if event.as_final().is_some() => {
                stop = response.get_ref().and_then(stopped);
            }
            _ => {}
        }
    }
    recordings.borrow_mut().finish()?;
    text.borrow_mut().close()?;
    let answer = response.answer().await;
    if let Ok(answer) = &answer {
        note_calls(answer);
    }
    Ok(report(answer, stop.as_ref()))
}
