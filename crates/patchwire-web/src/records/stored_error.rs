//! Errors of the model's server, as they are stored: the engine judges them again on every instance.

use core::time::Duration;

use super::coding::{RecordBytes, RecordError, put_bytes, put_number};
use crate::upstream::UpstreamError;

pub(super) fn write(error: Option<&UpstreamError>, out: &mut Vec<u8>) {
    let Some(error) = error else { return out.push(0) };
    out.push(tag(error));
    match error {
        UpstreamError::Unreachable(what)
        | UpstreamError::Absent(what)
        | UpstreamError::NoModel(what)
        | UpstreamError::Foreign(what)
        | UpstreamError::Encoded(what)
        | UpstreamError::BadBody(what)
        | UpstreamError::Empty(what)
        | UpstreamError::Broken(what) => put_bytes(out, what.as_bytes()),
        UpstreamError::Refused { status, message, retry_after } => {
            put_number(out, u64::from(*status));
            put_bytes(out, message.as_bytes());
            // Zero is no time, so that a second is 1001.
            let millis = retry_after.map_or(0, |wait| millis(wait).saturating_add(1));
            put_number(out, millis);
        }
        UpstreamError::NotSpoken { path, spoken } => {
            put_bytes(out, path.as_bytes());
            put_bytes(out, spoken.as_bytes());
        }
        UpstreamError::Timeout { seconds } => put_number(out, *seconds),
        UpstreamError::Lost { is_repeated } => out.push(u8::from(*is_repeated)),
    }
}

const fn tag(error: &UpstreamError) -> u8 {
    match error {
        UpstreamError::Unreachable(_) => 1,
        UpstreamError::Refused { .. } => 2,
        UpstreamError::NoModel(_) => 3,
        UpstreamError::NotSpoken { .. } => 4,
        UpstreamError::Foreign(_) => 5,
        UpstreamError::Timeout { .. } => 6,
        UpstreamError::Empty(_) => 7,
        UpstreamError::Broken(_) => 8,
        UpstreamError::Lost { .. } => 9,
        UpstreamError::Absent(_) => 10,
        UpstreamError::Encoded(_) => 11,
        UpstreamError::BadBody(_) => 12,
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

pub(super) fn read(reading: &mut RecordBytes) -> Result<Option<UpstreamError>, RecordError> {
    Ok(Some(match reading.byte()? {
        0 => return Ok(None),
        1 => UpstreamError::Unreachable(reading.string()?),
        2 => UpstreamError::Refused {
            status: reading.small()?,
            message: reading.string()?,
            retry_after: reading.number()?.checked_sub(1).map(Duration::from_millis),
        },
        3 => UpstreamError::NoModel(reading.string()?),
        4 => UpstreamError::NotSpoken { path: reading.string()?, spoken: reading.string()? },
        5 => UpstreamError::Foreign(reading.string()?),
        6 => UpstreamError::Timeout { seconds: reading.number()? },
        7 => UpstreamError::Empty(reading.string()?),
        8 => UpstreamError::Broken(reading.string()?),
        9 => UpstreamError::Lost { is_repeated: reading.byte()? == 1 },
        10 => UpstreamError::Absent(reading.string()?),
        11 => UpstreamError::Encoded(reading.string()?),
        12 => UpstreamError::BadBody(reading.string()?),
        other => return Err(RecordError::Kind(other)),
    }))
}
