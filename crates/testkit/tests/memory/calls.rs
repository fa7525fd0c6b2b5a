//! Tool calls cost little beside their text, and their number has a limit.

use core::pin::{Pin, pin};
use core::task::{Context, Poll, Waker};

use futures_core::Stream;
use patchwire::{ErrorKind, Limit, Limits, Spec};
use patchwire_async::sources::{DecodeErrorKind, Decoder, Protocol};
use patchwire_async::{Answer, Deltas, DeltasError, Error, TokenStreamExt as _};

/// The body of a response with so many calls, an event at a time.
struct Body {
    at: usize,
    calls: usize,
}

impl Stream for Body {
    type Item = Result<String, std::io::Error>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let at = self.at;
        self.at += 1;
        Poll::Ready((at <= self.calls).then(|| {
            let call = format!(
                r#"{{"index":{at},"id":"c{at}","function":{{"name":"f","arguments":"{{\"a\":{at}}}"}}}}"#
            );
            let delta = match at == self.calls {
                true => r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#.into(),
                false => format!(r#"{{"choices":[{{"index":0,"delta":{{"tool_calls":[{call}]}}}}]}}"#),
            };
            Ok(format!("data: {delta}\n\n"))
        }))
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let (mut future, mut cx) = (pin!(future), Context::from_waker(Waker::noop()));
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
    }
}

type Read = Result<Answer, Error<DeltasError<std::io::Error>>>;

/// Takes each event as it comes, and then the answer.
fn read(calls: usize, limits: Limits, decoder: Decoder) -> Read {
    let spec = Spec::builder().limits(limits).build().expect("the settings agree");
    let deltas = Deltas::decoding(Body { at: 0, calls }, decoder);
    let mut response = deltas.fields_with(spec, |delta, out| out.delta(delta));
    while block_on(response.next()).is_some() {}
    block_on(response.answer())
}

fn many() -> (Limits, Decoder) {
    let limits = Limits::default().with(Limit::Calls, 1 << 20).with(Limit::Kept, 1 << 30);
    (limits, Decoder::new(Protocol::OpenAiChat).with_call_limit(1 << 20))
}

#[test]
fn a_hundred_thousand_calls_take_at_most_512_bytes_each() {
    let peak = |calls: usize| {
        let info = allocation_counter::measure(|| {
            let (limits, decoder) = many();
            let answer = read(calls, limits, decoder).expect("all calls are read");
            assert_eq!(answer.calls().len(), calls);
            let last = answer.calls().last().expect("a call");
            assert_eq!(last.arguments().to_string(), format!("{{\"a\":{}}}", calls - 1));
        });
        info.bytes_max
    };
    let (few, all) = (peak(1_000), peak(100_000));
    // The id, the name and the arguments: the text, about 20 bytes in each place that keeps it.
    let each = (all - few) / 99_000;
    assert!(each <= 512, "{each} bytes a call");
}

#[test]
fn calls_and_bytes_at_n_and_n_plus_1() {
    let limited = |limit, n| Limits::default().with(limit, n);
    let error = |read: Read| match read.map(|answer| answer.calls().len()) {
        Err(Error::Parse(error)) => Err(error.kind),
        Err(error) => panic!("{error}"),
        Ok(calls) => Ok(calls),
    };
    let decoder = || Decoder::new(Protocol::OpenAiChat);
    assert_eq!(error(read(20, limited(Limit::Calls, 20), decoder())), Ok(20));
    let refused = error(read(21, limited(Limit::Calls, 20), decoder()));
    assert_eq!(refused, Err(ErrorKind::Limit(Limit::Calls)));
    let kept = |n| error(read(1, limited(Limit::Kept, n), decoder()));
    let fits =
        (512..700).find(|n| kept(*n).is_ok()).expect("one call takes its text and 512 bytes");
    assert_eq!(kept(fits - 1), Err(ErrorKind::Limit(Limit::Kept)));
}

#[test]
fn a_decoder_reads_no_more_calls_than_its_limit() {
    let read = |calls| {
        read(calls, Limits::default(), Decoder::new(Protocol::OpenAiChat).with_call_limit(20))
    };
    assert!(read(20).is_ok());
    match read(21) {
        Err(Error::Source(error)) => match error.as_typed() {
            Some(DeltasError::Decode(error)) => {
                assert_eq!(error.kind, DecodeErrorKind::TooManyCalls { limit: 20 });
            }
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

/// Parts of many calls in turn: each call is read again a few times, and then its parser stays.
#[test]
fn parts_of_many_calls_may_alternate() {
    struct Parts {
        at: usize,
    }
    impl Stream for Parts {
        type Item = Result<(u32, String), std::io::Error>;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            let (round, call) = (self.at / 40, self.at % 40);
            self.at += 1;
            let text = if round == 0 { "[0".to_owned() } else { format!(",{round}") };
            Poll::Ready((round < 30).then_some(Ok((call as u32, text))))
        }
    }
    let mut response = Parts { at: 0 }.fields_with(Spec::json(), |(call, text), out| {
        out.tool(call, None, Some("f"), text);
    });
    let mut items = [0; 41];
    while let Some(event) = block_on(response.next()) {
        let event = event.expect("no limit is reached");
        if let Some(patch) = event.as_patch().filter(|it| it.path.to_string().starts_with('[')) {
            items[patch.origin.call.expect("a call") as usize] += 1;
        }
    }
    let answer = block_on(response.answer()).expect("an answer");
    for (at, call) in answer.calls().iter().enumerate() {
        assert_eq!((call.arguments().len(), items[at + 1]), (30, 30), "{at}");
    }
    assert_eq!(answer.calls().len(), 40);
}
