//! What a model is told, so that it writes what is expected: the wire form, its rules, the fields
//! with types, descriptions and what is required, and a skeleton in exactly that form.

mod fields;
mod rules;

use core::fmt;
use core::ops::Range;

use crate::format::row::PromptRequest;
use crate::outline;
use crate::spec::Spec;

/// The instructions for one [`Spec`]: text to put into a prompt.
///
/// Prints as that text. What it describes is what a parser of the same spec reads.
///
/// ```
/// use patchwire::schema::{object, str};
/// use patchwire::{Format, Spec};
///
/// let schema = object().field("title", str("one line").required());
/// let spec = Spec::builder().format(Format::XmlField).schema(schema).build()?;
/// let prompt = spec.prompt();
/// assert!(prompt.as_str().contains("- `title` (string, required): one line"));
/// assert_eq!(
///     prompt.skeleton(),
///     "<answer_fields>\n<field name=\"title\" type=\"text\">\n<string>\n</field>\n</answer_fields>",
/// );
/// # Ok::<(), patchwire::SpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    text: String,
    skeleton: Range<usize>,
}

impl Prompt {
    /// All of the instructions. Ends with a line feed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// An answer in the wire form, with a placeholder such as `<string>` or `<integer>` where each
    /// value goes. Lists and maps have one item. Empty where the answer is plain text.
    #[must_use]
    pub fn skeleton(&self) -> &str {
        &self.text[self.skeleton.clone()]
    }

    fn new(spec: &Spec) -> Self {
        let row = spec.0.row;
        let schema = spec.schema().filter(|_| row.has_payload());
        let root = schema.map(outline::read);
        let parts = row.prompt(&PromptRequest { root: root.as_ref(), names: &spec.0.fields });
        let mut text = String::from("OUTPUT FORMAT\n\n");
        text.push_str(&parts.opening);
        text.push('\n');
        let fields = root.as_ref().map(fields::list).unwrap_or_default();
        if !fields.is_empty() {
            text.push_str("\nFields, in this order:\n");
            text.push_str(&fields);
        }
        let mut place = text.len()..text.len();
        if !parts.skeleton.is_empty() {
            text.push_str("\nIn this form, each <placeholder> replaced by a value:\n\n");
            let start = text.len();
            text.push_str(&parts.skeleton);
            place = start..text.len();
            text.push('\n');
        }
        let mut all_rules = parts.rules;
        if let Some(root) = &root {
            all_rules.extend(rules::of_schema(root, row.has_payload()));
        }
        if !all_rules.is_empty() {
            text.push_str("\nRules:\n");
            all_rules.iter().for_each(|rule| text.push_str(&format!("- {rule}\n")));
        }
        Self { text, skeleton: place }
    }
}

impl fmt::Display for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Spec {
    /// The instructions that make a model write what this spec reads.
    #[must_use]
    pub fn prompt(&self) -> Prompt {
        Prompt::new(self)
    }
}
