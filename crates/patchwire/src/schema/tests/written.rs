//! A schema that is written as JSON Schema and read again equals the original.

use super::read;
use crate::document::{Value, sample};
use crate::schema::tree::Presence;
use crate::schema::{
    Literal, Node, ObjectNode, Schema, any, bool, int, list, literal, map, null, number, object,
    one_of, str, union,
};

/// Pseudorandom numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

const NAMES: [&str; 8] = ["title", "a b", "größe", "type", "$ref", "a/b~c", "\"q\"", ""];
const WORDS: [&str; 4] = ["", "one line", "two\nlines", "with \"quotes\" \\ and 漢"];

/// A random type. `meaningful` is the presence of its required fields.
fn node(random: &mut Random, depth: usize, meaningful: Presence) -> Node {
    let node = match random.below(if depth == 0 { 9 } else { 14 }) {
        0 => str(""),
        1 => int(""),
        2 => number(""),
        3 => bool(""),
        4 => null(),
        5 => any(""),
        6 => one_of(["low", "in progress", "high"]),
        7 => literal(
            [Literal::from(3), true.into(), "x".into(), Literal::NULL][random.below(4)].clone(),
        ),
        8 => one_of([Literal::from("a"), 2.into(), false.into(), Literal::NULL]),
        9 => list(node(random, depth - 1, meaningful)),
        10 => map(node(random, depth - 1, meaningful)),
        11 => union([node(random, depth - 1, meaningful), node(random, depth - 1, meaningful)]),
        12 => node(random, depth - 1, meaningful).presence(Presence::Optional).nullable(),
        _ => members(random, depth - 1, meaningful).into(),
    };
    node.describe(WORDS[random.below(WORDS.len())]).presence(Presence::Optional)
}

fn members(random: &mut Random, depth: usize, meaningful: Presence) -> ObjectNode {
    let from = random.below(NAMES.len());
    let names = (0..random.below(5)).map(|at| NAMES[(from + at) % NAMES.len()]);
    let object = names.fold(object(), |object, name| {
        let field = node(random, depth, meaningful);
        let needed = [Presence::Optional, Presence::Present, meaningful][random.below(3)];
        object.field(name, field.presence(needed))
    });
    match random.below(3) {
        0 => object.closed(),
        1 => object.others(node(random, depth, meaningful)),
        _ => object,
    }
}

fn again(json: &Value) -> Schema {
    let schema = Schema::from_json_schema(json.as_ref()).expect("it was written as JSON Schema");
    assert_eq!(schema.unsupported(), [], "{json}");
    schema
}

#[test]
fn a_schema_comes_back_from_json_schema_but_for_what_is_meaningful() {
    for seed in 1..2000 {
        let schema = Schema::from(node(&mut Random(seed), 4, Presence::Meaningful));
        let json = schema.to_json_schema();
        // An equal sequence of random numbers makes an equal schema, here without the lost presence.
        let want = Schema::from(node(&mut Random(seed), 4, Presence::Present));
        assert_eq!(again(&json), want, "seed {seed}: {json}");
        assert_eq!(want.to_json_schema(), json, "seed {seed}");
        // And from text, where the order of members matters.
        let text = json.to_string();
        let read = read(&text);
        assert_eq!(read.as_ref(), Ok(&want), "seed {seed}: {text}");
        assert_eq!(read.map(|read| read.to_json_schema().to_string()), Ok(text), "seed {seed}");
    }
}

#[test]
fn types_that_contain_themselves_come_back() {
    for text in [
        r##"{"$ref":"#/$defs/a","$defs":{"a":{"properties":{"next":{"$ref":"#/$defs/a"},"n":{"type":"integer"}}}}}"##,
        r##"{"type":"array","items":{"$ref":"#"}}"##,
        r##"{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#"}}],"description":"a tree"}"##,
        r##"{"$defs":{"a":{"properties":{"b":{"$ref":"#/$defs/b"}}},
            "b":{"properties":{"a":{"$ref":"#/$defs/a","description":"back"}},"required":["a"]}},
            "properties":{"x":{"$ref":"#/$defs/b"},"y":{"$ref":"#/$defs/a"}}}"##,
        r##"{"additionalProperties":{"$ref":"#"},"description":"a map of maps"}"##,
        r##"{"$defs":{"u":{"anyOf":[{"$ref":"#/$defs/u"},{"type":"null"}]}},"$ref":"#/$defs/u"}"##,
    ] {
        let schema = read(text).expect("a schema");
        let json = schema.to_json_schema();
        assert_eq!(again(&json), schema, "{text}\n{json}");
        assert_eq!(again(&json).to_json_schema().to_string(), json.to_string());
        assert_eq!(again(&schema.to_closed_json_schema()).unsupported(), []);
    }
}

