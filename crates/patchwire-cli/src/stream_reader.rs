//! Reads one stream: with a parser, or with a body that contains one.

use std::io;
use std::ops::ControlFlow;

use patchwire::{Answer, Error, Event, Parser, ValueRef};
use patchwire_async::Call;

use crate::body::{Body, Fault};
use crate::exit::Failure;
use crate::settings::Settings;
use crate::sink::Sink;
use crate::source::Stream;

/// Reads one stream: bytes in, cut anywhere; events out to a [`Sink`].
pub(crate) enum StreamReader {
    Text(Box<Parser>),
    Body(Box<Body>),
}

impl From<Parser> for StreamReader {
    fn from(parser: Parser) -> Self {
        Self::Text(Box::new(parser))
    }
}

impl StreamReader {
    /// The reader for a stream. For a body, it takes the stream's recording and writes the answer's
    /// text to it.
    pub(crate) fn of(settings: &Settings, stream: &mut Stream) -> Self {
        match stream.protocol {
            None => settings.spec.parser().into(),
            Some(protocol) => {
                Self::Body(Box::new(Body::new(protocol, settings, stream.recording.take())))
            }
        }
    }

    /// Reads a chunk. The inner error is the parser's, after which nothing more is read.
    pub(crate) fn feed(
        &mut self,
        chunk: &[u8],
        sink: &mut impl Sink,
    ) -> Result<Result<(), Error>, Failure> {
        match self {
            Self::Text(parser) => {
                let mut written = Ok(());
                let fed = parser.feed(chunk, |event| tell(sink, event, &mut written));
                written?;
                Ok(fed)
            }
            Self::Body(body) => body.feed(chunk, sink),
        }
    }

    /// Ends the stream. The inner error is the parser's.
    pub(crate) fn finish(
        &mut self,
        sink: &mut impl Sink,
    ) -> Result<Result<Answer, Error>, Failure> {
        match self {
            Self::Text(parser) => {
                let mut written = Ok(());
                let result = parser.finish(|event| tell(sink, event, &mut written));
                written?;
                Ok(result)
            }
            Self::Body(body) => body.finish(sink),
        }
    }

    /// Whether the rest of the input is ignored.
    pub(crate) fn is_over(&self) -> bool {
        self.body().is_some_and(Body::is_over)
    }

    /// The value so far.
    pub(crate) fn value(&self) -> ValueRef<'_> {
        match self {
            Self::Text(parser) => parser.value(),
            Self::Body(body) => body.value(),
        }
    }

    /// The tool calls so far.
    pub(crate) fn calls(&self) -> Vec<Call> {
        match self {
            Self::Text(parser) => parser.calls().iter().map(Call::from).collect(),
            Self::Body(body) => body.calls(),
        }
    }

    /// The response body, if the stream is one.
    pub(crate) fn body(&self) -> Option<&Body> {
        match self {
            Self::Text(_) => None,
            Self::Body(body) => Some(body),
        }
    }

    /// The response body, if the stream is one, to take its text.
    #[cfg(feature = "watch")]
    pub(crate) fn body_mut(&mut self) -> Option<&mut Body> {
        match self {
            Self::Text(_) => None,
            Self::Body(body) => Some(body),
        }
    }

    /// What is wrong with the body; known after [`finish`](Self::finish).
    pub(crate) fn fault(&self) -> Option<&Fault> {
        self.body()?.fault()
    }
}

fn tell(sink: &mut impl Sink, event: Event<'_>, written: &mut io::Result<()>) -> ControlFlow<()> {
    *written = sink.event(event);
    if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}
