//! What `final` says on stderr about answers that were repaired or cut off.

use patchwire::{Answer, Code, Outcome, notice::Severity};

use crate::exit::Status;
use crate::output;
use crate::stream_result::StreamResult;

/// How many codes one line lists.
const LISTED: usize = 3;

/// Counts the answers that are not what the model wrote. Those with an error on stderr already are left out.
#[derive(Default)]
pub(crate) struct Repairs {
    streams: u64,
    repaired: u64,
    cut: u64,
    /// The note about the first of them.
    first: Option<String>,
}

impl Repairs {
    /// Takes the result of a stream.
    pub(crate) fn take(&mut self, ended: &StreamResult, status: Status) {
        self.streams += 1;
        let Ok(answer) = &ended.result else { return };
        // The reason why the model stopped early is a note of its own.
        let is_noted = status != Status::Complete || ended.cut_by().is_some();
        let what = match answer.outcome() {
            _ if is_noted => return,
            Outcome::Repaired if is_legal(answer) => return,
            Outcome::Repaired => {
                self.repaired += 1;
                "was repaired"
            }
            Outcome::Truncated => {
                self.cut += 1;
                "was cut off"
            }
            _ => return,
        };
        let codes = codes(answer.notices().iter().map(|notice| notice.code));
        self.first.get_or_insert_with(|| format!("{}: the answer {what}{codes}", ended.name));
    }

    /// Prints one line, if there is something to say.
    pub(crate) fn report(&self) {
        let Self { streams, repaired, cut, first } = self;
        let said = match first {
            None => return,
            Some(first) if repaired + cut == 1 => first.clone(),
            Some(_) => format!("{streams} answers, of which repaired: {repaired}, cut off: {cut}"),
        };
        output::note(&format_args!("{said}; `--envelope` shows where"));
    }
}

/// Whether the only repairs are repeated keys, which are legal JSON.
fn is_legal(answer: &Answer) -> bool {
    let notices = answer.notices();
    notices.len() as u64 == answer.notice_count()
        && notices
            .iter()
            .all(|it| it.code.severity() == Severity::Info || it.code == Code::DuplicateKey)
}

/// The names of the first repairs and losses, in brackets.
fn codes(codes: impl Iterator<Item = Code>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for code in codes.filter(|code| code.severity() != Severity::Info) {
        if !names.contains(&code.name()) {
            names.push(code.name());
        }
    }
    let more = if names.len() > LISTED { ", …" } else { "" };
    names.truncate(LISTED);
    if names.is_empty() { String::new() } else { format!(" ({}{more})", names.join(", ")) }
}
