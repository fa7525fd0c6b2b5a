//! What a model is told, so that it writes what is expected: the wire form, its rules, the fields
//! with types, descriptions and what is required, and a skeleton in exactly that form.

mod fields;
mod outline;
mod rules;
mod skeleton;

use core::fmt;
use core::ops::Range;

use crate::spec::{Format, Spec};
use outline::Item;

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
///     "<agently_output>\n<field name=\"title\" type=\"text\">\n<string>\n</field>\n</agently_output>",
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
        let schema = spec.schema().filter(|_| spec.format() != Format::Text);
        let root = schema.map(outline::read);
        let names = Names { root_tag: &spec.0.fields.root_tag, document: &spec.0.fields.document };
        let mut text = String::from("OUTPUT FORMAT\n\n");
        text.push_str(&rules::opening(spec.format(), root.as_ref(), names));
        text.push('\n');
        if let Some(root) = &root {
            let fields = fields::list(root);
            if !fields.is_empty() {
                text.push_str("\nFields, in this order:\n");
                text.push_str(&fields);
            }
        }
        let mut place = text.len()..text.len();
        if spec.format() != Format::Text {
            text.push_str("\nIn this form, each <placeholder> replaced by a value:\n\n");
            let start = text.len();
            text.push_str(&skeleton::of(spec.format(), root.as_ref(), names));
            place = start..text.len();
            text.push('\n');
        }
        let rules = rules::rules(spec.format(), root.as_ref());
        if !rules.is_empty() {
            text.push_str("\nRules:\n");
            rules.iter().for_each(|rule| text.push_str(&format!("- {rule}\n")));
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

/// What the wire forms call their parts.
#[derive(Debug, Clone, Copy)]
struct Names<'s> {
    /// The root tag of `xml_field`.
    root_tag: &'s str,
    /// The name in the markers round a `yaml_literal` document.
    document: &'s str,
}

/// The fields of a root, in the formats that write the members of one object.
fn members(root: Option<&Item>) -> &[Item] {
    match root.map(|root| &root.form) {
        Some(outline::Form::Object { members, .. }) => members,
        _ => &[],
    }
}
