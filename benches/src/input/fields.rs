//! An object of long texts, in the formats that write fields.

use super::answer;

/// The names of the fields.
pub const NAMES: [&str; 8] =
    ["title", "summary", "plan", "findings", "evidence", "risks", "next_steps", "final_answer"];

/// How fields are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "whoever measures these measures all of them")]
pub enum Layout {
    /// Nothing but the text of the fields.
    Text,
    /// `<field name="title">` in a root tag.
    Tags,
    /// Sections under headers.
    Sections,
    /// A YAML document of literal block scalars in a fence.
    Yaml,
}

/// So many bytes of prose, in eight fields.
#[must_use]
pub fn fields(bytes: usize, layout: Layout) -> String {
    let text = answer(bytes);
    let mut rest = text.as_str();
    let mut out = String::with_capacity(2 * bytes);
    out.push_str(match layout {
        Layout::Tags => "<answer_fields>\n",
        Layout::Yaml => "```yaml\n",
        Layout::Text | Layout::Sections => "",
    });
    for (at, name) in NAMES.iter().enumerate() {
        let (own, behind) = rest.split_at(rest.len() / (NAMES.len() - at));
        rest = behind;
        match layout {
            Layout::Text => out.push_str(own),
            Layout::Tags => {
                out.push_str(&format!("<field name=\"{name}\" type=\"text\">\n{own}\n</field>\n"));
            }
            Layout::Sections => out.push_str(&format!("### {name}\n{own}\n\n")),
            Layout::Yaml => {
                out.push_str(&format!("{name}: |\n"));
                for line in own.lines() {
                    out.push_str(if line.is_empty() { "" } else { "  " });
                    out.push_str(line);
                    out.push('\n');
                }
            }
        }
    }
    out.push_str(match layout {
        Layout::Tags => "</answer_fields>\n",
        Layout::Yaml => "```\n",
        Layout::Text | Layout::Sections => "",
    });
    out
}
