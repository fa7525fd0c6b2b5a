use futures_core::Stream;
use patchwire_async::{Spec, TokenStreamExt as _};

pub struct Delta {
    pub content: String,
}

pub async fn read(deltas: impl Stream<Item = Delta>) {
    let _ = deltas.fields(Spec::json());
}

fn main() {}
