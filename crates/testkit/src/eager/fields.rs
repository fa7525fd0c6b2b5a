//! Eagerness of fields in tags. The oracle detects events that are emitted too early or wrongly: each
//! input, alone and followed by a witness, must give the fields that the oracle reads.

use std::collections::BTreeSet;

use patchwire::{Spec, held::HeldBy};

use super::walk::walk;
use super::witnesses::{TAG_WITNESSES, XML_FIELD_SAMPLES, XML_FIELD_WITNESSES};
use super::{Alphabet, Explored};
use crate::field_agreement;
use crate::oracle::fields::{Format, Schema};

/// The most visible bytes that may be held as a closer: the closer, and the text after it without its last
/// byte.
const MOST_CLOSER: usize = "</field>".len() + "</agently_output".len();
/// The most bytes held as a closer after a CDATA section.
const MOST_SECTION_CLOSER: usize = "]]>".len() + MOST_CLOSER;
/// The most bytes held as a tag that closes the field before it.
const MOST_IMPLICIT: usize = 255;

/// Checks all inputs over an alphabet, after each of their bytes.
///
/// # Errors
/// The input after which something was late, too much was held, or a field differs from the oracle's.
pub fn check_xml_field(
    schema: Option<&Schema>,
    alphabet: Alphabet<'_>,
) -> Result<Explored, String> {
    let spec = field_agreement::spec(Format::XmlField, schema);
    let ends = XML_FIELD_SAMPLES.iter().map(|it| it.as_bytes());
    let ends = ends.flat_map(|it| (0..it.len()).map(|at| it[at..].to_vec()));
    let more = TAG_WITNESSES.iter().chain(&XML_FIELD_WITNESSES).map(|it| it.to_vec());
    let witnesses: Vec<_> = ends.chain(more).collect::<BTreeSet<_>>().into_iter().collect();
    let judge = |input: &[u8], new: bool| {
        is_bounded(&spec, input)?;
        if !new {
            return is_right(schema, input, b"");
        }
        witnesses.iter().try_for_each(|witness| is_right(schema, input, witness))
    };
    walk(&spec, alphabet, &witnesses, Some(&judge))
}

/// Checks that the input and a witness after it give the fields that the oracle reads.
fn is_right(schema: Option<&Schema>, input: &[u8], witness: &[u8]) -> Result<(), String> {
    let whole = [input, witness].concat();
    let text = String::from_utf8_lossy(&whole);
    field_agreement::compare(Format::XmlField, schema, &text, |_| false)
}

/// Checks that a possible tag in a field is held within the format's bound. Whitespace in it does not
/// count.
fn is_bounded(spec: &Spec, input: &[u8]) -> Result<(), String> {
    let mut parser = spec.parser();
    parser.feed(input, |_| {}).map_err(|error| error.to_string())?;
    for held in parser.held().iter().filter(|held| held.by == HeldBy::FieldTag) {
        let opens = held.bytes.to_ascii_lowercase().starts_with(b"<field");
        let visible = held.bytes.iter().filter(|byte| !byte.is_ascii_whitespace()).count();
        let (len, most) = match held.bytes.first() {
            _ if opens => (held.bytes.len(), MOST_IMPLICIT),
            Some(b']') => (visible, MOST_SECTION_CLOSER),
            _ => (visible, MOST_CLOSER),
        };
        if len > most {
            return Err(format!("{len} bytes are held, not {most}"));
        }
    }
    Ok(())
}
