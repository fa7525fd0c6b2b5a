//! Several consumers at once, spawned and joined. Whoever polls drives.
//!
//! `cargo run -p patchwire-async --example shared`
#![expect(clippy::print_stdout, reason = "an example prints")]

use futures_util::{Stream, TryStreamExt as _, stream};
use patchwire_async::{Error, REPLAY_BYTES, Spec, TokenStreamExt as _};

#[derive(Debug, serde::Deserialize)]
struct Row {
    sku: String,
}

type Failed = Error<std::io::Error>;

async fn read<S>(tokens: S) -> anyhow::Result<()>
where
    S: Stream<Item = Result<String, std::io::Error>> + Send + 'static,
{
    let shared = tokens.fields(Spec::json()).share(REPLAY_BYTES);
    let mut events = shared.events();
    let counter = tokio::spawn(async move {
        let mut count = 0;
        while let Some(event) = events.next().await {
            event?;
            count += 1;
        }
        Ok::<_, Failed>(count)
    });
    let mut reply = shared.text("customer_reply");
    let reply = async {
        let mut text = String::new();
        while let Some(delta) = reply.next().await {
            text.push_str(&delta?);
        }
        Ok::<_, Failed>(text)
    };
    let rows = shared.each::<Row>("rows").map_ok(|row| row.value.sku).try_collect::<Vec<_>>();
    let (reply, rows, data) = tokio::join!(reply, rows, shared.data::<serde_json::Value>());
    println!("{:?}, {:?}, {}, {} events", reply?, rows?, data?, counter.await??);
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let tokens = [
        "{\"rows\": [{\"sku\": \"a\"}, ",
        "{\"sku\": \"b\"}], ",
        "\"customer_reply\": \"Dear",
        " all\"}",
    ];
    read(stream::iter(tokens.map(|token| Ok(token.to_owned())))).await
}
