//! The records of an answer, from the first one on.

use bytes::Bytes;

use super::Durable;
use super::kept::{Kept, KeptReader, Known};
use super::tender;
use crate::records::{self, Record};
use crate::store::{Feed, Held, Position, StoreError, StreamName};
use crate::upstream::Credentials;

/// Bytes of entries that are read at once.
pub(super) const PAGE: usize = 64 << 10;

/// Reads an answer: from the store, and then as it is appended.
pub(crate) struct RecordReader {
    durable: Durable,
    name: StreamName,
    /// The next entry.
    next: Position,
    place: Place,
}

/// Where a reader reads.
enum Place {
    /// In the store, and it has not seen the end of what is there.
    Stored(Box<Visitor>),
    /// At the end.
    Live(KeptReader),
}

/// What a reader brings along for the answer.
struct Visitor {
    known: Known,
    credentials: Credentials,
}

impl RecordReader {
    /// Reads an answer that this instance has, from an entry on.
    pub(super) fn live(durable: Durable, reading: KeptReader, next: u64) -> Self {
        let name = reading.name().clone();
        Self { durable, name, next: Position::of(next), place: Place::Live(reading) }
    }

    /// Reads an answer from the entry behind its request.
    pub(super) fn stored(
        durable: Durable,
        name: StreamName,
        next: Position,
        known: Known,
        credentials: Credentials,
    ) -> Self {
        let visitor = Visitor { known, credentials };
        Self { durable, name, next, place: Place::Stored(Box::new(visitor)) }
    }

    pub(super) fn durable(&self) -> Durable {
        self.durable.clone()
    }

    /// The next records of the store. None at the end of what is there.
    pub(super) async fn stored_records(&mut self) -> Result<Vec<Record>, StoreError> {
        let page = self.durable.store.read(&self.name, self.next, PAGE).await?;
        let from = core::mem::replace(&mut self.next, page.next);
        let mut records = Vec::new();
        for entry in page.whole(from.seq)? {
            read_onto(entry.bytes, &mut records)?;
        }
        Ok(records)
    }

    /// The next records, which are waited for.
    pub(super) async fn records(&mut self) -> Result<Vec<Record>, StoreError> {
        loop {
            let Place::Live(reading) = &self.place else {
                let records = self.stored_records().await?;
                if records.is_empty() {
                    self.go_live();
                    continue;
                }
                return Ok(records);
            };
            let mut changes = reading.feed.changes();
            let mut records = Vec::new();
            loop {
                match reading.feed.find(self.next.seq) {
                    Held::Entry(entry) => {
                        self.next = Position::of(self.next.seq + 1);
                        read_onto(entry, &mut records)?;
                    }
                    _ if !records.is_empty() => return Ok(records),
                    Held::Passed => break,
                    Held::ToCome => {
                        // The feed is held, so it does not end.
                        let _ = changes.changed().await;
                    }
                    Held::Failed(error) => return Err(error),
                }
            }
            let records = self.stored_records().await?;
            if records.is_empty() {
                return Err(StoreError::Lost { last: self.next.seq - 1 });
            }
            return Ok(records);
        }
    }

    /// Reads the answer as it is appended from now on.
    fn go_live(&mut self) {
        let Place::Stored(visitor) = &mut self.place else { return };
        let (durable, after) = (&self.durable, self.next.seq - 1);
        let make = || {
            let feed = Feed::new(self.name.clone(), after);
            Kept::new(durable.clone(), feed, visitor.known.clone())
        };
        let (reading, new) = durable.registry.reading(&self.name, make);
        reading.lend(core::mem::take(&mut visitor.credentials));
        if let Some(kept) = new {
            durable.store.follow(&kept.feed);
            durable.around.sessions.spawn(tender::tend(kept, tender::Role::Watches));
        }
        self.place = Place::Live(reading);
    }
}

/// Reads the records of an entry behind others.
pub(super) fn read_onto(entry: Bytes, all: &mut Vec<Record>) -> Result<(), StoreError> {
    records::read_onto(entry, all).map_err(|error| StoreError::Broken(error.to_string()))
}
