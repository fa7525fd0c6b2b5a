//! The exit status of one stream, and what stderr says about it.

use patchwire::notice::Severity;
use patchwire::{Answer, Code, Error, ErrorKind, Format, Outcome, check::FailureKind};

use crate::args::Strictness;
use crate::exit::Status;
use crate::output;
use crate::settings::Settings;
use crate::stream_result::{StreamResult, unread_arguments};

/// The message where a value is missing because the model only called tools.
pub(crate) const ONLY_CALLS: &str = "no value: only tool calls";

/// How many failures one line of stderr lists.
const LISTED_FAILURES: usize = 3;

impl StreamResult {
    /// Reports on stderr what is wrong with the stream, and returns its status.
    pub(crate) fn report(&self, settings: &Settings) -> Status {
        for call in self.all_calls().iter() {
            if call.answer().outcome() == Outcome::Truncated {
                let tool = call.name();
                output::note(&format_args!("{}: the call of `{tool}` was cut off", self.name));
            }
            if let Some(text) = unread_arguments(call).filter(|_| !call.is_text()) {
                let (tool, bytes) = (call.name(), text.len());
                let what = format!("the {bytes} bytes of its arguments hold no JSON");
                output::note(&format_args!("{}: the call of `{tool}`: {what}", self.name));
            }
        }
        if let Some(what) = self.result.as_ref().ok().and_then(not_text) {
            output::note(&format_args!("{}: {what}", self.name));
        }
        if let Some(stop) = self.cut_by() {
            output::note(&format_args!("{}: the answer is incomplete: {stop}", self.name));
        }
        let Some((status, what)) = self.problem(settings) else { return Status::Complete };
        output::error(&format_args!("{}: {what}", self.name));
        status
    }

    fn problem(&self, settings: &Settings) -> Option<(Status, String)> {
        if let Some(fault) = self.fault() {
            let has_value = self.has_value(settings);
            let status = if has_value { Status::Failed } else { Status::NoValue };
            return Some((status, fault.to_string()));
        }
        match &self.result {
            Err(error) => Some(self.parse_error(*error, settings)),
            Ok(answer) if !self.has_value(settings) => {
                Some((Status::NoValue, self.why_no_value(answer, settings.format)))
            }
            Ok(answer) if settings.strictness == Strictness::Strict => {
                let what = first_repair(answer).or_else(|| self.repaired_call());
                let what = what.or_else(|| failed_checks(answer));
                what.map(|what| (Status::Failed, what))
            }
            Ok(answer) => failed_checks(answer).map(|what| (Status::Failed, what)),
        }
    }

    /// The first repair in the arguments of a call.
    fn repaired_call(&self) -> Option<String> {
        self.all_calls().iter().find_map(|call| {
            let what = match call.answer().outcome() {
                Outcome::Truncated => Some("it was cut off".to_owned()),
                _ => first_repair(call.answer()),
            };
            what.map(|what| format!("the call of `{}`: {what}", call.name()))
        })
    }

    fn why_no_value(&self, answer: &Answer, format: Format) -> String {
        let Some(body) = self.body() else { return why_no_value(answer, format, "") };
        if !body.calls().is_empty() {
            return format!("{ONLY_CALLS}; `final --envelope` shows them");
        }
        if answer.raw().is_some_and(<[u8]>::is_empty) && answer.outcome() == Outcome::Empty {
            return "no value: the answer has no text".to_owned();
        }
        why_no_value(answer, format, " of text")
    }

    /// An offset of the parser in words. In a body, it counts the model's text only.
    fn place(&self, offset: u64) -> String {
        let of = if self.body().is_some() { " of the model's text" } else { "" };
        format!("at byte {offset}{of}")
    }

