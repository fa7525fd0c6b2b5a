//! Plain text never waits, in any of the formats that write fields.

use patchwire::PatchOp;
use testkit::eager::prompt;
use testkit::field_agreement::spec;
use testkit::generate::Rng;
use testkit::generate::fields::sample;
use testkit::oracle::fields::table::{cases, decided, regressions};
use testkit::oracle::fields::{Format, Schema, Type};

#[test]
fn plain_text_of_the_cases_never_waits() {
    for case in cases().into_iter().chain(decided()).chain(regressions()) {
        for schema in [Some(&case.schema), None] {
            if let Err(why) = prompt(&spec(case.format, schema), case.input.as_bytes()) {
                panic!("{} {}: {why} in {:?}", case.format.name(), case.name, case.input);
            }
        }
    }
}

#[test]
fn plain_text_of_generated_texts_never_waits() {
    for format in Format::ALL {
        let mut rng = Rng::new(21);
        for at in 0..1_500 {
            let sample = sample(&mut rng, format);
            if let Err(why) = prompt(&spec(format, Some(&sample.schema)), sample.text.as_bytes()) {
                panic!("{} {at}: {why} in {:?}", format.name(), sample.text);
            }
        }
    }
}

/// A paragraph is one line: its text is emitted before the line ends.
#[test]
fn a_paragraph_is_shown_as_it_comes() {
    let schema = Schema::new([("a", Type::Str)]);
    // The start of a field, and text that is given out before the paragraph.
    let starts = [
        (Format::XmlField, "<agently_output><field name=\"a\">", ""),
        (Format::XmlField, "<agently_output>\n<field name=\"a\" type=\"text\">\n", ""),
        (Format::Hybrid, "### a\n", ""),
        (Format::Markdown, "# a\n", ""),
        (Format::YamlLiteral, "<<<BEGIN AGENTLY_YAML>>>\na: |\n  ", ""),
        (Format::YamlLiteral, "<<<BEGIN AGENTLY_YAML>>>\na: >\n  ", ""),
        (Format::YamlLiteral, "```yaml\na: \"", ""),
        (Format::YamlLiteral, "```yaml\na: '", ""),
        // A plain scalar may still be a null after its first letters.
        (Format::YamlLiteral, "```yaml\na: ", "It "),
    ];
    for (format, start, begun) in starts {
        let mut parser = spec(format, Some(&schema)).parser();
        parser.feed(format!("{start}{begun}"), |_| {}).expect("no limit");
        let text = "Words, 1 < 2, and `more`, 5 % -- a line (long) & without an end";
        let (mut given, mut fed) = (begun.trim_end().to_owned(), begun.to_owned());
        for char in text.chars() {
            fed.push(char);
            let mut buffer = [0; 4];
            let delta = |event: patchwire::Event<'_>| match event {
                patchwire::Event::Patch(patch) if patch.op == PatchOp::Delta => {
                    given.push_str(&patch.delta);
                }
                _ => {}
            };
            parser.feed(char.encode_utf8(&mut buffer), delta).expect("no limit");
            // Blanks, and the first character of what may be a marker, wait for the next one.
            let waits = [' ', '<', '`'].into_iter().any(|held| fed.ends_with(held));
            assert!(given == fed || waits, "{start:?}: {given:?} of {fed:?}");
        }
    }
}
