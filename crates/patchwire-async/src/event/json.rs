//! The JSON form of the events that only a response has.
//!
//! `members` lists the members of each event once. The line of text and the serde map are both written
//! from that list, so they always agree.

use core::fmt;

use patchwire::{ValueRef, event::Origin};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::ResponseEvent;
use crate::rejection::Rejection;

/// A member of the object: its name, which needs no escapes, and its value.
type Member<'a> = (&'static str, Datum<'a>);

/// The value of a member.
enum Datum<'a> {
    Text(&'a str),
    Number(u32),
    Value(ValueRef<'a>),
}

/// The event as one line of JSON, whatever the depth of the value in it.
impl fmt::Display for ResponseEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Parsed(event) = self {
            return event.fmt(f);
        }
        write!(f, "{{\"event\":\"{}\"", self.name())?;
        for (name, datum) in members(self) {
            write!(f, ",\"{name}\":")?;
            match datum {
                Datum::Text(text) => {
                    f.write_str(&serde_json::to_string(text).map_err(|_| fmt::Error)?)?;
                }
                Datum::Number(number) => write!(f, "{number}")?,
                Datum::Value(value) => write!(f, "{value}")?,
            }
        }
        f.write_str("}")
    }
}

impl Serialize for ResponseEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Self::Parsed(event) = self {
            return event.serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("event", self.name())?;
        for (name, datum) in members(self) {
            match datum {
                Datum::Text(text) => map.serialize_entry(name, text)?,
                Datum::Number(number) => map.serialize_entry(name, &number)?,
                Datum::Value(value) => map.serialize_entry(name, &value)?,
            }
        }
        map.end()
    }
}

/// The members after `event`, in order. None for an event of the engine.
fn members(event: &ResponseEvent) -> Vec<Member<'_>> {
    match event {
        ResponseEvent::Parsed(_) => Vec::new(),
        ResponseEvent::ToolCall { call, id, name, .. } => {
            let texts = [("id", id), ("name", name)].into_iter();
            let texts =
                texts.filter_map(|(member, text)| Some((member, Datum::Text(text.as_ref()?))));
            [("call", Datum::Number(*call))].into_iter().chain(texts).collect()
        }
        ResponseEvent::Snapshot { origin, value, .. } => [("value", Datum::Value(value.as_ref()))]
            .into_iter()
            .chain(origin_members(*origin))
            .collect(),
        ResponseEvent::Rejected(rejection) => rejected_members(rejection),
        ResponseEvent::Retrying { attempt, rejection } => retrying_members(*attempt, rejection),
        ResponseEvent::Reset { attempt } => vec![("attempt", Datum::Number(*attempt))],
    }
}

/// The origin of a document. As in patches, members with the values of a single answer are left out.
fn origin_members<'a>(origin: Origin) -> impl Iterator<Item = Member<'a>> {
    [
        ("element", origin.element.map(|element| element.get())),
        ("root", Some(origin.root).filter(|root| *root != 0)),
        ("attempt", Some(origin.attempt).filter(|attempt| *attempt != 1)),
        ("call", origin.call),
    ]
    .into_iter()
    .filter_map(|(name, number)| Some((name, Datum::Number(number?))))
}

fn rejected_members(rejection: &Rejection) -> Vec<Member<'_>> {
    let mut members = vec![("attempt", Datum::Number(rejection.attempt))];
    if !rejection.cause.is_validation() {
        members.push(("cause", Datum::Text(rejection.cause.name())));
    }
    members
        .extend(rejection.validator.as_deref().map(|name| ("validator_name", Datum::Text(name))));
    members.push(("reason", Datum::Text(&rejection.reason)));
    members.extend(payload_member("payload", rejection));
    members
}

fn retrying_members(attempt: u32, rejection: &Rejection) -> Vec<Member<'_>> {
    let mut members = vec![
        ("attempt", Datum::Number(attempt)),
        ("retry_reason", Datum::Text(rejection.cause.name())),
    ];
    if !rejection.cause.is_validation() {
        members.push(("reason", Datum::Text(&rejection.reason)));
        return members;
    }
    members
        .extend(rejection.validator.as_deref().map(|name| ("validator_name", Datum::Text(name))));
    members.push(("validation_reason", Datum::Text(&rejection.reason)));
    members.extend(payload_member("validation_payload", rejection));
    members
}

fn payload_member<'a>(name: &'static str, rejection: &'a Rejection) -> Option<Member<'a>> {
    rejection.payload.as_ref().map(|payload| (name, Datum::Value(payload.as_ref())))
}
