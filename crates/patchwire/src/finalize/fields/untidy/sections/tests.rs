//! Sections under headers of any style: which text they hold.

use super::super::names::DeclaredNames;
use super::{Styles, before_rule, split};
use crate::schema::{Schema, int, object, str};

/// The sections of a text in one style, in all, and under plain names. Behind them stands `+` if text was left out, and
/// which names a comment hides.
fn sections(styles: Styles, text: &str) -> String {
    let schema: Schema = object()
        .field("a", str(""))
        .field("b", str(""))
        .field("n", int(""))
        .field("<x>", str(""))
        .into();
    let names = DeclaredNames::of(&schema);
    let Some(found) = split(text, &names, styles) else { return "none".to_owned() };
    let mut fields: Vec<String> =
        found.fields.iter().map(|field| format!("{}={:?}", field.name, field.text)).collect();
    fields.extend(found.has_layout.then(|| "+".to_owned()));
    fields.extend(found.hidden.iter().map(|name| format!("({name})")));
    fields.join(" ")
}

fn all(styles: Styles, rows: &[(&str, &str)]) {
    for (text, want) in rows {
        assert_eq!(sections(styles, text), *want, "{text:?}");
    }
}

#[test]
fn headers_of_one_style() {
    all(
        Styles::One,
        &[
            ("### a\nx\n### b\ny\n", "a=\"x\" b=\"y\""),
            ("### a\nx\n## b\ny\n", "a=\"x\\n## b\\ny\""),
            ("### a\nx\n###b\ny\n", "a=\"x\\n###b\\ny\""),
            ("###### a\nx\n###### b\ny", "a=\"x\" b=\"y\""),
            ("####### a\nx", "none"),
            ("   ### a\nx", "a=\"x\""),
            ("    ### a\nx", "none"),
            ("- ### a\nx\n* ### b\ny", "a=\"x\" b=\"y\""),
            (" - ### a\nx", "none"),
            ("- a\nx", "none"),
            ("### 1. a\nx\n### 2. b\ny", "a=\"x\" b=\"y\""),
            ("### a: x\n### b: y\nz", "a=\"x\" b=\"y\\nz\""),
            ("### a - x\n### b – y", "a=\"x\" b=\"y\""),
            ("### a (text)\nx\n### n (json)\n3", "a=\"x\" n=\"3\""),
            ("### a\nx\n### c\ny\n### b\nz", "a=\"x\\n### c\\ny\" b=\"z\""),
            ("### a\n### a\nx", "a=\"x\""),
            ("### a\nx\n### a\ny", "a=\"x\" a=\"y\""),
            ("# a\n\n### b\ny\n### a\nx", "a=\"### b\\ny\\n### a\\nx\""),
            ("words\n### a\nx", "a=\"x\""),
            ("", "none"),
        ],
    );
}

