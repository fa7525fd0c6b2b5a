//! Provider items that hold several inputs: text, reasoning, tool calls.

use std::collections::HashMap;

use patchwire::{OwnedEvent, Schema, Spec, document::DocId, schema};
use patchwire_async::{Attempt, Inputs, ResponseEvent, TokenStreamExt as _, ask};
use serde::Deserialize;

use crate::fold::Folded;
use crate::source::{Script, all, lines, pieces};

/// A chunk of a chat completion: reasoning, content, calls.
#[derive(Clone, Default)]
struct Delta {
    reasoning: Option<String>,
    content: Option<String>,
    calls: Vec<(u32, Option<&'static str>, Option<&'static str>, String)>,
}

fn split(delta: Delta, out: &mut Inputs) {
    out.reasoning(delta.reasoning);
    out.text(delta.content);
    for (index, id, name, arguments) in delta.calls {
        out.tool(index, id, name, arguments);
    }
}

fn call(index: u32, arguments: &str) -> Delta {
    Delta { calls: vec![(index, None, None, arguments.to_owned())], ..Delta::default() }
}

fn begin(index: u32, id: &'static str, name: &'static str) -> Delta {
    Delta { calls: vec![(index, Some(id), Some(name), String::new())], ..Delta::default() }
}

#[tokio::test]
async fn interleaved_calls_keep_apart() {
    let arguments =
        ["{\"query\": \"rust streams\", \"n\": 3}", "{\"city\": \"Paris \u{1f600}\", \"n\": [1]}"];
    for size in 1..20 {
        let parts = arguments
            .map(|text| text.as_bytes().chunks(size).map(<[u8]>::to_vec).collect::<Vec<_>>());
        let mut items: Vec<(u32, Vec<u8>)> = Vec::new();
        for at in 0..parts[0].len().max(parts[1].len()) {
            for (call, part) in (0..).zip(&parts) {
                items.extend(part.get(at).map(|bytes| (call, bytes.clone())));
            }
        }
        let split = |(index, bytes): (u32, Vec<u8>), out: &mut Inputs| {
            out.tool(index, None, None, bytes);
        };
        let mut response = Script::of(items).fields_with(Spec::json(), split);
        let events = all(&mut response).await.unwrap();
        let folded = Folded::of(&events);
        assert_eq!(folded.document(1), &serde_json::json!({"query": "rust streams", "n": 3}));
        assert_eq!(folded.document(2), &serde_json::json!({"city": "Paris \u{1f600}", "n": [1]}));
        assert!(!response.value().exists());
        let answer = response.answer().await.unwrap();
        assert_eq!(answer.calls().len(), 2);
        for call in answer.calls() {
            let own = call.arguments();
            assert_eq!(answer.document(call.document()), Some(own));
            assert_eq!(response.document(call.document()), Some(own));
            assert_eq!(&own.to_serde_json().unwrap(), folded.document(call.document().index()));
        }
    }
}

#[tokio::test]
async fn calls_text_and_reasoning_side_by_side() {
    let text = |content: &str| Delta { content: Some(content.to_owned()), ..Delta::default() };
    let items = [
        Delta { reasoning: Some("First ".into()), ..Delta::default() },
        begin(0, "c1", "search"),
        text("{\"a\": \"x"),
        call(0, "{\"q\": \"o"),
        Delta { reasoning: Some("then.".into()), content: Some("y".into()), ..Delta::default() },
        call(0, "ne\"}"),
        text("\"}"),
    ];
    let mut response = Script::of(items).fields_with(Spec::json(), split);
    let events = all(&mut response).await.unwrap();
    let emitted = [
        "reasoning First ",
        "1 call Some(\"c1\") Some(\"search\")",
        "0 open  ",
        "0 open a ",
        "0 delta a x",
        "1 open  ",
        "1 open q ",
        "1 delta q o",
        "reasoning then.",
        "0 delta a y",
        "1 delta q ne",
        "1 done q ",
        "1 done  ",
        "0 done a ",
        "0 done  ",
    ];
    assert_eq!(lines(&events), emitted);
    for event in &events {
        if let ResponseEvent::Parsed(OwnedEvent::Patch(patch)) = event {
            let call = (patch.document != DocId::ANSWER).then_some(1);
            assert_eq!((patch.origin.call, patch.origin.attempt), (call, 1));
        }
    }
    let answer = response.answer().await.unwrap();
    assert_eq!(answer.reasoning(), "First then.");
    assert_eq!(answer.value().to_string(), "{\"a\":\"xy\"}");
    #[derive(Deserialize)]
    struct Search {
        q: String,
    }
    let [call] = answer.calls() else { panic!("one call") };
    assert_eq!((call.id(), call.name()), (Some("c1"), "search"));
    assert_eq!(call.data::<Search>().unwrap().q, "one");
}

