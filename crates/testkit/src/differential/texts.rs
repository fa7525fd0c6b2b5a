//! Texts of a format from a seed: well-formed ones, spoilt ones, short ones that are easily misread, and
//! changed ones, made of well-formed texts and of cases of the corpus.

use super::DifferentialCase;
use crate::generate::Rng;
use crate::generate::fields::spoilt::{schema, tokens};
use crate::generate::fields::{rough, sample, spoilt};
use crate::oracle::fields::table::{self, FormatCase};
use crate::oracle::fields::{Format, Schema};

/// An endless sequence of texts.
#[derive(Debug, Clone)]
pub struct Texts {
    format: Format,
    rng: Rng,
    corpus: Vec<FormatCase>,
}

impl Texts {
    /// From a seed.
    #[must_use]
    pub fn new(format: Format, seed: u64) -> Self {
        let all = table::cases().into_iter().chain(table::decided()).chain(table::regressions());
        let corpus = all.filter(|case| case.format == format).collect();
        Self { format, rng: Rng::new(seed), corpus }
    }

    fn text(&mut self) -> (Schema, String) {
        let rng = &mut self.rng;
        match rng.below(8) {
            0 | 1 => {
                let sample = sample(rng, self.format);
                (sample.schema, sample.text)
            }
            2 | 3 => spoilt(rng, self.format),
            4 | 5 if self.format == Format::YamlLiteral => (schema(), rough::lines(rng)),
            4..=6 => (schema(), rough::text(rng, self.format)),
            _ => {
                let (schema, text) = if rng.once_in(2) {
                    let sample = sample(rng, self.format);
                    (sample.schema, sample.text)
                } else {
                    let case = &self.corpus[rng.below(self.corpus.len())];
                    (case.schema.clone(), case.input.clone())
                };
                let mut text: Vec<char> = text.chars().collect();
                for _ in 0..1 + rng.below(3) {
                    change(rng, self.format, &mut text);
                }
                (schema, text.into_iter().collect())
            }
        }
    }
}

impl Iterator for Texts {
    type Item = DifferentialCase;

    fn next(&mut self) -> Option<DifferentialCase> {
        let (schema, text) = self.text();
        let schema = if self.rng.once_in(3) { None } else { Some(schema) };
        Some(DifferentialCase { format: self.format, schema, text, cuts: self.rng.next() })
    }
}

/// Removes, repeats or moves a piece, inserts something, or cuts the text off.
fn change(rng: &mut Rng, format: Format, text: &mut Vec<char>) {
    let at = rng.below(text.len() + 1);
    let end = (at + 1 + rng.below(6)).min(text.len());
    match rng.below(7) {
        0 => drop(text.drain(at..end)),
        1 => {
            let piece: Vec<char> = text[at..end].to_vec();
            text.splice(at..at, piece);
        }
        2 => {
            let piece: Vec<char> = text.drain(at..end).collect();
            let to = rng.below(text.len() + 1);
            text.splice(to..to, piece);
        }
        3 | 4 => drop(text.splice(at..at, rng.pick(rough::alphabet(format)).chars())),
        5 => drop(text.splice(at..at, rng.pick(tokens(format)).chars())),
        _ if rng.once_in(4) => text.truncate(at),
        _ => drop(text.splice(at..end, rng.pick(rough::alphabet(format)).chars())),
    }
}
