//! For every stream of the corpus, the model ends as the answer, with the right states.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use patchwire::internals::XmlBody;
use patchwire::{
    Format, Schema, Spec, SpecBuilder, Strictness, TagSet, ValueKind, ValueRef, document::DocId,
    spec::Roots,
};
use patchwire_async::ResponseEvent;
use serde_json::Value as Json;

use super::{Item, ItemBody, ItemState, Model};

/// Reads a stream in chunks of this size, to its end.
fn read(spec: &Spec, bytes: &[u8], size: usize) -> (Model, Option<patchwire::Answer>) {
    let mut model = Model::new(spec.schema());
    let mut parser = spec.parser();
    for (number, piece) in bytes.chunks(size).enumerate() {
        model.chunk(piece.len(), Duration::from_millis(number as u64));
        if parser.feed(piece, |event| model.event(&event.to_owned())).is_err() {
            return (model, None);
        }
    }
    let answer = parser.finish(|event| model.event(&event.to_owned())).ok();
    (model, answer)
}

/// Whether an item has this value.
fn is_value(model: &Model, item: &Item, value: ValueRef<'_>) -> bool {
    let there: Vec<&Item> = item
        .children
        .iter()
        .map(|id| model.item(*id))
        .filter(|child| child.body != ItemBody::Absent)
        .collect();
    match (&item.body, value.kind()) {
        (ItemBody::Absent, _) => !value.exists(),
        (ItemBody::Text(text), ValueKind::String) => value.as_str() == Some(text),
        (ItemBody::Scalar(kind, json), other) => *kind == other && *json == value.to_string(),
        (ItemBody::List, ValueKind::List) => {
            there.len() == value.len()
                && there
                    .iter()
                    .zip(value.entries())
                    .all(|(item, (_, value))| is_value(model, item, value))
        }
        (ItemBody::Object, ValueKind::Object) => {
            there.len() == value.len()
                && there.iter().all(|item| {
                    value.get(&item.name).is_some_and(|value| is_value(model, item, value))
                })
        }
        _ => false,
    }
}

