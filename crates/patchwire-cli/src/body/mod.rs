//! Reads a provider's response body, as `curl -N` saves it.
//!
//! ```text
//! bytes ─▶ BodySource ─▶ Response of patchwire-async ─▶ Sink
//!          decoder       answer, reasoning, tool calls
//! ```
//!
//! Nothing waits here: the events of a chunk are taken before the next chunk is fed. A runtime is
//! therefore not needed, and every command that reads text can read a body.

mod body_source;
mod fault;

use core::future::Future as _;
use core::pin::{Pin, pin};
use core::task::{Context, Poll, Waker};

use futures_core::Stream as _;
use patchwire::{Error, ValueRef};
use patchwire_async::sources::{Delta, Protocol, Stop};
use patchwire_async::{Answer, Call, Inputs, Once, Response, ResponseEvent, TokenStreamExt as _};
use serde_json::{Map, Value as Json};

use crate::exit::Failure;
use crate::recording_writer::RecordingWriter;
use crate::settings::Settings;
use crate::sink::Sink;
use body_source::BodySource;
pub(crate) use fault::Fault;

/// Reads one body.
pub(crate) struct Body {
    response: Response<Once<BodySource>, fn(Delta, &mut Inputs)>,
    /// The parser failed. Faults after that point do not count.
    stopped: bool,
    /// The answer, after the body is finished.
    answer: Option<Answer>,
}

impl Body {
    /// A reader for a body in this protocol. The answer's text is written to the recording, if
    /// there is one.
    pub(crate) fn new(
        protocol: Protocol,
        settings: &Settings,
        recording: Option<RecordingWriter>,
    ) -> Self {
        let pass_on: fn(Delta, &mut Inputs) = |delta, out| out.delta(delta);
        let response =
            BodySource::new(protocol, recording).fields_with(settings.spec.clone(), pass_on);
        let response = response.with_call_spec(settings.call_spec());
        Self { response, stopped: false, answer: None }
    }

    /// Reads a chunk of the body, and emits its events. The inner error is the parser's.
    pub(crate) fn feed(
        &mut self,
        chunk: &[u8],
        sink: &mut impl Sink,
    ) -> Result<Result<(), Error>, Failure> {
        if let Some(source) = self.response.get_pin_mut() {
            source.get_mut().feed(chunk)?;
        }
        Ok(loop {
            match self.next() {
                Some(Ok(event)) => sink.owned(&event)?,
                Some(Err(error)) => {
                    self.stopped = true;
                    break Err(error);
                }
                None => break Ok(()),
            }
        })
    }

    /// Ends the body. The text is read to its end even if there is a [`Fault`], but then the last
    /// event is not emitted, because the fault takes its place.
    pub(crate) fn finish(
        &mut self,
        sink: &mut impl Sink,
    ) -> Result<Result<patchwire::Answer, Error>, Failure> {
        if let Some(source) = self.response.get_pin_mut() {
            source.get_mut().finish()?;
        }
        let mut last = None;
        while let Some(Ok(event)) = self.next() {
            if event.as_final().is_some() {
                last = Some(event);
            } else {
                sink.owned(&event)?;
            }
        }
        sink.facts(&self.facts())?;
        if let Some(event) = last.filter(|_| self.fault().is_none()) {
            sink.owned(&event)?;
        }
        Ok(self.take_answer())
    }

    /// The answer of the response, whose source has ended.
    fn take_answer(&mut self) -> Result<patchwire::Answer, Error> {
        match pin!(self.response.answer()).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(answer)) => Ok((**self.answer.insert(answer)).clone()),
            Poll::Ready(Err(patchwire_async::Error::Parse(error))) => Err(error),
            _ => unreachable!("the source has no errors of its own, and nobody judges the answer"),
        }
    }

    /// The next event of what was fed.
    fn next(&mut self) -> Option<Result<ResponseEvent, Error>> {
        let mut context = Context::from_waker(Waker::noop());
        match Pin::new(&mut self.response).poll_next(&mut context) {
            Poll::Ready(Some(Ok(event))) => Some(Ok(event)),
            Poll::Ready(Some(Err(patchwire_async::Error::Parse(error)))) => Some(Err(error)),
            // The source has no errors of its own, and there are no validators.
            Poll::Ready(_) | Poll::Pending => None,
        }
    }

    /// The answer's text since this was asked last.
    #[cfg(feature = "watch")]
    pub(crate) fn take_text(&mut self) -> String {
        let source = self.response.get_pin_mut();
        source.map(|source| source.get_mut().take_text()).unwrap_or_default()
    }

    /// Whether the rest of the body is ignored.
    pub(crate) fn is_over(&self) -> bool {
        self.source().is_some_and(BodySource::is_over)
    }

    /// The value so far.
    pub(crate) fn value(&self) -> ValueRef<'_> {
        self.response.value()
    }

    /// The tool calls so far; after the body is finished, those of the answer.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.answer.as_ref().map_or_else(|| self.response.calls(), |it| it.calls().to_vec())
    }

    /// The provider's facts, and the reason of a refusal.
    pub(crate) fn facts(&self) -> Map<String, Json> {
        let mut facts = self.response.facts().last().cloned().unwrap_or_default();
        if let Some(why) = self.source().and_then(BodySource::refusal) {
            facts.insert("refusal".to_owned(), why.into());
        }
        facts
    }

    /// The model's name, as the provider reports it.
    pub(crate) fn model(&self) -> Option<String> {
        self.response.facts().last()?.get("model")?.as_str().map(str::to_owned)
    }

    /// What is wrong with the body; known after it is finished.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        self.source().filter(|_| !self.stopped)?.fault()
    }

    /// Why the model stopped, if the provider reported it.
    pub(crate) fn stop(&self) -> Option<&Stop> {
        self.source().filter(|_| !self.stopped)?.stop()
    }

    fn source(&self) -> Option<&BodySource> {
        self.response.get_ref()
    }
}
