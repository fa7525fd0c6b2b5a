//! Streams that attack the page.

use bytes::Bytes;
use patchwire::Spec;

use super::{SampleStream, StreamAbout};
use crate::samples;

pub(super) fn all() -> impl Iterator<Item = SampleStream> {
    samples::hostile::all().into_iter().map(|(name, about, text)| {
        let about = StreamAbout { name, format: "json", about, bytes: text.len(), hostile: true };
        SampleStream { about, text: Bytes::from(text), spec: Spec::json() }
    })
}
