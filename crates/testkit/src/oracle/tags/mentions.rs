//! Answers whose opener was a mention in reasoning: the opener interrupted the reasoning, a closer of the reasoning
//! came while the answer was open, and another answer followed.

use super::code::MARKER;
use super::place::OpenElement;
use super::profile::{ANSWER, Family};

/// The answers of a text.
#[derive(Debug, Default)]
pub(super) struct Answers<'p> {
    all: Vec<AnswerRecord<'p>>,
    /// For each open element, its place in `all` if it is an answer.
    open: Vec<Option<usize>>,
}

#[derive(Debug)]
struct AnswerRecord<'p> {
    /// The families of the reasoning that the opener interrupted.
    interrupted: Vec<&'p Family>,
    is_doubted: bool,
    has_text: bool,
    start: usize,
    end: usize,
}

impl<'p> Answers<'p> {
    /// An element opens, whose content starts at `start`.
    pub(super) fn begin(&mut self, family: &Family, start: usize, interrupted: Vec<&'p Family>) {
        let is_answer = family.channel == ANSWER;
        self.open.push(is_answer.then_some(self.all.len()));
        if is_answer {
            let (is_doubted, has_text) = (false, false);
            self.all.push(AnswerRecord { interrupted, is_doubted, has_text, start, end: start });
        }
    }

    /// The innermost element closes, whose content ends at `end`.
    pub(super) fn close(&mut self, element: &OpenElement<'_>, end: usize) {
        let Some(answer) = self.open.pop().flatten() else { return };
        let is_visible = |byte: &u8| !byte.is_ascii_whitespace() && *byte != MARKER;
        self.all[answer].has_text = element.text.iter().any(is_visible);
        self.all[answer].end = end;
    }

    /// A closer of this family closes nothing.
    pub(super) fn stray(&mut self, family: &Family) {
        if let Some(Some(answer)) = self.open.last().copied() {
            let answer = &mut self.all[answer];
            answer.is_doubted |= answer.interrupted.iter().any(|it| it.is_akin(family));
        }
    }

    /// At the end: the content of each answer that was a mention.
    pub(super) fn mentions(&self) -> Vec<(usize, usize)> {
        let last = self.all.iter().rposition(|answer| !answer.is_doubted).unwrap_or(0);
        let mentions = self.all[..last.min(self.all.len())].iter();
        let mentions = mentions.filter(|answer| answer.is_doubted && answer.has_text);
        mentions.map(|answer| (answer.start, answer.end)).collect()
    }
}
