//! `field` and `elements`: a part of the answer, and then the response again.

use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use patchwire::Spec;
use patchwire_async::{Error, FieldEvent, Item, TokenStreamExt as _};
use serde::Deserialize;

use crate::source::{Dead, Script, Step, all, pieces};

#[derive(Debug, Deserialize, PartialEq)]
struct Row {
    sku: String,
}

const REPORT: &str = "{\"title\": \"Spring\", \"items\": [{\"sku\": \"a1\"}, {\"sku\": \"b2\"}], \
                      \"customer_reply\": \"Dear all\", \"n\": 3}";

/// Deltas joined, and the value at the end.
async fn followed<E: std::fmt::Debug>(
    field: impl Stream<Item = Result<FieldEvent, Error<E>>>,
) -> (String, Option<String>) {
    let (mut text, mut end) = (String::new(), None);
    let mut field = Box::pin(field);
    while let Some(event) = field.next().await {
        match event.unwrap() {
            FieldEvent::Delta(delta) => text.push_str(&delta),
            FieldEvent::Done(value) => end = Some(value.to_string()),
            FieldEvent::Replaced(value) => end = Some(format!("replaced {value}")),
            other => panic!("{other:?}"),
        }
    }
    (text, end)
}

fn values(items: Vec<Item<Row>>) -> Vec<(usize, String)> {
    items.into_iter().map(|item| (item.index, item.value.sku)).collect()
}

#[tokio::test]
async fn parts_one_after_the_other_and_then_the_answer() {
    for size in [1, 4, 7, 1000] {
        let mut response = Script::of(pieces(REPORT, size)).fields(Spec::json());
        let title = followed(response.field("title")).await;
        assert_eq!(title, ("Spring".into(), Some("\"Spring\"".into())));
        let rows = response.elements::<Row>("items").try_collect().await.unwrap();
        assert_eq!(values(rows), [(0, "a1".into()), (1, "b2".into())]);
        if size < 5 {
            assert!(response.value().get("n").is_none(), "the list's end ends its items");
        }
        let mut reply = response.field("customer_reply");
        let first = reply.next().await.unwrap().unwrap();
        assert!(matches!(first, FieldEvent::Delta(_)));
        assert!(
            all(&mut response)
                .await
                .unwrap()
                .last()
                .is_some_and(|event| event.as_final().is_some())
        );
        assert_eq!(response.data::<serde_json::Value>().await.unwrap()["n"], 3);
    }
}

#[tokio::test]
async fn parts_that_began_before_are_caught_up_with() {
    for taken in 0..60 {
        for size in [1, 3, 1000] {
            let mut response = Script::of(pieces(REPORT, size)).fields(Spec::json());
            for _ in 0..taken {
                response.next().await;
            }
            let reply = followed(response.field("customer_reply")).await;
            assert_eq!(reply, ("Dear all".into(), Some("\"Dear all\"".into())), "{taken} {size}");

            let mut response = Script::of(pieces(REPORT, size)).fields(Spec::json());
            for _ in 0..taken {
                response.next().await;
            }
            let rows = response.elements::<Row>("items[*]").try_collect().await.unwrap();
            assert_eq!(values(rows), [(0, "a1".into()), (1, "b2".into())], "{taken} {size}");

            let mut response = Script::of(pieces(REPORT, size)).fields(Spec::json());
            for _ in 0..taken {
                response.next().await;
            }
            assert_eq!(followed(response.field("n")).await, (String::new(), Some("3".into())));
        }
    }
}

#[tokio::test]
async fn what_is_not_there_ends_with_the_response() {
    let mut response = Script::of([REPORT]).fields(Spec::json());
    assert_eq!(followed(response.field("absent")).await, (String::new(), None));
    assert!(response.elements::<Row>("absent").next().await.is_none());
    assert!(response.next().await.is_none());
}

