//! Requests that RFC 9112 says how to treat, byte by byte over a socket. What two servers on the way could read in two
//! ways is refused.

use std::net::SocketAddr;

use patchwire_web::{Options, serve_until};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Duration, timeout};

use crate::support::always;

async fn start() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let options = Options::default().with_upstream(always(&["[1]"]));
    tokio::spawn(serve_until(listener, options, core::future::pending()));
    address
}

/// The statuses of all responses, in order, and whether the server closed the connection.
async fn statuses(address: SocketAddr, request: &[u8]) -> (Vec<u16>, bool) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may have answered and closed before all is written.
    let _ = stream.write_all(request).await;
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    let closed = loop {
        match timeout(Duration::from_millis(300), stream.read(&mut buffer)).await {
            Err(_) => break false,
            Ok(Ok(0) | Err(_)) => break true,
            Ok(Ok(read)) => answer.extend_from_slice(&buffer[..read]),
        }
    };
    let text = String::from_utf8_lossy(&answer);
    let lines = text.match_indices("HTTP/1.").map(|(at, _)| &text[at..]);
    let statuses = lines.filter_map(|line| line.split(' ').nth(1)?.parse().ok());
    (statuses.collect(), closed)
}

const GET: &str = "GET /v1/streams/none/text HTTP/1.1\r\nHost: localhost\r\n";
const POST: &str =
    "POST /v1/fields HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
