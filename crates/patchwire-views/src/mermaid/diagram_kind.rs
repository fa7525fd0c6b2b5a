//! The kind of a diagram, by its first word.

use core::fmt;

/// The kind of a Mermaid diagram.
///
/// ```
/// use patchwire_views::mermaid::DiagramKind;
///
/// assert_eq!(DiagramKind::of("%% mine\nstateDiagram-v2\n[*] --> A").name(), "state");
/// assert_eq!(DiagramKind::of("no such thing"), DiagramKind::Unknown);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DiagramKind {
    /// `flowchart` or `graph`.
    Flowchart,
    /// `sequenceDiagram`.
    Sequence,
    /// `stateDiagram`, `stateDiagram-v2`.
    State,
    /// `classDiagram`.
    Class,
    /// `erDiagram`.
    Er,
    /// `gantt`.
    Gantt,
    /// `pie`.
    Pie,
    /// `journey`.
    Journey,
    /// `gitGraph`.
    GitGraph,
    /// `mindmap`.
    Mindmap,
    /// `timeline`.
    Timeline,
    /// `quadrantChart`.
    Quadrant,
    /// `requirementDiagram`.
    Requirement,
    /// `C4Context`, `C4Container`, `C4Component`, `C4Dynamic`, `C4Deployment`.
    C4,
    /// `sankey`.
    Sankey,
    /// `xychart`.
    XyChart,
    /// `block`.
    Block,
    /// `packet`.
    Packet,
    /// `kanban`.
    Kanban,
    /// `architecture`.
    Architecture,
    /// Another word, or none yet.
    Unknown,
}

/// The first words of diagrams, in lower case and without the suffix of a version.
const WORDS: &[(&str, DiagramKind)] = &[
    ("flowchart", DiagramKind::Flowchart),
    ("graph", DiagramKind::Flowchart),
    ("sequencediagram", DiagramKind::Sequence),
    ("statediagram", DiagramKind::State),
    ("classdiagram", DiagramKind::Class),
    ("erdiagram", DiagramKind::Er),
    ("gantt", DiagramKind::Gantt),
    ("pie", DiagramKind::Pie),
    ("journey", DiagramKind::Journey),
    ("gitgraph", DiagramKind::GitGraph),
    ("mindmap", DiagramKind::Mindmap),
    ("timeline", DiagramKind::Timeline),
    ("quadrantchart", DiagramKind::Quadrant),
    ("requirementdiagram", DiagramKind::Requirement),
    ("requirement", DiagramKind::Requirement),
    ("c4context", DiagramKind::C4),
    ("c4container", DiagramKind::C4),
    ("c4component", DiagramKind::C4),
    ("c4dynamic", DiagramKind::C4),
    ("c4deployment", DiagramKind::C4),
    ("sankey", DiagramKind::Sankey),
    ("xychart", DiagramKind::XyChart),
    ("block", DiagramKind::Block),
    ("packet", DiagramKind::Packet),
    ("kanban", DiagramKind::Kanban),
    ("architecture", DiagramKind::Architecture),
];

/// Suffixes by which a version of a diagram differs.
const VERSIONS: [&str; 3] = ["-beta", "-v2", "-elk"];

impl DiagramKind {
    /// The kind of a diagram by its code. Skips front matter, comments and directives before the first
    /// word, which matches in any case.
    #[must_use]
    pub fn of(code: &str) -> Self {
        let word = first_word(code).to_ascii_lowercase();
        let stem = VERSIONS.iter().find_map(|version| word.strip_suffix(version)).unwrap_or(&word);
        WORDS.iter().find(|(known, _)| *known == stem).map_or(Self::Unknown, |(_, kind)| *kind)
    }

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flowchart => "flowchart",
            Self::Sequence => "sequence",
            Self::State => "state",
            Self::Class => "class",
            Self::Er => "er",
            Self::Gantt => "gantt",
            Self::Pie => "pie",
            Self::Journey => "journey",
            Self::GitGraph => "gitgraph",
            Self::Mindmap => "mindmap",
            Self::Timeline => "timeline",
            Self::Quadrant => "quadrant",
            Self::Requirement => "requirement",
            Self::C4 => "c4",
            Self::Sankey => "sankey",
            Self::XyChart => "xychart",
            Self::Block => "block",
            Self::Packet => "packet",
            Self::Kanban => "kanban",
            Self::Architecture => "architecture",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for DiagramKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn first_word(code: &str) -> &str {
    let code = past_comments(past_front_matter(code));
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    &code[..code.find(|c| !is_word(c)).unwrap_or(code.len())]
}

/// The code after its front matter: two lines of three dashes with the same indent. Empty if the second line
/// is missing.
fn past_front_matter(code: &str) -> &str {
    let code = code.trim_start_matches(['\n', '\r']);
    let mut lines = code.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim() == "---") else { return code };
    let mut at = first.len();
    for line in lines {
        at += line.len();
        if line.trim_end() == first.trim_end() {
            return &code[at..];
        }
    }
    ""
}

/// The code after whitespace, comments and directives.
fn past_comments(code: &str) -> &str {
    let mut rest = code.trim_start();
    while let Some(comment) = rest.strip_prefix("%%") {
        let directive = if comment.starts_with('{') { comment.split_once("}%%") } else { None };
        let after = directive.or_else(|| comment.split_once('\n'));
        rest = after.map_or("", |(_, after)| after.trim_start());
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for (code, name) in [
            ("flowchart TD\nA-->B", "flowchart"),
            ("graph;A-->B", "flowchart"),
            ("flowchart-elk LR", "flowchart"),
            ("\n  sequenceDiagram\n", "sequence"),
            ("stateDiagram", "state"),
            ("stateDiagram-v2\n", "state"),
            ("classDiagram-v2", "class"),
            ("gitGraph:\n commit", "gitgraph"),
            ("pie title Pets", "pie"),
            ("xychart-beta", "xychart"),
            ("packet-beta", "packet"),
            ("C4Deployment", "c4"),
            ("requirementDiagram", "requirement"),
            ("SequenceDiagram", "sequence"),
            ("graphs", "unknown"),
            ("A --> graph", "unknown"),
            ("", "unknown"),
        ] {
            assert_eq!(DiagramKind::of(code).name(), name, "{code:?}");
        }
        for (word, kind) in WORDS {
            assert_eq!(DiagramKind::of(word), *kind);
            assert_eq!(DiagramKind::of(&format!("{word}-beta x")), *kind);
        }
    }

    #[test]
    fn front_matter_comments_and_directives_are_skipped() {
        for code in [
            "%% pie\n%% gantt\nmindmap",
            "%%{init: {\"theme\": \"dark\"}}%%\nmindmap",
            "%%{init: {\n  'theme': 'dark'\n}}%% mindmap",
            "---\ntitle: pie\n---\nmindmap",
            "\n  ---\n  a: |\n---\n  ---\n%% x\n  mindmap",
            "---\r\ntitle: pie\r\n---\r\n%%{init: {}}%%\r\nmindmap\r\n",
        ] {
            assert_eq!(DiagramKind::of(code), DiagramKind::Mindmap, "{code:?}");
        }
        for code in ["---\ntitle: pie\npie", "%% pie", "%%{init: {", "--- \npie"] {
            assert_eq!(DiagramKind::of(code), DiagramKind::Unknown, "{code:?}");
        }
    }
}
