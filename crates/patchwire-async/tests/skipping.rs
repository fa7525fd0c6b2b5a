//! Events that are left out: those behind them are as if none had been left out.

use futures_util::TryStreamExt as _;
use patchwire::{Spec, TagSet};
use patchwire_async::{
    Inputs, OnExhausted, Request, Response, ResponseEvent, Split, TokenStreamExt as _,
};

use crate::model::{Does, FAULTS, Model, asked};
use crate::source::{Script, pieces};

/// The events that follow, and the error at their end.
async fn rest<R: Request, X: Split<R::Item>>(
    response: &mut Response<R, X>,
) -> (Vec<ResponseEvent>, Option<String>) {
    let mut events = Vec::new();
    while let Some(event) = response.next().await {
        match event {
            Ok(event) => events.push(event),
            Err(error) => return (events, Some(error.to_string())),
        }
    }
    (events, None)
}

/// Leaves out every number of events, at the beginning and behind events that were taken.
async fn check<R: Request, X: Split<R::Item>>(name: &str, make: impl Fn() -> Response<R, X>) {
    let mut response = make();
    let (all, error) = rest(&mut response).await;
    let value = response.value().to_string();
    let ends = all.last().is_some_and(|event| event.as_final().is_some());
    let most = all.len() - usize::from(ends);
    for taken in [0, 1, most / 2] {
        for skip in 0..=all.len() + 1 - taken {
            let mut response = make();
            for event in &all[..taken] {
                assert_eq!(response.next().await.unwrap().unwrap(), *event);
            }
            response.skip_events(skip as u64);
            let left_out = skip.min(most - taken);
            let expected = (all[taken + left_out..].to_vec(), error.clone());
            assert_eq!(rest(&mut response).await, expected, "{name}: {skip} behind {taken}");
            assert_eq!(response.events_to_skip(), (skip - left_out) as u64, "{name}: {skip}");
            assert_eq!(response.value().to_string(), value, "{name}: {skip}");
        }
    }
}

#[tokio::test]
async fn text_reasoning_and_notices_in_all_chunks() {
    let text = "<think>so</think>Here: {\"a\": [1, 'two', {\"b\": \"a text of more than twenty bytes\"}], \"c\": True} bye";
    let spec = Spec::builder().tags(TagSet::think()).build().unwrap();
    for size in [1, 3, 7, text.len()] {
        check(&format!("{size}"), || Script::of(pieces(text, size)).fields(spec.clone())).await;
    }
}

/// Two calls that alternate, beside the text, reasoning and facts.
#[tokio::test]
async fn calls() {
    type Part = (&'static str, u32, &'static str);
    let parts: [Part; 9] = [
        ("reasoning", 0, "think"),
        ("call", 0, "{\"q\": [1, "),
        ("text", 0, "Well. [1, "),
        ("call", 1, "{\"r\": \"a"),
        ("call", 0, "2], \"x\": {"),
        ("fact", 0, "stop"),
        ("call", 1, "b\"}"),
        ("call", 0, "}}"),
        ("text", 0, "2]"),
    ];
    let split = |(kind, index, text): Part, out: &mut Inputs| match kind {
        "text" => out.text(text),
        "reasoning" => out.reasoning(text),
        "fact" => out.fact("finish_reason", text),
        _ => out.tool(index, Some(&format!("id-{index}")), Some("find"), text),
    };
    check("calls", || Script::of(parts).fields_with(Spec::json(), split)).await;
}

/// Over two attempts that fail and one that does well, or with the last answer in the end.
#[tokio::test]
async fn retries() {
    for fault in FAULTS {
        for (parts, retries) in
            [([fault, Does::Low, Does::Well], 2), ([Does::Low, fault, fault], 1)]
        {
            for last in [OnExhausted::Fail, OnExhausted::Last] {
                let make =
                    || asked(&Model::new(&parts)).max_retries(retries).on_exhausted(last).send();
                check(&format!("{parts:?} {last:?}"), make).await;
            }
        }
    }
}

/// A reader that comes later begins with snapshots, as behind events that were taken.
#[tokio::test]
async fn a_shared_response_behind_events_that_were_left_out() {
    let begun = async |skip: u64| {
        let mut response = Script::of(["[1, ", "2]"]).fields(Spec::json());
        for _ in skip..3 {
            response.next().await;
        }
        response.skip_events(skip);
        response.next().await;
        let events = response.share(1 << 10).events();
        events.map_ok(|event| format!("{event:?}")).try_collect::<Vec<_>>().await.unwrap()
    };
    let expected = begun(0).await;
    assert!(expected[0].starts_with("Snapshot"), "{}", expected[0]);
    for skip in 1..=3 {
        assert_eq!(begun(skip).await, expected, "{skip}");
    }
}
