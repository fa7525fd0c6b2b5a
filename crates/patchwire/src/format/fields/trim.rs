//! What of a text field counts: blanks round it do not.
//!
//! In front: lines of nothing but blanks are dropped, and blanks on the line on which the field was
//! opened; the indent of the first line with text stays. Behind: all blanks are held until something
//! else comes, and dropped at the end. A line ends with LF or CRLF and is told as LF; another CR is
//! content.

/// The blanks of a field that is being read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trim {
    /// Nothing but blanks came; whether the text began on the line on which the field was opened.
    lead: Option<bool>,
    /// Blanks that may be the last.
    held: String,
}

const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

impl Trim {
    /// Before the first byte of a field; whether the line on which it was opened goes on.
    pub(crate) const fn new(same_line: bool) -> Self {
        Self { lead: Some(same_line), held: String::new() }
    }

    /// Reads text: what is certain by it goes to `out`.
    pub(crate) fn read(&mut self, text: &str, out: &mut String) {
        let solid = text.trim_end_matches(BLANKS);
        let (solid, blanks) = text.split_at(solid.len());
        if !solid.is_empty() {
            let first = solid.len() - solid.trim_start_matches(BLANKS).len();
            self.hold(&solid[..first]);
            self.release(out);
            let mut rest = &solid[first..];
            while let Some(at) = rest.find("\r\n") {
                out.push_str(&rest[..at]);
                rest = &rest[at + 1..];
            }
            out.push_str(rest);
        }
        self.hold(blanks);
    }

    /// Whether nothing but blanks came so far.
    pub(crate) const fn is_blank(&self) -> bool {
        self.lead.is_some()
    }

    /// What is held.
    pub(crate) fn held(&self) -> &str {
        &self.held
    }

    fn hold(&mut self, blanks: &str) {
        for char in blanks.chars() {
            if char == '\n' && self.held.ends_with('\r') {
                self.held.pop();
            }
            self.held.push(char);
        }
    }

    /// What was held is not the last: it goes out, or was in front.
    fn release(&mut self, out: &mut String) {
        let kept = match (self.lead.take(), self.held.rfind('\n')) {
            (None, _) => &self.held[..],
            (Some(_), Some(line)) => &self.held[line + 1..],
            (Some(true), None) => "",
            (Some(false), None) => &self.held[..],
        };
        out.push_str(kept);
        self.held.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::Trim;

    fn trimmed(parts: &[&str], same_line: bool) -> String {
        let (mut trim, mut out) = (Trim::new(same_line), String::new());
        parts.iter().for_each(|part| trim.read(part, &mut out));
        out
    }

    #[test]
    fn blanks_round_a_field_are_dropped_at_any_cut() {
        for (text, same_line, expected) in [
            (" a b \n", true, "a b"),
            (" a", false, " a"),
            ("\n \n  a\n\n b \r\n\r\n", true, "  a\n\n b"),
            ("a\r\nb\rc\r", true, "a\nb\rc"),
            ("\r\n\r\n", true, ""),
            ("a \r\n \r\nb", false, "a \n \nb"),
        ] {
            assert_eq!(trimmed(&[text], same_line), expected, "{text:?}");
            for cut in 0..=text.len() {
                let parts = [&text[..cut], &text[cut..]];
                assert_eq!(trimmed(&parts, same_line), expected, "{parts:?}");
            }
            let chars: Vec<String> = text.chars().map(String::from).collect();
            let chars: Vec<&str> = chars.iter().map(String::as_str).collect();
            assert_eq!(trimmed(&chars, same_line), expected, "{text:?}");
        }
    }
}
