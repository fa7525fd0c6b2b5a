//! Splits a text into tokens like those of a model.

/// The most letters of a token.
const WORD: usize = 7;

/// Splits a text into tokens like those of a model: a word with the whitespace before it, a few letters of
/// a long word, a run of punctuation.
///
/// ```
/// let tokens: Vec<&str> = patchwire_samples::tokens("Hi there!").collect();
/// assert_eq!(tokens, ["Hi", " there", "!"]);
/// ```
pub fn tokens(mut text: &str) -> impl Iterator<Item = &str> {
    core::iter::from_fn(move || {
        let (token, rest) = text.split_at(token_len(text));
        text = rest;
        (!token.is_empty()).then_some(token)
    })
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

/// The length in bytes of the leading characters of a kind.
fn run(text: &str, is_one: impl Fn(char) -> bool, most: usize) -> usize {
    text.chars().take(most).take_while(|char| is_one(*char)).map(char::len_utf8).sum()
}

#[cfg(test)]
mod tests {
    use super::tokens;

    fn all(text: &str) -> Vec<&str> {
        tokens(text).collect()
    }

    #[test]
    fn tokens_are_words_and_signs() {
        let text = "{\n  \"title\": \"São Paulo, continued\"}";
        let expected = [
            "{", "\n  ", "\"", "title", "\":", " \"", "São", " Paulo", ",", " continu", "ed", "\"}",
        ];
        assert_eq!(all(text), expected);
        assert_eq!(all(text).concat(), text);
        for sample in crate::all() {
            assert_eq!(all(sample.text).concat(), sample.text);
        }
    }
}
