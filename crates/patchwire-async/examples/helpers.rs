//! Functions over any response: of a stream, of a request, of items in any shape.
//!
//! `cargo run -p patchwire-async --example helpers`
#![expect(clippy::print_stdout, reason = "an example prints")]

use futures_util::{Stream, stream};
use patchwire_async::{Attempt, Inputs, Request, Response, Spec, Split, TokenStreamExt as _};

/// Takes every kind of response.
async fn show<R: Request, X: Split<R::Item>>(mut response: Response<R, X>) {
    while let Some(Ok(_)) = response.next().await {
        println!("{}", response.value());
    }
}

/// `?` works on the events, whatever the error of the stream is.
async fn any_error(
    tokens: impl Stream<Item = anyhow::Result<String>> + Send + 'static,
) -> anyhow::Result<()> {
    let mut response = tokens.fields(Spec::json());
    while let Some(event) = response.next().await {
        println!("{}", event?);
    }
    Ok(())
}

async fn perhaps_text(
    tokens: impl Stream<Item = Result<Option<String>, std::io::Error>> + Send,
    spec: &Spec,
) -> anyhow::Result<Vec<u8>> {
    Ok(tokens.fields(spec).data().await?)
}

fn spawnable<T: Send + 'static>(future: T) -> T {
    future
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    spawnable(any_error(stream::iter([Ok("[1]".to_owned())]))).await?;
    let numbers = [Some("[1,"), None, Some("2]")].map(|text| Ok(text.map(str::to_owned)));
    let numbers = stream::iter(numbers);
    println!("{:?}", perhaps_text(numbers, &Spec::json()).await?);

    let mut seen = 0;
    let items = stream::iter([Ok::<_, std::io::Error>((0_u32, "{\"q\"")), Ok((0, ": 1}"))]);
    show(items.fields_with(Spec::json(), |(call, text), out: &mut Inputs| {
        seen += 1;
        out.tool(call, None, None, text);
    }))
    .await;
    println!("{seen} items");

    let ask = |attempt: Attempt| async move {
        let text = format!("{{\"attempt\": {}}}", attempt.number);
        Ok::<_, std::io::Error>(stream::iter([Ok(text)]))
    };
    show(Response::of(ask, Spec::json())).await;
    Ok(())
}
