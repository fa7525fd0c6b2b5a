use futures_core::Stream;
use patchwire_async::{Spec, TokenStreamExt as _};

pub async fn read(tokens: impl Stream<Item = Result<u32, std::io::Error>>) {
    let _ = tokens.fields(Spec::json());
}

fn main() {}
