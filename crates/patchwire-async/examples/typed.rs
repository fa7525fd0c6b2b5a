//! A typed answer, typed looks at what has come, and the parts of it as they close.
//!
//! `cargo run -p patchwire-async --example typed`
#![expect(clippy::print_stdout, reason = "an example prints")]

use futures_util::{Stream, stream};
use patchwire_async::{Partial, Spec, TokenStreamExt as _};
use serde::Deserialize;

/// The answer. `PartialReport` is the answer so far: all of its fields are options.
#[derive(Debug, Deserialize, Partial)]
struct Report {
    title: String,
    items: Vec<Row>,
    total: u32,
}

#[derive(Debug, Deserialize, Partial)]
struct Row {
    sku: String,
}

async fn read(
    tokens: impl Stream<Item = Result<String, std::io::Error>>,
) -> Result<Report, Box<dyn std::error::Error>> {
    let mut response = tokens.fields(Spec::json());
    let title: String = response.get("title").await?;
    println!("title: {title}");
    let mut rows = response.each::<Row>("items");
    while let Some(row) = rows.next().await {
        let row = row?;
        println!("row {}: {}", row.index, row.value.sku);
    }
    let draft: PartialReport = response.value().read()?;
    println!("so far: {:?}, {:?}", draft.title, draft.total);
    let mut reply = response.text("customer_reply");
    while let Some(delta) = reply.next().await {
        println!("reply: {}", delta?);
    }
    let mut drafts = response.drafts::<PartialReport>();
    while let Some(draft) = drafts.next().await {
        println!("total: {:?}", draft?.total);
    }
    let report: Report = response.data().await?;
    let again: Report = response.data().await?;
    assert_eq!(report.items.len(), again.items.len());
    Ok(report)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = "{\"title\": \"Spring\", \"items\": [{\"sku\": \"a1\"}, {\"sku\": \"b2\"}], \
                \"customer_reply\": \"Dear all, it is done.\", \"total\": 2}";
    let tokens: Vec<_> =
        text.as_bytes().chunks(6).map(|token| Ok(String::from_utf8_lossy(token).into())).collect();
    let report = read(stream::iter(tokens)).await?;
    println!("{}: {:?}, {}", report.title, report.items, report.total);
    Ok(())
}
