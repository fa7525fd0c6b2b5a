//! The built-in streams: one answer for each format, and hostile ones.

mod chunking;
mod hostile;
mod playback;

use std::sync::Arc;

use bytes::Bytes;
use patchwire::Spec;
use serde::Serialize;

use crate::problem::Problem;
use crate::samples::{self, SampleError};

pub(crate) use chunking::{Chunk, Cuts};
pub(crate) use playback::Playback;

/// A text, and how it is read.
#[derive(Debug, Clone)]
pub(crate) struct SampleStream {
    pub(crate) about: StreamAbout,
    pub(crate) text: StreamText,
    pub(crate) spec: Spec,
}

/// Where the text of a stream comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StreamText {
    Embedded(&'static str),
    /// Made for each playback, because it is long and rarely played.
    Made(fn() -> String),
}

impl StreamText {
    pub(crate) fn bytes(self) -> Bytes {
        match self {
            Self::Embedded(text) => Bytes::from_static(text.as_bytes()),
            Self::Made(make) => make().into(),
        }
    }
}

/// Information about a stream for the page.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct StreamAbout {
    pub(crate) name: &'static str,
    pub(crate) format: &'static str,
    pub(crate) about: &'static str,
    pub(crate) bytes: usize,
    pub(crate) hostile: bool,
}

/// All streams, in the order of the page.
#[derive(Debug, Clone)]
pub(crate) struct Streams(Arc<[SampleStream]>);

impl Streams {
    pub(crate) fn new() -> Result<Self, SampleError> {
        let mut all = Vec::new();
        for sample in samples::all() {
            let (spec, text) = (sample.spec()?, StreamText::Embedded(sample.text));
            let about = StreamAbout {
                name: sample.name,
                format: spec.format().name(),
                about: sample.about,
                bytes: sample.text.len(),
                hostile: false,
            };
            all.push(SampleStream { about, text, spec });
        }
        all.extend(hostile::all());
        Ok(Self(all.into()))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &SampleStream> {
        self.0.iter()
    }

    pub(crate) fn get(&self, name: &str) -> Result<&SampleStream, Problem> {
        self.iter().find(|stream| stream.about.name == name).ok_or_else(|| {
            let known: Vec<_> = self.iter().map(|stream| stream.about.name).collect();
            Problem::UnknownStream { name: name.to_owned(), known: known.join(", ") }
        })
    }
}
