//! The table of formats: one row each.

use super::json::JsonRow;
use super::row::{FormatRow, FormatSample, MemberTypes};
use super::sections::SectionsRow;
use super::text::TextRow;
use super::xml_field::XmlFieldRow;
use super::yaml::YamlRow;
use crate::schema::Schema;

/// Declares the formats, with the row of each beside it.
macro_rules! formats {
    ($($(#[$doc:meta])* $variant:ident => $row:expr,)*) => {
        /// The syntax of the payload.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        #[non_exhaustive]
        pub enum Format {
            $($(#[$doc])* $variant,)*
            /// Chosen by the shape of the schema, never by its names or the output: an object of strings
            /// alone is [`XmlField`](Self::XmlField), one of strings and other values
            /// [`Hybrid`](Self::Hybrid), anything else [`Json`](Self::Json). A string that lists its
            /// values counts as another value.
            Auto,
        }

        impl Format {
            /// Every format, in the order of its declaration; [`Auto`](Self::Auto) is the last.
            pub const ALL: [Self; [$(stringify!($variant)),*].len() + 1] =
                [$(Self::$variant,)* Self::Auto];

            /// The row of the format. [`Auto`](Self::Auto) has none before a schema decides.
            pub(crate) const fn row(self) -> Option<&'static dyn FormatRow> {
                match self {
                    $(Self::$variant => Some(&$row),)*
                    Self::Auto => None,
                }
            }
        }
    };
}

formats! {
    /// JSON, RFC 8259.
    #[default]
    Json => JsonRow,
    /// Fields between tags: `<field name="title" type="text">` in a root tag.
    XmlField => XmlFieldRow,
    /// Sections under headers: text, or JSON where the schema has no text.
    Hybrid => SectionsRow::HYBRID,
    /// Sections under headers, all of them text while they stream.
    Markdown => SectionsRow::MARKDOWN,
    /// One YAML mapping, between markers or in a fence.
    YamlLiteral => YamlRow,
    /// No payload: the answer is text.
    Text => TextRow,
}

/// The row that is used where no other fits.
pub(crate) const STANDARD: &dyn FormatRow = &JsonRow;

impl Format {
    /// The stable name: on the wire, in settings and in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().map_or("auto", FormatRow::name)
    }

    /// Other spellings of the name that settings accept.
    #[must_use]
    pub fn aliases(self) -> &'static [&'static str] {
        self.row().map_or(&[], FormatRow::aliases)
    }

    /// The format of a name: one of [`name`](Self::name) or [`aliases`](Self::aliases).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let is_named = |format: &Self| format.name() == name || format.aliases().contains(&name);
        Self::ALL.into_iter().find(is_named)
    }

    /// One line for help texts.
    #[must_use]
    pub fn about(self) -> &'static str {
        const AUTO: &str = "Chosen by the schema: xml_field for an object of strings, hybrid if it has \
                            other values too, else json";
        self.row().map_or(AUTO, FormatRow::about)
    }

    /// An answer in this format as models write it; none for [`Auto`](Self::Auto).
    #[must_use]
    pub fn sample(self) -> Option<FormatSample> {
        self.row().map(FormatRow::sample)
    }

    /// What a text lacks in which no payload was found. Completes "only text in 12 bytes"; empty where
    /// there is nothing to say.
    #[must_use]
    pub fn missing_marker(self) -> &'static str {
        self.row().map_or("", FormatRow::missing_marker)
    }

    /// The format under a schema: [`Auto`](Self::Auto) is decided by the schema's shape; any other
    /// format stays.
    #[must_use]
    pub fn under(self, schema: Option<&Schema>) -> Self {
        if self != Self::Auto {
            return self;
        }
        let Some(schema) = schema else { return Self::default() };
        let texts: Vec<bool> = schema.members_are_text().collect();
        let members = MemberTypes { texts: texts.contains(&true), values: texts.contains(&false) };
        let fits = |format: &Self| format.row().is_some_and(|row| row.is_automatic_for(members));
        Self::ALL.into_iter().find(fits).unwrap_or_default()
    }
}

impl core::fmt::Display for Format {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}
