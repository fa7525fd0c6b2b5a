//! A response that is not streamed: its message gets the answer.

use bytes::Bytes;
use serde_json::Value as Json;

use super::choice::{Choice, Reading};
use super::document::{one_line, same_length};
use super::places::Content;
use crate::budget::{Meter, OverBudget};
use crate::json_text;
use crate::problem::Problem;
use crate::upstream::UpstreamError;

/// Reads the choices of a response, and adds the answer of each to its message. A response that reports an error
/// stays as it is.
pub(super) fn with_answers(
    body: &Bytes,
    reading: &Reading,
    answer_bytes: u64,
    meter: &Meter<'_>,
) -> Result<Bytes, Problem> {
    let (text, dialect) = (same_length(body), reading.dialect);
    let places = match dialect.whole(&text) {
        Content::Failed => return Ok(body.clone()),
        Content::Done => Vec::new(),
        Content::Deltas(places) => places,
    };
    if places.is_empty() {
        let what = format!("the response is no answer of the protocol {}", dialect.protocol());
        return Err(UpstreamError::Foreign(what).into());
    }
    let members = json_text::members(&text).unwrap_or_default();
    let usage: Option<Json> =
        json_text::value(&members, "usage").and_then(|usage| serde_json::from_str(usage).ok());
    let (mut edited, mut kept, mut room) = (Vec::with_capacity(body.len()), 0, answer_bytes);
    for place in places {
        let Some(target) = place.target else { continue };
        let mut choice = Choice::new(place.choice, reading);
        if let Some(usage) = &usage {
            choice.usage(usage);
        }
        let event = dialect.event(&one_line(&body[place.reads.clone()]));
        read(&mut choice, event, &mut room, meter)?;
        let Some(answer) = choice.answer() else { continue };
        edited.extend_from_slice(&body[kept..target.end]);
        edited.extend_from_slice(if target.is_empty { b"" } else { b"," });
        edited.extend_from_slice(answer.as_bytes());
        kept = target.end;
    }
    edited.extend_from_slice(&body[kept..]);
    Ok(edited.into())
}

/// Reads a whole choice. Its events are not kept.
fn read(
    choice: &mut Choice,
    event: Vec<u8>,
    room: &mut u64,
    meter: &Meter<'_>,
) -> Result<(), OverBudget> {
    choice.offer(event);
    choice.end();
    while !choice.batch(room) {
        choice.drop_patches();
        meter.check()?;
    }
    Ok(())
}
