//! Texts of fields and the values that they mean.

use super::{behind_name, line_member, lines, read, scalar, without_ticks, without_unit};
use crate::document::ValueKind;
use crate::schema::{Node, Schema, bool, int, list, number, object, one_of, str, union};
use crate::spec::Spec;

/// The value of a text under a type, `~` before one that was guessed, and `+` if text was left out.
fn value(name: &str, text: &str, node: Node) -> String {
    let schema: Schema = object().field(name, node).into();
    let id = schema.member(schema.root(), name).expect("the field");
    match read(name, text, &schema, id, &Spec::json().0) {
        None => "none".to_owned(),
        Some((None, value)) => value.value().to_string(),
        Some((Some(crate::Code::TrailingContent), value)) => format!("+{}", value.value()),
        Some((Some(_), value)) => format!("~{}", value.value()),
    }
}

fn all(name: &str, node: &dyn Fn() -> Node, rows: &[(&str, &str)]) {
    for (text, want) in rows {
        assert_eq!(value(name, text, node()), *want, "{text:?}");
    }
}

#[test]
fn scalars() {
    all(
        "line",
        &|| int(""),
        &[
            ("3", "3"),
            ("`3`", "3"),
            ("Line 42", "~42"),
            ("**Line:** 42", "~42"),
            ("line = 42", "~42"),
            ("line of 42", "none"),
            // Only a list has no items.
            ("No line.", "none"),
            ("3 (as before)", "+3"),
            ("3\n\nAs before.", "+3"),
            ("3\nAs before.", "none"),
            ("3\n\n[4]", "none"),
            ("three", "none"),
            ("three\n\nAs before.", "none"),
            ("<line>3</line>", "~3"),
            ("<line>3</line><line>4</line>", "none"),
            ("{\"line\": 3}", "~3"),
            ("{\"value\": 3}", "~3"),
            ("{\"value\": 3, \"more\": 4}", "none"),
            ("[3]", "none"),
            ("3.5", "none"),
            ("x", "none"),
            ("", "none"),
        ],
    );
    all(
        "is_ok",
        &|| bool(""),
        &[
            ("yes", "~true"),
            ("Yes, it is.", "~true"),
            ("true", "true"),
            ("1", "none"),
            ("\"true\"", "~true"),
            ("Is ok: no", "~false"),
            ("maybe", "none"),
        ],
    );
    all(
        "grade_level",
        &|| number(""),
        &[("Grade 6", "~6"), ("Level 6.5", "~6.5"), ("of 6", "none"), ("1,5", "none")],
    );
    // A word of two letters is no label.
    all("day_no", &|| number(""), &[("Day 6", "~6"), ("No 6", "none")]);
    all(
        "u",
        &|| union([int(""), list(int(""))]),
        &[("3", "3"), ("[3, 4]", "[3,4]"), ("3, 4", "~[3,4]"), ("- 3\n- 4", "~[3,4]")],
    );
    all(
        "c",
        &|| one_of(["red", "blue"]),
        &[("Red", "none"), ("**red**", "none"), ("green", "none")],
    );
}