#[tokio::test]
async fn a_name_may_come_late_and_an_index_be_used_again() {
    let named = |id, name| Delta { calls: vec![(0, id, name, String::new())], ..Delta::default() };
    let items = [
        call(0, "{\"n\": "),
        named(Some("c1"), None),
        named(Some("c1"), Some("search")),
        call(0, "1}"),
        named(Some("c2"), Some("fetch")),
        call(0, "{\"n\": 2}"),
    ];
    let mut response = Script::of(items).fields_with(Spec::json(), split);
    let events = all(&mut response).await.unwrap();
    let calls: Vec<String> =
        lines(&events).into_iter().filter(|line| line.contains(" call ")).collect();
    let emitted = [
        "1 call None None",
        "1 call Some(\"c1\") None",
        "1 call Some(\"c1\") Some(\"search\")",
        "2 call Some(\"c2\") Some(\"fetch\")",
    ];
    assert_eq!(calls, emitted);
    let answer = response.answer().await.unwrap();
    let found: HashMap<_, _> = answer
        .calls()
        .iter()
        .map(|call| (call.name().to_owned(), call.arguments().to_string()))
        .collect();
    assert_eq!(found["search"], "{\"n\":1}");
    assert_eq!(found["fetch"], "{\"n\":2}");
}

#[tokio::test]
async fn calls_that_end_early_or_never_begin() {
    let items = [begin(0, "c1", "none"), begin(1, "c2", "cut"), call(1, "{\"a\": \"b")];
    let mut response = Script::of(items).fields_with(Spec::json(), split);
    let events = all(&mut response).await.unwrap();
    assert!(events.last().is_some_and(|event| event.as_final().is_some()));
    assert_eq!(lines(&events).last().unwrap(), "2 done  ");
    let answer = response.answer().await.unwrap();
    assert!(!answer.calls()[0].arguments().exists());
    assert_eq!(answer.calls()[1].arguments().to_string(), "{\"a\":\"b\"}");
    assert!(answer.calls()[1].answer().notice_count() > 0);
}

#[tokio::test]
async fn several_roots_and_calls_are_numbered_as_one() {
    let spec = Spec::builder().roots(patchwire::spec::Roots::Concatenated).build().unwrap();
    let text = |content: &str| Delta { content: Some(content.to_owned()), ..Delta::default() };
    let items = [text("{\"a\": 1}"), call(0, "{\"b\": 2"), text("\n{\"c\": 3}"), call(0, "}")];
    let mut response = Script::of(items).fields_with(spec, split);
    let events = all(&mut response).await.unwrap();
    let folded = Folded::of(&events);
    let answer = response.answer().await.unwrap();
    for (number, expected) in ["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"].into_iter().enumerate() {
        assert_eq!(folded.document(number).to_string(), expected);
        let patch = events.iter().find_map(|event| match event {
            ResponseEvent::Parsed(OwnedEvent::Patch(patch)) if patch.document.index() == number => {
                Some(patch.document)
            }
            _ => None,
        });
        assert_eq!(answer.document(patch.unwrap()).unwrap().to_string(), expected);
    }
}

#[tokio::test]
async fn calls_by_name_and_with_a_spec_of_their_own() {
    let strict = Spec::strict_json();
    let split = |piece: String, out: &mut Inputs| out.tool("call_1", Some("call_1"), None, piece);
    let items = pieces("{\"a\": 'b'}", 2);
    let mut lenient = Script::of(items.clone()).fields_with(Spec::json(), split);
    assert_eq!(lenient.answer().await.unwrap().calls()[0].arguments().to_string(), "{\"a\":\"b\"}");
    let mut response = Script::of(items).fields_with(Spec::json(), split).with_call_spec(strict);
    assert!(matches!(response.answer().await, Err(patchwire_async::Error::Parse(_))));
}

