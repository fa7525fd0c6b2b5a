//! `get`, `text`, `values`, `each` and `drafts`: a part of the answer, and then the response again.

use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use patchwire::schema::{list, object, str};
use patchwire::{Format, Schema, Spec};
use patchwire_async::{Error, Item, PathError, TextDelta, TokenStreamExt as _};
use serde::Deserialize;

use crate::source::{Dead, Script, Step, all, pieces};

#[derive(Debug, Deserialize, PartialEq)]
struct Row {
    sku: String,
}

const REPORT: &str = "{\"title\": \"Spring\", \"items\": [{\"sku\": \"a1\"}, {\"sku\": \"b2\"}], \
                      \"customer_reply\": \"Dear all\", \"n\": 3}";

/// Deltas joined, and the error at the end.
async fn joined<E>(
    text: impl Stream<Item = Result<TextDelta, Error<E>>>,
) -> (String, Option<Error<E>>) {
    let (mut all, mut text) = (String::new(), Box::pin(text));
    while let Some(delta) = text.next().await {
        match delta {
            Ok(delta) if delta.restarts => all = delta.to_string(),
            Ok(delta) => all.push_str(&delta),
            Err(error) => return (all, Some(error)),
        }
    }
    (all, None)
}

async fn text<E>(part: impl Stream<Item = Result<TextDelta, Error<E>>>) -> String {
    let (text, error) = joined(part).await;
    assert!(error.is_none(), "{error:?}");
    text
}

fn values(items: Vec<Item<Row>>) -> Vec<(usize, String)> {
    items.into_iter().map(|item| (item.index, item.value.sku)).collect()
}

#[tokio::test]
async fn parts_one_after_the_other_and_then_the_answer() {
    for size in [1, 4, 7, 1000] {
        let mut response = Script::of(pieces(REPORT, size)).fields(Spec::json());
        assert_eq!(text(response.text("title")).await, "Spring");
        let rows = response.each::<Row>("items").try_collect().await.unwrap();
        assert_eq!(values(rows), [(0, "a1".into()), (1, "b2".into())]);
        if size < 5 {
            assert!(response.value().get("n").is_none(), "the list's end ends its items");
        }
        let mut reply = response.text("customer_reply");
        assert!(!reply.next().await.unwrap().unwrap().is_empty());
        assert_eq!(response.get::<u8>("n").await.unwrap(), 3);
        let events = all(&mut response).await.unwrap();
        assert!(events.last().is_some_and(|event| event.as_final().is_some()));
        assert_eq!(response.data::<serde_json::Value>().await.unwrap()["n"], 3);
    }
}

/// A text of an enum in YAML, or under a header, comes as one event.
#[tokio::test]
async fn a_text_that_is_known_as_a_whole_is_one_delta() {
    let names = r#"{"type": "object", "properties": {"p": {"enum": ["low", "high"]}, "t": {"type": "string"}}}"#;
    let written = [
        (Format::Hybrid, "### p\nhigh\n\n### t\nx\n"),
        (Format::YamlLiteral, "```yaml\np: high\nt: x\n```\n"),
    ];
    for (format, written) in written {
        let spec = Spec::builder().format(format).schema(Schema::from_text(names).unwrap());
        let spec = spec.build().unwrap();
        for size in [1, 4, 1000] {
            let mut response = Script::of(pieces(written, size)).fields(spec.clone());
            assert_eq!(text(response.text("p")).await, "high", "{format}, pieces of {size}");
            assert_eq!(text(response.text("t")).await, "x", "{format}, pieces of {size}");
            assert_eq!(text(response.text("p")).await, "high", "{format}, late");
        }
    }
}

