//! Schemas written in Rust, and reading them.

use crate::document::ValueKind;
use crate::schema::tree::{Others, Shape};
use crate::schema::{
    Presence, Schema, any, bool, int, list, literal, map, null, number, object, one_of, str, union,
};

fn report() -> Schema {
    object()
        .field("title", str("one line").required())
        .field("tags", list(str("").required()).present())
        .field("tone", one_of(["calm", "urgent"]).nullable())
        .field("scores", map(number("0 to 10")))
        .field("author", object().field("name", str("")).field("age", int("")).nullable())
        .into()
}

#[test]
fn is_shared_between_threads() {
    fn check<T: Clone + Send + Sync + 'static>(_: &T) {}
    check(&report());
}

#[test]
fn fields_keep_order_description_and_presence() {
    let schema = report();
    let root = schema.root();
    let keys: Vec<_> = schema.declared_keys(root).collect();
    assert_eq!(keys, ["title", "tags", "tone", "scores", "author"]);
    assert_eq!(schema.required_keys(root).collect::<Vec<_>>(), ["title", "tags"]);

    let title = schema.member_slot(root, "title").expect("declared");
    assert_eq!(title.presence, Presence::Meaningful);
    assert_eq!(schema.node(title.schema).description.as_deref(), Some("one line"));
    let tags = schema.member_slot(root, "tags").expect("declared");
    assert_eq!(tags.presence, Presence::Present);
    assert_eq!(schema.node(tags.schema).description, None);
    let tag = schema.item_slot(tags.schema).expect("a list");
    assert_eq!(tag.presence, Presence::Meaningful);
}

#[test]
fn members_are_found_through_null_and_in_maps() {
    let schema = report();
    let root = schema.root();
    let author = schema.member(root, "author").expect("declared");
    let age = schema.member(author, "age").expect("declared");
    assert!(matches!(schema.node(age).shape, Shape::Int));
    assert!(schema.declares(author, "age") && !schema.declares(author, "size"));
    let scores = schema.member(root, "scores").expect("declared");
    assert!(schema.member(scores, "whoever").is_some());
    assert!(!schema.declares_keys(scores) && schema.declares_keys(author));
    assert_eq!(schema.member(root, "none"), None);
    assert_eq!(schema.item(root), None);
}