#[test]
fn lists_of_texts_and_of_numbers() {
    all(
        "alerts",
        &|| list(str("")),
        &[
            ("No alerts.", "~[]"),
            ("no alerts", "~[]"),
            ("No others.", "~[\"No others.\"]"),
            ("None", "~[]"),
            ("[]", "[]"),
            ("- a\n- b", "~[\"a\",\"b\"]"),
            ("a, b", "~[\"a\",\"b\"]"),
            ("a\nb", "~[\"a\",\"b\"]"),
            ("a\n---\nb", "~[\"a\",\"b\"]"),
            ("a\n~b", "none"),
            ("a\n```\nb", "none"),
            ("a) x\nb) y", "~[\"x\",\"y\"]"),
            ("a) x:\nb) y", "~[\"x:\",\"y\"]"),
            ("1) a 2) b", "~[\"a\",\"b\"]"),
            ("Here they are:\na, b", "~[\"a\",\"b\"]"),
            ("a, b\n\nLet me know!", "+[\"a\",\"b\"]"),
            ("<ul><li>a</li><li>b</li></ul>", "~[\"a\",\"b\"]"),
            ("<item>a</item>", "~[\"a\"]"),
            ("[\"a\", \"b\"]\n\nThat is all.", "+[\"a\",\"b\"]"),
            ("[\"a\", \"b\"] (all)", "+[\"a\",\"b\"]"),
            ("[\"a\", \"b\"", "~[\"a\",\"b\"]"),
            ("[\"a\", \"b", "none"),
            ("['a', 'b']", "~[\"a\",\"b\"]"),
            ("{\"alerts\": [\"a\"]}", "~[\"a\"]"),
            ("\"a\"\n\"b\"", "~[\"a\",\"b\"]"),
            ("[\"a\"]\n[\"b\"]", "~[\"a\",\"b\"]"),
            ("```json\n[\"a\"]\n```", "[\"a\"]"),
            ("Here:\n```json\n[\"a\"]\n```\nBye.", "+[\"a\"]"),
            ("Here\n[\"a\"]", "+[\"a\"]"),
            ("[a, b", "none"),
            ("1,000", "~[\"1,000\"]"),
            ("", "none"),
        ],
    );
    all(
        "l",
        &|| list(int("")),
        &[
            ("1, 2", "~[1,2]"),
            ("1,000", "~[1000]"),
            // Two items, where no zero shows that it is one number, and no other line does.
            ("1,234", "~[1,234]"),
            ("1,050", "~[1050]"),
            ("1,234\n5", "~[1234,5]"),
            ("- one\n- 2", "none"),
            ("1) 5\n2) 6", "~[5,6]"),
            ("[\"3\", 4]", "~[3,4]"),
            ("[\"x\", 4]", "none"),
            ("1\n2\n3", "~[1,2,3]"),
            ("No", "none"),
            ("No numbers here", "~[]"),
            ("x", "none"),
        ],
    );
}

#[test]
fn records() {
    let step = || list(object().field("do", str("")).field("minutes", int("")));
    all(
        "steps",
        &step,
        &[
            (
                "do: a\nminutes: 5\n\ndo: b\nminutes: 6",
                "~[{\"do\":\"a\",\"minutes\":5},{\"do\":\"b\",\"minutes\":6}]",
            ),
            ("- do: a\n- minutes: 5\n- do: b", "~[{\"do\":\"a\",\"minutes\":5},{\"do\":\"b\"}]"),
            ("do: a\ndo: b", "~[{\"do\":\"a\"},{\"do\":\"b\"}]"),
            (
                "| do | minutes |\n|---|---|\n| a | 5 |\n| b | 6 |",
                "~[{\"do\":\"a\",\"minutes\":5},{\"do\":\"b\",\"minutes\":6}]",
            ),
            ("| do | other |\n|---|---|\n| a | 5 |", "~[{\"do\":\"a\"}]"),
            ("| Do | Time (minutes) |\n|---|---|\n| a | 5 |", "~[{\"do\":\"a\"}]"),
            (
                "### a\nminutes: 5\n### b\n- minutes: 6\n",
                "~[{\"do\":\"a\",\"minutes\":5},{\"do\":\"b\",\"minutes\":6}]",
            ),
            (
                "**a**\nminutes: 5\n\n**b**\nminutes: 6",
                "~[{\"do\":\"a\",\"minutes\":5},{\"do\":\"b\",\"minutes\":6}]",
            ),
            ("### a\n### b", "none"),
            ("- a: 5\n- b: 6", "~[{\"do\":\"a\",\"minutes\":5},{\"do\":\"b\",\"minutes\":6}]"),
            (
                "- **a** - 5\n- **b** – 6",
                "~[{\"do\":\"a\",\"minutes\":5},{\"do\":\"b\",\"minutes\":6}]",
            ),
            (
                "- a (minutes: 5)\n- b (minutes: 6)",
                "~[{\"do\":\"a\",\"minutes\":5},{\"do\":\"b\",\"minutes\":6}]",
            ),
            ("- a - minutes: 5", "~[{\"minutes\":5}]"),
            ("- a - 5\n- b - 6", "~[{\"do\":\"a\",\"minutes\":5},{\"do\":\"b\",\"minutes\":6}]"),
            ("- a - 5 - 6", "none"),
            (
                "<do>a</do><minutes>5</minutes><do>b</do>",
                "~[{\"do\":\"a\",\"minutes\":5},{\"do\":\"b\"}]",
            ),
            ("<step><do>a</do><minutes>5</minutes></step>", "~[{\"do\":\"a\",\"minutes\":5}]"),
            (
                "{\"do\": \"a\", \"minutes\": 5}\n{\"do\": \"b\", \"minutes\": 6}",
                "~[{\"do\":\"a\",\"minutes\":5},{\"do\":\"b\",\"minutes\":6}]",
            ),
            (
                "{\"do\": \"a\"},\n{\"do\": \"b\"}\n\nThat is all.",
                "+[{\"do\":\"a\"},{\"do\":\"b\"}]",
            ),
            // Words behind an empty line are left out, whether they are a sentence or not.
            ("{\"do\": \"a\"},\n{\"do\": \"b\"}\n\nthose two", "+[{\"do\":\"a\"},{\"do\":\"b\"}]"),
            (
                "{\"do\": \"a\"},\n{\"do\": \"b\"},\n \nthose two",
                "+[{\"do\":\"a\"},{\"do\":\"b\"}]",
            ),
            ("{\"do\": \"a\"},\n{\"do\": \"b\"}\nthose two", "none"),
            ("{\"do\": \"a\"},\n{\"do\": \"b\"}\n\n(those two)", "none"),
            ("do: a, minutes: 5", "~[{\"do\":\"a\"},{\"minutes\":5}]"),
            ("a", "none"),
        ],
    );
}

