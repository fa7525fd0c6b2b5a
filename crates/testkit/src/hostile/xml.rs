//! Bodies with tags in them: near misses, nesting, siblings, attributes.

use patchwire::Spec;
use patchwire::internals::XmlBody;

use super::{Shape, around, finish, nested, numbered, wide};
use crate::reading_modes::{ReadingMode, XML_NAMES, xml_schema};

/// Shapes for bodies.
pub const SHAPES: &[Shape] = &[
    Shape { name: "xml_less", make: |n| around("<a>", "<", "", n) },
    Shape { name: "xml_ampersands", make: |n| around("<a>", "&", "", n) },
    Shape { name: "xml_openers_begun", make: |n| around("<a>", "<a ", "", n) },
    Shape { name: "xml_closers_begun", make: |n| around("<a>", "</a ", "", n) },
    Shape { name: "xml_values_begun", make: |n| around("<a>", "<a x='<a x=\"", "", n) },
    Shape { name: "xml_values_woven", make: |n| around("<a>", "<a x=' b='\" c=\"", "", n) },
    Shape { name: "xml_value_of_less", make: |n| around("<a><a b='", "<", "", n) },
    Shape {
        name: "xml_values_of_openers",
        make: |n| around("<a>", format!("<a b='{}", "<a b=\"".repeat(160)), "", n),
    },
    Shape { name: "xml_entities", make: |n| around("<a>", "&#65;&lt;&#x;&am", "</a>", n) },
    Shape { name: "xml_doctypes", make: |n| around("", "<!DOCTYPE [<\n", "", n) },
    Shape { name: "xml_comments", make: |n| around("<a>", "<!--x-->", "</a>", n) },
    Shape { name: "xml_comment", make: |n| around("<a><!--", "-- ->", "", n) },
    Shape { name: "xml_cdata", make: |n| around("<a><![CDATA[", "]] >", "", n) },
    Shape { name: "xml_blanks", make: |n| around("<a>", " \n", "<b/></a>", n) },
    Shape { name: "xml_blanks_between", make: |n| around("<a>", "<b/>   \n", "</a>", n) },
    Shape { name: "xml_nested", make: |n| nested("<a>", "x", "</a>", n) },
    Shape { name: "xml_open", make: |n| around("", "<a>", "", n) },
    Shape { name: "xml_strays_inside", make: |n| nested("<a>", "", "</b>", n) },
    Shape { name: "xml_siblings", make: |n| around("<a>", "<x>1</x>", "</a>", n) },
    Shape { name: "xml_siblings_in_turn", make: |n| around("<a>", "<x/><y/>t", "</a>", n) },
    Shape {
        name: "xml_names",
        make: |n| numbered("<a>", |at| format!("<k{at}>1</k{at}>"), "</a>", n),
    },
    Shape {
        name: "xml_lists",
        make: |n| numbered("<a>", |at| format!("<k{}/>", at / 2), "</a>", n),
    },
    Shape { name: "xml_mixed", make: |n| nested("<a>t", "x", "t</a>", n) },
    Shape { name: "xml_pairs", make: |n| nested("<a><b/><b/>", "x", "</a>", n) },
    Shape { name: "xml_attributes", make: |n| around("", "<a b='1' c='2' b='3'/>", "", n) },
    Shape { name: "xml_numbers", make: |n| around("<a>", "<n>1234567890</n>", "</a>", n) },
    Shape { name: "xml_long_number", make: |n| around("<n>", "1234567890", "</n>", n) },
];

/// The reading modes for these shapes.
#[must_use]
pub fn ways() -> Vec<ReadingMode> {
    let typed = XmlBody::any().typed_by_content();
    let bodies = [
        ("xml_any", XmlBody::any(), true),
        ("xml_known", XmlBody::known(XML_NAMES), true),
        ("xml_schema", XmlBody::of_schema(xml_schema()), true),
        ("xml_bare", typed, false),
    ];
    let setup = |(name, body, keep): (&'static str, XmlBody, bool)| {
        let machine = body.limits(wide()).machine();
        let builder = Spec::builder().without_tags().machine(machine).limits(wide());
        let builder = if name == "xml_schema" { builder.schema(xml_schema()) } else { builder };
        let builder = if keep { builder } else { builder.without_value().without_raw() };
        ReadingMode { name, spec: finish(builder) }
    };
    bodies.map(setup).to_vec()
}
