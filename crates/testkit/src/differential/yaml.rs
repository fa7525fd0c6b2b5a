//! Answers from YAML documents, compared with the oracle.

use patchwire::{Answer, Code, Leniency, Outcome, Spec, SpecBuilder};

use crate::field_agreement;
use crate::oracle::Json;
use crate::oracle::fields::yaml::Why;
use crate::oracle::fields::{FieldsReading, Schema, Verdict};

/// The spec for a schema, with the default tags.
///
/// # Panics
/// Never: the settings do not conflict.
#[must_use]
pub fn spec(schema: Option<&Schema>) -> Spec {
    built(Spec::builder(), schema)
}

/// This spec without the second look at the end, which the oracle does not predict.
///
/// # Panics
/// Never: the settings do not conflict.
#[must_use]
pub fn streamed(schema: Option<&Schema>) -> Spec {
    built(Spec::builder().forbid(Leniency::UntidyFields), schema)
}

fn built(builder: SpecBuilder, schema: Option<&Schema>) -> Spec {
    let builder = builder.format(patchwire::Format::YamlLiteral);
    let builder = match schema {
        Some(schema) => builder.schema(field_agreement::declared(schema)),
        None => builder,
    };
    builder.without_alignment().build().expect("the settings agree")
}

/// The value of an answer. No fields are an empty object. A value that only the finalizer found does not
/// count as streamed.
#[must_use]
pub fn value(answer: &Answer) -> Json {
    let value = answer.value();
    let found = |code| matches!(code, Code::MissingRoot | Code::FormatFallback);
    if value.exists() && !answer.notices().iter().any(|notice| found(notice.code)) {
        Json::of(value).sorted()
    } else {
        Json::Object(Vec::new())
    }
}

/// The names of the notices, as the cases write them.
#[must_use]
pub fn notices(answer: &Answer) -> Vec<&'static str> {
    let name = |code: Code| match code {
        Code::YamlMultiDocument => "multi_document",
        Code::YamlCommentTruncated => "comment_truncated",
        other => other.name(),
    };
    answer.notices().iter().map(|notice| name(notice.code)).collect()
}

/// The error in an answer, according to the oracle.
#[must_use]
pub fn wrong(answer: &Answer, reading: &FieldsReading) -> Option<String> {
    let found = value(answer);
    let Json::Object(members) = &found else {
        return Some("no object".to_owned()).filter(|_| !reading.fields.is_empty());
    };
    // A document that is read whole has no value unless it is well-formed to its end.
    let whole = reading.deferred.iter().any(|deferral| deferral.field.is_empty());
    if whole && members.is_empty() && notices(answer).contains(&"bad_yaml") {
        return None;
    }
    let found_codes = notices(answer);
    let has = |code: &str| found_codes.contains(&code);
    // A repair must have a notice, even if the oracle's reader accepts the text.
    if reading.verdict == Verdict::Loose && has("yaml_unterminated_quote") {
        return None;
    }
    // A deferred value ends where lines have too little indent. The oracle's reader accepts such lines.
    let anchored = reading.deferred.iter().any(|it| matches!(it.why, Why::Anchor | Why::Tag));
    if reading.verdict == Verdict::Loose && anchored && has("bad_yaml") {
        return None;
    }
    let known = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    for field in reading.sure() {
        let want = field.value.known().map(Json::sorted);
        let last = reading.fields.last() == Some(field) && reading.notices.contains("truncated");
        let cut = last && want.as_ref().is_some_and(|want| is_cut(known(&field.name), want));
        // The oracle closes open constructs at the end of the input.
        let repairs = ["yaml_bad_escape", "yaml_unterminated_quote", "bad_yaml"];
        let repaired = last && notices(answer).iter().any(|code| repairs.contains(code));
        let keys = reading.deferred.iter().any(|it| it.why == Why::Key && it.field == field.name);
        let named = keys && (has("yaml_unknown_alias") || has("bad_yaml"))
            || whole && (field.name.is_empty() || has("bad_yaml"));
        let tab = has("yaml_tab");
        let cyclic = has("yaml_unknown_alias") && !reading.deferred.is_empty();
        let page = repaired || named || tab || cyclic;
        if known(&field.name) != want.as_ref() && !cut && !page {
            return Some(format!("{}: want {want:?}", field.name));
        }
    }
    let rejected = matches!(reading.verdict, Verdict::Rejected(_));
    let more = members.len() > reading.fields.len();
    if !rejected && more && !whole {
        return Some("more fields than the oracle has".to_owned());
    }
    let silent = rejected && answer.outcome() == Outcome::Complete;
    silent.then(|| "a rejected document is complete".to_owned())
}

/// Whether the value equals the oracle's, apart from the last construct of a truncated input. After a key,
/// a dash or a tag the oracle has an empty value and the engine none. Half a word is text for the oracle,
/// and no value where the schema allows no text. Of the blank lines of an empty `|+` the oracle leaves out
/// an unfinished one. The oracle also drops whitespace at the end, even if a backslash escapes it.
fn is_cut(found: Option<&Json>, want: &Json) -> bool {
    let blank = |text: &str| text.chars().all(|char| char == '\n');
    match (found, want) {
        (None, Json::Null) => true,
        (None, Json::String(text)) => text.len() < 5 || text.starts_with("<<<"),
        (None, Json::List(items)) => items.iter().all(|want| is_cut(None, want)),
        (None, Json::Object(members)) => members.iter().all(|(_, want)| is_cut(None, want)),
        (Some(Json::String(found)), Json::String(want)) => {
            let visible = |text: &str| text.trim_end_matches([' ', '\t']).to_owned();
            found == want
                || visible(found) == visible(want)
                || blank(found) && blank(want) && found.len() == want.len() + 1
        }
        (Some(Json::List(found)), Json::List(want)) => {
            found.len() <= want.len()
                && want.iter().enumerate().all(|(at, want)| is_cut(found.get(at), want))
        }
        (Some(Json::Object(found)), Json::Object(want)) => {
            let known = |name: &str| found.iter().find(|(key, _)| key == name).map(|(_, it)| it);
            found.len() <= want.len() && want.iter().all(|(key, want)| is_cut(known(key), want))
        }
        (found, want) => found == Some(want),
    }
}
