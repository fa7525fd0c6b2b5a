//! The deltas of a body, collected.

use std::collections::BTreeMap;

use patchwire_sources::{Call, DecodeError, Decoder, Delta, End, Protocol};
use serde_json::Value as Json;

/// The deltas of a body in order, and how it ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Decoded {
    pub(crate) deltas: Vec<Delta>,
    pub(crate) end: Result<End, DecodeError>,
}

impl Decoded {
    /// Reads a body in these pieces.
    pub(crate) fn in_pieces<'b>(
        protocol: Protocol,
        pieces: impl IntoIterator<Item = &'b [u8]>,
    ) -> Self {
        let mut deltas = Vec::new();
        let mut decoder = Decoder::new(protocol);
        for piece in pieces {
            if let Err(error) = decoder.feed(piece, |delta| deltas.push(delta)) {
                return Self { deltas, end: Err(error) };
            }
        }
        let end = decoder.finish(|delta| deltas.push(delta));
        Self { deltas, end }
    }

    pub(crate) fn of(protocol: Protocol, body: impl AsRef<[u8]>) -> Self {
        Self::in_pieces(protocol, [body.as_ref()])
    }

    pub(crate) fn text(&self) -> String {
        self.joined(|delta| if let Delta::Text(text) = delta { Some(text) } else { None })
    }

    pub(crate) fn reasoning(&self) -> String {
        self.joined(|delta| if let Delta::Reasoning(text) = delta { Some(text) } else { None })
    }

    pub(crate) fn refusal(&self) -> String {
        self.joined(|delta| if let Delta::Refusal(text) = delta { Some(text) } else { None })
    }

    fn joined<'d>(&'d self, pick: impl Fn(&'d Delta) -> Option<&'d String>) -> String {
        self.deltas.iter().filter_map(pick).map(String::as_str).collect()
    }

    /// The last of the facts of this name.
    pub(crate) fn fact(&self, wanted: &str) -> Option<&Json> {
        self.deltas.iter().rev().find_map(|delta| match delta {
            Delta::Fact { name, value } if *name == wanted => Some(value),
            _ => None,
        })
    }

    /// The kinds of the items.
    pub(crate) fn items(&self) -> Vec<&str> {
        let items = self.deltas.iter().filter_map(|delta| match delta {
            Delta::Item { kind, .. } => Some(kind.as_str()),
            _ => None,
        });
        items.collect()
    }

    /// The pieces of each call's arguments, with its name.
    pub(crate) fn calls(&self) -> BTreeMap<u32, (String, Vec<String>)> {
        let mut calls: BTreeMap<u32, (String, Vec<String>)> = BTreeMap::new();
        for delta in &self.deltas {
            if let Delta::Call(Call { index, name, arguments, .. }) = delta {
                let call = calls.entry(*index).or_default();
                call.0 = name.clone().unwrap_or_else(|| call.0.clone());
                call.1.push(arguments.clone());
            }
        }
        calls
    }
}
