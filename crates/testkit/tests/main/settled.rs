//! A type in which everything may be missing is read at every moment, and never loses what it held.

use core::fmt;

use patchwire::{Schema, Spec, ValueRef};
use serde::Deserialize;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use testkit::field_agreement;
use testkit::generate::{Rng, fields, schema};
use testkit::laws::stays;
use testkit::oracle::Json;
use testkit::oracle::fields::{Format, Type};
use testkit::tree::Tree;

/// A type, as a derive would make one of a schema: all fields of a struct may be missing.
#[derive(Debug)]
enum Shape {
    Text,
    Choice,
    Bool,
    Int,
    Number,
    Anything,
    List(Box<Self>),
    Map(Box<Self>),
    Struct(Vec<(String, Self)>),
}

/// The choices in the generator's schemas.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Choice {
    Low,
    Medium,
    High,
}

impl Shape {
    fn of_schema(schema: &Value) -> Self {
        match schema["type"].as_str() {
            Some("string") => Self::Text,
            Some("integer") => Self::Int,
            Some("number") => Self::Number,
            Some("boolean") => Self::Bool,
            Some("array") => Self::List(Box::new(Self::of_schema(&schema["items"]))),
            Some(_) => {
                let members = schema["properties"].as_object().expect("objects have members");
                let member = |(name, schema): (&String, _)| (name.clone(), Self::of_schema(schema));
                Self::Struct(members.iter().map(member).collect())
            }
            None => Self::Choice,
        }
    }

    fn of_type(of: Type) -> Self {
        match of {
            Type::Str => Self::Text,
            // `3.0` is whole too.
            Type::Int | Type::Float => Self::Number,
            Type::Bool => Self::Bool,
            Type::List => Self::List(Box::new(Self::Anything)),
            Type::Dict => Self::Map(Box::new(Self::Anything)),
            Type::Any => Self::Anything,
        }
    }
}

impl<'de> DeserializeSeed<'de> for &Shape {
    type Value = Tree;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        match self {
            Shape::Text => leaf::<String, D>(deserializer, Tree::String),
            Shape::Choice => leaf::<Choice, D>(deserializer, |one| {
                Tree::String(format!("{one:?}").to_lowercase())
            }),
            Shape::Bool => leaf(deserializer, Tree::Bool),
            Shape::Int => leaf::<i64, D>(deserializer, number),
            Shape::Number => leaf::<f64, D>(deserializer, number),
            Shape::Anything => leaf::<Value, D>(deserializer, |value| loose(&value)),
            Shape::List(_) => deserializer.deserialize_seq(self),
            Shape::Map(_) => deserializer.deserialize_map(self),
            Shape::Struct(_) => deserializer.deserialize_struct("", &[], self),
        }
    }
}

fn leaf<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
    tree: impl Fn(T) -> Tree,
) -> Result<Tree, D::Error> {
    Ok(Option::<T>::deserialize(deserializer)?.map_or(Tree::Null, tree))
}

/// Numbers compare by what they are, not by how they are written.
fn number(number: impl fmt::Display) -> Tree {
    let number: f64 = number.to_string().parse().expect("it is a number");
    Tree::Number(number.to_string())
}

fn loose(value: &Value) -> Tree {
    match value {
        Value::Null => Tree::Null,
        Value::Bool(bool) => Tree::Bool(*bool),
        Value::Number(value) => number(value),
        Value::String(text) => Tree::String(text.clone()),
        Value::Array(items) => Tree::List(items.iter().map(loose).collect()),
        Value::Object(members) => {
            Tree::Object(members.iter().map(|(name, one)| (name.clone(), loose(one))).collect())
        }
    }
}