#[test]
fn an_empty_text_is_no_list_of_empty_items() {
    let choices = || list(one_of(["", "a"]));
    all("c", &choices, &[("", "none"), ("a", "~[\"a\"]"), ("a, a", "~[\"a\",\"a\"]")]);
}

#[test]
fn an_object_that_may_be_something_else_is_read_if_it_is_the_only_object() {
    let of = || union([object().field("do", str("")).into(), int("")]);
    all(
        "o",
        &of,
        &[("do: a", "~{\"do\":\"a\"}"), ("{\"do\": \"a\"}", "{\"do\":\"a\"}"), ("3", "3")],
    );
    let nullable = || object().field("do", str("")).nullable();
    all("o", &nullable, &[("do: a", "~{\"do\":\"a\"}"), ("null", "null"), ("else", "none")]);
    let two = || {
        let names = ["do", "be"];
        union(names.map(|name| Node::from(object().field(name, str("")))))
    };
    all("o", &two, &[("do: a", "none"), ("{\"be\": \"a\"}", "{\"be\":\"a\"}")]);
}

#[test]
fn objects() {
    let of = || {
        object().field("do", str("")).field("minutes", int("")).field("price", number("")).into()
    };
    all(
        "o",
        &of,
        &[
            ("do: a\nminutes: 5", "~{\"do\":\"a\",\"minutes\":5}"),
            ("- do: a\n- **minutes**: 5", "~{\"do\":\"a\",\"minutes\":5}"),
            ("do: a, minutes: 5", "~{\"do\":\"a\",\"minutes\":5}"),
            ("do: a; minutes: 5 | price: 2.5", "~{\"do\":\"a\",\"minutes\":5,\"price\":2.5}"),
            ("do: a, minutes: 5\nprice: 2.5", "~{\"do\":\"a\",\"minutes\":5,\"price\":2.5}"),
            ("do: a\n- minutes: 5; price: 2.5", "~{\"do\":\"a\",\"minutes\":5,\"price\":2.5}"),
            ("do: a, then b\nminutes: 5", "~{\"do\":\"a, then b\",\"minutes\":5}"),
            ("do: a\nminutes: 5, do: b", "~{\"do\":\"a\",\"minutes\":5}"),
            ("do: a, other: 5", "~{\"do\":\"a, other: 5\"}"),
            ("do: a\ngoes on\nminutes: 5", "~{\"do\":\"a\\ngoes on\",\"minutes\":5}"),
            ("**do**\na\n**minutes**\n5", "~{\"do\":\"a\",\"minutes\":5}"),
            ("Price ($): 3", "~{\"price\":3}"),
            ("words\ndo: a", "none"),
            ("do:\nminutes: 5", "~{\"minutes\":5}"),
            ("do: a\nminutes: x", "none"),
            ("do: a\ndo: b", "~{\"do\":\"a\\ndo: b\"}"),
            ("minutes: Minutes 5", "~{\"minutes\":5}"),
            ("do = a: b\nminutes = 5", "~{\"do\":\"a: b\",\"minutes\":5}"),
            ("<do>a</do><minutes>5</minutes>", "~{\"do\":\"a\",\"minutes\":5}"),
            ("<do>a</do><other>5</other>", "none"),
            ("| do | minutes |\n|---|---|\n| a | 5 |", "~{\"do\":\"a\",\"minutes\":5}"),
            (
                "| key | value |\n|---|---|\n| do | a |\n| minutes | 5 |",
                "~{\"do\":\"a\",\"minutes\":5}",
            ),
            (
                "| do | a |\n|---|---|\n| minutes | 5 |\n| price | 2 |",
                "~{\"do\":\"a\",\"minutes\":5,\"price\":2}",
            ),
            ("{\"do\": \"a\", \"minutes\": 5}", "{\"do\":\"a\",\"minutes\":5}"),
            ("{'do': 'a', 'minutes': 5}", "~{\"do\":\"a\",\"minutes\":5}"),
            ("{\"do\": \"a\"", "~{\"do\":\"a\"}"),
            ("Here\n{\"do\": \"a\"}", "+{\"do\":\"a\"}"),
            ("", "none"),
        ],
    );
}

