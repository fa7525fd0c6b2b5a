//! The text of a prompt that makes a model write what is expected: an answer in the wire form, in which
//! placeholders say the types, limits, needs and descriptions, and few rules.

mod rules;

use core::fmt;

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
/// assert!(prompt.as_str().contains("<required: one line>"));
/// assert_eq!(
///     prompt.skeleton(),
///     "<answer_fields>\n<field name=\"title\" type=\"text\">\n<string>\n</field>\n</answer_fields>",
/// );
/// # Ok::<(), patchwire::SpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    text: String,
    skeleton: String,
}

impl Prompt {
    /// All of the instructions. Ends with a line feed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// An answer in the wire form, with a placeholder such as `<string>` or `<integer>` where each
    /// value goes. Lists and maps have one item, and of several types it shows one. The prompt shows the
    /// same form with all that the schema says. Empty where the answer is plain text.
    #[must_use]
    pub fn skeleton(&self) -> &str {
        &self.skeleton
    }

    fn new(spec: &Spec) -> Self {
        let row = spec.0.row;
        let schema = spec.schema().filter(|_| row.has_payload());
        let root = schema.map(outline::read);
        let parts = row.prompt(&PromptRequest { root: root.as_ref(), names: &spec.0.fields });
        let mut text = parts.opening;
        text.push('\n');
        if let Some(description) = root.as_ref().and_then(|root| root.description.as_ref()) {
            text.push_str(&format!("It is: {description}\n"));
        }
        if !parts.form.is_empty() {
            text.push_str(&format!("\n{}\n", parts.form));
        }
        let mut all_rules = parts.rules;
        if let Some(root) = &root {
            all_rules.extend(rules::of_schema(root, row.has_payload()));
        }
        if !all_rules.is_empty() {
            text.push_str(&format!("\n{}\n", all_rules.join("\n")));
        }
        Self { text, skeleton: parts.skeleton }
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
