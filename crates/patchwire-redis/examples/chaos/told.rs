//! What a client was told, and what that is worth.

/// Events as they came, and how the stream ended.
#[derive(Debug, Default, Clone)]
pub(crate) struct Told {
    /// Each event with its number, as it came.
    pub(crate) events: Vec<String>,
    begun: Vec<u8>,
    /// The code of an error that has no number: the stream may go on elsewhere.
    pub(crate) unnumbered: Option<String>,
}

/// How a stream ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// Every byte is that of the undisturbed stream.
    Identical,
    /// The model was asked again; what came before and behind the reset is that of the undisturbed stream.
    AskedAgain,
    /// The stream ended with an error that has a code, and what came before is that of the undisturbed stream.
    Typed(String),
    Lost(String),
}

impl Told {
    /// Takes bytes of a body.
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        self.begun.extend_from_slice(bytes);
        while let Some(end) = self.begun.windows(2).position(|pair| pair == b"\n\n") {
            let rest = self.begun.split_off(end + 2);
            let event =
                String::from_utf8_lossy(&core::mem::replace(&mut self.begun, rest)).into_owned();
            if event.starts_with("id: ") {
                self.events.push(event);
            } else if event.starts_with("event: error") {
                self.unnumbered = code(&event);
            }
        }
    }

    /// Forgets the part of an event that a broken connection left.
    pub(crate) fn broke_off(&mut self) {
        self.begun.clear();
    }

    pub(crate) fn last(&self) -> u64 {
        self.events.last().and_then(|event| number(event)).unwrap_or_default()
    }

    /// Whether no event follows.
    pub(crate) fn has_ended(&self) -> bool {
        let last = self.events.last().map_or("", String::as_str);
        let name = last.split('\n').nth(1);
        matches!(name, Some("event: final" | "event: error"))
    }

    /// Compares with the events of the undisturbed stream.
    pub(crate) fn judge(&self, undisturbed: &[String]) -> Verdict {
        for (event, at) in self.events.iter().zip(1..) {
            if number(event) != Some(at) {
                return Verdict::Lost(format!("event {at} has the number {:?}", number(event)));
            }
        }
        if self.events == undisturbed {
            return Verdict::Identical;
        }
        let mut attempts =
            self.events.split(|event| is_about_attempts(event)).filter(|part| !part.is_empty());
        let last = attempts.next_back().unwrap_or_default();
        if let Some(wrong) = attempts.find_map(|part| differs(part, undisturbed)) {
            return Verdict::Lost(format!("a repeated attempt differs at its event {wrong}"));
        }
        let (body, error) = match last.split_last() {
            Some((end, body)) if end.contains("\nevent: error\n") => (body, Some(end)),
            _ => (last, None),
        };
        if let Some(wrong) = differs(body, undisturbed) {
            return Verdict::Lost(format!(
                "the stream differs at event {wrong} of its last attempt"
            ));
        }
        match error {
            Some(error) => code(error)
                .map_or_else(|| Verdict::Lost("an error without a code".into()), Verdict::Typed),
            None if body.len() == undisturbed.len() => Verdict::AskedAgain,
            None => Verdict::Lost(format!(
                "it ends behind event {} of {}",
                body.len(),
                undisturbed.len()
            )),
        }
    }
}

fn number(event: &str) -> Option<u64> {
    event.strip_prefix("id: ")?.split('\n').next()?.parse().ok()
}

fn is_about_attempts(event: &str) -> bool {
    ["attempt_failed", "retrying", "reset"]
        .iter()
        .any(|name| event.contains(&format!("\nevent: {name}\n")))
}

/// The first event whose name and data are not those of the undisturbed stream.
fn differs(part: &[String], undisturbed: &[String]) -> Option<usize> {
    // From the second attempt on, patches say which it is.
    let attempts = [2, 3, 4].map(|number| format!(",\"attempt\":{number}"));
    let rest = |event: &str| {
        let (_, rest) = event.split_once('\n')?;
        Some(attempts.iter().fold(rest.to_owned(), |rest, attempt| rest.replace(attempt, "")))
    };
    (0..part.len())
        .find(|at| undisturbed.get(*at).and_then(|event| rest(event)) != rest(&part[*at]))
}

/// The code in an error.
pub(crate) fn code(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("\"code\":\"")?;
    Some(rest.split('"').next()?.to_owned())
}
