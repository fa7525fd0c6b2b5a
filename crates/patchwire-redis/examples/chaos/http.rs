//! One request over a connection of its own.
#![allow(dead_code, reason = "each program uses some of it")]

use core::time::Duration;
use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A response whose connection is closed with it.
pub(crate) struct Answer {
    pub(crate) response: Response<Incoming>,
    connection: JoinHandle<()>,
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

impl Answer {
    pub(crate) fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        Some(self.response.headers().get(name)?.to_str().ok()?.to_owned())
    }

    /// More of the body; none at its end, and an error if it breaks off.
    pub(crate) async fn more(&mut self) -> Result<Option<Bytes>, ()> {
        loop {
            match self.response.body_mut().frame().await {
                None => return Ok(None),
                Some(Err(_)) => return Err(()),
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        return Ok(Some(data));
                    }
                }
            }
        }
    }

    /// The whole body, as far as it comes.
    pub(crate) async fn text(mut self) -> String {
        let mut all = Vec::new();
        while let Ok(Some(more)) = self.more().await {
            all.extend_from_slice(&more);
        }
        String::from_utf8_lossy(&all).into_owned()
    }
}

/// Sends a request. None if nobody answers.
pub(crate) async fn send(address: SocketAddr, request: Request<Full<Bytes>>) -> Option<Answer> {
    timeout(PATIENCE, sent(address, request)).await.ok()?
}

async fn sent(address: SocketAddr, request: Request<Full<Bytes>>) -> Option<Answer> {
    let stream = TcpStream::connect(address).await.ok()?;
    stream.set_nodelay(true).ok()?;
    let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = handshake.ok()?;
    let connection = tokio::spawn(async move {
        // A connection that breaks is what this is about.
        let _ = connection.await;
    });
    match sender.send_request(request).await {
        Ok(response) => Some(Answer { response, connection }),
        Err(_) => {
            connection.abort();
            None
        }
    }
}

/// Asks for the fields of an answer.
pub(crate) fn post(body: String) -> Request<Full<Bytes>> {
    let request = Request::post("/v1/fields")
        .header("host", "localhost")
        .header("content-type", "application/json");
    request.body(Full::from(body)).expect("a request")
}

/// Goes on with an answer.
pub(crate) fn get(name: &str, after: u64) -> Request<Full<Bytes>> {
    let request = Request::get(format!("/v1/fields/{name}"))
        .header("host", "localhost")
        .header("last-event-id", after);
    request.body(Full::default()).expect("a request")
}
