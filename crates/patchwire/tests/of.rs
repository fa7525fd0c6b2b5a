//! Schemas of Rust types, and answers read with them into the types.

use std::collections::{BTreeMap, HashMap};

use patchwire::schema::{
    SchemaErrorKind, any, bool, int, list, literal, map, null, number, object, one_of, str, union,
};
use patchwire::{Schema, Spec};
use schemars::JsonSchema;
use serde::Deserialize;

/// What came of it.
#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Report {
    /// one line
    title: String,
    zeal: f64,
    /// where it was
    place: Place,
    all_places: Vec<Place>,
    #[serde(rename = "how-sure")]
    sure: Option<bool>,
    #[serde(default)]
    by_name: HashMap<String, Place>,
    marks: BTreeMap<String, f64>,
    again: Option<Box<Self>>,
    #[serde(skip)]
    _unread: u8,
}

/// somewhere
#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
struct Place {
    city: String,
    mood: Mood,
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Mood {
    Calm,
    VeryLoud,
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Event {
    /// words
    Say {
        text: String,
    },
    Leave,
    At(Place),
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
enum Plain {
    /// quiet
    Soft,
    Loud,
    Many(Vec<String>),
}

#[test]
fn structs_keep_their_order_names_and_comments() {
    let place = |is: &str| {
        let mood = one_of(["calm", "very_loud"]).present();
        object().field("city", str("").present()).field("mood", mood).describe(is)
    };
    let first_level = Schema::of::<Report>().unwrap();
    // The type contains itself: written out to the second level, and then it is the same again.
    let json = first_level.to_json_schema();
    let names: Vec<_> =
        json.as_ref().get("properties").unwrap().entries().filter_map(|(name, _)| name).collect();
    let order = ["title", "zeal", "place", "allPlaces", "how-sure", "byName", "marks", "again"];
    assert_eq!(names, order);
    let required = json.as_ref().get("required").unwrap();
    let required: Vec<_> = required.entries().filter_map(|(_, name)| name.as_str()).collect();
    assert_eq!(required, ["title", "zeal", "place", "allPlaces", "marks"]);
    let again = json.as_ref().at("properties.again.anyOf[0]").unwrap();
    assert_eq!(again.to_string(), "{\"$ref\":\"#\"}");
    assert_eq!(Schema::from_json_schema(json.as_ref()), Ok(first_level));

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema counts")]
    struct Flat {
        place: Place,
        /// the other
        other: Place,
        n: i64,
        on: bool,
        rest: serde_json::Value,
        nothing: (),
        maybe: Option<Mood>,
    }
    let flat = object()
        .field("place", place("somewhere").present())
        .field("other", place("the other").present())
        .field("n", int("").present())
        .field("on", bool("").present())
        .field("rest", any("").present())
        .field("nothing", null().present())
        .field("maybe", one_of(["calm", "very_loud"]).nullable());
    assert_eq!(Schema::of::<Flat>(), Ok(flat.into()));
    assert_eq!(Schema::of::<BTreeMap<String, f32>>(), Ok(map(number("")).into()));
    assert_eq!(Schema::of::<HashMap<String, Vec<String>>>(), Ok(map(list(str(""))).into()));
}

#[test]
fn enums_are_what_serde_reads() {
    assert_eq!(Schema::of::<Mood>(), Ok(one_of(["calm", "very_loud"]).into()));
    let tagged = union([
        object()
            .field("kind", literal("say").present())
            .field("text", str("").present())
            .describe("words"),
        object().field("kind", literal("leave").present()),
        object()
            .field("kind", literal("at").present())
            .field("city", str("").present())
            .field("mood", one_of(["calm", "very_loud"]).present())
            .describe("somewhere"),
    ]);
    let schema = Schema::of::<Event>().unwrap();
    assert_eq!(schema.unsupported(), []);
    assert_eq!(
        schema.to_json_schema().to_string(),
        Schema::from(tagged).to_json_schema().to_string()
    );
    let plain = Schema::of::<Plain>().unwrap();
    assert_eq!(plain.unsupported(), []);
    let many = object().field("Many", list(str("")).present()).closed();
    let want = union([one_of(["Loud"]), literal("Soft").describe("quiet"), many.into()]);
    assert_eq!(plain, want.into());
}

#[test]
fn answers_are_read_into_the_types() {
    let spec = Spec::builder().schema(Schema::of::<Report>().unwrap()).build().unwrap();
    let text = r#"Sure: {"title": "T", "zeal": 0.5, "place": {"city": "Rome", "mood": "Very Loud"},
        "allPlaces": [], "marks": {"a": 1}, "again": null}"#;
    let report: Report = spec.parse(text).unwrap().data().unwrap();
    assert_eq!((report.title.as_str(), report.place.mood), ("T", Mood::VeryLoud));
    for (text, want) in [
        (r#"{"kind": "say", "text": "x"}"#, Event::Say { text: "x".to_owned() }),
        (r#"{"kind": "leave"}"#, Event::Leave),
        (
            r#"{"kind": "at", "city": "Rome", "mood": "calm"}"#,
            Event::At(Place { city: "Rome".to_owned(), mood: Mood::Calm }),
        ),
    ] {
        let spec = Spec::builder().schema(Schema::of::<Event>().unwrap()).build().unwrap();
        assert_eq!(spec.parse(text).unwrap().data::<Event>().as_ref(), Ok(&want));
    }
}

#[test]
fn what_a_schema_does_not_carry_is_listed() {
    let schema = Schema::of::<(u8, String)>().unwrap();
    let left_out: Vec<_> = schema.unsupported().iter().map(|it| it.keyword.as_str()).collect();
    assert!(left_out.contains(&"prefixItems"), "{left_out:?}");
    let byte = Schema::of::<u8>().unwrap();
    let left_out: Vec<_> = byte.unsupported().iter().map(|it| it.keyword.as_str()).collect();
    assert_eq!(left_out, ["format", "minimum", "maximum"]);
    assert_eq!(byte, int("").into());
}

#[test]
fn what_is_no_schema_is_an_error() {
    struct Odd;
    impl JsonSchema for Odd {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Odd".into()
        }

        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({ "type": "odd" })
        }
    }
    let error = Schema::of::<Odd>().unwrap_err();
    assert_eq!((error.kind, &*error.path), (SchemaErrorKind::InvalidKeyword, "/type"));
}
