//! Shows the answer on the terminal while the model writes it.
//!
//! The view's loop owns the terminal, and another thread drives the response: its messages come
//! through a channel. The loop therefore needs no runtime and no second way to wait for keys
//! (`crossterm`'s event stream would start a thread as well).

use std::cell::RefCell;
use std::io::Write as _;
use std::pin::pin;
use std::rc::Rc;
use std::thread;

use futures_util::future::{Either, select};
use patchwire::{OwnedEvent, Value};
use patchwire_async::{Answer, DeltasError, Error, ResponseEvent};
use patchwire_chat::sources::Stop;
use patchwire_chat::{Chat, ChatError};
use tokio::sync::oneshot;

use super::{attempt_recordings::AttemptRecordings, report, response, runtime, stopped};
use crate::args::ChatArgs;
use crate::commands::final_value::Print;
use crate::exit::{Failure, Status};
use crate::output;
use crate::request_setup::RequestError;
use crate::settings::Settings;
use crate::watch::{
    self, ExitRule, LiveMessage, LiveResponse, LiveSender, NoAnswerCause, StreamEnd, ViewExit,
};

/// The result of asking a model.
struct Asked {
    /// `None` if the view was closed before there was an answer.
    answer: Option<Result<Answer, Error<ChatError>>>,
    /// The value of the last attempt so far, and its text.
    so_far: Value,
    text: String,
    /// Why the model stopped early.
    stop: Option<Stop>,
}

/// Never sent. The receiver notices when the sender is dropped, which means that the view was
/// closed.
enum Never {}

/// Shows the answer, and prints its value after the view was closed. Without a terminal, only
/// prints the value.
pub(super) fn run(
    args: &ChatArgs,
    settings: &Settings,
    chat: &Chat,
    prompt: String,
) -> Result<Status, Failure> {
    let (leave, left) = oneshot::channel();
    if !watch::is_available() {
        let asked = runtime()?.block_on(ask(args, chat, prompt, None, left))?;
        drop(leave);
        return conclude(&asked, settings);
    }
    let asked = thread::scope(|scope| {
        let (sender, feed) = watch::live_channel();
        let asker = scope.spawn(move || {
            runtime()?.block_on(async { ask(args, chat, prompt, Some(sender), left).await })
        });
        let mut live = LiveResponse::new(args.request.model.clone(), settings);
        let ending = if args.exit { ExitRule::AtStreamEnd } else { ExitRule::OnQuit };
        let way = watch::watch(feed, &mut live, ending).map_err(Failure::Screen)?;
        drop(leave);
        let asked = asker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok::<_, Failure>((asked, way))
    });
    let (asked, way) = asked?;
    // The answer may have arrived while the view was being closed.
    if way == ViewExit::BeforeEnd && asked.answer.is_none() {
        let is_there = asked.so_far.as_ref().exists() || !asked.text.trim().is_empty();
        let so_far = if is_there { ": this is the value so far" } else { "" };
        output::note(&format_args!("left before there was an answer{so_far}"));
    }
    conclude(&asked, settings)
}

/// Prints the value, as `final` does, and reports what is wrong with it.
fn conclude(asked: &Asked, settings: &Settings) -> Result<Status, Failure> {
    let mut out = output::stdout();
    let print = Print { out: &mut out, pretty: false };
    match &asked.answer {
        Some(Ok(answer)) => print.with_calls(answer, answer.calls().into(), settings)?,
        Some(Err(Error::Rejected { answer, .. })) => print.answer(answer, settings)?,
        _ => print.so_far(asked.so_far.as_ref(), &asked.text, settings)?,
    }
    out.flush()?;
    Ok(match &asked.answer {
        Some(answer) => report(answer.clone(), asked.stop.as_ref()),
        None if asked.so_far.as_ref().exists() => Status::Failed,
        None => Status::NoValue,
    })
}

/// Asks the model, and sends messages to the view. Stops if the view was closed.
async fn ask(
    args: &ChatArgs,
    chat: &Chat,
    prompt: String,
    sender: Option<LiveSender>,
    mut left: oneshot::Receiver<Never>,
) -> Result<Asked, RequestError> {
    let recordings = Rc::new(RefCell::new(AttemptRecordings::new(args)?));
    let (recording, hear) = (Rc::clone(&recordings), sender.clone());
    let mut response = response(args, chat, prompt, move |delta| {
        recording.borrow_mut().hear(delta);
        if let Some(sender) = &hear {
            // If the view was closed, sending the next event fails too.
            let _ = sender.send_delta(delta);
        }
    });
    let (mut text, mut stop) = (String::new(), None);
    let is_left = loop {
        let event = match select(pin!(response.next()), &mut left).await {
            Either::Left((Some(Ok(event)), _)) => event,
            // The caller reports the error.
            Either::Left(_) => break false,
            Either::Right(_) => break true,
        };
        match &event {
            ResponseEvent::Reset { .. } => {
                recordings.borrow_mut().next()?;
                text.clear();
            }
            ResponseEvent::Parsed(OwnedEvent::Text { delta, .. }) => text.push_str(delta),
            _ => {}
        }
        let is_judged = event.as_final().is_some() || matches!(event, ResponseEvent::Rejected(_));
        if is_judged {
            stop = response.get_ref().and_then(stopped);
        }
        let Some(sender) = &sender else { continue };
        if is_judged && let Some(stop) = &stop {
            // If the view was closed, sending the event fails too.
            let _ = sender.send(LiveMessage::Stopped(stop.clone()));
        }
        if sender.send(LiveMessage::Event(Box::new(event))).is_err() {
            break true;
        }
    };
    recordings.borrow_mut().finish()?;
    let answer = if is_left { None } else { Some(response.answer().await) };
    if let (Some(Err(error)), Some(sender)) = (&answer, &sender) {
        // If the view was closed, nobody needs the message.
        let _ = sender.send(over(error));
    }
    Ok(Asked { answer, so_far: response.value().to_value(), text, stop })
}

/// Why there is no answer, as a message for the view.
fn over(error: &Error<ChatError>) -> LiveMessage {
    let over = match error {
        Error::Parse(error) => StreamEnd::Error(*error),
        Error::Rejected { answer, .. } => {
            return LiveMessage::Over(
                StreamEnd::NoAnswer(NoAnswerCause::Rejected, error.to_string()),
                Some(Box::new((**answer).clone())),
            );
        }
        Error::Source(source) => match source.as_typed() {
            Some(ChatError::Stream(DeltasError::Refused(why))) => {
                StreamEnd::NoAnswer(NoAnswerCause::Refused, why.clone())
            }
            Some(ChatError::Stream(DeltasError::Cut | DeltasError::Body(_))) => {
                StreamEnd::NoAnswer(NoAnswerCause::Cut, source.to_string())
            }
            _ => StreamEnd::NoAnswer(NoAnswerCause::Failed, source.to_string()),
        },
        error => StreamEnd::NoAnswer(NoAnswerCause::Failed, error.to_string()),
    };
    LiveMessage::Over(over, None)
}
