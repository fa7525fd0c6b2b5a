//! Requests that are open when the server stops.

use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use patchwire_web::upstream::{Chat, Opening, Passed, Passing, Upstream};
use patchwire_web::{Limits, Options, ServeError, Stopped, serve_until, serve_until_or_abort};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Duration, timeout};

use crate::support::{Events, PassedTo, chat, connect, once, problem, reply_of, text};

type Running = JoinHandle<Result<Stopped, ServeError>>;

async fn start(options: Options) -> (SocketAddr, oneshot::Sender<()>, Running) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let server = tokio::spawn(serve_until(listener, options, stopped.map(|_| ())));
    (address, stop, server)
}

/// A request for an endpoint of the gateway.
fn asking(path: &str) -> Request<Full<Bytes>> {
    let request = Request::post(path).header("host", "localhost");
    let request = request.header("content-type", "application/json");
    request.body(Full::from("{\"patchwire\": {}}")).unwrap()
}

/// A model that says that it was asked, and does not begin.
struct Slow(mpsc::Sender<()>);

impl Slow {
    fn asked<T>(&self) -> impl Future<Output = T> + Send + use<T> {
        let asked = self.0.clone();
        async move {
            asked.send(()).await.unwrap();
            core::future::pending().await
        }
    }
}

impl Upstream for Slow {
    fn open(&self, _: Chat) -> Opening {
        self.asked().boxed()
    }

    fn pass(&self, _: Passed) -> Passing {
        self.asked().boxed()
    }
}

#[tokio::test]
async fn a_request_whose_model_has_not_begun_learns_that_the_server_stops() {
    for path in ["/v1/fields", "/v1/chat/completions", "/v1/messages"] {
        let (asked, mut was_asked) = mpsc::channel(1);
        let (address, stop, server) = start(Options::default().with_upstream(Slow(asked))).await;
        let waiting = tokio::spawn(connect(address, asking(path)));
        was_asked.recv().await.unwrap();
        stop.send(()).unwrap();
        let (status, code, _) = problem(waiting.await.unwrap()).await;
        assert_eq!((status, code.as_str()), (503, "shutting_down"), "{path}");
        assert_eq!(server.await.unwrap().unwrap().aborted, 0);
    }
}

/// A model that begins when it is told to.
struct Late {
    asked: mpsc::Sender<()>,
    begins: Arc<Notify>,
}

impl Late {
    fn begun<T: Send>(&self, reply: impl FnOnce() -> T + Send + 'static) -> BoxFuture<'static, T> {
        let (asked, begins) = (self.asked.clone(), Arc::clone(&self.begins));
        let begun = async move {
            asked.send(()).await.unwrap();
            begins.notified().await;
            reply()
        };
        begun.boxed()
    }
}

impl Upstream for Late {
    fn open(&self, _: Chat) -> Opening {
        self.begun(|| Ok(stream::iter([text("[1]")]).boxed()))
    }

    fn pass(&self, _: Passed) -> Passing {
        let body = br#"{"choices":[{"message":{"content":"[1]"},"finish_reason":"stop"}]}"#;
        let body = Bytes::from_static(body);
        self.begun(|| Ok(reply_of("application/json", stream::iter([Ok(body)]).boxed())))
    }
}

#[tokio::test]
async fn a_request_whose_model_has_not_begun_has_the_grace_time() {
    for path in ["/v1/fields", "/v1/chat/completions"] {
        let (asked, mut was_asked) = mpsc::channel(1);
        let begins = Arc::new(Notify::new());
        let limits = Limits { grace_time: Duration::from_secs(60), ..Limits::default() };
        let model = Late { asked, begins: Arc::clone(&begins) };
        let options = Options::default().with_limits(limits).with_upstream(model);
        let (address, stop, mut server) = start(options).await;
        let waiting = tokio::spawn(connect(address, asking(path)));
        was_asked.recv().await.unwrap();
        stop.send(()).unwrap();
        let stops = timeout(Duration::from_millis(200), &mut server).await;
        assert!(stops.is_err(), "{path}: the request has its grace time");
        begins.notify_one();
        let response = waiting.await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let body = str::from_utf8(&body).unwrap();
        assert!(body.contains("\"outcome\":\"complete\""), "{path}: {body}");
        timeout(Duration::from_secs(30), server).await.expect("it ends").unwrap().unwrap();
    }
}

#[tokio::test]
async fn an_aborted_server_waits_neither_for_its_streams_nor_for_its_connections() {
    let long = Duration::from_secs(600);
    let limits = Limits { grace_time: long, drain_time: long, ..Limits::default() };
    let (says, model) = once();
    let options = Options::default().with_limits(limits).with_upstream(model);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let ((stop, stopped), (abort, aborted)) = (oneshot::channel(), oneshot::channel());
    let (stopped, aborted) = (stopped.map(|_| ()), aborted.map(|_| ()));
    let mut server = tokio::spawn(serve_until_or_abort(listener, options, stopped, aborted));
    // A head that never ends keeps its connection open.
    let mut half = TcpStream::connect(address).await.unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n").await.unwrap();
    says.send(text("{\"a\": ")).await.unwrap();
    let mut events = Events::of(connect(address, chat("m")).await);
    events.take(1).await;
    stop.send(()).unwrap();
    let waits = timeout(Duration::from_millis(100), &mut server).await;
    assert!(waits.is_err(), "the stream has its grace time");
    abort.send(()).unwrap();
    assert_eq!(events.rest().await.pop().unwrap().data["code"], "shutting_down");
    timeout(Duration::from_secs(60), server).await.expect("it ends").unwrap().unwrap();
}

/// The model's stream goes on, and the answer of one of two choices has ended.
const BEGUN: [(&str, &str, usize); 2] = [
    (
        "/v1/chat/completions",
        concat!(
            "data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"[1]\"},\"finish_reason\":\"stop\"}]}\n\n",
            "data: {\"id\":\"c1\",\"choices\":[{\"index\":1,\"delta\":{\"content\":\"[1\"}}]}\n\n",
        ),
        1,
    ),
    (
        "/v1/messages",
        "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"[1\"}}\n\n",
        0,
    ),
];

#[tokio::test]
async fn an_answer_that_is_cut_by_the_end_of_the_server_is_an_error() {
    for (path, begun, finals) in BEGUN {
        let model = PassedTo(move |_| {
            let begun = stream::iter([Ok(Bytes::from_static(begun.as_bytes()))]);
            Ok(reply_of("text/event-stream", begun.chain(stream::pending()).boxed()))
        });
        let (address, stop, server) = start(Options::default().with_upstream(model)).await;
        let mut body = connect(address, asking(path)).await.into_body();
        let mut read = String::new();
        while !read.contains("[1") || read.matches("patches").count() <= finals {
            let frame = body.frame().await.expect("it goes on").unwrap().into_data().unwrap();
            read += str::from_utf8(&frame).unwrap();
        }
        stop.send(()).unwrap();
        let rest = body.collect().await.unwrap().to_bytes();
        let rest = str::from_utf8(&rest).unwrap();
        let ended = "\"answer\":{\"code\":\"shutting_down\",\"event\":\"error\"";
        assert_eq!(rest.matches(ended).count(), 1, "{rest}");
        assert_eq!(rest.contains("\"index\":1"), finals == 1, "{rest}");
        assert_eq!(read.matches("\"event\":\"final\"").count(), finals, "{read}");
        // The error of the API is last.
        assert!(rest.rfind("\"error\":{") > rest.rfind("\"answer\""), "{rest}");
        server.await.unwrap().unwrap();
    }
}
