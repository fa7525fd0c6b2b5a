//! The bytes of a server-sent event stream: a decoder frames them, the response reads them. Sources that
//! are not `Unpin`, or not `Send`, are read like any other.
//!
//! `cargo run -p patchwire-async --example sse`
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::rc::Rc;

use bytes::Bytes;
use eventsource_stream::Eventsource as _;
use futures_util::{Stream, TryStreamExt as _, stream};
use patchwire::{Spec, Value};
use patchwire_async::{Error, TokenStreamExt as _};

/// What a provider's event holds of the text, if anything.
fn content(data: &str) -> Option<String> {
    let event: serde_json::Value = serde_json::from_str(data).ok()?;
    Some(event["choices"][0]["delta"]["content"].as_str()?.to_owned())
}

async fn body(
    body: impl Stream<Item = Result<Bytes, std::io::Error>> + Send,
    spec: Spec,
) -> anyhow::Result<Value> {
    let texts =
        body.eventsource().map_ok(|event| content(&event.data)).map_err(|error| error.to_string());
    let mut response = texts.fields(spec);
    while let Some(event) = response.next().await {
        println!("{}", event?);
    }
    Ok(response.answer().await?.value().to_value())
}

async fn generated(spec: Spec) -> Result<Value, Error<std::io::Error>> {
    let tokens = async_stream::stream! {
        yield Ok::<_, std::io::Error>("{\"a\"");
        yield Ok(": 1}");
    };
    Ok(tokens.fields(spec).answer().await?.value().to_value())
}

async fn on_this_thread(spec: Spec) -> Result<Value, Error<std::io::Error>> {
    let text = Rc::new("[1, 2]");
    let tokens = stream::once(async move { Ok((*text).to_owned()) });
    Ok(tokens.fields(spec).answer().await?.value().to_value())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let event = |text: &str| {
        let delta = serde_json::json!({"choices": [{"delta": {"content": text}}]});
        format!("data: {delta}\n\n")
    };
    let all = event("{\"title\": \"Hel") + &event("lo\"}") + "data: [DONE]\n\n";
    let chunks: Vec<_> =
        all.as_bytes().chunks(40).map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect();
    println!("{}", body(stream::iter(chunks), Spec::json()).await?);
    println!("{}", generated(Spec::json()).await?);
    println!("{}", on_this_thread(Spec::json()).await?);
    Ok(())
}