/// Asks a model that only calls a tool; how often it was asked, and what came of it.
async fn only_calls(
    spec: Spec,
    are_answers: bool,
) -> (u32, Result<patchwire_async::Answer, patchwire_async::Error<std::io::Error>>) {
    let asked = std::cell::Cell::new(0);
    let model = |_: Attempt| {
        asked.set(asked.get() + 1);
        let thought = Delta { reasoning: Some("Look it up.".into()), ..Delta::default() };
        let items = [thought, begin(0, "c1", "search"), call(0, "{\"q\": 1}")];
        let stream = tokio_stream::iter(items.map(Ok::<_, std::io::Error>));
        async move { Ok(stream) }
    };
    let mut response = ask(spec, model).split(split).calls_are_answers(are_answers).send();
    let answer = response.answer().await;
    drop(response);
    (asked.get(), answer)
}

/// It waits for what its tools give: it is not asked again either way.
#[tokio::test]
async fn calls_without_a_value_are_an_answer_where_that_is_said() {
    for spec in [Spec::json(), Spec::strict_json()] {
        let (asked, answer) = only_calls(spec.clone(), true).await;
        let answer = answer.unwrap();
        assert_eq!((asked, answer.calls().len()), (1, 1));
        assert_eq!((answer.value().exists(), answer.reasoning()), (false, "Look it up."));
        let (asked, answer) = only_calls(spec, false).await;
        let error = answer.unwrap_err();
        assert_eq!((asked, error.rejected().map(|answer| answer.calls().len())), (1, Some(1)));
    }
}

/// The tools of the spec give the arguments their types, and calls are listed while they arrive.
#[tokio::test]
async fn calls_grow_with_the_types_of_their_tools() {
    let days = || Schema::object().field("days", schema::int("")).field("on", schema::bool(""));
    let spec = Spec::builder().tool("weather", days()).build().unwrap();
    let items = [
        begin(0, "c1", "weather"),
        call(0, "{\"days\": \"1"),
        call(0, "2\", \"on\": \"tr"),
        begin(1, "c2", "other"),
        call(1, "{\"days\": \"1\"}"),
        call(0, "ue\"}"),
    ];
    let mut response = Script::of(items.to_vec()).fields_with(spec, split);
    let mut seen = Vec::new();
    while let Some(event) = response.next().await {
        event.unwrap();
        let calls = response.calls();
        let shown = calls
            .iter()
            .map(|it| format!("{} {} {}", it.id().unwrap_or(""), it.name(), it.arguments()));
        let shown: Vec<String> = shown.collect();
        if seen.last() != Some(&shown) {
            seen.push(shown);
        }
    }
    let first = "c1 weather {\"days\":12,\"on\":true}";
    let second = "c2 other {\"days\":\"1\"}";
    assert!(seen.iter().any(|calls| calls == &["c1 weather {\"days\":1}"]), "{seen:?}");
    assert!(seen.iter().all(|calls| calls[0].starts_with("c1 weather")), "{seen:?}");
    assert_eq!(seen.last().unwrap(), &[first, second]);
    let answer = response.answer().await.unwrap();
    assert_eq!(answer.calls()[0].arguments().to_string(), "{\"days\":12,\"on\":true}");
    assert_eq!(answer.calls()[1].arguments().to_string(), "{\"days\":\"1\"}");
}

/// A name that comes in pieces is whole before the arguments begin.
#[tokio::test]
async fn a_name_in_pieces_chooses_the_tool() {
    let spec = Spec::builder().tool("weather", Schema::object().field("n", schema::int("")));
    let piece =
        |name| Delta { calls: vec![(0, Some("c"), Some(name), String::new())], ..Delta::default() };
    let items = vec![piece("wea"), piece("ther"), call(0, "{\"n\": \"3\"}")];
    let mut response = Script::of(items).fields_with(spec.build().unwrap(), split);
    let answer = response.answer().await.unwrap();
    let call = &answer.calls()[0];
    assert_eq!((call.name(), call.arguments().to_string()), ("weather", "{\"n\":3}".to_owned()));
}
