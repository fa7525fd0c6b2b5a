use futures_core::Stream;
use patchwire_async::{Spec, TokenStreamExt as _};

pub struct Broken;

pub async fn read(tokens: impl Stream<Item = Result<String, Broken>>) {
    let _ = tokens.fields(Spec::json());
}

fn main() {}
