//! Several tool calls at once: each is a document of its own, and `(document, path)` names a field.
//!
//! `cargo run -p patchwire-async --example calls`
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::HashMap;

use futures_util::{Stream, stream};
use patchwire::{OwnedEvent, PathBuf, Spec, document::DocId};
use patchwire_async::{Inputs, ResponseEvent, TokenStreamExt as _};

async fn read(
    tokens: impl Stream<Item = Result<(u32, String), std::io::Error>>,
) -> anyhow::Result<()> {
    let split = |(index, arguments), out: &mut Inputs| {
        out.tool(index, None, Some("search"), arguments);
    };
    let mut response = tokens.fields_with(Spec::json(), split);
    let mut texts: HashMap<(DocId, PathBuf), String> = HashMap::new();
    while let Some(event) = response.next().await {
        if let ResponseEvent::Parsed(OwnedEvent::Patch(patch)) = event? {
            texts.entry((patch.document, patch.path)).or_default().push_str(&patch.delta);
        }
    }
    for call in response.answer().await?.calls() {
        let query = texts
            .iter()
            .find(|((document, path), _)| *document == call.document() && *path == "query");
        let query = query.map(|(_, text)| text);
        println!("{} {:?} {} {query:?}", call.name(), call.id(), call.arguments());
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let tokens =
        [(0, "{\"query\": \"ru"), (1, "{\"query\": "), (0, "st\"}"), (1, "\"tokio\", \"n\": 3}")];
    read(stream::iter(tokens.map(|(call, text)| Ok((call, text.to_owned()))))).await
}
