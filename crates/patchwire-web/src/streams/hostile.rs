//! Streams that attack the page.

use patchwire::Spec;

use super::{SampleStream, StreamAbout, StreamText};
use crate::samples;

pub(super) fn all() -> impl Iterator<Item = SampleStream> {
    samples::hostile::ALL.into_iter().map(|hostile| {
        let text = StreamText::Made(hostile.make);
        let about = StreamAbout {
            name: hostile.name,
            format: "json",
            about: hostile.about,
            bytes: text.bytes().len(),
            hostile: true,
        };
        SampleStream { about, text, spec: Spec::json() }
    })
}
