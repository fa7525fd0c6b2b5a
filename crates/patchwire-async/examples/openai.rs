//! Chat completions through `async-openai`: content and tool calls in one item.
//!
//! `cargo run -p patchwire-async --example openai`
//!
//! The chunks are embedded; with `OPENAI_API_KEY` set, `Client::new().chat().create_stream(request)`
//! gives a stream of the same type.
#![expect(clippy::print_stdout, reason = "an example prints")]

use async_openai::error::OpenAIError;
use async_openai::types::chat::{ChatCompletionResponseStream, CreateChatCompletionStreamResponse};
use futures_util::stream;
use patchwire::{OwnedEvent, Spec, document::DocId};
use patchwire_async::{Error, Inputs, ResponseEvent, TokenStreamExt as _};
use serde_json::json;

#[derive(Debug, serde::Deserialize)]
struct Report {
    title: String,
}

fn split(chunk: CreateChatCompletionStreamResponse, out: &mut Inputs) {
    for choice in chunk.choices {
        out.text(choice.delta.content);
        for call in choice.delta.tool_calls.into_iter().flatten() {
            let (name, arguments) =
                call.function.map_or((None, None), |call| (call.name, call.arguments));
            out.tool(call.index, call.id.as_deref(), name.as_deref(), arguments);
        }
    }
}

async fn report(tokens: ChatCompletionResponseStream, spec: Spec) -> anyhow::Result<Report> {
    let mut response = tokens.fields_with(spec, split);
    while let Some(event) = response.next().await {
        match event? {
            ResponseEvent::Parsed(OwnedEvent::Patch(patch)) if patch.document == DocId::ANSWER => {
                println!("{} += {:?}", patch.path, patch.delta);
            }
            ResponseEvent::Parsed(OwnedEvent::Patch(patch)) => {
                println!("call {:?}: {} += {:?}", patch.origin.call, patch.path, patch.delta);
            }
            ResponseEvent::ToolCall { name, .. } => println!("calls {name:?}"),
            _ => {}
        }
        let title = response.value().get("title").and_then(|title| title.as_str());
        println!("  the title so far: {title:?}");
    }
    Ok(response.data::<Report>().await?)
}

/// Only the answer is wanted: the events are passed over.
async fn only_the_answer(
    tokens: ChatCompletionResponseStream,
    spec: Spec,
) -> Result<Report, Error<OpenAIError>> {
    tokens.fields_with(spec, split).data().await
}

/// What the API would send.
fn tokens() -> ChatCompletionResponseStream {
    let call = |arguments: &str| {
        let function = json!({"name": "search", "arguments": arguments});
        json!({"tool_calls": [{"index": 0, "id": "call_1", "function": function}]})
    };
    let deltas = [
        json!({"content": "{\"title\": \"Spr"}),
        call("{\"q\": "),
        json!({"content": "ing\"}"}),
        call("1}"),
    ];
    let chunks = deltas.map(|delta| {
        let choice = json!({"index": 0, "delta": delta});
        let chunk = json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": "m",
            "choices": [choice],
        });
        serde_json::from_value(chunk).map_err(|why| OpenAIError::InvalidArgument(why.to_string()))
    });
    Box::pin(stream::iter(chunks))
}

fn spawnable<T: Send>(future: T) -> T {
    future
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let report = spawnable(report(tokens(), Spec::json())).await?;
    println!("{report:?}");
    println!("{}", spawnable(only_the_answer(tokens(), Spec::json())).await?.title);
    Ok(())
}
