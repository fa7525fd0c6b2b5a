//! Cases that are data: one JSON object a line.

use std::path::PathBuf;

use super::{Json, strict};

/// One line of a table.
#[derive(Debug, Clone)]
pub struct TableCase(Json);

impl TableCase {
    /// A string of the case; empty if it has none of that name.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        if let Some(Json::String(text)) = self.get(name) { text } else { "" }
    }

    /// A member of the case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Json> {
        let Json::Object(members) = &self.0 else { return None };
        members.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The input: `input`, or the bytes that `hex` writes.
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

/// The cases of a file of the corpus.
///
/// # Panics
/// If it is not there, or a line of it is not a JSON object.
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
