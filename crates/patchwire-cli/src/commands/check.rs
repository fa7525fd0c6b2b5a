//! `patchwire check`: whether chunk boundaries make a difference.

use patchwire::Limit;

use crate::args::CheckArgs;
use crate::check::{BodySubject, CheckTable, CheckedStream, CutPlan, EngineSubject, compare};
use crate::exit::{Failure, Status};
use crate::output;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::source::{self, Source, Stream};

pub(crate) fn run(args: &CheckArgs) -> Result<Status, Failure> {
    let settings = Settings::new(&args.reading)?;
    let mut table = CheckTable::begin(anstream::AutoStream::auto(std::io::stdout().lock()))?;
    let (mut progress, mut is_empty) = (Progress::new(), true);
    for file in source::inputs(&args.files) {
        let mut source = Source::open(file, args.form.input)?;
        while let Some(stream) = source.next_stream()? {
            let (name, protocol) = (stream.name.clone(), stream.protocol);
            // For a body, only its reader knows the length of the text.
            let limit = protocol.map_or_else(|| settings.limits.get(Limit::Total), |_| u64::MAX);
            let (bytes, recorded) = read_all(stream, limit)?;
            is_empty &= bytes.is_empty();
            let recorded = if name.line.is_some() { recorded } else { Vec::new() };
            let plan = CutPlan::new(bytes.len(), recorded, args.random, args.seed);
            let case = CheckedStream { name: &name, protocol, bytes: &bytes, plan: &plan };
            let all = plan.cuttings().count();
            let mut begins =
                |number: usize| progress.at(|| format!("{name}: cutting {number} of {all}"));
            let compared = match protocol {
                None => compare(&EngineSubject(&settings.spec), &bytes, &plan, &mut begins),
                Some(protocol) => {
                    let subject = BodySubject { settings: &settings, protocol };
                    compare(&subject, &bytes, &plan, &mut begins)
                }
            };
            progress.clear();
            match compared {
                Ok(log) => table.same(&case, &log)?,
                Err(difference) => {
                    table.differs(&case, &difference)?;
                    let what = "chunk boundaries make a difference here, which is a bug in patchwire: \
                                please report the input and the cut";
                    output::error(&format_args!("{name}: {what}"));
                    return Ok(Status::Failed);
                }
            }
        }
    }
    table.end()?;
    if is_empty {
        output::error(&"nothing to check: the input is empty");
        return Ok(Status::NoValue);
    }
    Ok(Status::Complete)
}

/// Reads a whole stream, and returns its bytes and its cuts. Bytes beyond the first one over the
/// limit are dropped.
fn read_all(mut stream: Stream, limit: u64) -> Result<(Vec<u8>, Vec<usize>), Failure> {
    let mut bytes = Vec::new();
    let mut cuts = Vec::new();
    while let Some(chunk) = stream.next_chunk()? {
        if !bytes.is_empty() && !chunk.is_empty() {
            cuts.push(bytes.len());
        }
        bytes.extend_from_slice(chunk);
        if bytes.len() as u64 > limit {
            bytes.truncate((limit as usize).saturating_add(1));
            cuts.retain(|cut| *cut < bytes.len());
            break;
        }
    }
    Ok((bytes, cuts))
}
