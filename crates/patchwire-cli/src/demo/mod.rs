//! What `demo` shows: an answer that comes with the command, cut as a model would.

mod elements;
mod fields;
mod json;
mod page;
mod samples;

pub(crate) use elements::Elements;
pub(crate) use fields::Fields;
pub(crate) use page::Page;
pub(crate) use samples::Sample;

/// Most letters of a token.
const WORD: usize = 7;

/// A text in pieces like those of a model: a word with the blank before it, a few letters of a long
/// one, a run of signs.
pub(crate) fn tokens(mut text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    while !text.is_empty() {
        let (token, rest) = text.split_at(token_len(text));
        tokens.push(token.to_owned());
        text = rest;
    }
    tokens
}

fn token_len(text: &str) -> usize {
    let blank = usize::from(text.starts_with(' '));
    let rest = &text[blank..];
    let word = run(rest, char::is_alphanumeric, WORD);
    if word > 0 {
        return blank + word;
    }
    let blanks = run(text, char::is_whitespace, usize::MAX);
    let signs = run(rest, |char| !char.is_alphanumeric() && !char.is_whitespace(), 3);
    if signs > 0 && blanks <= 1 { blank + signs } else { blanks }
}

/// Bytes of the first characters of a kind.
fn run(text: &str, is_one: impl Fn(char) -> bool, most: usize) -> usize {
    text.chars().take(most).take_while(|char| is_one(*char)).map(char::len_utf8).sum()
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn tokens_are_words_and_signs() {
        let text = "{\n  \"title\": \"São Paulo, continued\"}";
        let expected = [
            "{", "\n  ", "\"", "title", "\":", " \"", "São", " Paulo", ",", " continu", "ed", "\"}",
        ];
        assert_eq!(tokens(text), expected);
        assert_eq!(tokens(text).concat(), text);
        for text in super::samples::ALL {
            assert_eq!(tokens(text).concat(), text);
        }
    }
}
