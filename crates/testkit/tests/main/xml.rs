//! Bodies read as trees: what the cases say, the laws, and the oracle.

use patchwire::Answer;
use patchwire::seam::{Tree, TreeNode, XmlBody};
use testkit::corpus::{Case, cases, read_cases, root};
use testkit::oracle::{Json, foreign};
use testkit::setups::{self, Setup};
use testkit::{laws, pairs};

/// The cases of a file, and the way of reading that they speak of.
fn files() -> Vec<(&'static str, XmlBody, Option<patchwire::Schema>)> {
    let schema = setups::xml_schema();
    vec![
        ("any", XmlBody::any().whole(), None),
        ("review", XmlBody::any().whole(), None),
        ("typed", XmlBody::any().whole().typed_by_content(), None),
        ("known", XmlBody::known(setups::XML_NAMES).whole(), None),
        ("schema", XmlBody::of_schema(schema.clone()).whole(), Some(schema)),
    ]
}

fn spec(body: &XmlBody, schema: Option<patchwire::Schema>) -> patchwire::Spec {
    let builder = patchwire::Spec::builder().without_tags().machine(body.machine());
    let builder = match schema {
        Some(schema) => builder.schema(schema),
        None => builder,
    };
    builder.build().expect("the settings agree")
}

fn codes(answer: &Answer) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    for notice in answer.notices() {
        if !codes.iter().any(|code| code == notice.code.name()) {
            codes.push(notice.code.name().to_owned());
        }
    }
    codes
}

#[test]
fn bodies_give_what_the_cases_say() {
    for (file, body, schema) in files() {
        let spec = spec(&body, schema);
        for case in read_cases(&root().join(format!("xml/{file}.ndjson"))) {
            let name = format!("{file}: {}", case.name);
            let answer = spec.parse(case.bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
            let want = foreign::read(case.want.as_ref().expect("a value").get().as_bytes());
            assert_eq!(Ok(Json::of(answer.value()).sorted()), want.map(|it| it.sorted()), "{name}");
            assert_eq!(Some(codes(&answer)), case.notices, "{name}");
            trees(&body, &case, &name);
        }
    }
}

fn trees(body: &XmlBody, case: &Case, name: &str) {
    let Some(want) = &case.tree else { return };
    let text = String::from_utf8(case.bytes()).expect("text");
    let tree = body.tree(&text);
    let found = foreign::read(elements(&tree).as_bytes());
    assert_eq!(found, foreign::read(want.get().as_bytes()), "{name}");
}

/// The elements of a body, without the text around them.
fn elements(tree: &Tree) -> String {
    let single = tree.body().children().filter_map(|child| match child.node() {
        TreeNode::Element(name) => Some(format!("{{{name:?}:{child}}}")),
        _ => None,
    });
    match &single.collect::<Vec<_>>()[..] {
        [one] => one.clone(),
        all => format!("[{}]", all.join(",")),
    }
}

#[test]
fn the_cases_obey_the_laws() {
    for setup in setups::xml() {
        for case in cases("xml") {
            if let Err(why) = laws::all(&setup.spec, &case.bytes()) {
                panic!("{}, under {}: {why}", case.name, setup.name);
            }
        }
    }
}

#[test]
fn no_cutting_of_the_cases_matters() {
    for Setup { name, spec } in setups::xml() {
        for case in cases("xml").into_iter().filter(|case| case.bytes().len() <= 120) {
            if let Err(why) = pairs::prove(&spec, &case.bytes()) {
                panic!("{}, under {name}: {why}", case.name);
            }
        }
    }
}
