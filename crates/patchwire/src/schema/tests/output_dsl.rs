//! The output DSL, case by case.

use crate::document::sample;
use crate::schema::{
    Node, Schema, SchemaErrorKind, any, bool, int, list, null, number, object, str, union,
};

fn read(text: &str) -> Result<Schema, (SchemaErrorKind, String)> {
    Schema::from_output_dsl(sample::document(text).value())
        .map_err(|error| (error.kind, error.path))
}

/// Texts, and equal schemas written in Rust.
fn understood() -> Vec<(&'static str, Node)> {
    vec![
        (r#""str""#, str("")),
        (r#"["str"]"#, str("")),
        (r#"["str","one line"]"#, str("one line")),
        (r#"["str",null,true]"#, str("").required()),
        (r#"["str","",false]"#, str("")),
        (r#"["str","d","not_null"]"#, str("d").required()),
        (r#"["str","d",null]"#, str("d")),
        (r#"{"$type":"str"}"#, str("")),
        (r#"{"$ensure":"not_null","$desc":"d","$type":"int"}"#, int("d").required()),
        (r#""integer""#, int("")),
        (r#""float""#, number("")),
        (r#""boolean""#, bool("")),
        (r#""None""#, null()),
        (r#""any""#, any("")),
        (r#""list""#, list(any(""))),
        (r#""dict""#, object().into()),
        ("[]", list(any(""))),
        ("{}", object().into()),
        (r#"["str|null","d",true]"#, str("d").required().nullable()),
        (r#""int | str | null""#, union([int(""), str(""), null()])),
        (r#""list|null""#, list(any("")).nullable()),
        (r#"[["str"]]"#, list(str(""))),
        (r#"[["str","a risk",true]]"#, list(str("a risk").required())),
        (r#"[{"$type":"str"}]"#, list(str(""))),
        (r#"[[["int"]]]"#, list(list(int("")))),
        (r#"[["str"],"tags",true]"#, list(str("")).describe("tags").required()),
        (r#"{"$type":["str"],"$desc":"tags"}"#, list(str("")).describe("tags")),
        (r#"{"$type":[["str","tag"]]}"#, list(str("tag"))),
        (
            r#"[{"sku":["str"],"amount":["float"]}]"#,
            list(object().field("sku", str("")).field("amount", number(""))),
        ),
        (
            r#"[{"a":"int"},"an object",true]"#,
            object().field("a", int("")).describe("an object").required().into(),
        ),
        (
            r#"{"$type":{"$type":"str","$desc":"inner","$ensure":true},"$desc":"outer"}"#,
            str("outer").required(),
        ),
        (
            r#"{"z":["str","last letter",true],"a":{"b":[["bool"]],"c":"any"},"m":"int"}"#,
            object()
                .field("z", str("last letter").required())
                .field("a", object().field("b", list(bool(""))).field("c", any("")))
                .field("m", int(""))
                .into(),
        ),
        (
            r#"{"type":"str","desc":"str"}"#,
            object().field("type", str("")).field("desc", str("")).into(),
        ),
    ]
}

#[test]
fn understood_texts_give_the_tree() {
    for (text, node) in understood() {
        let schema = read(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(schema, Schema::from(node), "{text}");
        assert_eq!(schema.unsupported(), []);
    }
}

#[test]
fn fields_keep_their_order() {
    let schema = read(r#"{"z":"int","b":["str"],"a":"str","y":[["str"]]}"#).expect("a schema");
    let names: Vec<&str> = schema.declared_keys(schema.root()).collect();
    assert_eq!(names, ["z", "b", "a", "y"]);
}

#[test]
fn flaws_say_what_and_where() {
    use SchemaErrorKind as Kind;
    for (text, kind, path) in [
        ("1", Kind::NotAType, ""),
        ("null", Kind::NotAType, ""),
        (r#"{"a":true}"#, Kind::NotAType, "/a"),
        (r#"["strr","d"]"#, Kind::UnknownType, "/0"),
        (r#"{"a":[{"b~/c":"list[str]"}]}"#, Kind::UnknownType, "/a/0/b~0~1c"),
        (r#"{"a":"str|"}"#, Kind::UnknownType, "/a"),
        (r#"{"a":["str","int","d","e"]}"#, Kind::InvalidEnsure, "/a/2"),
        (r#"{"a":["str","d",true,1]}"#, Kind::SurplusPart, "/a/3"),
        (r#"{"a":["str","d","present"]}"#, Kind::InvalidEnsure, "/a/2"),
        (r#"{"a":["str","d",1]}"#, Kind::InvalidEnsure, "/a/2"),
        (r#"["str",true]"#, Kind::SeveralPrototypes, ""),
        (r#"{"a":[{"b":"int"},{"c":"int"}]}"#, Kind::SeveralPrototypes, "/a"),
        (r#"{"a":{"$desc":"d"}}"#, Kind::MissingType, "/a"),
        (r#"{"a":{"$type":"str","$desc":1}}"#, Kind::InvalidDescription, "/a/$desc"),
        (r#"{"a":{"$type":"str","enum":[]}}"#, Kind::UnknownDirective, "/a/enum"),
        (r#"{"a":{"$typ":"str"}}"#, Kind::UnknownDirective, "/a/$typ"),
        (r#"{"a":"int","b":1,"c":2}"#, Kind::NotAType, "/b"),
    ] {
        assert_eq!(read(text), Err((kind, path.to_owned())), "{text}");
    }
}

#[test]
fn depth_has_a_bound() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(read(&nested(129)).is_ok());
    let (kind, path) = read(&nested(130)).expect_err("too deep");
    assert_eq!((kind, path.len()), (SchemaErrorKind::TooDeep, 2 * 129));
    let named = format!("{}\"str\"{}", r#"{"$type":"#.repeat(200), "}".repeat(200));
    assert_eq!(read(&named).map_err(|(kind, _)| kind), Err(SchemaErrorKind::TooDeep));
}

/// Random trees, each as a text and in Rust. The numbers come from a xorshift generator.
struct Trees(u64);

impl Trees {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    /// A type, with or without a description.
    fn tree(&mut self, depth: u64) -> (String, Node) {
        let (text, node) = self.shape(depth);
        let description = ["", "one line", "ein Wörtchen"][self.below(3) as usize];
        let ensure = ["true", "\"not_null\"", "false", "null"][self.below(4) as usize];
        let needed = matches!(ensure, "true" | "\"not_null\"");
        let said = |node: Node| {
            let node = node.describe(description);
            if needed { node.required() } else { node }
        };
        match self.below(4) {
            0 => (format!("[{text},\"{description}\",{ensure}]"), said(node)),
            1 => {
                let parts = format!("\"$desc\":\"{description}\",\"$ensure\":{ensure}");
                (format!("{{{parts},\"$type\":{text}}}"), said(node))
            }
            2 => (format!("[{text},\"{description}\"]"), node.describe(description)),
            _ => (text, node),
        }
    }

    fn shape(&mut self, depth: u64) -> (String, Node) {
        match self.below(if depth == 0 { 6 } else { 9 }) {
            0 => ("\"str\"".to_owned(), str("")),
            1 => ("\"int\"".to_owned(), int("")),
            2 => ("\"float\"".to_owned(), number("")),
            3 => ("\"bool|null\"".to_owned(), bool("").nullable()),
            4 => ("\"any\"".to_owned(), any("")),
            5 => ("\"array\"".to_owned(), list(any(""))),
            6 => {
                let (mut text, item) = self.tree(depth - 1);
                // In a list of one item a name would be a leaf.
                if text.starts_with('"') {
                    text = format!("{{\"$type\":{text}}}");
                }
                (format!("[{text}]"), list(item))
            }
            _ => {
                let (mut fields, mut node) = (Vec::new(), object());
                for _ in 0..self.below(4) {
                    let (name, (text, field)) = (self.below(100), self.tree(depth - 1));
                    // A repeated name would replace the first field.
                    let name = format!("f{name}_{}", fields.len());
                    fields.push(format!("\"{name}\":{text}"));
                    node = node.field(&name, field);
                }
                (format!("{{{}}}", fields.join(",")), node.into())
            }
        }
    }
}

#[test]
fn any_tree_can_be_written() {
    let mut trees = Trees(0x5EED);
    for _ in 0..2_000 {
        let (text, node) = trees.tree(4);
        let schema = read(&text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let wanted = Schema::from(node);
        assert_eq!(schema, wanted, "{text}");
        let keys = |schema: &Schema| -> Vec<String> {
            schema.declared_keys(schema.root()).map(ToString::to_string).collect()
        };
        assert_eq!(keys(&schema), keys(&wanted), "{text}");
    }
}
