//! Every format of the engine's table keeps the laws with its own sample.

use patchwire::{Format, Schema, Spec};
use testkit::{laws, pairs};

fn spec(format: Format) -> Option<(Spec, &'static [u8])> {
    let sample = format.sample()?;
    let builder = Spec::builder().format(format);
    let builder = match sample.schema {
        Some(schema) => builder.schema(Schema::from_text(schema).unwrap()),
        None => builder,
    };
    Some((builder.build().unwrap(), sample.text.as_bytes()))
}

#[test]
fn the_sample_of_each_format_keeps_the_laws() {
    for format in Format::ALL {
        let Some((spec, text)) = spec(format) else { continue };
        laws::all(&spec, text).unwrap_or_else(|broken| panic!("{format}: {broken}"));
    }
}

#[test]
fn the_sample_of_each_format_reads_alike_in_all_cuts() {
    for format in Format::ALL {
        let Some((spec, text)) = spec(format) else { continue };
        pairs::prove(&spec, text).unwrap_or_else(|broken| panic!("{format}: {broken}"));
    }
}

#[test]
fn a_copied_skeleton_has_the_fields_of_the_sample() {
    for format in Format::ALL {
        let Some((spec, text)) = spec(format).filter(|(spec, _)| spec.schema().is_some()) else {
            continue;
        };
        let keys = |text: &[u8]| {
            let answer = spec.parse(text).unwrap();
            answer
                .value()
                .entries()
                .filter_map(|(key, _)| key.map(str::to_owned))
                .collect::<Vec<_>>()
        };
        // A placeholder for a bool or a number is no value of its type, so its field may be missing.
        let (copied, written) = (keys(spec.prompt().skeleton().as_bytes()), keys(text));
        assert!(!copied.is_empty(), "{format}");
        assert!(copied.iter().all(|key| written.contains(key)), "{format}: {copied:?}");
    }
}