/// A reference to the whole is written as such, and not under a name.
#[test]
fn a_type_that_is_the_root_is_referred_to_as_the_root() {
    for text in [
        r##"{"type":"array","items":{"$ref":"#"}}"##,
        r##"{"type":"object","properties":{"next":{"$ref":"#"},"n":{"type":"integer"}}}"##,
        r##"{"type":"object","additionalProperties":{"$ref":"#"}}"##,
        r##"{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#"}}]}"##,
    ] {
        assert_eq!(read(text).expect("a schema").to_json_schema().to_string(), text);
    }
    let inner = r##"{"type":"array","items":{"$ref":"#/$defs/type1"},"$defs":{"type1":
        {"type":"array","items":{"type":"array","items":{"$ref":"#/$defs/type1"}}}}}"##;
    let text = inner.replace("\n        ", "");
    assert_eq!(read(&text).expect("a schema").to_json_schema().to_string(), text);
}

#[test]
fn what_is_shared_is_written_once() {
    // Without sharing, the last type would contain the first 2⁴⁰ times.
    let mut text = String::from(r#"{"$defs":{"t0":{"type":"array"}"#);
    for at in 1..40 {
        let below = format!(r##"{{"$ref":"#/$defs/t{}"}}"##, at - 1);
        text += &format!(r#","t{at}":{{"properties":{{"a":{below},"b":{below}}}}}"#);
    }
    text += r##"},"$ref":"#/$defs/t39"}"##;
    let schema = read(&text).expect("a schema");
    let json = schema.to_json_schema();
    assert!(json.to_string().len() < 2 * text.len() + 2000, "{json}");
    assert_eq!(again(&json), schema);
}

/// A text of more than a kilobyte, each choice counted with eight bytes around it.
#[test]
fn long_choices_that_are_shared_are_written_once() {
    for (len, is_apart) in [(1016, false), (1017, true)] {
        let text = format!(
            r##"{{"$defs":{{"e":{{"enum":["{}"]}}}},"properties":{{"a":{{"$ref":"#/$defs/e"}},"b":{{"$ref":"#/$defs/e"}}}}}}"##,
            "x".repeat(len)
        );
        let json = read(&text).expect("a schema").to_json_schema().to_string();
        assert_eq!(json.contains("$defs"), is_apart, "{len}");
    }
}

#[test]
fn what_is_nested_too_deeply_is_written_apart() {
    for (levels, is_apart) in [(48, false), (49, true)] {
        let nested = Schema::from((0..levels).fold(str(""), |node, _| list(node)));
        let json = nested.to_json_schema().to_string();
        assert_eq!(json.contains("$defs"), is_apart, "{levels}");
    }
}

#[test]
fn depth_does_not_matter() {
    let mut node = str("the innermost");
    for _ in 0..5000 {
        node = list(node);
    }
    let schema = Schema::from(node);
    assert_eq!(again(&schema.to_json_schema()), schema);
}

#[test]
fn a_union_of_one_is_that_one_and_of_none_is_nothing() {
    assert_eq!(again(&Schema::from(union([str("x")])).to_json_schema()), str("x").into());
    let none = Schema::from(union::<Node>([]));
    assert!(again(&none.to_json_schema()) == one_of::<&str>([]).into());
}

/// The rules of endpoints that enforce a schema: every object with declared fields is closed and requires
/// all of them.
#[test]
fn closed_objects_need_all_they_declare() {
    for seed in 1..500 {
        let schema = Schema::from(node(&mut Random(seed), 4, Presence::Meaningful));
        let json = schema.to_closed_json_schema();
        again(&json);
        let mut open = vec![json.as_ref()];
        while let Some(value) = open.pop() {
            open.extend(value.entries().map(|(_, value)| value));
            let is_schema = value.get("type").is_some_and(|kind| kind.as_str() == Some("object"));
            let Some(properties) = value.get("properties").filter(|_| is_schema) else { continue };
            let names: Vec<_> = properties.entries().filter_map(|(name, _)| name).collect();
            let required = value.get("required").expect("there are fields");
            let required: Vec<_> = required.entries().filter_map(|(_, it)| it.as_str()).collect();
            assert_eq!(names, required, "seed {seed}: {json}");
            assert!(value.get("additionalProperties").is_some(), "seed {seed}: {json}");
        }
    }
}

#[test]
fn what_may_be_missing_may_be_null_where_all_is_needed() {
    let schema = object().field("a", str("x")).field("b", int("").nullable()).field("c", any(""));
    let schema = Schema::from(schema.field("d", one_of(["y"]).present()));
    let want = sample::document(
        r#"{"type":"object","properties":{"a":{"anyOf":[{"type":"string","description":"x"},{"type":"null"}]},"b":{"anyOf":[{"type":"integer"},{"type":"null"}]},"c":{},"d":{"type":"string","const":"y"}},"required":["a","b","c","d"],"additionalProperties":false}"#,
    );
    assert_eq!(schema.to_closed_json_schema().to_string(), want.value().to_string());
}