/// Reads a stream, and compares its documents with those of the answer. Returns whether there was a
/// value.
fn check(spec: &Spec, bytes: &[u8], name: &str) -> bool {
    let mut any = false;
    for size in [1, 3, usize::MAX] {
        let (model, answer) = read(spec, bytes, size);
        let Some(answer) = answer else { return false };
        let mut documents: Vec<(&DocId, ValueRef<'_>)> = Vec::new();
        for (id, root) in &model.documents {
            let value = answer.document(*id);
            let is_same = value.is_some_and(|value| is_value(&model, model.item(*root), value));
            let is_gone = value.is_none_or(|value| !value.exists())
                && model.item(*root).body == ItemBody::Absent;
            assert!(is_same || is_gone, "{name}, by {size}: {id:?} is not {value:?}");
            documents.extend(value.map(|value| (id, value)));
        }
        let value = answer.value();
        if value.exists() {
            any = true;
            assert!(documents.iter().any(|(_, document)| *document == value), "{name}: {value}");
        }
        let (done, all) = model.progress();
        assert!(all.is_none_or(|all| done <= all), "{name}");
    }
    any
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

/// The members of a corpus case that are used here.
#[derive(serde::Deserialize)]
struct Case {
    name: String,
    #[serde(default)]
    input: Json,
    #[serde(default)]
    hex: String,
    #[serde(default)]
    format: String,
    #[serde(default)]
    schema: Json,
    #[serde(default)]
    profile: String,
    start_in: Option<String>,
}

/// The cases of a file, or of all files of a folder.
fn cases(place: &str) -> Vec<Case> {
    let place = corpus().join(place);
    let mut files = vec![place.clone()];
    if place.is_dir() {
        let found = fs::read_dir(place).expect("it is there");
        files = found.map(|file| file.expect("a file").path()).collect();
    }
    files.retain(|file| file.extension().is_some_and(|it| it == "ndjson"));
    let mut all = Vec::new();
    for file in files {
        let text = fs::read_to_string(file).expect("it is text");
        all.extend(text.lines().map(|line| serde_json::from_str(line).expect("it is a case")));
    }
    all
}

impl Case {
    /// The bytes of a case: a text, its chunks, or hexadecimal digits.
    fn bytes(&self) -> Vec<u8> {
        match &self.input {
            Json::String(text) => text.clone().into_bytes(),
            Json::Array(pieces) => {
                let pieces: Vec<&str> = pieces.iter().filter_map(Json::as_str).collect();
                pieces.concat().into_bytes()
            }
            _ => {
                let digits = self.hex.chars().filter_map(|char| char.to_digit(16));
                let digits: Vec<u8> = digits.map(|digit| digit as u8).collect();
                digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
            }
        }
    }
}

fn built(builder: SpecBuilder) -> Spec {
    builder.build().expect("the settings agree")
}

fn json_specs() -> Vec<Spec> {
    let schema = r#"{"title": "str", "a": "any", "n": "number", "ok": "bool", "tags": ["str"],
        "items": [{"sku": ["str", "", true], "n": "int"}]}"#;
    let schema = || Schema::from_text(schema).expect("a schema");
    vec![
        Spec::json(),
        Spec::strict_json(),
        built(Spec::builder().schema(schema())),
        built(Spec::builder().schema(schema()).strictness(Strictness::Strict)),
        built(Spec::builder().schema(schema()).roots(Roots::Last)),
        built(Spec::builder().roots(Roots::First)),
        built(Spec::builder().roots(Roots::Concatenated)),
        built(Spec::builder().tags(TagSet::scratchpad())),
        built(Spec::builder().format(Format::Text).tags(TagSet::ubik())),
    ]
}

#[test]
fn of_json_the_form_is_the_answer() {
    let mut values = 0;
    for case in cases("json") {
        for spec in json_specs() {
            values += usize::from(check(&spec, &case.bytes(), &case.name));
        }
    }
    assert!(values > 1000, "{values}");
}

#[test]
fn of_fields_the_form_is_the_answer() {
    let mut values = 0;
    for case in cases("formats") {
        let format = match &*case.format {
            "xml_field" => Format::XmlField,
            "hybrid" => Format::Hybrid,
            "flat_markdown" | "markdown" => Format::Markdown,
            "yaml_literal" | "yaml" => Format::YamlLiteral,
            other => panic!("no such format: {other}"),
        };
        let schema = Schema::from_text(&case.schema.to_string()).ok();
        let with_schema = schema.map(|schema| Spec::builder().schema(schema));
        for builder in [Some(Spec::builder()), with_schema].into_iter().flatten() {
            values += usize::from(check(&built(builder.format(format)), &case.bytes(), &case.name));
        }
    }
    assert!(values > 100, "{values}");
}

#[test]
fn of_trees_of_tags_the_form_is_the_answer() {
    let mut values = 0;
    for case in cases("xml") {
        for body in [XmlBody::any().whole(), XmlBody::any().whole().typed_by_content()] {
            let spec = built(Spec::builder().without_tags().machine(body.machine()));
            values += usize::from(check(&spec, &case.bytes(), &case.name));
        }
    }
    assert!(values > 50, "{values}");
}

#[test]
fn of_elements_each_document_is_the_one_of_the_answer() {
    let mut documents = 0;
    for case in cases("tags/cases.ndjson") {
        // Some tag sets are built from others, and have no file.
        let file = corpus().join(format!("tags/profiles/{}.json", case.profile));
        let Ok(text) = fs::read_to_string(file) else { continue };
        let set = TagSet::from_json(&text).expect("a tag set");
        let builder = Spec::builder().format(Format::Text).tags(set);
        let spec = built(case.start_in.iter().fold(builder, SpecBuilder::start_in));
        check(&spec, &case.bytes(), &case.name);
        documents += read(&spec, &case.bytes(), usize::MAX).0.documents.len();
    }
    assert!(documents > 20, "{documents}");
}

fn spec(schema: &str) -> Spec {
    let schema = Schema::from_text(schema).expect("a schema");
    built(Spec::builder().schema(schema).strict_shape(true))
}

/// The state of a member of the answer.
fn state(model: &Model, name: &str) -> ItemState {
    let root = model.document(DocId::ANSWER).or(model.expected).expect("there is a form");
    let mut children = model.item(root).children.iter().map(|id| model.item(*id));
    children.find(|item| *item.name == *name).expect("it has a row").state()
}

const SCHEMA: &str = r#"{"a": ["str", "first", true], "b": "int", "c": ["str", "", true]}"#;

#[test]
fn a_field_waits_is_written_and_is_done() {
    let spec = spec(SCHEMA);
    let mut parser = spec.parser();
    let mut model = Model::new(spec.schema());
    assert_eq!((state(&model, "a"), model.progress()), (ItemState::Waiting, (0, Some(3))));
    parser.feed(r#"{"a": "x"#, |event| model.event(&event.to_owned())).expect("it reads");
    assert_eq!((state(&model, "a"), state(&model, "b")), (ItemState::Writing, ItemState::Waiting));
    parser
        .feed(r#"y", "b": 1, "c": "z"}"#, |event| model.event(&event.to_owned()))
        .expect("it reads");
    assert_eq!((state(&model, "a"), model.progress()), (ItemState::Done, (3, Some(3))));
}

#[test]
fn what_is_wrong_is_said_where_it_is() {
    let (model, _) = read(&spec(SCHEMA), br#"{"a": "x", "b": ["no"], "z": 1}"#, 4);
    assert_eq!((state(&model, "a"), state(&model, "b")), (ItemState::Done, ItemState::Failed));
    assert_eq!(state(&model, "c"), ItemState::Failed);
    let failures: Vec<&str> =
        model.failed.iter().filter_map(|id| model.item(*id).failure.as_deref()).collect();
    assert!(failures.contains(&"is missing"), "{failures:?}");
}

#[test]
fn what_is_repaired_or_cut_off_says_so() {
    let (model, _) = read(&spec(SCHEMA), br#"{'a': 'x', "b": 1, "c": "tex"#, 4);
    assert_eq!((state(&model, "a"), state(&model, "b")), (ItemState::Repaired, ItemState::Done));
    assert_eq!(state(&model, "c"), ItemState::Cut);
}

#[test]
fn another_attempt_begins_with_an_empty_form() {
    let spec = spec(SCHEMA);
    let (mut model, _) = read(&spec, br#"<think>hm</think>{"a": "x"}"#, 4);
    assert_eq!(model.top().len(), 2);
    model.response_event(&ResponseEvent::Reset { attempt: 2 });
    assert_eq!((model.top().len(), state(&model, "a")), (1, ItemState::Waiting));
    assert_eq!((&model.end, model.progress()), (&None, (0, Some(3))));
    let mut parser = spec.parser();
    parser.feed(r#"{"a": "again"}"#, |event| model.event(&event.to_owned())).expect("it reads");
    assert_eq!(state(&model, "a"), ItemState::Done);
}

#[test]
fn a_schema_that_contains_itself_waits_level_by_level() {
    let spec = spec(
        r##"{"type": "object", "properties": {"name": {"type": "string"},
            "inner": {"$ref": "#"}, "all": {"type": "array", "items": {"$ref": "#"}}}}"##,
    );
    let (model, _) = read(&spec, br#"{"name": "a", "inner": {"name": "b"}}"#, 3);
    assert_eq!(
        (state(&model, "inner"), state(&model, "all")),
        (ItemState::Done, ItemState::Waiting)
    );
}

#[test]
fn many_members_are_found_by_name() {
    let members: Vec<String> = (0..10_000).map(|n| format!("\"key{n}\": {n}")).collect();
    let text = format!("{{{}}}", members.join(", "));
    assert!(check(&Spec::json(), text.as_bytes(), "many"));
    let (model, _) = read(&Spec::json(), text.as_bytes(), 7);
    assert_eq!(model.progress(), (10_000, None));
}
