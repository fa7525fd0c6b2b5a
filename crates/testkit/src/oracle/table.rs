//! Cases as data: one JSON object per line.

use std::path::PathBuf;

use super::{Json, strict};

/// A line of a table.
#[derive(Debug, Clone)]
pub struct TableCase(Json);

impl TableCase {
    /// The string with this name; empty if the case has none.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        if let Some(Json::String(text)) = self.get(name) { text } else { "" }
    }

    /// The member with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Json> {
        let Json::Object(members) = &self.0 else { return None };
        members.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The input: `input`, or the bytes in `hex`.
    ///
    /// # Panics
    /// If `hex` is not hexadecimal.
    #[must_use]
    pub fn input(&self) -> Vec<u8> {
        let digit = |byte: &u8| char::from(*byte).to_digit(16).expect("a hexadecimal digit") as u8;
        let byte = |pair: &[u8]| pair.iter().fold(0, |byte, half| byte << 4 | digit(half));
        match self.get("hex") {
            Some(Json::String(hex)) => hex.as_bytes().chunks(2).map(byte).collect(),
            _ => self.text("input").as_bytes().to_vec(),
        }
    }
}

/// The cases in a file of the corpus.
///
/// # Panics
/// If the file is missing, or a line is not a JSON object.
#[must_use]
pub fn cases(file: &str) -> Vec<TableCase> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let case = |(at, line): (usize, &str)| match strict::read(line.as_bytes(), 64) {
        Ok(case @ Json::Object(_)) => TableCase(case),
        other => panic!("{path:?}, line {}: {other:?}", at + 1),
    };
    text.lines().enumerate().filter(|(_, line)| !line.is_empty()).map(case).collect()
}
