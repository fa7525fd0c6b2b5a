//! What derived types read, at every prefix of an answer.

use std::collections::HashMap;

use patchwire::{Partial, Spec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

/// The drafts of an answer that arrives byte by byte, as JSON, each that differs from the one before.
fn drafts<T: DeserializeOwned + Serialize>(text: &str) -> Vec<String> {
    let mut parser = Spec::json().parser();
    let mut drafts: Vec<String> = Vec::new();
    for byte in text.bytes() {
        parser.feed([byte], |_| {}).expect("lenient reading");
        if !parser.value().exists() {
            continue;
        }
        let draft: T = parser.value().read().expect("a partial type reads every object");
        let draft = serde_json::to_string(&draft).expect("it is plain");
        if drafts.last() != Some(&draft) {
            drafts.push(draft);
        }
    }
    drafts
}

fn last<T: DeserializeOwned + Serialize>(text: &str) -> String {
    drafts::<T>(text).pop().expect("a draft")
}

/// An order of a customer.
///
/// It has lines.
#[derive(Deserialize, Partial)]
#[partial(derive(PartialEq, Serialize))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its partial form is read")]
struct Order {
    /// Who ordered.
    customer_name: String,
    #[serde(rename = "rows", alias = "lines")]
    items: Vec<Line>,
    note: Option<String>,
    gift: Option<Box<Line>>,
    #[serde(default)]
    urgency: Urgency,
    #[serde(skip)]
    loaded_at: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, Partial)]
#[partial(name = "LineDraft", derive(PartialEq, Serialize))]
struct Line {
    sku: String,
    r#type: Option<u32>,
}

#[derive(Debug, Default, Clone, PartialEq, Deserialize, Serialize, Partial)]
#[serde(rename_all = "lowercase")]
enum Urgency {
    #[default]
    Low,
    /// `high` is the beginning of `highest`.
    High,
    Highest,
}