#[tokio::test]
async fn containers_scalars_and_patterns() {
    let text = "{\"a\": [{\"b\": [1, 2]}, {\"b\": [3]}], \"m\": {\"x\": 4, \"y\": 5}, \"t\": true}";
    for size in [1, 1000] {
        let response = || Script::of(pieces(text, size)).fields(Spec::json());
        assert_eq!(followed(response().field("t")).await.1.as_deref(), Some("true"));
        assert_eq!(followed(response().field("a[1]")).await.1.as_deref(), Some("{\"b\":[3]}"));
        assert_eq!(followed(response().field("a[*].b")).await.1.as_deref(), Some("[1,2]"));
        let collect = async |path: &str| -> Vec<(usize, u32)> {
            let mut response = response();
            let items: Vec<Item<u32>> = response.elements(path).try_collect().await.unwrap();
            items.into_iter().map(|item| (item.index, item.value)).collect()
        };
        assert_eq!(collect("a[*].b[*]").await, [(0, 1), (1, 2), (0, 3)]);
        assert_eq!(collect("a[1].b").await, [(0, 3)]);
        assert_eq!(collect("m[*]").await, [(0, 4), (1, 5)]);
        assert_eq!(collect("m.*").await, [(0, 4), (1, 5)]);
        let whole: Vec<Item<serde_json::Value>> =
            response().elements("*").try_collect().await.unwrap();
        assert_eq!(whole.len(), 3);
    }
    let mut list = Script::of(["[5, 6]"]).fields(Spec::json());
    let items: Vec<Item<u32>> = list.elements("").try_collect().await.unwrap();
    assert_eq!(items.len(), 2);
}

#[tokio::test]
async fn the_end_corrects_what_was_given() {
    let text = "{\"rows\": [1, 2], \"x\": \"a\"} but rather {\"rows\": [3], \"x\": \"b\"}";
    let mut response = Script::of(pieces(text, 5)).fields(Spec::json());
    let items: Vec<Item<u32>> = response.elements("rows[*]").try_collect().await.unwrap();
    assert_eq!(items.len(), 2, "the list closed before the end was known");
    // A sub-stream that is open at the end sees the correction.
    let text = "{\"y\": 1} but rather {\"x\": \"b\"}";
    let mut response = Script::of(pieces(text, 5)).fields(Spec::json());
    let end = followed(response.field("x")).await.1;
    assert_eq!(end.as_deref(), Some("replaced \"b\""));
}

#[tokio::test]
async fn an_item_that_does_not_fit_is_an_error_in_its_place() {
    let mut response =
        Script::of(["{\"items\": [{\"sku\": 1}, {\"sku\": \"b\"}]}"]).fields(Spec::json());
    let mut items = response.elements::<Row>("items");
    let error = items.next().await.unwrap().unwrap_err();
    let Error::Data(error) = error else { panic!("{error}") };
    assert_eq!(error.path, "items[0].sku");
    assert_eq!(items.next().await.unwrap().unwrap().value.sku, "b");
    assert!(items.next().await.is_none());
}

#[tokio::test]
async fn a_path_that_is_none_is_emitted_and_costs_nothing() {
    let (source, counts) = Script::new([Step::Item("[1]")]);
    let mut response = source.fields(Spec::json());
    let mut field = response.field("a[");
    assert!(matches!(field.next().await, Some(Err(Error::Path(_)))));
    assert!(field.next().await.is_none());
    assert!(matches!(response.elements::<u8>("a..b").next().await, Some(Err(Error::Path(_)))));
    assert_eq!(counts.polls(), 0);
    assert_eq!(response.data::<Vec<u8>>().await.unwrap(), [1]);
}

#[tokio::test]
async fn an_error_of_the_source_reaches_the_sub_stream_once() {
    let (source, _) = Script::new([Step::Item("{\"a\": \"x"), Step::Fail]);
    let mut response = source.fields(Spec::json());
    let mut field = response.field("a");
    assert!(matches!(field.next().await, Some(Ok(FieldEvent::Delta(_)))));
    let error = field.next().await.unwrap().unwrap_err();
    assert_eq!(error.as_source(), Some(&Dead));
    assert!(field.next().await.is_none());
    assert!(response.next().await.is_none());
}