#[tokio::test]
async fn a_pattern_that_begins_late_is_the_first_field_that_matches() {
    let written = r#"{"rows": [{"b": [1, 2], "a[*]": "x"}, {"b": [3], "a[*]": "y"}], "c": "z"}"#;
    for size in [1, 4, 1000] {
        let mut response = Script::of(pieces(written, size)).fields(Spec::json());
        assert_eq!(response.get::<String>("rows[0][\"a[*]\"]").await.unwrap(), "x");
        for _ in 0..2 {
            assert_eq!(response.get::<Vec<u8>>("rows[*].b").await.unwrap(), [1, 2]);
            assert_eq!(text(response.text("rows[*][\"a[*]\"]")).await, "x");
            assert_eq!(response.get::<u8>("rows[*].b[*]").await.unwrap(), 1);
            assert!(response.get::<String>("*").await.is_err(), "the first is a list");
            let items: Vec<Item<u8>> = response.each("rows[*].b").try_collect().await.unwrap();
            assert_eq!(items.into_iter().map(|item| item.value).collect::<Vec<_>>(), [1, 2, 3]);
            all(&mut response).await.unwrap();
        }
    }
}

#[tokio::test]
async fn parts_that_began_before_are_caught_up_with() {
    for taken in 0..60 {
        for size in [1, 3, 1000] {
            let response = async || {
                let mut response = Script::of(pieces(REPORT, size)).fields(Spec::json());
                for _ in 0..taken {
                    response.next().await;
                }
                response
            };
            let mut read = response().await;
            assert_eq!(text(read.text("customer_reply")).await, "Dear all", "{taken} {size}");
            let rows = response().await.each::<Row>("items[*]").try_collect().await.unwrap();
            assert_eq!(values(rows), [(0, "a1".into()), (1, "b2".into())], "{taken} {size}");
            let mut read = response().await;
            assert_eq!(text(read.text("n")).await, "3");
            assert_eq!(read.get::<u8>("n").await.unwrap(), 3);
            assert_eq!(read.get::<String>("title").await.unwrap(), "Spring");
            let mut read = response().await;
            let all: Vec<_> = read.values("items").try_collect().await.unwrap();
            assert_eq!(all.last().unwrap().to_string(), r#"[{"sku":"a1"},{"sku":"b2"}]"#);
        }
    }
}

#[tokio::test]
async fn what_is_not_there_is_an_error_with_the_names_that_are() {
    for size in [1, 1000] {
        let mut response = Script::of(pieces(REPORT, size)).fields(Spec::json());
        let (none, error) = joined(response.text("titel")).await;
        assert_eq!(none, "");
        let said = "the answer has no `titel`; it has `title`, `items`, `customer_reply`, `n`";
        assert_eq!(error.unwrap().to_string(), said);
        for path in ["titel", "items[2]", "items[0].name", "n.x"] {
            let mut part = response.values(path);
            let error = part.next().await.unwrap().unwrap_err();
            assert!(matches!(error, Error::Path(PathError::Missing { .. })), "{path}: {error}");
            assert!(part.next().await.is_none());
            assert!(response.get::<String>(path).await.is_err());
            assert_eq!(response.get::<Option<String>>(path).await.unwrap(), None);
        }
        let error = response.each::<Row>("absent").next().await.unwrap().unwrap_err();
        assert!(error.to_string().starts_with("the answer has no `absent`; it has `title`"));
        let none: Vec<Item<Row>> = response.each("items[*].parts").try_collect().await.unwrap();
        assert!(none.is_empty(), "a pattern may match nothing");
        assert!(response.next().await.is_none());
    }
}

#[tokio::test]
async fn a_path_that_the_schema_does_not_have_is_an_error_before_anything_is_read() {
    let item = object().field("sku", str("")).field("count", str(""));
    let schema = Schema::object().field("title", str("")).field("items", list(item));
    let spec = Spec::builder().schema(schema).build().unwrap();
    let (source, counts) = Script::new([Step::Item(REPORT)]);
    let mut response = source.fields(spec);
    for (path, said) in [
        ("titel", "the schema has no `titel`; did you mean `title`?"),
        ("Title", "the schema has no `Title`; did you mean `title`?"),
        ("items[0].skus", "the schema has no `items[0].skus`; did you mean `items[0].sku`?"),
        ("items[*].cuont", "the schema has no `items[*].cuont`; did you mean `items[*].count`?"),
        ("whatever", "the schema has no `whatever`; it has `title`, `items`"),
        ("title.x", "the schema has no `title.x`; `title` has no fields"),
        ("title[\"a.b\"]", "the schema has no `title[\"a.b\"]`; `title` has no fields"),
        ("title[\"a[0]\"]", "the schema has no `title[\"a[0]\"]`; `title` has no fields"),
        ("[0]", "the schema has no `[0]`; it has `title`, `items`"),
    ] {
        let (_, error) = joined(response.text(path)).await;
        assert_eq!(error.unwrap().to_string(), said);
        assert_eq!(response.get::<String>(path).await.unwrap_err().to_string(), said);
        let error = response.values(path).next().await.unwrap().unwrap_err();
        assert!(matches!(error, Error::Path(PathError::Undeclared(_))));
    }
    let error = response.each::<Row>("itms").next().await.unwrap().unwrap_err();
    assert_eq!(error.to_string(), "the schema has no `itms`; did you mean `items`?");
    let error = response.each::<Row>("title").next().await.unwrap().unwrap_err();
    assert_eq!(error.to_string(), "the schema has no `title[*]`; `title` is no list");
    assert_eq!(counts.polls(), 0);
    assert_eq!(text(response.text("items[*].sku")).await, "a1");
    assert_eq!(values(response.each("items").try_collect().await.unwrap()).len(), 2);
}

#[tokio::test]
async fn a_part_that_was_cut_is_an_error_after_what_arrived() {
    let cut = "{\"title\": \"Spring\", \"rows\": [{\"sku\": \"a1\"}, {\"sku\": \"b";
    for size in [1, 3, 1000] {
        for is_read in [false, true] {
            let response = async || {
                let mut response = Script::of(pieces(cut, size)).fields(Spec::json());
                if is_read {
                    response.answer().await.unwrap();
                }
                response
            };
            let mut read = response().await;
            assert_eq!(text(read.text("title")).await, "Spring", "what is whole stays whole");
            let (part, error) = joined(read.text("rows[1].sku")).await;
            let Some(Error::Path(PathError::Cut { path, value, .. })) = error else {
                panic!("{error:?}")
            };
            assert_eq!((&*part, &*path, value.to_string()), ("b", "rows[1].sku", "\"b\"".into()));
            let error = response().await.get::<String>("rows[1].sku").await.unwrap_err();
            let said = "the answer was cut before `rows[1].sku` was complete";
            assert_eq!(error.to_string(), said);
            let mut read = response().await;
            let mut rows = read.each::<Row>("rows");
            assert_eq!(rows.next().await.unwrap().unwrap().value.sku, "a1");
            let error = rows.next().await.unwrap().unwrap_err();
            assert_eq!(error.to_string(), "the answer was cut before `rows` was complete");
            assert!(rows.next().await.is_none());
            let mut read = response().await;
            let (mut so_far, mut values) = (Vec::new(), read.values("rows"));
            let error = loop {
                match values.next().await.unwrap() {
                    Ok(value) => so_far.push(value.to_string()),
                    Err(error) => break error,
                }
            };
            assert!(matches!(error, Error::Path(PathError::Cut { .. })));
            if !is_read {
                let last = so_far.last().unwrap();
                assert_eq!(last, r#"[{"sku":"a1"},{"sku":"b"}]"#);
            }
            let mut read = response().await;
            let Error::Cut(cut) = read.data::<serde_json::Value>().await.unwrap_err() else {
                panic!("it was cut")
            };
            assert_eq!(cut.path(), "rows[1].sku");
            assert_eq!(cut.value().at("rows[0].sku").unwrap().as_str(), Some("a1"));
            let value: serde_json::Value = read.allow_partial().data().await.unwrap();
            assert_eq!(value["rows"][1]["sku"], "b");
        }
    }
}

#[tokio::test]
async fn prose_in_place_of_a_value_is_quoted() {
    let prose = "I'm sorry, but I cannot help with orders that were placed more than a year ago.";
    let mut response = Script::of(pieces(prose, 9)).fields(Spec::json());
    let error = response.data::<Row>().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the answer has no value: the model wrote only text, which begins \
         “I'm sorry, but I cannot help with orders that were placed…”"
    );
    assert!(matches!(error, Error::NoValue(none) if none.answer().text() == prose));
}

#[tokio::test]
async fn containers_scalars_and_patterns() {
    let json = "{\"a\": [{\"b\": [1, 2]}, {\"b\": [3]}], \"m\": {\"x\": 4, \"y\": 5}, \"t\": true, \
                \"s\": \"x\", \"z\": null}";
    for size in [1, 1000] {
        let response = || Script::of(pieces(json, size)).fields(Spec::json());
        assert_eq!(text(response().text("t")).await, "true");
        assert_eq!(text(response().text("z")).await, "");
        assert_eq!(text(response().text("m.y")).await, "5");
        for (path, kind) in [("a", "a list"), ("a[1]", "an object"), ("", "an object")] {
            let (_, error) = joined(response().text(path)).await;
            let said = error.unwrap().to_string();
            assert!(said.starts_with(&format!("`{path}` is {kind}")), "{said}");
            let mut response = response();
            let items: Vec<_> = response.text(path).collect().await;
            assert_eq!(items.len(), 1, "{path}: the error is the last item");
        }
        let get = async |path: &str| response().get::<serde_json::Value>(path).await.unwrap();
        assert_eq!(get("a[1]").await.to_string(), "{\"b\":[3]}");
        assert_eq!(get("a[*].b").await.to_string(), "[1,2]");
        assert_eq!(get("").await["s"], "x");
        let collect = async |path: &str| -> Vec<(usize, u32)> {
            let mut response = response();
            let items: Vec<Item<u32>> = response.each(path).try_collect().await.unwrap();
            items.into_iter().map(|item| (item.index, item.value)).collect()
        };
        assert_eq!(collect("a[*].b[*]").await, [(0, 1), (1, 2), (0, 3)]);
        assert_eq!(collect("a[1].b").await, [(0, 3)]);
        assert_eq!(collect("m[*]").await, [(0, 4), (1, 5)]);
        assert_eq!(collect("m.*").await, [(0, 4), (1, 5)]);
        assert_eq!(collect("z").await, []);
        let whole: Vec<Item<serde_json::Value>> = response().each("*").try_collect().await.unwrap();
        assert_eq!(whole.len(), 5);
        let error = response().each::<u8>("s").next().await.unwrap().unwrap_err();
        assert_eq!(error.to_string(), "s: invalid type: string, expected a list");
        let error = response().get::<u8>("s").await.unwrap_err();
        assert!(matches!(&error, Error::Data(error) if error.path == "s"), "{error}");
    }
    let mut list = Script::of(["[5, 6]"]).fields(Spec::json());
    let items: Vec<Item<u32>> = list.each("").try_collect().await.unwrap();
    assert_eq!(items.len(), 2);
}

#[tokio::test]
async fn values_grow_at_most_once_for_each_item_of_the_source() {
    let source = ["{\"a\": \"x", "y\", \"l\": [1", ", [2, 3], ", "{\"k\": nu", "ll}]", "}"];
    let values = async |path: &str| -> Vec<String> {
        let mut response = Script::of(source).fields(Spec::json());
        let values: Vec<_> = response.values(path).try_collect().await.unwrap();
        values.iter().map(ToString::to_string).collect()
    };
    assert_eq!(values("a").await, ["\"x\"", "\"xy\""]);
    let grown = ["[]", "[1,[2,3]]", "[1,[2,3],{}]", "[1,[2,3],{\"k\":null}]"];
    assert_eq!(values("l").await, grown);
    assert_eq!(values("l[1]").await, ["[2,3]"]);
    assert_eq!(values("l[2].k").await, ["null"]);
    assert_eq!(values("").await.len(), 5);
}

#[tokio::test]
async fn drafts_are_the_answer_so_far() {
    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Draft {
        title: Option<String>,
        n: Option<u8>,
    }
    let draft = |title: &str, n| Draft { title: Some(title.to_owned()), n };
    let source = ["so: ", "{\"title\": \"Sp", "ring\"", ", \"n\": 1", "2} bye"];
    let mut response = Script::of(source).fields(Spec::json());
    let drafts: Vec<Draft> = response.drafts().try_collect().await.unwrap();
    // The third says that the title is whole: a partial type may have waited for that.
    let spring = draft("Spring", None);
    let same = draft("Spring", None);
    assert_eq!(drafts, [draft("Sp", None), spring, same, draft("Spring", Some(12))]);
    // One that is asked for late is the last.
    let drafts: Vec<Draft> = response.drafts().try_collect().await.unwrap();
    assert_eq!(drafts, [draft("Spring", Some(12))]);
    // What a type needs is waited for, and said at the end.
    let mut response = Script::of(["{\"sku\":", " \"a\"", "}"]).fields(Spec::json());
    let drafts: Vec<Row> = response.drafts().try_collect().await.unwrap();
    assert!(!drafts.is_empty() && drafts.iter().all(|row| row.sku == "a"));
    let mut response = Script::of(["{\"sku\":", " 1", "}"]).fields(Spec::json());
    let error = response.drafts::<Row>().try_collect::<Vec<_>>().await.unwrap_err();
    assert!(matches!(error, Error::Data(error) if error.path == "sku"));
}

#[tokio::test]
async fn the_end_corrects_what_was_given() {
    let json = "{\"rows\": [1, 2], \"x\": \"a\"} but rather {\"rows\": [3], \"x\": \"b\"}";
    let mut response = Script::of(pieces(json, 5)).fields(Spec::json());
    let items: Vec<Item<u32>> = response.each("rows[*]").try_collect().await.unwrap();
    assert_eq!(items.len(), 2, "the list closed before the end was known");
    // A part that is open at the end sees the correction.
    let json = "{\"y\": 1} but rather {\"x\": \"b\"}";
    let response = || Script::of(pieces(json, 5)).fields(Spec::json());
    assert_eq!(text(response().text("x")).await, "b");
    assert_eq!(response().get::<String>("x").await.unwrap(), "b");
}

#[tokio::test]
async fn an_item_that_does_not_fit_is_an_error_in_its_place() {
    let mut response =
        Script::of(["{\"items\": [{\"sku\": 1}, {\"sku\": \"b\"}]}"]).fields(Spec::json());
    let mut items = response.each::<Row>("items");
    let error = items.next().await.unwrap().unwrap_err();
    let Error::Data(error) = error else { panic!("{error}") };
    assert_eq!(error.path, "items[0].sku");
    assert_eq!(items.next().await.unwrap().unwrap().value.sku, "b");
    assert!(items.next().await.is_none());
}

#[tokio::test]
async fn a_wrong_path_is_an_error_and_costs_nothing() {
    let (source, counts) = Script::new([Step::Item("[1]")]);
    let mut response = source.fields(Spec::json());
    let mut field = response.text("a[");
    assert!(matches!(field.next().await, Some(Err(Error::Path(PathError::Syntax(_))))));
    assert!(field.next().await.is_none());
    assert!(matches!(response.each::<u8>("a..b").next().await, Some(Err(Error::Path(_)))));
    assert!(matches!(response.get::<u8>("a..b").await, Err(Error::Path(_))));
    assert_eq!(counts.polls(), 0);
    assert_eq!(response.data::<Vec<u8>>().await.unwrap(), [1]);
}

#[tokio::test]
async fn an_error_of_the_source_reaches_every_part_once() {
    let (source, _) = Script::new([Step::Item("{\"a\": \"x"), Step::Fail]);
    let mut response = source.fields(Spec::json());
    let mut field = response.text("a");
    assert_eq!(&*field.next().await.unwrap().unwrap(), "x");
    let error = field.next().await.unwrap().unwrap_err();
    assert_eq!(error.as_source(), Some(&Dead));
    assert!(field.next().await.is_none());
    assert!(response.next().await.is_none());
    // A part that is asked for later says why it has no end.
    assert_eq!(response.get::<String>("a").await.unwrap_err().as_source(), Some(&Dead));
}