#[test]
fn every_field_is_an_option_and_grows() {
    let empty = r#"{"customerName":null,"rows":null,"note":null,"gift":null,"urgency":null}"#;
    let text = r#"{"customerName": "Al", "lines": [{"sku": "a"}, {"type": 12}], "unknown": [1],
        "note": null, "gift": {"sku": "g"}, "urgency": "highest"}"#;
    let found = drafts::<PartialOrder>(text);
    assert_eq!(found[0], empty);
    let names: Vec<&str> = found
        .iter()
        .map(|draft| draft.split(",\"rows\"").next().unwrap())
        .collect::<Vec<_>>()
        .chunk_by(|one, other| one == other)
        .map(|same| same[0])
        .collect();
    assert_eq!(
        names,
        [
            r#"{"customerName":null"#,
            r#"{"customerName":"""#,
            r#"{"customerName":"A""#,
            r#"{"customerName":"Al""#
        ]
    );
    // The prefix `high` of `highest` is never read as a variant.
    assert!(found.iter().all(|draft| !draft.contains(r#""urgency":"high""#)));
    let whole = r#"{"customerName":"Al","rows":[{"sku":"a","type":null},{"sku":null,"type":12}],"note":null,"gift":{"sku":"g","type":null},"urgency":"highest"}"#;
    assert_eq!(found.last().unwrap(), whole);
    let read: PartialOrder = serde_json::from_str(text).expect("whole JSON is read by others too");
    assert_eq!(serde_json::to_string(&read).unwrap(), whole);
    assert_eq!(PartialOrder::default().items, None);
}

#[derive(Deserialize, Partial)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[partial(derive(Serialize))]
#[expect(dead_code, reason = "only its partial form is read")]
enum Action {
    Say {
        /// The words.
        text: String,
        loud: Option<bool>,
    },
    SayLoud {
        text: String,
    },
    Leave,
    #[serde(rename = "moves")]
    Move(Place),
}

#[derive(Deserialize, Partial)]
#[partial(derive(Serialize))]
#[expect(dead_code, reason = "only its partial form is read")]
struct Place {
    street: String,
}

#[derive(Deserialize, Partial)]
#[partial(derive(Serialize))]
#[expect(dead_code, reason = "only its partial form is read")]
enum Outside {
    Stop,
    StopNow,
    Go(String),
    Turn { by: i32, how: Vec<Urgency> },
    Pair(u8, u8),
}

#[derive(Deserialize, Partial)]
#[serde(tag = "t", content = "c")]
#[partial(derive(Serialize))]
#[expect(dead_code, reason = "only its partial form is read")]
enum Beside {
    Words(Vec<String>),
    Nothing,
}

#[derive(Deserialize, Partial)]
#[serde(untagged)]
#[partial(derive(Serialize))]
#[expect(dead_code, reason = "only its partial form is read")]
enum Either {
    Number(f64),
    Words(Vec<String>),
}

#[derive(Deserialize, Partial)]
#[partial(derive(Serialize))]
#[expect(dead_code, reason = "only its partial form is read")]
struct Script {
    actions: Vec<Action>,
    outside: Option<Outside>,
    beside: Option<Beside>,
    either: Vec<Either>,
}

#[test]
fn an_enum_is_read_once_its_variant_is_known() {
    let actions = |text: &str| drafts::<PartialScript>(&format!("{{\"actions\": [{text}]}}"));
    let found = actions(r#"{"kind": "say_loud", "text": "hi"}, {"kind": "leave"}"#);
    assert!(found.iter().all(|draft| !draft.contains(r#""kind":"say""#)), "{found:#?}");
    let expected = r#""actions":[{"kind":"say_loud","text":"hi"},{"kind":"leave"}]"#;
    assert!(found.last().unwrap().contains(expected), "{found:#?}");
    assert!(found.iter().any(|draft| draft.contains(r#"[{"kind":"say_loud","text":"h"}]"#)));
    let found =
        actions(r#"{"text": "no", "kind": "say", "loud": true}, {"kind": "moves", "street": "A"}"#);
    let expected = r#"[{"kind":"say","text":"no","loud":true},{"kind":"moves","street":"A"}]"#;
    assert!(found.last().unwrap().contains(expected), "{found:#?}");

    let outside = |text: &str| drafts::<PartialScript>(&format!("{{\"outside\": {text}}}"));
    let found = outside(r#""StopNow""#);
    assert!(found.iter().all(|draft| !draft.contains(r#":"Stop","#)), "{found:#?}");
    assert!(found.last().unwrap().contains(r#""outside":"StopNow""#));
    let found = outside(r#"{"Go": "on"}"#);
    assert!(found.iter().any(|draft| draft.contains(r#"{"Go":"o"}"#)), "{found:#?}");
    let found = outside(r#"{"Turn": {"by": 90, "how": ["low", "highest"]}}"#);
    assert!(found.iter().any(|draft| draft.contains(r#"{"Turn":{"by":90,"how":["low"]}}"#)));
    assert!(found.last().unwrap().contains(r#"{"by":90,"how":["low","highest"]}"#));
    assert!(outside(r#"{"Pair": [1, 2]}"#).last().unwrap().contains(r#"{"Pair":[1,2]}"#));

    let found = drafts::<PartialScript>(r#"{"beside": {"t": "Words", "c": ["a", "bc"]}}"#);
    assert!(found.iter().any(|draft| draft.contains(r#"{"t":"Words","c":["a","b"]}"#)));
    let found = drafts::<PartialScript>(r#"{"either": [1.5, ["a"], true]}"#);
    assert!(found.last().unwrap().contains(r#""either":[1.5,["a"]]"#), "{found:#?}");
}

mod upper {
    use super::{Deserialize, Deserializer};

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(value: D) -> Result<String, D::Error> {
        Ok(String::deserialize(value)?.to_uppercase())
    }
}

fn seconds<'de, D: Deserializer<'de>>(value: D) -> Result<u64, D::Error> {
    let text = String::deserialize(value)?;
    text.trim_end_matches('s').parse().map_err(serde::de::Error::custom)
}

/// A type of another crate, which has no partial form.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
struct Foreign(String);

#[derive(Deserialize, Partial)]
#[partial(derive(Serialize))]
#[expect(dead_code, reason = "only its partial form is read")]
struct Mixed {
    #[serde(with = "upper")]
    name: String,
    #[serde(deserialize_with = "seconds")]
    after: u64,
    #[partial(whole)]
    foreign: Foreign,
    #[partial(whole)]
    maybe: Option<Foreign>,
    #[serde(flatten)]
    place: Place,
    points: HashMap<String, u32>,
    sku: Sku,
    pair: (u8, String),
    any: serde_json::Value,
    nested: Vec<Vec<Option<u8>>>,
}

#[derive(Deserialize, Partial)]
#[expect(dead_code, reason = "only its partial form is read")]
struct Sku(String);

#[test]
fn functions_foreign_types_and_flattened_fields() {
    let text = r#"{"name": "ada", "after": "12s", "foreign": "xy", "maybe": null, "street": "A 1",
        "points": {"ada": 3}, "sku": "a1", "pair": [1, "b"], "any": {"k": [1]}, "nested": [[1, null], []]}"#;
    let found = drafts::<PartialMixed>(text);
    let never = [r#""AD""#, r#""after":1,"#, r#""foreign":"x","#, r#""pair":[1]"#];
    for part in never {
        assert!(found.iter().all(|draft| !draft.contains(part)), "{part}: {found:#?}");
    }
    let whole: serde_json::Value = serde_json::from_str(found.last().unwrap()).unwrap();
    let expected = serde_json::json!({
        "name": "ADA", "after": 12, "foreign": "xy", "maybe": null, "street": "A 1",
        "points": {"ada": 3}, "sku": "a1", "pair": [1, "b"], "any": {"k": [1]},
        "nested": [[1, null], []],
    });
    assert_eq!(whole, expected);
    assert!(found.iter().any(|draft| draft.contains(r#""sku":"a""#)), "a newtype grows");
}

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, Partial)]
#[serde(try_from = "String")]
struct Date(u32);

impl TryFrom<String> for Date {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.replace('-', "").parse().map(Self)
    }
}

#[derive(Deserialize, Partial)]
#[partial(derive(Serialize))]
#[expect(dead_code, reason = "only its partial form is read")]
struct Tree {
    day: Date,
    size: u8,
    children: Vec<Self>,
}

#[test]
fn what_does_not_fit_is_left_out_and_types_may_be_recursive() {
    let text = r#"{"day": "2024-05-01", "size": 300, "children": [{"size": "x"}, {"children": [{"day": "2024-06-0"}]}]}"#;
    let found = drafts::<PartialTree>(text);
    assert!(found.iter().all(|draft| !draft.contains("202405,")), "a date appears whole");
    let expected = r#"{"day":20240501,"size":null,"children":[{"day":null,"size":null,"children":null},{"day":null,"size":null,"children":[{"day":2024060,"size":null,"children":null}]}]}"#;
    assert_eq!(last::<PartialTree>(text), expected);
    // A cut answer has what arrived.
    let mut parser = Spec::json().parser();
    parser.feed(r#"{"day": "2024-05-01", "children": [{"size": 1}"#, |_| {}).unwrap();
    let answer = parser.finish(|_| {}).unwrap();
    let draft: PartialTree = answer.allow_partial().data().unwrap();
    assert_eq!(draft.children.unwrap()[0].size, Some(1));
}
