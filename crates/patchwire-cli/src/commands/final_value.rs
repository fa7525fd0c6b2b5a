//! `patchwire final`: prints the final value, or the envelope.

use core::fmt::Display;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::PathBuf;

use patchwire::{Answer, Code, Format, ValueRef};
use patchwire_async::Call;
use patchwire_views::kinds::{Kinds, Reply};

use super::nothing_read;
use crate::args::FinalArgs;
use crate::envelope;
use crate::exit::{Failure, Status};
use crate::output;
use crate::partial_answer::PartialAnswer;
use crate::repairs::Repairs;
use crate::settings::{Settings, SettingsError};
use crate::source::{self, Source};
use crate::{
    read_stream,
    stream_result::{self, StreamResult},
};

pub(crate) fn run(args: &FinalArgs) -> Result<Status, Failure> {
    let mut settings = Settings::checking(&args.reading, &args.checking)?;
    let kinds = kinds(args)?;
    if let Some(kinds) = &kinds {
        let builder = kinds.spec_builder().limits(settings.limits.clone());
        settings.spec = builder.build().map_err(SettingsError::Contradiction)?;
    }
    let mut finals = Finals { args, settings, kinds, repairs: Repairs::default() };
    let mut worst = Status::Complete;
    for file in source::inputs(&args.files) {
        // A file that cannot be read does not stop the others.
        worst = worst.max(match finals.print(file) {
            Err(failure @ Failure::Source(_)) => failure.report(),
            status => status?,
        });
    }
    if !args.envelope {
        finals.repairs.report();
    }
    Ok(worst)
}

/// Prints the values of one file after another.
struct Finals<'a> {
    args: &'a FinalArgs,
    settings: Settings,
    kinds: Option<Kinds>,
    repairs: Repairs,
}

impl Finals<'_> {
    fn print(&mut self, file: Option<&PathBuf>) -> Result<Status, Failure> {
        let Self { args, settings, .. } = self;
        let mut source = Source::open(file, args.input.form.input)?;
        let mut out = output::stdout();
        let (mut worst, mut is_empty) = (Status::Complete, true);
        while let Some(stream) = source.next_stream()? {
            is_empty = false;
            let stream = stream.recut(args.input.sizes());
            let mut partial = PartialAnswer::default();
            let mut ended = read_stream::read(settings, stream, &mut partial)?;
            if args.alternative {
                ended.take_alternative();
            }
            let print = Print { out: &mut out, pretty: args.pretty };
            if let (Some(kinds), Ok(answer)) = (&self.kinds, &ended.result) {
                worst = worst.max(print.reply(&kinds.read(answer), &ended.name)?);
                continue;
            }
            if args.envelope {
                print.envelope(&ended, &partial, settings)?;
            } else {
                print.values(&ended, &partial, settings)?;
            }
            out.flush()?;
            let status = ended.report(settings);
            self.repairs.take(&ended, status);
            worst = worst.max(status);
        }
        Ok(if is_empty { nothing_read::report(file) } else { worst })
    }
}

/// The contract of `--kind`.
fn kinds(args: &FinalArgs) -> Result<Option<Kinds>, SettingsError> {
    if args.kind.is_empty() {
        return Ok(None);
    }
    let kinds = Kinds::builder(&args.kind).extras(&args.extra).build();
    kinds.map(Some).map_err(SettingsError::Kinds)
}

/// Prints JSON.
pub(super) struct Print<'a, W> {
    pub(super) out: &'a mut W,
    pub(super) pretty: bool,
}

impl<W: Write> Print<'_, W> {
    fn envelope(
        mut self,
        ended: &StreamResult,
        partial: &PartialAnswer,
        settings: &Settings,
    ) -> io::Result<()> {
        self.line(envelope::envelope(ended, partial, settings))
    }

    /// Prints an answer under the contract of kinds, and says why it does not keep it.
    fn reply(mut self, reply: &Reply, name: &impl Display) -> io::Result<Status> {
        self.line(reply.value())?;
        self.out.flush()?;
        if reply.is_valid() {
            return Ok(Status::Complete);
        }
        let broken = |code: &Code| {
            matches!(code, Code::KindNotGranted | Code::MissingField | Code::TypeMismatch)
        };
        let why = reply.notices().iter().find(|notice| broken(&notice.code));
        match why.filter(|_| !reply.is_raw_fallback()) {
            Some(notice) => {
                output::error(&format_args!("{name}: {}: {}", notice.path, notice.code))
            }
            None => {
                output::error(&format_args!("{name}: no object of a kind: the text was wrapped"))
            }
        }
        Ok(Status::Failed)
    }

    /// Prints the first of these that exists: the elements, if they are the value; the tool calls, if
    /// there is no payload and nothing says what the value should be; all roots; the text as a JSON
    /// string, if that is the format.
    pub(super) fn values(
        self,
        ended: &StreamResult,
        partial: &PartialAnswer,
        settings: &Settings,
    ) -> io::Result<()> {
        match &ended.result {
            Ok(answer) => self.with_calls(answer, ended.all_calls(), settings),
            Err(_) => self.so_far(ended.value(), partial.text(), settings),
        }
    }

    /// Prints an answer, or its tool calls if they are the value.
    pub(super) fn with_calls(
        mut self,
        answer: &Answer,
        calls: Cow<'_, [Call]>,
        settings: &Settings,
    ) -> io::Result<()> {
        match stream_result::calls_of(answer, calls, settings) {
            Some(calls) => self.line(envelope::calls(&calls)),
            None => self.answer(answer, settings),
        }
    }

    pub(super) fn answer(mut self, answer: &Answer, settings: &Settings) -> io::Result<()> {
        if let Some(elements) =
            settings.lists_elements.then(|| envelope::elements(answer)).flatten()
        {
            return self.line(elements);
        }
        if answer.value().exists() {
            return answer.roots().try_for_each(|value| self.line(value));
        }
        self.so_far(answer.value(), answer.text(), settings)
    }

    /// Prints a value that may be unfinished, or the text.
    pub(super) fn so_far(
        mut self,
        value: ValueRef<'_>,
        text: &str,
        settings: &Settings,
    ) -> io::Result<()> {
        if value.exists() {
            return self.line(value);
        }
        if settings.format == Format::Text && !text.trim().is_empty() {
            self.line(serde_json::Value::from(text))?;
        }
        Ok(())
    }

    fn line(&mut self, json: impl Display) -> io::Result<()> {
        if self.pretty { writeln!(self.out, "{json:#}") } else { writeln!(self.out, "{json}") }
    }
}