    fn parse_error(&self, Error { kind, offset }: Error, settings: &Settings) -> (Status, String) {
        let place = self.place(offset);
        if let ErrorKind::Limit(limit) = kind {
            let most = settings.limits.get(limit);
            let what = format!(
                "limit {limit} of {most} reached {place}; \
                 raise it with `--limit {limit}=N` to read this input"
            );
            return (Status::Limit, what);
        }
        let status = if self.value().exists() { Status::Failed } else { Status::NoValue };
        (status, format!("{kind} {place}; `--strictness lenient` forgives more"))
    }
}

/// How many bytes of an answer are not UTF-8; `None` if all are.
fn not_text(answer: &Answer) -> Option<String> {
    let raw = answer.raw()?;
    let bad: usize = raw.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    let (all, is) = (raw.len(), if bad == 1 { "is" } else { "are" });
    // In text of another encoding, most bytes are still ASCII.
    let advice = if bad * 10 > all { "; is this a text?" } else { "" };
    (bad > 0).then(|| format!("{bad} of {all} bytes {is} no UTF-8 text and became U+FFFD{advice}"))
}

/// The failed checks in one line, without the one for a missing value.
fn failed_checks(answer: &Answer) -> Option<String> {
    let failures = answer.failures().iter();
    let all: Vec<String> =
        failures.filter(|it| it.kind != FailureKind::NoValue).map(|it| it.to_string()).collect();
    let (first, more) = all.split_at(all.len().min(LISTED_FAILURES));
    match (first, more.len()) {
        ([], _) => None,
        (first, 0) => Some(first.join(", ")),
        (first, more) => {
            Some(format!("{}, and {more} more; `final --envelope` lists them", first.join(", ")))
        }
    }
}

/// Why an answer holds no value. `of` completes "in N bytes".
fn why_no_value(answer: &Answer, format: Format, of: &str) -> String {
    let second =
        answer.alternative().map_or("", |_| "; `final --alternative` prints another reading");
    format!("{}{second}", why_none(answer, format, of))
}

fn why_none(answer: &Answer, format: Format, of: &str) -> String {
    let bytes = answer.raw().map_or(0, <[u8]>::len);
    match answer.outcome() {
        Outcome::Empty => format!("no value: only whitespace in {bytes} bytes{of}"),
        Outcome::NoAnswer => {
            format!("no value: only reasoning in {bytes} bytes{of}; `final --envelope` shows it")
        }
        Outcome::ToolCalls => {
            format!("{ONLY_CALLS} in {bytes} bytes{of}; `final --envelope` shows them")
        }
        _ if answer.text().trim().is_empty() => {
            format!("no value: nothing readable in {bytes} bytes{of}{}", lost(answer))
        }
        _ => format!(
            "no value: only text in {bytes} bytes{of}{}; `final --envelope` shows it",
            format.missing_marker()
        ),
    }
}

/// The names of the first losses of an answer, in brackets.
fn lost(answer: &Answer) -> String {
    let is_loss = |code: &Code| code.severity() == Severity::Loss && *code != Code::MissingField;
    let mut names: Vec<&str> = Vec::new();
    for code in answer.notices().iter().map(|notice| notice.code).filter(is_loss) {
        if !names.contains(&code.name()) && names.len() < LISTED_FAILURES {
            names.push(code.name());
        }
    }
    if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
}

/// The first repair that strict reading does not accept.
fn first_repair(answer: &Answer) -> Option<String> {
    if !matches!(answer.outcome(), Outcome::Truncated | Outcome::Repaired) {
        return None;
    }
    // Repeated keys are legal JSON: the last one wins.
    let is_legal = |code: Code| code.severity() == Severity::Info || code == Code::DuplicateKey;
    let notices = answer.notices();
    let notice = notices.iter().find(|notice| !is_legal(notice.code));
    let are_all_kept = notices.len() as u64 == answer.notice_count();
    if answer.outcome() == Outcome::Repaired && notice.is_none() && are_all_kept {
        return None;
    }
    Some(notice.map_or_else(
        || answer.outcome().to_string(),
        |notice| {
            format!("{} at byte {}: {}", notice.code, notice.span.start, notice.code.message())
        },
    ))
}
