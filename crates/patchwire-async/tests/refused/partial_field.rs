use patchwire_async::Partial;

#[derive(serde::Deserialize)]
pub struct Row {
    pub sku: String,
}

#[derive(serde::Deserialize, Partial)]
pub struct Report {
    pub rows: Vec<Row>,
}

fn main() {}