#[test]
fn a_member_is_of_any_type_that_an_alternative_declares() {
    let schema: Schema = union([
        map(bool("")),
        union([
            object().field("a", int("").present()).field("b", str("")).into(),
            list(number("")),
        ]),
        object()
            .field("b", null())
            .field("c", str("").present())
            .field("a", str("").present())
            .into(),
    ])
    .into();
    let root = schema.root();
    let name = |key| schema.type_name(schema.member(root, key).expect("some value"));
    assert_eq!(name("a"), "a whole number or a string");
    assert_eq!(name("b"), "a string or null");
    // Only an alternative that declares nothing by this name counts as a map.
    assert_eq!(name("c"), "a string");
    assert_eq!(name("other"), "true or false");
    assert!(schema.item(root).is_some());
    assert_eq!(schema.declared_keys(root).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(schema.required_keys(root).count(), 0, "a map needs none");
}

#[test]
fn required_of_a_union_is_what_all_objects_need() {
    let schema: Schema = union([
        object().field("kind", literal("say").present()).field("text", str("").present()),
        object().field("kind", literal("go").present()).field("text", str("")),
    ])
    .into();
    assert_eq!(schema.required_keys(schema.root()).collect::<Vec<_>>(), ["kind"]);
}

#[test]
fn root_shapes() {
    use ValueKind::{Bool, List, Null, Number, Object, String};
    let cases: [(Schema, &[ValueKind]); 10] = [
        (str("").into(), &[String]),
        (int("").into(), &[Number]),
        (number("").nullable().into(), &[Null, Number]),
        (bool("").into(), &[Bool]),
        (null().into(), &[Null]),
        (any("").into(), &[Null, Bool, Number, String, List, Object]),
        (list(any("")).into(), &[List]),
        (map(any("")).into(), &[Object]),
        (union([list(str("")), one_of(["a"]), literal(3)]).into(), &[Number, String, List]),
        (one_of::<&str>([]).into(), &[]),
    ];
    for (schema, kinds) in cases {
        let root = schema.root();
        for kind in [Null, Bool, Number, String, List, Object] {
            assert_eq!(
                schema.matches_kind(root, kind),
                kinds.contains(&kind),
                "{kind:?} {schema:?}"
            );
        }
        assert_eq!(schema.may_be_list(root), kinds.contains(&List));
    }
}

#[test]
fn equal_is_what_asks_for_the_same() {
    let one = object().field("a", str("x")).field("b", int(""));
    let same = |schema: Schema| schema == Schema::from(one.clone());
    assert!(same(one.clone().into()));
    assert!(!same(object().field("b", int("")).field("a", str("x")).into()), "order");
    assert!(!same(object().field("a", str("y")).field("b", int("")).into()), "description");
    assert!(!same(object().field("a", str("x").present()).field("b", int("")).into()), "presence");
    assert!(!same(object().field("a", str("x")).field("b", number("")).into()), "type");
    assert!(!same(one.clone().closed().into()), "others");
    assert!(!same(one.clone().field("c", null()).into()), "one more");
    assert!(!same(one.clone().required().into()), "presence of the root");
    assert!(!same(one.clone().nullable().into()), "null");
}

#[test]
fn naming_a_field_again_replaces_it_in_place() {
    let schema: Schema =
        object().field("a", str("")).field("b", str("")).field("a", int("")).into();
    let plain: Schema = object().field("a", int("")).field("b", str("")).into();
    assert_eq!(schema, plain);
}

#[test]
fn nullable_keeps_description_and_presence_outside() {
    let schema: Schema = object().field("a", str("text").required().nullable()).into();
    let slot = schema.member_slot(schema.root(), "a").expect("declared");
    let node = schema.node(slot.schema);
    assert_eq!(slot.presence, Presence::Meaningful);
    assert_eq!(node.description.as_deref(), Some("text"));
    let Shape::Union(union) = &node.shape else { panic!("{node:?}") };
    assert_eq!(schema.node(union.alternatives[0]).description, None);
}

#[test]
fn others_of_an_object() {
    let others = |schema: Schema| match &schema.node(schema.root()).shape {
        Shape::Object(object) => object.others,
        shape => panic!("{shape:?}"),
    };
    assert_eq!(others(object().into()), Others::Allowed);
    assert_eq!(others(object().closed().into()), Others::Forbidden);
    assert!(matches!(others(object().others(int("")).into()), Others::Each(_)));
}

#[test]
fn many_fields_are_found() {
    let many = (0..2_000).fold(object(), |object, at| object.field(&format!("f{at}"), int("")));
    let schema = Schema::from(many);
    assert!((0..2_000).all(|at| schema.declares(schema.root(), &format!("f{at}"))));
    assert!(!schema.declares(schema.root(), "f2000"));
}

#[test]
fn a_deep_schema_needs_no_stack() {
    let deep = |leaf| (0..2_000).fold(leaf, |inner, _| list(inner));
    let (schema, other) = (Schema::from(deep(str(""))), Schema::from(deep(int(""))));
    assert_ne!(schema, other);
    assert_eq!(schema, schema.clone());
}

#[test]
fn paths_of_declared_values() {
    let schema: Schema = object().field("o", object()).field("title", str("")).into();
    let error = |path: &str| {
        let found = schema.locate(&path.parse().expect("a path"));
        found.err().map(|error| error.to_string())
    };
    // An object without declared members has any.
    for path in ["title", "o", "o.whatever.is[0].below"] {
        assert_eq!(error(path), None, "{path}");
    }
    let said = "the schema has no `titel`; did you mean `title`?";
    assert_eq!(error("titel").as_deref(), Some(said));
    assert!(error("title.x").is_some() && error("title[0]").is_some());
    let said = "the schema has no `price`; it has `o`, `title`";
    assert_eq!(error("price").as_deref(), Some(said));
}

/// How often a type is repeated follows its bytes: eight around each value, and those of its texts.
#[test]
fn the_bytes_of_types() {
    let schema: Schema = object()
        .field("tone", one_of(["warm", "dry"]).describe("how it sounds"))
        .field("n", int(""))
        .into();
    let member = |name| schema.member(schema.root(), name).expect("declared");
    let choices = 8 + 4 + 8 + 3;
    assert_eq!(schema.own_bytes(member("n")), 8);
    assert_eq!(schema.own_bytes(member("tone")), 8 + 13 + choices);
    assert_eq!(schema.text_bytes(), 8 + 4 + 1 + 8 + 13 + choices + 8);
}

/// What references share is counted once: the choices and the names behind them.
#[test]
fn the_bytes_of_shared_types() {
    let bytes = |uses: &str| {
        let text = format!(
            r##"{{"$defs": {{"t": {{"enum": ["warm", "dry"]}}, "o": {{"properties": {{"name": true}}}}}},
            "properties": {{{uses}}}}}"##
        );
        super::read(&text).expect("a schema").text_bytes()
    };
    for (target, own) in [("t", 8 + 8 + 4 + 8 + 3), ("o", 8 + 4 + 8)] {
        let uses = |names: &[&str]| {
            let name = |name: &&str| {
                format!(r##""{name}": {{"$ref": "#/$defs/{target}", "description": "d"}}"##)
            };
            bytes(&names.iter().map(name).collect::<Vec<_>>().join(","))
        };
        let (none, one, two) = (bytes(""), uses(&["a"]), uses(&["a", "b"]));
        // A member's name, and eight bytes and a description.
        assert_eq!((one - none, two - one), (1 + 8 + 1 + own, 1 + 8 + 1), "{target}");
    }
}
