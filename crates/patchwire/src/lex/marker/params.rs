//! The parameters and attributes of a complete marker.

use super::bytes::ByteSet;
use super::pattern::{MarkerPart, MarkerPattern};
use crate::lex::attributes::attribute_list;

/// Names and values, in order.
pub(crate) type MarkerParams = Vec<(String, String)>;

impl MarkerPattern {
    /// Reads the parameters and attributes of a text that matches the grammar.
    pub(crate) fn params(&self, text: &str) -> MarkerParams {
        let mut found = MarkerParams::new();
        let mut rest = text;
        for piece in &self.pieces {
            match piece {
                MarkerPart::Literal(bytes) => rest = rest.get(bytes.len()..).unwrap_or(""),
                MarkerPart::Blanks | MarkerPart::Gap => rest = rest.trim_start_matches([' ', '\t']),
                MarkerPart::Param { name, allow, .. } => {
                    let (value, after) = rest.split_at(run(rest, allow));
                    found.push((name.clone(), value.to_owned()));
                    rest = after;
                }
                MarkerPart::Attributes { .. } => {
                    let list = &rest[..rest.len().saturating_sub(1)];
                    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
                    found.extend(attribute_list(list).map(owned));
                    rest = ">";
                }
            }
        }
        found
    }

    /// Whether the marker has parameters or attributes.
    pub(crate) fn has_params(&self) -> bool {
        let reads = |piece: &MarkerPart| {
            matches!(piece, MarkerPart::Param { .. } | MarkerPart::Attributes { .. })
        };
        self.pieces.iter().any(reads)
    }
}

fn run(text: &str, allow: &ByteSet) -> usize {
    text.bytes().position(|byte| !allow.contains(byte)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use crate::lex::marker::{MarkerPattern, MarkerStyle};

    fn read(marker: &str, attributes: Option<bool>, text: &str) -> String {
        let style = MarkerStyle { attributes, ..MarkerStyle::default() };
        let pattern = MarkerPattern::parse(marker, style, &[]).expect("a marker");
        let params = pattern.params(text);
        params.iter().map(|(key, value)| format!("{key}={value};")).collect()
    }

    #[test]
    fn parameters_are_what_stands_between_the_literals() {
        let marker = "<<T/{name}:{id}>>";
        assert_eq!(read(marker, None, "<<T/web:c:1>>"), "name=web;id=c:1;");
        assert_eq!(read("<t{_}n={n}{_}>", None, "<t  n=web\t >"), "n=web;");
    }

    #[test]
    fn attributes_come_in_order_with_any_quotes() {
        let text = "<a x=\"1 > 0\" y = 'q\"' z=7\nopen/>";
        assert_eq!(read("<a>", Some(true), text), "x=1 > 0;y=q\";z=7;open=;");
        assert_eq!(read("<a>", Some(false), "<a k=\"v\"/>"), "k=v;");
        assert_eq!(read("<a>", Some(false), "<a >"), "");
    }
}
