//! Streams of text of every kind, and `?` on their events in functions with every kind of error.

use std::convert::Infallible;
use std::error::Error as StdError;
use std::io;

use futures_util::{Stream, StreamExt as _};
use patchwire_async::{
    Attempt, BoxError, Error, Inputs, REPLAY_BYTES, Spec, TokenStreamExt as _, ask,
};
use tokio_stream::wrappers::ReceiverStream;

use crate::source::Dead;

const CHUNKS: [&str; 2] = ["{\"title\": \"Sp", "ring\"}"];

/// The title that a response reads, in a function that returns `anyhow::Result`.
async fn title(
    stream: impl Stream<Item = Result<String, anyhow::Error>>,
) -> anyhow::Result<String> {
    let mut response = stream.fields(Spec::json());
    let mut title = String::new();
    while let Some(event) = response.next().await {
        if let Some(patch) = event?.as_patch() {
            title.push_str(&patch.delta);
        }
    }
    assert_eq!(response.get::<String>("title").await?, title);
    assert_eq!(response.data::<serde_json::Value>().await?["title"], title);
    Ok(title)
}

#[tokio::test]
async fn anyhow_errors_pass_through_with_their_causes() {
    let chunks = CHUNKS.map(|chunk| Ok(chunk.to_owned()));
    assert_eq!(title(tokio_stream::iter(chunks)).await.unwrap(), "Spring");
    let broken = anyhow::Error::new(io::Error::other("the cable")).context("no line");
    let error = title(tokio_stream::iter([Ok("{\"title\": ".to_owned()), Err(broken)])).await;
    let error = error.unwrap_err();
    assert_eq!(format!("{error:#}"), "the model's stream failed: no line: the cable");
    let own = error.downcast_ref::<Error<anyhow::Error>>().expect("its type is kept");
    assert_eq!(own.source_failure().unwrap().to_string(), "no line");
    assert!(error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some()));
}

#[tokio::test]
async fn every_error_of_a_source_is_one_of_the_response() {
    async fn boxed(error: BoxError) -> Result<(), Box<dyn StdError>> {
        let mut response = tokio_stream::iter([Ok("[1"), Err(error)]).fields(Spec::json());
        response.data::<Vec<u8>>().await?;
        Ok(())
    }
    let error = boxed("no line".into()).await.unwrap_err();
    assert_eq!(error.source().unwrap().to_string(), "no line");

    let mut response =
        tokio_stream::iter([Ok("[1"), Err("no line".to_owned())]).fields(Spec::json());
    let error: Box<dyn StdError + Send + Sync> = response.answer().await.unwrap_err().into();
    assert_eq!(error.source().unwrap().to_string(), "no line");

    // With its type, for those who match on it.
    let mut response = tokio_stream::iter([Ok("[1"), Err(Dead)]).fields(Spec::json());
    let error: Error<Dead> = response.answer().await.unwrap_err();
    assert_eq!(error.as_source(), Some(&Dead));
    drop(response);
    assert_eq!(error.into_source().unwrap(), Dead);
}

async fn reads<S>(stream: S)
where
    S: Stream,
    S::Item: patchwire_async::StreamItem
        + patchwire_async::ItemOrError<
            <S::Item as patchwire_async::StreamItem>::Error,
            Chunk: patchwire_async::IntoBytes,
        >,
{
    let mut response = stream.fields(Spec::json());
    assert_eq!(response.get::<String>("title").await.unwrap(), "Spring");
}

#[tokio::test]
async fn streams_of_text_need_no_closure() {
    let (sender, receiver) = tokio::sync::mpsc::channel::<String>(4);
    for chunk in CHUNKS {
        sender.send(chunk.to_owned()).await.unwrap();
    }
    drop(sender);
    let mut response = ReceiverStream::new(receiver).fields(Spec::json());
    let data: Result<serde_json::Value, Error<Infallible>> = response.data().await;
    assert_eq!(data.unwrap()["title"], "Spring");
    reads(tokio_stream::iter(CHUNKS)).await;
    reads(tokio_stream::iter(CHUNKS.map(str::as_bytes))).await;
    reads(tokio_stream::iter(CHUNKS.map(str::to_owned))).await;
    reads(tokio_stream::iter(CHUNKS.map(|chunk| chunk.as_bytes().to_vec()))).await;
    reads(tokio_stream::iter(CHUNKS.map(bytes::Bytes::from))).await;
    reads(tokio_stream::iter(CHUNKS.map(bytestring::ByteString::from_static))).await;
    reads(tokio_stream::iter(CHUNKS.map(std::borrow::Cow::Borrowed))).await;
    reads(tokio_stream::iter(CHUNKS.map(Some))).await;
    reads(tokio_stream::iter(CHUNKS.map(|chunk| Ok::<_, Dead>(bytes::Bytes::from(chunk))))).await;
    reads(tokio_stream::iter(CHUNKS.map(Ok::<_, anyhow::Error>))).await;
    reads(tokio_stream::iter(CHUNKS).infallible()).await;
}

#[tokio::test]
async fn items_of_other_types_are_split() {
    struct Delta(Option<&'static str>);
    let deltas = || tokio_stream::iter([Delta(None), Delta(Some("[1]"))]);
    let mut response =
        deltas().infallible().fields_with(Spec::json(), |delta, out| out.text(delta.0));
    assert_eq!(response.data::<Vec<u8>>().await.unwrap(), [1]);
    let mut response =
        deltas().map(Ok::<_, anyhow::Error>).fields_with(Spec::json(), |it, out| out.text(it.0));
    assert_eq!(response.data::<Vec<u8>>().await.unwrap(), [1]);
    let split = |chunk: &str, out: &mut Inputs| out.text(chunk.trim_start_matches('#'));
    let mut response = tokio_stream::iter(["#[1", "#]"]).fields_with(Spec::json(), split);
    assert_eq!(response.data::<Vec<u8>>().await.unwrap(), [1]);
}

#[tokio::test]
async fn a_request_may_fail_although_its_stream_cannot() {
    let mut asked = 0;
    let request = |_: Attempt| {
        asked += 1;
        let is_first = asked == 1;
        async move {
            anyhow::ensure!(!is_first, "not yet");
            Ok(tokio_stream::iter(["[1", "]"]))
        }
    };
    let mut response = ask(Spec::json(), request).send();
    assert_eq!(response.data::<Vec<u8>>().await.unwrap(), [1]);
    // The events of a shared response are errors as well.
    let stream = tokio_stream::iter([Ok("[1"), Err(anyhow::anyhow!("no line"))]);
    let shared = stream.fields(Spec::json()).share(REPLAY_BYTES);
    let read = async || -> anyhow::Result<()> {
        let mut events = shared.events();
        while let Some(event) = events.next().await {
            event?;
        }
        Ok(())
    };
    assert_eq!(format!("{:#}", read().await.unwrap_err()), "the model's stream failed: no line");
}
