use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::DataError;
use crate::document::sample::{deep, document, on_stack_of_a_thread};
use crate::document::{Document, NodeKind, Placement};

fn read<T: DeserializeOwned>(json: &str) -> Result<T, DataError> {
    document(json).value().read()
}

fn error<T: DeserializeOwned + core::fmt::Debug>(json: &str) -> String {
    read::<T>(json).unwrap_err().to_string()
}

#[derive(Debug, PartialEq, Deserialize)]
struct Order<'a> {
    #[serde(borrow)]
    items: Vec<Item<'a>>,
    note: Option<&'a str>,
    #[serde(borrow, default)]
    tag: Cow<'a, str>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Item<'a> {
    sku: &'a str,
    price: f64,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    Point,
    Circle(f32),
    Line(u8, u8),
    Box { width: u8 },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Any {
    Whole(u64),
    Real(f64),
    Text(String),
    Many(Vec<Self>),
}

#[test]
fn structs_borrow_their_strings() {
    let doc = document(r#"{"items":[{"sku":"a\n","price":1}],"more":[[{}]],"tag":"t"}"#);
    let value = doc.value().to_value();
    let order: Order<'_> = value.as_ref().read().unwrap();
    assert_eq!(order.items, [Item { sku: "a\n", price: 1.0 }]);
    assert_eq!((order.note, &*order.tag), (None, "t"));
    let lent = value.as_ref().at("items[0].sku").unwrap().as_str().unwrap();
    assert!(core::ptr::eq(order.items[0].sku, lent));
}

#[test]
fn errors_name_the_place() {
    let bad = r#"{"items":[{"sku":"a","price":1},{"sku":"b","price":2},{"sku":null,"price":3}]}"#;
    let doc = document(bad);
    let error = doc.value().read::<Order<'_>>().unwrap_err();
    assert_eq!(error.path, "items[2].sku");
    assert_eq!(&*error.message, "invalid type: null, expected a borrowed string");
    let missing = document(r#"{"items":[{"sku":"a"}]}"#);
    let error = missing.value().read::<Order<'_>>().unwrap_err();
    assert_eq!(error.to_string(), "items[0]: missing field `price`");
    assert_eq!(error.clone(), error);
}

#[test]
fn odd_keys_print_as_paths_do() {
    type Map = BTreeMap<String, Vec<BTreeMap<String, u8>>>;
    let message = error::<Map>(r#"{"odd key":[{"a":"x"}]}"#);
    assert_eq!(message, r#"["odd key"][0].a: invalid type: string "x", expected u8"#);
    let message = error::<BTreeMap<String, BTreeMap<String, bool>>>(r#"{"a":{"9\"":1}}"#);
    assert_eq!(message, r#"a["9\""]: invalid type: integer `1`, expected a boolean"#);
}

#[test]
fn the_root_has_no_path() {
    assert_eq!(error::<u8>(r#""x""#), r#"invalid type: string "x", expected u8"#);
    assert_eq!(read::<u8>("[]").unwrap_err().path, "");
}

#[test]
fn integers_are_read_from_their_text() {
    assert_eq!(read("18446744073709551615"), Ok(u64::MAX));
    assert_eq!(read(&u128::MAX.to_string()), Ok(u128::MAX));
    assert_eq!(read(&i128::MIN.to_string()), Ok(i128::MIN));
    assert_eq!(read("-0"), Ok(0i32));
    assert_eq!(error::<u8>("300"), "invalid value: integer `300`, expected u8");
    assert_eq!(error::<u32>("-1"), "invalid value: integer `-1`, expected u32");
    assert_eq!(error::<i64>("1.0"), "invalid type: floating point `1.0`, expected i64");
    assert_eq!(error::<i64>("1e3"), "invalid type: floating point `1000.0`, expected i64");
    let wide = error::<u64>("18446744073709551616");
    assert!(wide.contains("`18446744073709551616`"), "{wide}");
    let wider = "9".repeat(50);
    assert_eq!(error::<u128>(&wider), format!("invalid value: number `{wider}`, expected u128"));
}

#[test]
fn floats_are_the_nearest_and_finite() {
    assert_eq!(read("0.1"), Ok(0.1f64));
    assert_eq!(read("0.1"), Ok(0.1f32));
    assert_eq!(read("3"), Ok(3.0f64));
    assert_eq!(read("1e-999"), Ok(0.0f64));
    assert_eq!(error::<f64>("1e400"), "invalid value: number `1e400`, expected f64");
    assert_eq!(error::<f32>("1e39"), "invalid value: number `1e39`, expected f32");
}

#[test]
fn other_scalars() {
    assert_eq!(read("true"), Ok(true));
    assert_eq!(read(r#""é""#), Ok('é'));
    assert!(read::<char>(r#""ab""#).is_err());
    assert_eq!(read("null"), Ok(()));
    assert_eq!(read("null"), Ok(None::<u8>));
    assert_eq!(read("1"), Ok(Some(1u8)));
    let text = document(r#""ab""#);
    assert_eq!(text.value().read::<&[u8]>(), Ok(&b"ab"[..]));
    assert_eq!(read("[97,98]"), Ok(b"ab".to_vec()));
}

#[test]
fn lists_and_tuples() {
    assert_eq!(read("[1,2]"), Ok((1u8, 2u8)));
    assert_eq!(error::<(u8, u8)>("[1]"), "invalid length 1, expected a tuple of size 2");
    assert_eq!(error::<u8>("[1]"), "invalid type: list, expected u8");
    let long = error::<(u8, u8)>("[1,2,3]");
    assert_eq!(long, "invalid length 3, expected fewer items in the list");
}

#[test]
fn enums() {
    assert_eq!(read(r#""point""#), Ok(Shape::Point));
    assert_eq!(read(r#"{"point":null}"#), Ok(Shape::Point));
    assert_eq!(read(r#"{"circle":1.5}"#), Ok(Shape::Circle(1.5)));
    assert_eq!(read(r#"{"line":[1,2]}"#), Ok(Shape::Line(1, 2)));
    assert_eq!(read(r#"{"box":{"width":3}}"#), Ok(Shape::Box { width: 3 }));
    let message = error::<Vec<Shape>>(r#"[{"box":{"width":"w"}}]"#);
    assert_eq!(message, r#"[0].box.width: invalid type: string "w", expected u8"#);
    assert!(error::<Shape>(r#""cube""#).starts_with("unknown variant `cube`, expected one of"));
    assert_eq!(
        error::<Shape>(r#"{"point":null,"circle":1}"#),
        "invalid value: object, expected a variant's name or an object with one member"
    );
    let bare = error::<Shape>(r#""circle""#);
    assert_eq!(bare, "invalid type: unit variant, expected a variant with a value");
    assert_eq!(error::<Shape>("1"), "invalid type: integer `1`, expected enum Shape");
}

#[test]
fn untagged_enums_and_any() {
    let many = r#"[1,1.5,"x",[2],100000000000000000000]"#;
    let expected = vec![
        Any::Whole(1),
        Any::Real(1.5),
        Any::Text("x".into()),
        Any::Many(vec![Any::Whole(2)]),
        Any::Real(1e20),
    ];
    assert_eq!(read(many), Ok(Any::Many(expected)));
    let json: serde_json::Value = read(many).unwrap();
    assert_eq!(json, serde_json::from_str::<serde_json::Value>(many).unwrap());
}

#[test]
fn newtypes_and_flatten() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Id(u32);
    #[derive(Debug, PartialEq, Deserialize)]
    struct Row {
        id: Id,
        #[serde(flatten)]
        rest: BTreeMap<String, i8>,
    }
    let row = Row { id: Id(4), rest: BTreeMap::from([("x".into(), -1)]) };
    assert_eq!(read(r#"{"x":-1,"id":4}"#), Ok(row));
    assert_eq!(read(r#"{"4":1}"#), Ok(BTreeMap::from([(4u8, 1u8)])));
    assert_eq!(read(r#"{"true":1}"#), Ok(BTreeMap::from([(true, 1u8)])));
    assert_eq!(
        error::<BTreeMap<u8, u8>>(r#"{"x":1}"#),
        r#"x: invalid type: string "x", expected u8"#
    );
}

#[test]
fn a_check_of_the_caller_s_own_is_placed_too() {
    #[derive(Debug, Deserialize)]
    #[serde(try_from = "u8")]
    struct Even;
    impl TryFrom<u8> for Even {
        type Error = &'static str;
        fn try_from(n: u8) -> Result<Self, &'static str> {
            if n.is_multiple_of(2) { Ok(Self) } else { Err("odd") }
        }
    }
    assert!(read::<Vec<Even>>("[2,4]").is_ok());
    assert_eq!(error::<BTreeMap<String, Vec<Even>>>(r#"{"n":[2,3]}"#), "n[1]: odd");
}

#[test]
fn no_value_is_none_and_otherwise_said_to_be_missing() {
    let none = Document::default();
    assert_eq!(none.value().read(), Ok(None::<Item<'_>>));
    let error = none.value().read::<Item<'_>>().unwrap_err();
    assert_eq!(error.to_string(), "invalid type: no value, expected struct Item");
}

#[test]
fn an_open_string_reads_as_far_as_it_is() {
    let mut doc = Document::default();
    let root = doc.open(Placement::Root, NodeKind::Object);
    doc.scalar(Placement::Member(root, "price"), NodeKind::Number, "1");
    let sku = doc.open(Placement::Member(root, "sku"), NodeKind::String);
    doc.append(sku, "ab");
    assert_eq!(doc.value().read(), Ok(Item { sku: "ab", price: 1.0 }));
}

#[test]
fn depth_is_refused_where_reading_recurses() {
    on_stack_of_a_thread(|| {
        let doc = deep(1_000_000, "1");
        assert!(doc.value().read::<IgnoredAny>().is_ok());
        let error = doc.value().read::<serde_json::Value>().unwrap_err();
        assert_eq!(&*error.message, "the value is nested deeper than 512 levels");
        assert!(error.path.starts_with("[0].a[0].a[0]"));
        assert!(deep(512, "1").value().read::<serde_json::Value>().is_ok());
        assert!(deep(513, "1").value().read::<serde_json::Value>().is_err());
    });
}

/// Takes the first child of a list or object, and notes how many it was told of.
#[derive(Debug, PartialEq)]
struct First {
    told: Option<usize>,
}

impl<'de> Deserialize<'de> for First {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Taker;
        impl<'de> Visitor<'de> for Taker {
            type Value = First;

            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("a list or an object")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<First, A::Error> {
                let told = items.size_hint();
                items.next_element::<IgnoredAny>()?;
                assert_eq!(items.size_hint(), told.map(|it| it.saturating_sub(1)));
                Ok(First { told })
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<First, A::Error> {
                let told = members.size_hint();
                members.next_entry::<IgnoredAny, IgnoredAny>()?;
                assert_eq!(members.size_hint(), told.map(|it| it.saturating_sub(1)));
                Ok(First { told })
            }
        }
        from.deserialize_any(Taker)
    }
}

#[test]
fn a_type_is_told_how_many_children_there_are_and_has_to_take_all() {
    for (json, told) in [("[]", 0), ("{}", 0), ("[7]", 1), (r#"{"a": 7}"#, 1)] {
        assert_eq!(read::<First>(json), Ok(First { told: Some(told) }), "{json}");
    }
    assert_eq!(error::<First>("[7, 8, 9]"), "invalid length 3, expected fewer items in the list");
    assert_eq!(
        error::<First>(r#"{"a": 7, "b": 8}"#),
        "invalid length 2, expected fewer members in the object"
    );
}

/// Takes nothing but floats.
#[derive(Debug, PartialEq)]
struct Float(f64);

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Taker;
        impl Visitor<'_> for Taker {
            type Value = Float;

            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("a float")
            }

            fn visit_f64<E>(self, number: f64) -> Result<Float, E> {
                Ok(Float(number))
            }
        }
        from.deserialize_f64(Taker)
    }
}

#[test]
fn a_type_that_asks_for_a_float_gets_one_of_every_number() {
    for (json, number) in [("1", 1.0), ("-2", -2.0), ("2.5", 2.5), ("1e3", 1000.0)] {
        assert_eq!(read::<Float>(json), Ok(Float(number)), "{json}");
    }
    assert!(error::<Float>("true").contains("expected a float"));
}
