//! What only the page needs: the samples, events as lines, and the readings that compete.
#![allow(unsafe_code, reason = "a function that JavaScript calls keeps its name")]

use patchwire::internals::readings as compete;
use patchwire::wire::{IncludeValues, LineWriter};
use patchwire::{Answer, Error, Event, Parser, PatchOp, Spec};
use patchwire_js_feed::steps::{self, Step, Take};
use patchwire_js_feed::store::{self, answer};
use patchwire_samples::{Sample, hostile};
use serde_json::{Value as Json, json};

use crate::{ending, specs};

/// The samples as JSON: for each its name, text and options.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn samples() {
    let all = patchwire_samples::all().map(|sample| of_sample(&sample));
    let harm = hostile::ALL.into_iter().map(|hostile| {
        json!({
            "name": hostile.name,
            "about": hostile.about,
            "text": (hostile.make)(),
            "hostile": true,
            "options": {"format": "json"},
        })
    });
    let samples: Vec<Json> = all.chain(harm).collect();
    answer(|out| out.text = Json::from(samples).to_string());
}

fn of_sample(sample: &Sample) -> Json {
    let mut options = json!({"format": sample.format().name()});
    if let Some(schema) = sample.schema() {
        options["schema"] = schema.into();
    }
    if let Some(tags) = sample.tags() {
        options["tags"] = tags.name().into();
    }
    let (name, about, text) = (sample.name, sample.about, sample.text);
    json!({"name": name, "about": about, "text": text, "hostile": false, "options": options})
}

/// Where the tokens of the input end, as words.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn token_ends(len: usize) {
    store::with_input(len, |text| {
        let text = str::from_utf8(text).unwrap_or_default();
        let mut end = 0;
        let ends = patchwire_samples::tokens(text).map(|token| {
            end += token.len() as u32;
            end
        });
        answer(|out| out.words.extend(ends));
    });
}

/// Reads a chunk from the input, and returns its events as lines of the wire.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn feed_lines(parser: u32, len: usize) -> u32 {
    let fed = store::with_input(len, |chunk| {
        lines(parser, |parser, take| steps::take(parser, Step::Chunk(chunk), take))
    });
    u32::from(fed)
}

/// Ends a stream, and returns its last events as lines of the wire.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn finish_lines(parser: u32) -> u32 {
    u32::from(lines(parser, ending::take))
}

fn lines(parser: u32, step: impl FnOnce(&mut Parser, &mut Take<'_>) -> Result<(), Error>) -> bool {
    let passed = store::with_stream(parser, |stream| {
        answer(|out| {
            let mut writer = LineWriter::default();
            let text = &mut out.text;
            let read = step(&mut stream.parser, &mut |event| {
                writer.append(&event, IncludeValues::Leaf, text);
                text.push('\n');
            });
            if let Err(error) = read {
                *text += &format!("{}\n", error.wire());
            }
        });
    });
    passed.is_some()
}

/// How many readings are told beside the best.
const OTHERS: usize = 4;

/// The readings that compete for the JSON in the input, as JSON: for each its value, its cost and its slips. Without
/// JSON there are none.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn readings(spec: u32, len: usize) -> u32 {
    let Some(spec) = specs::get(spec) else { return 0 };
    let found = store::with_input(len, |text| readings_of(&spec, text));
    answer(|out| out.text = found.to_string());
    1
}

fn readings_of(spec: &Spec, text: &[u8]) -> Json {
    let (mut start, mut before) = (None, None);
    let mut parser = spec.parser();
    let mut take = |event: Event<'_>| {
        if let Event::Patch(patch) = event {
            let at = patch.span.end.saturating_sub(1) as usize;
            if start.is_none()
                && patch.op == PatchOp::Open
                && matches!(text.get(at), Some(b'{' | b'['))
            {
                start = Some(at);
            }
        }
    };
    if steps::take(&mut parser, Step::Chunk(text), &mut take).is_ok() {
        before = Some(parser.snapshot());
    }
    let answer = parser.finish(|_| {}).ok();
    let (Some(start), Some(before)) = (again(answer.as_ref()).or(start), before) else {
        return json!([]);
    };
    let Some(part) = text.get(start..).and_then(|part| str::from_utf8(part).ok()) else {
        return json!([]);
    };
    let final_value = answer.as_ref().map(|answer| answer.value().to_string()).unwrap_or_default();
    let all = compete(spec, part, before.as_ref(), OTHERS).into_iter().map(|reading| {
        let value = reading.roots.first().cloned().unwrap_or_default();
        let slips = reading.slips.iter().map(|(slip, cost, span)| {
            let span = [span.start + start as u64, span.end + start as u64];
            json!({"name": slip.name(), "meaning": slip.meaning(), "cost": cost, "span": span})
        });
        let slips: Vec<Json> = slips.collect();
        json!({"isAnswer": value == final_value, "value": value, "cost": reading.cost, "slips": slips})
    });
    all.collect()
}

/// Where the finalizer read again, if it did.
fn again(answer: Option<&Answer>) -> Option<usize> {
    let notice = answer?.notices().iter().find(|notice| notice.code.name() == "read_again")?;
    Some(notice.span.start as usize)
}

#[cfg(test)]
mod tests {
    use super::{of_sample, readings_of};
    use patchwire::Spec;

    #[test]
    fn the_cheapest_reading_is_the_answer() {
        let found = readings_of(&Spec::json(), b"Well: {\"a\": \"say \"hi\" now\", \"n\": 1}");
        let all = found.as_array().unwrap();
        assert!(!all.is_empty(), "{found}");
        let best = all.iter().find(|reading| reading["isAnswer"] == true).unwrap();
        assert_eq!(best["value"], r#"{"a":"say \"hi\" now","n":1}"#);
        assert!(best["slips"][0]["meaning"].is_string(), "{best}");
        assert_eq!(readings_of(&Spec::json(), b"no value"), serde_json::json!([]));
    }

    #[test]
    fn the_options_of_a_sample_read_it() {
        for sample in patchwire_samples::all() {
            let told = of_sample(&sample);
            let spec = crate::options::read(told["options"].to_string().as_bytes()).unwrap();
            let value = spec.parse(sample.text).unwrap().value().to_string();
            assert_eq!(
                value,
                sample.spec().unwrap().parse(sample.text).unwrap().value().to_string()
            );
        }
    }
}
