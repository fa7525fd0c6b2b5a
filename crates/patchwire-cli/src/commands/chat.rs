//! `patchwire chat`: a model, asked until its answer passes.

use std::cell::RefCell;
use std::error::Error as _;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::PathBuf;
use std::rc::Rc;

use patchwire::OwnedEvent;
use patchwire_async::{Answer, Error, Inputs};
use patchwire_chat::sources::Delta;
use patchwire_chat::{Chat, ChatError, Structured};

use crate::args::ChatArgs;
use crate::asking::{self, AskingError};
use crate::exit::{Failure, Status};
use crate::output;
use crate::recording::{RecordError, Tape};
use crate::settings::Settings;

pub(crate) fn run(args: &ChatArgs) -> Result<Status, Failure> {
    let settings = Settings::checking(&args.reading, &args.checking)?;
    let chat = chat(args, &settings)?;
    let prompt = prompt(args)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(AskingError::Runtime)?;
    runtime.block_on(ask(args, &chat, prompt))
}

fn chat(args: &ChatArgs, settings: &Settings) -> Result<Chat, AskingError> {
    let asking = &args.asking;
    let mut endpoint = asking.endpoint()?;
    if let Some(name) = asking.key_variable(&endpoint) {
        endpoint = endpoint.with_key(asking::key(name)?);
    }
    let structured = if asking.no_structured { Structured::Off } else { Structured::Auto };
    let chat = Chat::new(endpoint, &asking.model, settings.spec.clone());
    let chat = chat.map_err(|error| AskingError::Client(error.to_string()))?;
    Ok(chat
        .structured(structured)
        .instructions(!asking.no_instructions)
        .system(asking.system.as_deref().unwrap_or_default()))
}

fn prompt(args: &ChatArgs) -> Result<String, AskingError> {
    if let Some(prompt) = args.prompt.as_deref().filter(|prompt| *prompt != "-") {
        return Ok(prompt.to_owned());
    }
    if io::stdin().is_terminal() {
        output::note(&"reading the prompt from the terminal; end it with Ctrl-D");
    }
    let mut prompt = String::new();
    io::stdin().read_to_string(&mut prompt).map_err(AskingError::Prompt)?;
    Ok(prompt.trim_end().to_owned())
}

/// Asks, and prints what comes as it comes.
async fn ask(args: &ChatArgs, chat: &Chat, prompt: String) -> Result<Status, Failure> {
    let asking = &args.asking;
    let tapes = Rc::new(RefCell::new(Tapes::new(args)?));
    let hear = Rc::clone(&tapes);
    let ask = chat.ask(prompt).max_retries(asking.max_retries).settings(asking.settings());
    let mut response = ask
        .split(move |delta: Delta, out: &mut Inputs| {
            if let Delta::Text(text) = &delta {
                hear.borrow_mut().piece(text);
            }
            out.delta(delta);
        })
        .send();
    let mut out = output::stdout();
    while let Some(event) = response.next().await {
        // The error is told once more, below.
        let Ok(event) = event else { break };
        if let OwnedEvent::Reset { .. } = event {
            tapes.borrow_mut().next()?;
        }
        writeln!(out, "{event}")?;
        out.flush()?;
    }
    tapes.borrow_mut().finish()?;
    Ok(settle(response.answer().await))
}

/// The recordings of the attempts, a line each, if any are to be made.
struct Tapes {
    file: Option<PathBuf>,
    words: [String; 3],
    tape: Option<Tape>,
    /// Why no more is written.
    failed: Option<RecordError>,
}

impl Tapes {
    fn new(args: &ChatArgs) -> Result<Self, AskingError> {
        let protocol = args.asking.endpoint()?.protocol();
        let words = [args.asking.model.clone(), protocol.to_string(), "text".to_owned()];
        let file = args.record.file().cloned();
        let mut tapes = Self { file, words, tape: None, failed: None };
        tapes.next()?;
        Ok(tapes)
    }

    /// Another attempt begins.
    fn next(&mut self) -> Result<(), AskingError> {
        self.finish()?;
        if let Some(file) = &self.file {
            self.tape = Some(Tape::open(file, self.words.clone())?);
        }
        Ok(())
    }

    fn piece(&mut self, text: &str) {
        let written = self.tape.as_mut().map_or(Ok(()), |tape| tape.piece(text.as_bytes(), None));
        self.failed = self.failed.take().or_else(|| written.err());
    }

    fn finish(&mut self) -> Result<(), AskingError> {
        if let Some(mut tape) = self.tape.take() {
            tape.finish()?;
        }
        self.failed.take().map_or(Ok(()), |error| Err(error.into()))
    }
}

/// The status of an answer; says on stderr what is wrong with it.
fn settle(answer: Result<Answer, Error<ChatError>>) -> Status {
    let Err(error) = answer else { return Status::Complete };
    let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    output::error(&format_args!("{error}{source}"));
    match error {
        Error::Rejected { .. } => Status::Failed,
        Error::Parse(error) if matches!(error.kind, patchwire::ErrorKind::Limit(_)) => {
            Status::Limit
        }
        _ => Status::NoValue,
    }
}