#[test]
fn headers_of_other_styles() {
    all(
        Styles::One,
        &[
            ("**a**\nx\n**b**\ny", "a=\"x\" b=\"y\""),
            ("**a:** x\n**b:** y\nz", "a=\"x\" b=\"y\\nz\""),
            ("**a: x**\n**b: y**", "a=\"x\" b=\"y\""),
            ("**a:**x\n**b:**y", "a=\"x\" b=\"y\""),
            ("*a*: x\n_b_: y", "none"),
            ("a\n---\nx\nb\n===\ny", "a=\"x\" b=\"y\""),
            ("a\n-\nx", "none"),
            ("a\n--- -\nx", "none"),
            ("a\n    ---\nx", "none"),
            ("=== a ===\nx\n[b]\ny", "a=\"x\" b=\"y\""),
            ("【a】x\n【b】：y", "a=\"x\" b=\"y\""),
            ("<h2>a</h2>\nx\n<strong>b</strong>\ny", "a=\"x\" b=\"y\""),
            ("📝 **a**\nx\n📝 **b**\ny", "a=\"x\" b=\"y\""),
            ("📝 1. **a**\nx\n📝 2. **b**\ny", "a=\"x\" b=\"y\""),
            ("**a** - x\n*b* - y", "a=\"x\" b=\"y\""),
            ("*a* - x\n*b* - y", "a=\"x\" b=\"y\""),
            ("*a*\nx\n_b_\ny", "a=\"x\" b=\"y\""),
            ("* a *: x", "none"),
            ("**a**\nx**\n**b**\ny ** z**", "a=\"x**\" b=\"y ** z**\""),
            ("- **a**: x\n- **b**: y", "a=\"x\" b=\"y\""),
        ],
    );
    all(
        Styles::Mixed,
        &[
            ("### a\nx\n**b**\ny\nn\n---\n3", "a=\"x\" b=\"y\" n=\"3\""),
            ("### a\nx\n**b**\ny\n### b\nz", "a=\"x\" b=\"y\\n### b\\nz\""),
            ("# a\n\n### b\ny\n### a\nx", "a=\"\" b=\"y\" a=\"x\""),
            // A line that opens a fence is no name, whatever stands below.
            ("### b\n```a\n---\nx\n```\n", "b=\"```a\\n---\\nx\\n```\""),
        ],
    );
    all(
        Styles::Plain,
        &[
            ("a: x\nb: y\nz\n", "a=\"x\" b=\"y\\nz\""),
            ("a\nx\nb\ny\n", "a=\"x\" b=\"y\""),
            ("a: \"x\"\nb: 'y'\n", "a=\"x\" b=\"'y'\""),
            // Quotes around a text below its name belong to it.
            ("a\n\"x\"\nb\ny\n", r#"a="\"x\"" b="y""#),
            ("| a | x |\n| b | y |\n", "a=\"x\" b=\"y\""),
            ("### a\nx", "none"),
        ],
    );
}

#[test]
fn text_that_is_hidden_or_left_out() {
    all(
        Styles::One,
        &[
            ("### a\n```\n### b\n```\n### n\n3", "a=\"```\\n### b\\n```\" n=\"3\""),
            ("```\n### a\nx\n### b\ny\n```\n", "a=\"x\" b=\"y\" +"),
            ("```\n### a\nx\n```\ny\n```\n### b\nz\n```\n", "a=\"x\\n```\\ny\\n```\" b=\"z\" +"),
            ("<!--\n### a\n-->\n### b\ny", "b=\"y\" (a)"),
            ("<!-- ### a -->\n### b\ny", "b=\"y\""),
            ("    <!--\n### a\nx", "a=\"x\""),
            ("   <!--\n### a\nx\n-->\n### b\ny", "b=\"y\" (a)"),
            ("<!--\n### a\nx", "none"),
            ("<r>\n### a\nx\n</r>\n### b\ny", "a=\"x\" b=\"y\" +"),
            // The element is closed once.
            ("<r>\n### a\nx\n</r>\n### b\ny\n</r>\nz", "a=\"x\" b=\"y\\n</r>\\nz\" +"),
            ("<r-1>\n### a\nx\n</r-1>\nz", "a=\"x\" +"),
            ("<r_1>\n### a\nx\n</r_1>\nz", "a=\"x\" +"),
            ("<r.1>\n### a\nx\n</r.1>\nz", "a=\"x\\n</r.1>\\nz\""),
            ("<>\n### a\nx\n</>\nz", "a=\"x\\n</>\\nz\""),
            ("<r>\n### a\nx\n</s>\n### b\ny\n</r>\nz", "a=\"x\\n</s>\" b=\"y\" +"),
            ("<r>\n</r>\n<s>\n### a\nx\n</s>\nz", "a=\"x\" +"),
            ("<r>\na\n---\nx\n</r>\nz", "a=\"x\" +"),
            // The closer of the element around all is no title, even if a field has its name.
            ("<x>\na\n---\nx\n</x>\n---\ny", "a=\"x\" +"),
            ("### a\nx\n\n---\n### b\ny\n\n---\n### n\n3\n", "a=\"x\" b=\"y\" n=\"3\" +"),
            ("### a\nx\n---\n### b\ny\n---\n### n\n3\n---\n", "a=\"x\" b=\"y\" n=\"3\" +"),
            ("### a\nx\n---\n### b\ny\n### n\n3\n---\n", "a=\"x\\n---\" b=\"y\" n=\"3\\n---\""),
            ("### a\nx\n<!-- end -->\n", "a=\"x\" +"),
            ("### a\nx\n<!-- end --> y -->\n", "a=\"x\\n<!-- end --> y -->\""),
            ("### a\n(your content here)\nx\n", "a=\"x\""),
            ("### a\n<!-- (text) what -->\nx\n", "a=\"x\""),
            ("### a\n<!-- (text) what -->\n\n(your content here)\nx\n", "a=\"x\""),
            ("### a\n<!-- what -->\nx\n", "a=\"<!-- what -->\\nx\""),
            ("---\n### a\nx\n---\n", "a=\"x\" +"),
            ("### a — what it is\nx\n### b — y", "a=\"x\" b=\"y\""),
        ],
    );
}

#[test]
fn rules_behind_a_text() {
    for (text, want) in [
        ("x\n\n---", Some("x\n")),
        ("x\n***", Some("x")),
        ("x\n_ _ _ \r", Some("x")),
        ("x\n   ***", Some("x")),
        ("x\n- - -", Some("x")),
        // Four blanks make code of it, and dashes right below a text a heading.
        ("x\n    ***", None),
        ("x\n---", None),
        ("x\n**", None),
        ("x\n**-", None),
        ("\n***", None),
        ("***", None),
        ("x\n", None),
    ] {
        assert_eq!(before_rule(text), want, "{text:?}");
    }
}
