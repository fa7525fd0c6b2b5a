//! Reads one stream to its end.

use crate::exit::Failure;
use crate::settings::Settings;
use crate::sink::Sink;
use crate::source::Stream;
use crate::stream_reader::StreamReader;
use crate::stream_result::StreamResult;

/// Reads a stream to its end, or to the error that stops the parser.
pub(crate) fn read(
    settings: &Settings,
    mut stream: Stream,
    sink: &mut impl Sink,
) -> Result<StreamResult, Failure> {
    let mut reader = StreamReader::of(settings, &mut stream);
    let mut fed = Ok(());
    while let Some(chunk) = stream.next_chunk()? {
        fed = reader.feed(chunk, sink)?;
        sink.chunk_done()?;
        if fed.is_err() || reader.is_over() {
            break;
        }
    }
    let result = match fed {
        Ok(()) => reader.finish(sink)?,
        Err(error) => Err(error),
    };
    sink.chunk_done()?;
    Ok(StreamResult::new(stream.name, reader, result))
}
