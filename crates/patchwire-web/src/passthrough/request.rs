//! The request of a client: its body goes on as it came, without the member that is for the gateway.

use core::ops::Range;

use bytes::Bytes;

use crate::budget::Meter;
use crate::chat_request::{self, FieldOptions, RequestError};
use crate::json_text::{self, Member};
use crate::request_parts::OPTIONS;

/// A request that is passed on.
#[derive(Debug)]
pub(crate) struct PassedRequest {
    /// The body for the model's server.
    pub(crate) body: Bytes,
    /// How the answer is read; `None` if no fields are wanted.
    pub(crate) fields: Option<FieldOptions>,
    /// Whether a stream is asked for.
    pub(crate) is_stream: bool,
}

/// Splits a request. `header` holds the options of a client that cannot add members.
///
/// A body that is no JSON object goes on unchanged: the model's server says what is wrong with it.
pub(crate) fn read(
    body: &Bytes,
    header: Option<&str>,
    answer_bytes: u64,
    meter: &Meter<'_>,
) -> Result<PassedRequest, RequestError> {
    let text = str::from_utf8(body).ok();
    let members = text.and_then(|text| Some((text, json_text::members(text)?)));
    meter.check()?;
    let Some((text, members)) = members else {
        let fields = header.map(|header| chat_request::field_options(header, answer_bytes, meter));
        return Ok(PassedRequest {
            body: body.clone(),
            fields: fields.transpose()?,
            is_stream: false,
        });
    };
    let is_stream = json_text::value(&members, "stream") == Some("true");
    let own = json_text::value(&members, OPTIONS);
    let options = match (own, header) {
        (Some(_), Some(_)) => return Err(chat_request::TWICE.to_owned().into()),
        (own, header) => own.or(header),
    };
    let fields = options.map(|options| chat_request::field_options(options, answer_bytes, meter));
    let body = match own {
        Some(_) => without(body, text, &members),
        None => body.clone(),
    };
    Ok(PassedRequest { body, fields: fields.transpose()?, is_stream })
}

/// The body without the gateway's members. Every other byte stays.
fn without(body: &Bytes, text: &str, members: &[Member<'_>]) -> Bytes {
    let mut rest = Vec::with_capacity(body.len());
    let mut kept = 0;
    for cut in cuts(text, members) {
        rest.extend_from_slice(&body[kept..cut.start]);
        kept = cut.end;
    }
    rest.extend_from_slice(&body[kept..]);
    rest.into()
}

/// The ranges to cut: each member with the comma before it, or the comma after it if no kept member comes first.
fn cuts(text: &str, members: &[Member<'_>]) -> Vec<Range<usize>> {
    let begin = |member: &Member<'_>| json_text::offset(member.key, text);
    let end = |member: &Member<'_>| json_text::offset(member.value, text) + member.value.len();
    let mut cuts = Vec::new();
    let mut has_kept = false;
    for (at, member) in members.iter().enumerate() {
        if member.name != OPTIONS {
            has_kept = true;
            continue;
        }
        cuts.push(match (has_kept, members.get(at + 1)) {
            (true, _) => end(&members[at - 1])..end(member),
            (false, Some(next)) => begin(member)..begin(next),
            (false, None) => begin(member)..end(member),
        });
    }
    cuts
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::*;
    use crate::budget::Budget;

    fn split(body: &str, header: Option<&str>) -> Result<PassedRequest, RequestError> {
        let body = Bytes::copy_from_slice(body.as_bytes());
        Budget::new(Duration::from_secs(10)).measure(|meter| read(&body, header, 1 << 20, meter))
    }

    fn passed(body: &str) -> (String, bool) {
        let split = split(body, None).unwrap();
        (String::from_utf8(split.body.to_vec()).unwrap(), split.fields.is_some())
    }

    #[test]
    fn everything_but_the_member_goes_on_as_it_was_written() {
        for (body, expected) in [
            (r#"{"patchwire":{}}"#, "{}"),
            (r#" { "patchwire" : {} } "#, " {  } "),
            (r#"{"patchwire":{}, "a": 1.0e2}"#, r#"{"a": 1.0e2}"#),
            (r#"{"b":1 , "patchwire":{} , "a": 1}"#, r#"{"b":1 , "a": 1}"#),
            (r#"{"a":"\u00e9", "patchwire":{"raw":false} }"#, r#"{"a":"\u00e9" }"#),
            (r#"{"patchwire":1,"patchwire":{},"a":[1 ,2],"patchwire":{}}"#, r#"{"a":[1 ,2]}"#),
            (r#"{"patchwire":1,"patchwire":{}}"#, "{}"),
            (r#"{"a":1,"patchwire":1,"patchwire":{},"b":2}"#, r#"{"a":1,"b":2}"#),
            (r#"{"\u0070atchwire":{},"b":2}"#, r#"{"b":2}"#),
        ] {
            assert_eq!(passed(body), (expected.to_owned(), true), "{body}");
        }
    }

    #[test]
    fn a_body_without_the_member_goes_on_whatever_it_is() {
        for body in ["", "{", "[1]", "null", "{\"a\" : {\"patchwire\":1}}", "{\"a\":1,\"a\":2} "] {
            assert_eq!(passed(body), (body.to_owned(), false));
        }
        assert!(split("{\"stream\": true}", None).unwrap().is_stream);
        assert!(!split("{\"stream\": false}", None).unwrap().is_stream);
    }

    #[test]
    fn a_header_holds_the_options_of_clients_that_cannot_add_members() {
        let split = |body, header| split(body, Some(header));
        let asked = split("{\"a\": 1}", "{\"format\": \"hybrid\"}").unwrap();
        assert!(asked.fields.is_some() && &*asked.body == b"{\"a\": 1}");
        let twice = split("{\"patchwire\": {}}", "{}").unwrap_err().to_string();
        assert!(twice.contains("given twice"), "{twice}");
        let bad = split("{}", "format=json").unwrap_err().to_string();
        assert!(bad.contains("`patchwire`"), "{bad}");
    }
}