#[test]
fn parts_of_texts() {
    for (text, want) in
        [("`a`", "a"), ("` a `", "a"), ("`a` `b`", "`a` `b`"), ("`a", "`a"), ("``", "")]
    {
        assert_eq!(without_ticks(text), want, "{text}");
    }
    for (text, want) in [
        ("Price ($)", Some("Price")),
        ("Price [$] ", Some("Price")),
        ("($)", None),
        ("Price", None),
        ("Price ($", None),
    ] {
        assert_eq!(without_unit(text), want, "{text}");
    }
    for (text, name, want) in [
        ("Due Date: x", "due_date", Some(": x")),
        ("due-date** x", "due_date", Some("x")),
        ("duexdate: x", "due_date", None),
        ("due", "due_date", None),
        ("date: x", "due_", None),
    ] {
        assert_eq!(behind_name(text, name), want, "{text}");
    }
    for (line, want) in [
        ("a: b", Some(("a", "b"))),
        ("a = b: c", Some(("a", "b: c"))),
        ("a: b = c", Some(("a", "b = c"))),
        ("**a**: b", Some(("a", "b"))),
        ("**a:** b", Some(("a", "b"))),
        ("a: *b*", Some(("a", "*b*"))),
        ("a", None),
    ] {
        assert_eq!(line_member(line), want, "{line}");
    }
    assert_eq!(lines("a\n\n b \n---"), Some(vec!["a".to_owned(), "b".to_owned()]));
    for text in ["a\n ```", "~a", "a\n{", " [a"] {
        assert_eq!(lines(text), None, "{text}");
    }
}

#[test]
fn scalars_of_a_type() {
    for (node, text, want) in [
        (int(""), " 3 ", Some("3")),
        (int(""), "yes", None),
        (bool(""), "yes", Some("true")),
        (bool(""), "nothing", None),
        (str(""), "3", None),
        (list(int("")), "3", None),
    ] {
        let schema: Schema = object().field("a", node).into();
        let id = schema.member(schema.root(), "a").expect("the field");
        let found = scalar(text, &schema, id, &Spec::json().0);
        assert!(found.as_ref().is_none_or(|it| it.value().kind() != ValueKind::String));
        assert_eq!(found.map(|it| it.value().to_string()).as_deref(), want, "{text}");
    }
}
