//! What is stored of an answer: its request, and then everything that its events depend on.
//!
//! An entry is a version, the number of bytes that follow, and records one after another: a byte for the kind and its fields. Deltas
//! have the boundaries that they came with. Events are not stored, because they follow from the records.

mod closing;
mod coding;
mod stored_error;

use bytes::Bytes;
use bytestring::ByteString;
use patchwire_async::CallKey;

use crate::upstream::{Delta, UpstreamError};

pub(crate) use closing::Closing;
pub(crate) use coding::RecordError;
use coding::{RecordBytes, VERSION, put_bytes, put_number, put_text};

/// One thing that happened to an answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Record {
    /// The request, as JSON. It is the first record.
    Request(Bytes),
    /// A delta of the model.
    Delta(Delta),
    /// Strings that have grown are sent again, in protocols that cannot append to them.
    CatchUp,
    /// The model's stream ended, by itself or by an error, and the verdict about the attempt.
    End {
        error: Option<UpstreamError>,
        /// Whether the model is asked again.
        is_repeated: bool,
    },
    /// The answer was ended from outside.
    Closed(Closing),
}

mod kind {
    pub(super) const REQUEST: u8 = 1;
    pub(super) const TEXT: u8 = 2;
    pub(super) const REASONING: u8 = 3;
    pub(super) const CALL: u8 = 4;
    pub(super) const FACT: u8 = 5;
    pub(super) const CATCH_UP: u8 = 6;
    pub(super) const END: u8 = 7;
    pub(super) const CLOSED: u8 = 8;
}

/// Records that become an entry.
#[derive(Debug, Default)]
pub(crate) struct EntryWriter(Vec<u8>);

impl EntryWriter {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn delta(&mut self, delta: &Delta) {
        let out = &mut self.0;
        match delta {
            Delta::Text(text) => {
                out.push(kind::TEXT);
                put_bytes(out, text);
            }
            Delta::Reasoning(text) => {
                out.push(kind::REASONING);
                put_bytes(out, text);
            }
            Delta::Call { key, id, name, arguments } => {
                out.push(kind::CALL);
                match key {
                    CallKey::Index(index) => {
                        out.push(0);
                        put_number(out, u64::from(*index));
                    }
                    CallKey::Id(id) => {
                        out.push(1);
                        put_bytes(out, id.as_bytes());
                    }
                }
                put_text(out, id.as_deref());
                put_text(out, name.as_deref());
                put_bytes(out, arguments);
            }
            Delta::Fact(name, fact) => {
                out.push(kind::FACT);
                put_bytes(out, name.as_bytes());
                put_bytes(out, fact.to_string().as_bytes());
            }
        }
    }

    pub(crate) fn record(&mut self, record: &Record) {
        let out = &mut self.0;
        match record {
            Record::Request(request) => {
                out.push(kind::REQUEST);
                put_bytes(out, request);
            }
            Record::Delta(delta) => self.delta(delta),
            Record::CatchUp => out.push(kind::CATCH_UP),
            Record::End { error, is_repeated } => {
                out.push(kind::END);
                out.push(u8::from(*is_repeated));
                stored_error::write(error.as_ref(), out);
            }
            Record::Closed(closing) => {
                out.push(kind::CLOSED);
                closing.write(out);
            }
        }
    }

    /// The entry with these records. The next one begins empty.
    pub(crate) fn take(&mut self) -> Bytes {
        let mut entry = Vec::with_capacity(self.0.len() + 6);
        entry.push(VERSION);
        put_bytes(&mut entry, &self.0);
        self.0.clear();
        entry.into()
    }
}

/// An entry of one record.
pub(crate) fn entry(record: &Record) -> Bytes {
    let mut writer = EntryWriter::default();
    writer.record(record);
    writer.take()
}

/// Reads the records of an entry.
pub(crate) fn read(entry: Bytes) -> Result<Vec<Record>, RecordError> {
    let mut all = Vec::new();
    read_onto(entry, &mut all)?;
    Ok(all)
}

/// Reads the records of an entry behind others. Most entries have one, so a list for each would cost as much as the record.
pub(crate) fn read_onto(entry: Bytes, all: &mut Vec<Record>) -> Result<(), RecordError> {
    let mut reading = RecordBytes(entry);
    let version = reading.byte()?;
    if version != VERSION {
        return Err(RecordError::Version(version));
    }
    let mut records = RecordBytes(reading.bytes()?);
    if !reading.is_empty() {
        return Err(RecordError::Rest);
    }
    while !records.is_empty() {
        all.push(one(&mut records)?);
    }
    Ok(())
}

fn one(reading: &mut RecordBytes) -> Result<Record, RecordError> {
    Ok(match reading.byte()? {
        kind::REQUEST => Record::Request(reading.bytes()?),
        kind::TEXT => Record::Delta(Delta::Text(reading.bytes()?)),
        kind::REASONING => Record::Delta(Delta::Reasoning(reading.bytes()?)),
        kind::CALL => Record::Delta(Delta::Call {
            key: match reading.byte()? {
                0 => CallKey::Index(reading.small()?),
                1 => CallKey::Id(ByteString::from(reading.string()?)),
                other => return Err(RecordError::Kind(other)),
            },
            id: reading.text()?,
            name: reading.text()?,
            arguments: reading.bytes()?,
        }),
        kind::FACT => {
            let name = reading.string()?;
            let fact = reading.bytes()?;
            let fact = serde_json::from_slice(&fact).map_err(|_| RecordError::Json)?;
            Record::Delta(Delta::Fact(name, fact))
        }
        kind::CATCH_UP => Record::CatchUp,
        kind::END => {
            let is_repeated = match reading.byte()? {
                byte @ (0 | 1) => byte == 1,
                other => return Err(RecordError::Kind(other)),
            };
            Record::End { error: stored_error::read(reading)?, is_repeated }
        }
        kind::CLOSED => Record::Closed(Closing::read(reading)?),
        other => return Err(RecordError::Kind(other)),
    })
}

#[cfg(test)]
mod tests;
