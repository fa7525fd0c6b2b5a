//! A typed answer, typed looks at what has come, and the parts of it as they close.
//!
//! `cargo run -p patchwire-async --example typed`
#![expect(clippy::print_stdout, reason = "an example prints")]

use futures_util::{Stream, stream};
use patchwire::Spec;
use patchwire_async::{FieldEvent, TokenStreamExt as _};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Report {
    title: String,
    items: Vec<Row>,
}

#[derive(Debug, Deserialize)]
struct Row {
    sku: String,
}

/// What may be there already, borrowed from what has come.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Partial<'a> {
    title: Option<&'a str>,
    total: Option<u32>,
}

async fn read(
    tokens: impl Stream<Item = Result<String, std::io::Error>>,
) -> Result<Report, Box<dyn std::error::Error>> {
    let mut response = tokens.fields(Spec::json());
    let mut rows = response.elements::<Row>("items");
    while let Some(row) = rows.next().await {
        let row = row?;
        println!("row {}: {}", row.index, row.value.sku);
    }
    let partial: Partial<'_> = response.value().read()?;
    println!("so far: {:?}, {:?}", partial.title, partial.total);
    let mut reply = response.field("customer_reply");
    while let Some(event) = reply.next().await {
        if let FieldEvent::Delta(delta) = event? {
            println!("reply: {delta}");
        }
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
    println!("{}: {:?}", report.title, report.items);
    Ok(())
}
