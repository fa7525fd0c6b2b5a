//! Finds the title of a step.

/// The most bytes of a title that is neither numbered nor a heading.
const LONG: usize = 80;

/// The title and the text after its line, if the first line with text is a title: it begins like `Step 1`,
/// is a Markdown heading, or is short and neither a sentence nor the begin of a block.
pub(super) fn split(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let line = line.trim_end();
    let words = line.trim_start_matches('#').trim_start();
    let is_heading = line.starts_with('#') && line[line.len() - words.len() - 1..].starts_with(' ');
    // The line ends in no blank, so there are words behind one.
    if is_heading {
        return Some((words, rest));
    }
    (is_numbered(line) || is_short(line)).then_some((line, rest))
}

/// Whether a line begins like `Step 1`, in any case.
fn is_numbered(line: &str) -> bool {
    let word = line.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("step "));
    word && line[5..].trim_start().starts_with(|first: char| first.is_ascii_digit())
}

fn is_short(line: &str) -> bool {
    let begins = line.chars().next().is_some_and(|first| first.is_alphabetic());
    let is_sentence = line.ends_with(['.', '!', '?', ':', ';', ',', '…']);
    begins && !is_sentence && line.len() <= LONG
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_others() {
        for (text, title) in [
            ("\n\nStep 1: Looking, then. ✓ \nx", Some("Step 1: Looking, then. ✓")),
            ("step 12", Some("step 12")),
            ("## Looking it up.\nx", Some("Looking it up.")),
            ("Looking it up ✓\nx", Some("Looking it up ✓")),
            ("I will look it up.\nx", None),
            ("#tag\nx", None),
            ("#", None),
            ("```\nx", None),
            ("- x\n- y", None),
            ("1. x", None),
            ("", None),
        ] {
            assert_eq!(split(text).map(|(title, _)| title), title, "{text:?}");
        }
        assert_eq!(split(&"long ".repeat(20)), None);
        assert_eq!(split(&"x".repeat(LONG)).map(|(title, _)| title.len()), Some(LONG));
        assert_eq!(split(&"x".repeat(LONG + 1)), None);
        assert_eq!(split("A\nb\nc"), Some(("A", "b\nc")));
    }
}