impl<'de> Visitor<'de> for &Shape {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let Shape::List(shape) = self else { panic!("{self:?} is no list") };
        let (hint, mut read) = (items.size_hint(), Vec::new());
        while let Some(item) = items.next_element_seed(&**shape)? {
            read.push(item);
        }
        assert_eq!(hint, Some(read.len()));
        Ok(Tree::List(read))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Tree, A::Error> {
        let (hint, mut read) = (members.size_hint(), Vec::new());
        while let Some(name) = members.next_key::<String>()? {
            let shape = match self {
                Shape::Map(shape) => shape,
                Shape::Struct(fields) => {
                    let field = fields.iter().find(|(field, _)| *field == name);
                    field.map_or(&Shape::Anything, |(_, shape)| shape)
                }
                other => panic!("{other:?} has no members"),
            };
            read.push((name, members.next_value_seed(shape)?));
        }
        assert_eq!(hint, Some(read.len()));
        Ok(Tree::Object(read))
    }
}

fn read(shape: &Shape, value: ValueRef<'_>, text: &str, at: usize) -> Tree {
    let read = shape.deserialize(value.settled());
    read.unwrap_or_else(|error| panic!("{error}, {at} bytes of\n{text}"))
}

/// Reads the type after every byte, and at the end.
fn follow(spec: &Spec, shape: &Shape, text: &str) -> Tree {
    let mut parser = spec.parser();
    let mut known = read(shape, parser.value(), text, 0);
    assert_eq!(known, Tree::Object(Vec::new()), "nothing was read yet");
    for (at, byte) in text.bytes().enumerate() {
        parser.feed([byte], |_| {}).expect("no limit is near");
        let now = read(shape, parser.value(), text, at + 1);
        assert!(stays(&known, &now), "{known:?}, then {now:?}, {at} bytes of\n{text}");
        known = now;
    }
    parser.finish(|_| {}).expect("no limit is near");
    read(shape, parser.value(), text, text.len())
}

#[test]
fn a_partial_type_is_read_after_every_byte_of_json() {
    const SEED: u64 = 20_261_122;
    let mut rng = Rng::new(SEED);
    for _ in 0..300 {
        let (schema, document) = schema::pair(&mut rng);
        let shape = Shape::of_schema(&serde_json::from_str(&schema).expect("schemas are JSON"));
        let declared = Schema::from_json_schema_text(&schema).expect("it is a schema");
        let expected = loose(&serde_json::from_str(&document).expect("documents are JSON"));
        let fenced = format!("Sure!\n```json\n{document}\n```\nDone.");
        for spec in [Spec::json(), Spec::builder().schema(declared).build().expect("it is sound")] {
            for text in [&document, &fenced] {
                assert_eq!(follow(&spec, &shape, text), expected, "of seed {SEED}:\n{text}");
            }
        }
    }
}

#[test]
fn a_partial_type_is_read_after_every_byte_of_fields() {
    const SEED: u64 = 20_261_122;
    // Under headers alone all is text until the end: there types are of no use before.
    for format in [Format::XmlField, Format::Hybrid, Format::YamlLiteral] {
        let (mut rng, mut followed) = (Rng::new(SEED), 0);
        for _ in 0..150 {
            let sample = fields::sample(&mut rng, format);
            // No type of Rust holds a number such as `1e400`.
            let Some(expected) = plain(&sample.object()) else { continue };
            let fields = sample.schema.0.iter();
            let fields = fields.map(|(name, of)| (name.clone(), Shape::of_type(*of))).collect();
            let spec = field_agreement::spec(format, Some(&sample.schema));
            let found = follow(&spec, &Shape::Struct(fields), &sample.text);
            assert_eq!(found, expected, "{format:?}, seed {SEED}:\n{}", sample.text);
            followed += 1;
        }
        assert!(followed > 100, "{followed} texts in {format:?}");
    }
}

/// A value of the oracles; none where a number is too large.
fn plain(json: &Json) -> Option<Tree> {
    Some(match json {
        Json::Null => Tree::Null,
        Json::Bool(bool) => Tree::Bool(*bool),
        Json::Number(text) => {
            let value: f64 = text.parse().ok()?;
            number(value.is_finite().then_some(value)?)
        }
        Json::String(text) => Tree::String(text.clone()),
        Json::List(items) => Tree::List(items.iter().map(plain).collect::<Option<_>>()?),
        Json::Object(members) => {
            let member = |(name, one): &(String, Json)| Some((name.clone(), plain(one)?));
            Tree::Object(members.iter().map(member).collect::<Option<_>>()?)
        }
    })
}