/// A request that must not be answered, behind one whose end is in doubt.
const SMUGGLED: &str = "GET /v1/streams HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// What is refused, with this status, and then the connection is closed.
#[tokio::test]
async fn what_could_be_read_in_two_ways_is_refused() {
    let address = start().await;
    let cases = [
        // 2.2: a bare CR, NUL, whitespace before the first header.
        ("a bare CR", "GET / HTTP/1.1\rHost: localhost\r\n\r\n".into()),
        ("NUL in a value", format!("{GET}X: a\0b\r\n\r\n")),
        ("NUL in a name", format!("{GET}X\0: a\r\n\r\n")),
        ("whitespace before the first header", "GET / HTTP/1.1\r\n Host: localhost\r\n\r\n".into()),
        // 3: the request line.
        ("no target", "GET HTTP/1.1\r\nHost: localhost\r\n\r\n".into()),
        ("no method", " / HTTP/1.1\r\nHost: localhost\r\n\r\n".into()),
        ("another version", "GET / HTTP/1.2\r\nHost: localhost\r\n\r\n".into()),
        ("no version", "GET /\r\n\r\n".into()),
        ("whitespace in the target", "GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n".into()),
        // 3.2: the host.
        ("no host", "GET / HTTP/1.1\r\n\r\n".into()),
        ("two hosts", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n".into()),
        ("a user in the host", "GET / HTTP/1.1\r\nHost: me@localhost\r\n\r\n".into()),
        ("an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n".into()),
        ("a bad port", "GET / HTTP/1.1\r\nHost: localhost:99999\r\n\r\n".into()),
        ("another host", "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n".into()),
        // 5: headers.
        ("whitespace before the colon", format!("{GET}X : a\r\n\r\n")),
        ("a folded line", format!("{GET}X: a\r\n b\r\n\r\n")),
        ("no colon", format!("{GET}X\r\n\r\n")),
        ("no name", format!("{GET}: a\r\n\r\n")),
        // 6.1 and 6.3: the length of the body.
        ("a negative length", format!("{POST}Content-Length: -2\r\n\r\n{{}}")),
        ("a length with a sign", format!("{POST}Content-Length: +2\r\n\r\n{{}}")),
        ("a length that is no number", format!("{POST}Content-Length: 2x\r\n\r\n{{}}")),
        ("no length", format!("{POST}Content-Length:\r\n\r\n{{}}")),
        ("a length of 2^64", format!("{POST}Content-Length: 18446744073709551616\r\n\r\n{{}}")),
        ("two lengths", format!("{POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}")),
        ("a list of lengths", format!("{POST}Content-Length: 2, 3\r\n\r\n{{}}")),
        (
            "an unknown coding",
            format!("{POST}Transfer-Encoding: xchunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"),
        ),
        (
            "a coding behind chunked",
            format!("{POST}Transfer-Encoding: chunked, identity\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"),
        ),
        (
            "whitespace behind the name",
            format!("{POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"),
        ),
        (
            "chunks in HTTP/1.0",
            "POST /v1/fields HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
                .into(),
        ),
        // 7.1: chunks.
        (
            "a chunk size of 2^64",
            format!("{POST}Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n"),
        ),
        (
            "a chunk size that is no number",
            format!("{POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{{}}\r\n"),
        ),
        (
            "a negative chunk size",
            format!("{POST}Transfer-Encoding: chunked\r\n\r\n-2\r\n{{}}\r\n"),
        ),
        (
            "no end of a chunk",
            format!("{POST}Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}0\r\n\r\n"),
        ),
    ];
    for (what, request) in cases {
        let (statuses, closed) = statuses(address, format!("{request}{SMUGGLED}").as_bytes()).await;
        // Where only the host is wrong, the end of the request is not in doubt: the next one is answered.
        let is_host = what.contains("host") || what == "a bad port";
        let expected: &[u16] = if is_host { &[400, 200] } else { &[400] };
        assert_eq!(statuses, expected, "{what}");
        assert_eq!(closed, !is_host, "{what}");
    }
}

#[tokio::test]
async fn of_two_lengths_the_chunks_count_and_the_connection_is_closed() {
    let address = start().await;
    let chunked = "Transfer-Encoding: chunked\r\n";
    for both in
        [format!("Content-Length: 4\r\n{chunked}"), format!("{chunked}Content-Length: 4\r\n")]
    {
        let request = format!("{POST}{both}\r\n2\r\n{{}}\r\n0\r\n\r\n{SMUGGLED}");
        let (statuses, closed) = statuses(address, request.as_bytes()).await;
        assert!(statuses == [200] || statuses == [400], "{both:?}: {statuses:?}");
        assert!(closed, "{both:?}");
    }
}

#[tokio::test]
async fn what_is_unusual_and_right_is_answered() {
    let address = start().await;
    let close = "Connection: close\r\n\r\n";
    for (what, request, expected) in [
        (
            "an absolute target",
            format!("GET http://localhost/v1/streams HTTP/1.1\r\nHost: localhost\r\n{close}"),
            &[200][..],
        ),
        ("an empty line before", format!("\r\n{GET}{close}"), &[404]),
        ("several requests ahead", format!("{GET}\r\n{GET}\r\n{GET}{close}"), &[404, 404, 404]),
        ("whitespace around a value", format!("{GET}X:  \t a \t\r\n{close}"), &[404]),
        ("HTTP/1.0", "GET /v1/streams HTTP/1.0\r\nHost: localhost\r\n\r\n".into(), &[200]),
        (
            "the same length twice",
            format!("{POST}Content-Length: 2\r\nContent-Length: 2\r\n{close}{{}}"),
            &[200],
        ),
        (
            "an extension of a chunk",
            format!("{POST}Transfer-Encoding: chunked\r\n{close}2;x=y\r\n{{}}\r\n0\r\n\r\n"),
            &[200],
        ),
        (
            "trailers",
            format!("{POST}Transfer-Encoding: chunked\r\n{close}2\r\n{{}}\r\n0\r\nX: y\r\n\r\n"),
            &[200],
        ),
        (
            "a body that waits for leave",
            format!("{POST}Expect: 100-continue\r\nContent-Length: 2\r\n{close}{{}}"),
            &[100, 200],
        ),
        (
            "CONNECT",
            format!("CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n{close}"),
            &[404],
        ),
        ("TRACE", format!("TRACE /v1/streams HTTP/1.1\r\nHost: localhost\r\n{close}"), &[405]),
    ] {
        let (statuses, closed) = statuses(address, request.as_bytes()).await;
        assert_eq!(statuses, expected, "{what}");
        assert!(closed, "{what}");
    }
}

#[tokio::test]
async fn other_protocols_get_no_answer_of_their_own() {
    let address = start().await;
    for (what, begin) in [
        ("HTTP/2", &b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..]),
        ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
    ] {
        let (statuses, closed) = statuses(address, begin).await;
        assert!(closed, "{what}");
        assert!(statuses.iter().all(|status| *status == 400), "{what}: {statuses:?}");
    }
}

#[tokio::test]
async fn a_head_has_limits() {
    let address = start().await;
    let long = "x".repeat(128 << 10);
    let many: String = (0..101).map(|number| format!("X-{number}: y\r\n")).collect();
    for (what, request) in [
        ("a long value", format!("{GET}X: {long}\r\n\r\n")),
        ("a long target", format!("GET /{long} HTTP/1.1\r\nHost: localhost\r\n\r\n")),
        ("many headers", format!("{GET}{many}\r\n")),
    ] {
        let (statuses, closed) = statuses(address, request.as_bytes()).await;
        assert!(matches!(statuses[..], [431] | [414]), "{what}: {statuses:?}");
        assert!(closed, "{what}");
    }
    let fits = "x".repeat(15 << 10);
    let many: String = (0..98).map(|number| format!("X-{number}: y\r\n")).collect();
    for request in [format!("{GET}X: {fits}\r\n\r\n"), format!("{GET}{many}\r\n")] {
        assert_eq!(statuses(address, request.as_bytes()).await, (vec![404], false));
    }
}
