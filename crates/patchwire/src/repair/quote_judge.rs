//! The search as a judge of one quote, for the stream: does the quote end its string?

use super::SearchOptions;
use super::arms::RepairMachine;
use super::beam::Beam;
use super::stack::{Container, StackId};
use super::state::{Quote, Quoted, Reading, Role, State};
use crate::lex::json::{JsonContainer, JsonQuote, QuoteJudge, QuoteWindow};

/// A reading that is so much cheaper than the other wins before the window is full.
const SURE: u32 = 60;

/// The judge of all lexers.
pub(crate) const JUDGE: QuoteJudge = QuoteJudge(judge_quote);

/// Compares the readings of a window in which the quote ends its text with those in which it does not. Whether
/// it does; none if they cost about the same and more text may come.
fn judge_quote(window: &QuoteWindow<'_>) -> Option<bool> {
    let leniencies = window.rules;
    // Nothing is kept of what the readings say: only their costs count.
    let options = SearchOptions { leniencies, roots: 0, slips: 0, ..SearchOptions::default() };
    let mut machine = RepairMachine::new(window.text, options);
    machine.at = window.at;
    let stack = window.containers.iter().fold(StackId::EMPTY, |stack, container| {
        machine.stacks.push(stack, container_of(*container))
    });
    machine.step(reading_in(window, stack));
    let (inside, ended): (Vec<_>, Vec<_>) = core::mem::take(&mut machine.out)
        .into_iter()
        .partition(|(_, reading)| matches!(reading.state, State::Quoted(_)));
    let mut cheapest = |readings| {
        machine.at = window.at;
        Beam::new(&mut machine).cheapest(readings, window.is_end)
    };
    match (cheapest(ended), cheapest(inside)) {
        (None, inside) => (window.is_last || inside.is_some()).then_some(false),
        (Some(_), None) => Some(true),
        (Some(ended), Some(inside)) if window.is_last || ended.abs_diff(inside) >= SURE => {
            Some(ended <= inside)
        }
        _ => None,
    }
}

/// The reading that stands before the quote.
fn reading_in(window: &QuoteWindow<'_>, stack: StackId) -> Reading {
    let quoted = Quoted {
        quote: match window.quote {
            JsonQuote::Double => Quote::Double,
            JsonQuote::Single => Quote::Single,
            JsonQuote::Backtick => Quote::Backtick,
            JsonQuote::SmartDouble => Quote::SmartDouble,
            JsonQuote::SmartSingle => Quote::SmartSingle,
            JsonQuote::TripleDouble => Quote::TripleDouble,
            JsonQuote::TripleSingle => Quote::TripleSingle,
            JsonQuote::DoubledDouble => Quote::Doubled,
        },
        role: if window.is_key { Role::Key } else { Role::Value },
        start: 0,
        inner: window.inner.count,
        balance: window.inner.balance,
    };
    Reading::at(State::Quoted(quoted), stack)
}

const fn container_of(container: JsonContainer) -> Container {
    match container {
        JsonContainer::Object => Container::Object,
        JsonContainer::List => Container::List,
        JsonContainer::Tuple => Container::Tuple,
    }
}

#[cfg(test)]
mod tests {
    use crate::spec::Spec;

    /// What the stream reads, without the search at the end.
    #[test]
    fn quotes_are_judged_by_what_follows() {
        for (text, value) in [
            (r#"{"x":"is {"b":"m"}, wrong","y":2}"#, r#"{"x":"is {\"b\":\"m\"}, wrong","y":2}"#),
            (r#"{"code":"f("a", "b")","n":1}"#, r#"{"code":"f(\"a\", \"b\")","n":1}"#),
            (r#"{"m":"use ["a"] now","n":1}"#, r#"{"m":"use [\"a\"] now","n":1}"#),
            (r#"{"a": "x" 5, "b": 2, "c": 3}"#, r#"{"a":"x","b":2,"c":3}"#),
            (r#"{"p":"12.50" (incl. VAT), "q":1}"#, r#"{"p":"12.50","q":1}"#),
            (r#"{"a":"x"<br>, "b":1}"#, r#"{"a":"x","b":1}"#),
            (r#"["a" 2]"#, r#"["a",2]"#),
            (r#"{"a":"he said "hi"","b":1}"#, r#"{"a":"he said \"hi\"","b":1}"#),
            (r#"{"a"2}"#, r#"{"a":2}"#),
        ] {
            let spec = Spec::json().without_repair();
            for chunk in [1, 3, text.len()] {
                let mut parser = spec.parser();
                for bytes in text.as_bytes().chunks(chunk) {
                    parser.feed(bytes, |_| {}).unwrap();
                }
                let answer = parser.finish(|_| {}).unwrap();
                assert_eq!(answer.value().to_string(), value, "{text} in {chunk}");
            }
        }
    }
}
