//! `patchwire chat`: asks a model until its answer passes.

mod attempt_recordings;
mod chat_view;
mod plain_text;

use std::cell::RefCell;
use std::error::Error as _;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::rc::Rc;

use patchwire_async::{Answer, DeltasError, Error, Inputs, Response, ResponseEvent, Split};
use patchwire_chat::sources::{DecodeError, DecodeErrorKind, Delta, End, Foreign, Stop};
use patchwire_chat::{Asking, Chat, ChatError, ResponseStream, Structured};
use serde_json::json;
use tokio::runtime::{Builder, Runtime};

use crate::args::ChatArgs;
use crate::exit::{Failure, Status};
use crate::output;
use crate::report::ONLY_CALLS;
use crate::request_setup::{RequestError, key_from_env};
use crate::settings::{Settings, has_expectations};
use attempt_recordings::AttemptRecordings;

pub(crate) fn run(args: &ChatArgs) -> Result<Status, Failure> {
    let settings = Settings::checking(&args.reading, &args.checking)?;
    let chat = chat(args, &settings)?;
    let prompt = prompt(args)?;
    if args.watch {
        return chat_view::run(args, &settings, &chat, prompt);
    }
    if args.plain {
        return runtime()?.block_on(plain_text::run(args, &chat, prompt));
    }
    runtime()?.block_on(ask(args, &chat, prompt))
}

fn runtime() -> Result<Runtime, RequestError> {
    Builder::new_current_thread().enable_all().build().map_err(RequestError::Runtime)
}

fn chat(args: &ChatArgs, settings: &Settings) -> Result<Chat, RequestError> {
    let request = &args.request;
    let mut endpoint = request.endpoint()?;
    if let Some(name) = request.key_variable(&endpoint) {
        endpoint = endpoint.with_key(key_from_env(name, "--key-env")?);
    }
    let structured = if request.no_structured { Structured::Off } else { Structured::Auto };
    Ok(Chat::new(endpoint, &request.model, settings.spec.clone())?
        .structured(structured)
        .instructions(!request.no_instructions)
        .system(request.system.as_deref().unwrap_or_default()))
}

/// The prompt. It may be empty if `--set` gives the messages.
fn prompt(args: &ChatArgs) -> Result<String, RequestError> {
    let prompt = given_prompt(args)?;
    let is_set = args.request.set.iter().any(|(name, _)| matches!(&**name, "messages" | "input"));
    if prompt.trim().is_empty() && !is_set {
        return Err(RequestError::NoPrompt);
    }
    Ok(prompt)
}

fn given_prompt(args: &ChatArgs) -> Result<String, RequestError> {
    if let Some(prompt) = args.prompt.as_deref().filter(|prompt| *prompt != "-") {
        return Ok(prompt.to_owned());
    }
    if io::stdin().is_terminal() {
        output::note(&"reading the prompt from the terminal; end it with Ctrl-D");
    }
    let mut prompt = String::new();
    io::stdin().read_to_string(&mut prompt).map_err(RequestError::Prompt)?;
    Ok(prompt.trim_end().to_owned())
}

/// Asks the model, and prints the events as they come.
async fn ask(args: &ChatArgs, chat: &Chat, prompt: String) -> Result<Status, Failure> {
    let recordings = Rc::new(RefCell::new(AttemptRecordings::new(args)?));
    let recording = Rc::clone(&recordings);
    let mut response =
        response(args, chat, prompt, move |delta| recording.borrow_mut().hear(delta));
    let mut out = output::stdout();
    let mut stop = None;
    while let Some(event) = response.next().await {
        // The error is reported after the loop.
        let Ok(event) = event else { break };
        if matches!(event, ResponseEvent::Reset { .. }) {
            recordings.borrow_mut().next()?;
        } else if event.as_final().is_some() {
            stop = response.get_ref().and_then(stopped);
            let facts = response.facts().last().filter(|facts| !facts.is_empty());
            if let Some(facts) = facts {
                writeln!(out, "{}", json!({"event": "facts", "facts": facts}))?;
            }
        }
        writeln!(out, "{event}")?;
        out.flush()?;
    }
    recordings.borrow_mut().finish()?;
    Ok(report(response.answer().await, stop.as_ref()))
}

/// Why the model stopped early. If another attempt follows, the stream is gone.
fn stopped(stream: &ResponseStream) -> Option<Stop> {
    match stream.deltas().end() {
        Some(End::Closed(stop) | End::Cut(Some(stop))) => {
            Some(stop).filter(|stop| stop.is_cut() || matches!(stop, Stop::Other(_))).cloned()
        }
        _ => None,
    }
}

/// Sends the request. `on_delta` sees each delta before it is parsed.
fn response(
    args: &ChatArgs,
    chat: &Chat,
    prompt: String,
    mut hear: impl FnMut(&Delta),
) -> Response<Asking, impl Split<Delta>> {
    let request = &args.request;
    let ask = chat.ask(prompt).max_retries(request.max_retries).settings(request.settings());
    let ask = ask.calls_are_answers(!has_expectations(&args.reading.expected, &args.checking));
    let split = move |delta: Delta, out: &mut Inputs| {
        hear(&delta);
        out.delta(delta);
    };
    ask.split(split).send()
}

/// Reports on stderr what is wrong with an answer, and returns its status.
fn report(answer: Result<Answer, Error<ChatError>>, stop: Option<&Stop>) -> Status {
    if let Some(stop) = stop.filter(|stop| stop.is_cut()) {
        output::note(&format_args!("the answer is incomplete: {stop}"));
    }
    let Err(error) = answer else { return Status::Complete };
    if let Error::Rejected { answer, .. } = &error
        && !answer.calls().is_empty()
        && !answer.value().exists()
    {
        let what = "and the model waits for their results; remove the schema and the required paths, or the tools";
        output::error(&format_args!("{ONLY_CALLS}, {what}"));
        return Status::NoValue;
    }
    let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    output::error(&format_args!("{error}{source}{}", advice(&error)));
    match error {
        Error::Rejected { .. } => Status::Failed,
        Error::Parse(error) if matches!(error.kind, patchwire::ErrorKind::Limit(_)) => {
            Status::Limit
        }
        Error::Parse(_) => Status::Failed,
        _ => Status::NoValue,
    }
}

/// What the user can do, if the error itself does not know the options.
fn advice(error: &Error<ChatError>) -> String {
    match error.as_source() {
        Some(ChatError::Stream(DeltasError::Foreign { found: Foreign::Stream(other), .. })) => {
            format!("; `--protocol {other}` reads that")
        }
        Some(ChatError::Stream(DeltasError::Foreign { .. })) => {
            "; check that `--endpoint` is the address of a model's server".to_owned()
        }
        Some(ChatError::Stream(DeltasError::Decode(DecodeError {
            kind: DecodeErrorKind::TooLong { .. },
            ..
        }))) => "; ask for less at once, or check that the server sends a stream".to_owned(),
        _ => String::new(),
    }
}
