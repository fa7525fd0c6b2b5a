//! How connections are encrypted: what a client offers a server, and what it says of a server without TLS.

use std::sync::mpsc;
use std::thread;

use patchwire::Spec;
use patchwire_chat::{Chat, ChatError, Endpoint};
use rustls::server::Acceptor;

use crate::failures::failure;

/// What a client offers in its first message.
#[derive(Debug)]
struct Offer {
    protocols: Vec<String>,
    suites: usize,
}

/// Asks a server that reads the first message of the handshake and then hangs up.
async fn offer() -> (Offer, ChatError) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://localhost:{}/v1", listener.local_addr().unwrap().port());
    let (sender, receiver) = mpsc::channel();
    let server = thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        let mut acceptor = Acceptor::default();
        let accepted = loop {
            acceptor.read_tls(&mut connection).unwrap();
            if let Some(accepted) = acceptor.accept().expect("a client's greeting") {
                break accepted;
            }
        };
        let hello = accepted.client_hello();
        let names = hello.alpn().into_iter().flatten();
        let protocols = names.map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        sender.send(Offer { protocols, suites: hello.cipher_suites().len() }).unwrap();
    });
    let chat = Chat::new(Endpoint::openai(&url).unwrap(), "m", Spec::json()).unwrap();
    let error = failure(&chat).await;
    server.join().unwrap();
    (receiver.recv().unwrap(), error)
}

#[tokio::test]
async fn a_client_offers_both_versions_of_http() {
    let (offer, error) = offer().await;
    assert_eq!(offer.protocols, ["h2", "http/1.1"]);
    // Suites of TLS 1.3, of TLS 1.2, and the signal that says that renegotiation is safe.
    assert!(offer.suites > 4, "{offer:?}");
    assert!(matches!(error, ChatError::Unreachable { .. }) && error.is_transient(), "{error}");
}
