use http_body_util::BodyExt as _;
use patchwire_web::samples;
use serde_json::Value as Json;
use tokio::time::{Duration, Instant};

use crate::support::{Emitted, Events, after, always, app, get, refused, send};

async fn play(name: &str, query: &str) -> Vec<Emitted> {
    let app = app(Default::default(), always(&[]));
    let path = format!("/v1/streams/{name}/fields?{query}");
    Events::of(send(&app, get(&path)).await).rest().await
}

fn value(emitted: &[Emitted]) -> &Json {
    let last = emitted.last().expect("there are events");
    assert_eq!(last.name, "final");
    &last.data["value"]
}

#[tokio::test]
async fn the_list_has_a_stream_for_each_format_and_some_that_mean_harm() {
    let app = app(Default::default(), always(&[]));
    let body = send(&app, get("/v1/streams")).await.into_body().collect().await.unwrap().to_bytes();
    let list: Json = serde_json::from_slice(&body).unwrap();
    let names: Vec<&str> = list["streams"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    let own: Vec<&str> = samples::all().map(|sample| sample.name).collect();
    assert_eq!(names[..7], own);
    assert_eq!(names[7..], ["hostile-markup", "hostile-long", "hostile-many"]);
    let text = send(&app, get("/v1/streams/tags/text")).await;
    assert_eq!(text.headers()["content-type"], "text/plain; charset=utf-8");
    let text = text.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(text, samples::TAGS.text.as_bytes());
}

#[tokio::test(start_paused = true)]
async fn events_come_in_order_and_end_in_the_value_however_the_stream_is_cut() {
    for sample in samples::all() {
        let whole = sample.spec().unwrap().parse(sample.text).unwrap();
        let expected: Json = serde_json::from_str(&whole.value().to_string()).unwrap();
        for query in ["", "chunk=tokens", "chunk=1&speed=0", "chunk=7", "chunk=all", "cut=50,51"] {
            let emitted = play(sample.name, query).await;
            let ids: Vec<u64> = emitted.iter().map(|one| one.id).collect();
            assert_eq!(ids, (1..=emitted.len() as u64).collect::<Vec<_>>());
            assert_eq!(value(&emitted), &expected, "{} {query}", sample.name);
        }
    }
}

#[tokio::test]
async fn chunks_are_sent_where_they_are_asked_for() {
    let emitted = play("text", "cut=20,90&speed=0&chunks=true").await;
    let chunks = emitted.iter().filter(|one| one.name == "chunk");
    let spans: Vec<_> = chunks.map(|chunk| chunk.data["span"].to_string()).collect();
    let len = samples::by_name("text").unwrap().text.len();
    assert_eq!(spans, ["[0,20]".to_owned(), "[20,90]".to_owned(), format!("[90,{len}]")]);
    assert_eq!(emitted[0].name, "chunk");
    let bare = play("text", "cut=20,90&speed=0").await;
    assert_eq!(bare.len(), emitted.len() - 3);
}

#[tokio::test(start_paused = true)]
async fn a_stream_takes_as_long_as_its_speed_says_whatever_the_chunks() {
    let seconds = samples::by_name("json").unwrap().text.len() as f64 / 160.0;
    for (query, expected) in [
        ("chunk=1", seconds),
        ("chunk=tokens", seconds),
        ("chunk=64&speed=4", seconds / 4.0),
        ("chunk=1&speed=0", 0.0),
    ] {
        let begun = Instant::now();
        play("json", query).await;
        let off = begun.elapsed().abs_diff(Duration::from_secs_f64(expected));
        assert!(off <= Duration::from_millis(2), "{query}: {off:?} off");
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_comes_back_gets_the_rest_and_does_not_wait_again() {
    let app = app(Default::default(), always(&[]));
    let path = "/v1/streams/hybrid/fields?chunk=5&speed=1";
    let all = Events::of(send(&app, get(path)).await).rest().await;
    for had in [1, 2, 30, all.len() - 1] {
        let begun = Instant::now();
        let response = send(&app, after(get(path), had as u64)).await;
        let mut events = Events::of(response);
        assert_eq!(events.next().await.unwrap(), all[had]);
        assert!(begun.elapsed() < Duration::from_millis(40), "{had}: {:?}", begun.elapsed());
        assert_eq!(events.rest().await, all[had + 1..]);
    }
    for had in [all.len(), all.len() + 5] {
        let response = send(&app, after(get(path), had as u64)).await;
        assert_eq!(response.status().as_u16(), 204);
    }
}

#[tokio::test]
async fn what_cannot_be_played_is_said() {
    let app = app(Default::default(), always(&[]));
    for (path, status, code, says) in [
        ("/v1/streams/nothing/fields", 404, "unknown_stream", "there are json, xml_field"),
        ("/v1/streams/nothing/text", 404, "unknown_stream", "called `nothing`"),
        ("/v1/streams/json/fields?chunk=0", 400, "bad_query", "from 1 on"),
        ("/v1/streams/json/fields?speed=x", 400, "bad_query", "the query cannot be used: speed:"),
        ("/v1/streams/json/fields?cut=9999", 400, "bad_query", "has 486 bytes"),
        ("/v1/streams/json/fields?cut=1&chunk=1", 400, "bad_query", "leave one out"),
        ("/v1/streams/json/fields?speed=-1", 400, "bad_query", "from 0 to 1000000"),
        ("/v1/streams/json/fields?sped=1", 400, "bad_query", "unknown field `sped`"),
    ] {
        let (is, word, message) = refused(&app, get(path)).await;
        assert_eq!((is, word.as_str()), (status, code), "{path}");
        assert!(message.contains(says), "{path}: {message}");
    }
    let mut request = get("/v1/streams/json/fields");
    request.headers_mut().insert("last-event-id", "x".parse().unwrap());
    assert_eq!(refused(&app, request).await.1, "bad_event_id");
}
