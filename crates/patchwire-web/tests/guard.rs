use axum::body::Body;
use hyper::header::HeaderName;
use hyper::{Method, Request};
use patchwire_web::{Options, OptionsError, router};

use crate::support::{always, app, get, post, refused, send};

fn from(host: &str, origin: Option<&str>) -> Request<Body> {
    let mut request = get("/v1/streams");
    request.headers_mut().insert("host", host.parse().unwrap());
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().unwrap());
    }
    request
}

#[tokio::test]
async fn only_names_of_its_own_are_answered() {
    let app = app(Default::default(), always(&[]));
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1:3000", "[::1]:80", "[::1]", "10.0.0.7"] {
        assert_eq!(send(&app, from(host, None)).await.status(), 200, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example:3000", "127.0.0.1.evil.example"] {
        let (status, code, message) = refused(&app, from(host, None)).await;
        assert_eq!((status, code.as_str()), (421, "host_not_allowed"), "{host}: {message}");
    }
    let mut nobody = get("/");
    nobody.headers_mut().remove("host");
    let (status, code, _) = refused(&app, nobody).await;
    assert_eq!((status, code.as_str()), (400, "host_not_allowed"));
}

#[tokio::test]
async fn a_request_names_one_host() {
    let app = app(Default::default(), always(&[]));
    let bad = async |request: Request<Body>, what: &str| {
        let (status, code, message) = refused(&app, request).await;
        assert_eq!((status, code.as_str()), (400, "bad_host"), "{what}: {message}");
    };
    for host in ["evil@x", "me:secret@localhost", "localhost:99999", "localhost:", "a b", ""] {
        bad(from(host, None), host).await;
    }
    let mut twice = from("localhost", None);
    twice.headers_mut().append("host", "evil.example".parse().unwrap());
    bad(twice, "two headers").await;
    for target in ["http://evil.example/v1/streams", "http://me@localhost/v1/streams"] {
        let mut absolute = from("localhost", None);
        *absolute.uri_mut() = target.parse().unwrap();
        bad(absolute, target).await;
    }
    let mut absolute = from("localhost:3000", None);
    *absolute.uri_mut() = "http://LOCALHOST:3000/v1/streams".parse().unwrap();
    assert_eq!(send(&app, absolute).await.status(), 200);
}

#[tokio::test]
async fn a_name_that_is_allowed_is_answered() {
    let options = Options::default().allow_host("Models.example").unwrap();
    let app = router(options).unwrap();
    assert_eq!(send(&app, from("models.example:8080", None)).await.status(), 200);
    assert_eq!(refused(&app, from("x.models.example", None)).await.0, 421);
}

#[tokio::test]
async fn pages_of_others_may_not_ask() {
    let app = app(Default::default(), always(&["[]"]));
    for origin in
        ["https://evil.example", "null", "http://localhost:9999", "http://localhost.evil.example"]
    {
        let (status, code, message) = refused(&app, from("localhost:3000", Some(origin))).await;
        assert_eq!((status, code.as_str()), (403, "origin_not_allowed"));
        assert!(message.contains(origin), "{message}");
    }
    let own = send(&app, from("localhost:3000", Some("http://localhost:3000"))).await;
    assert_eq!(own.status(), 200);
    assert!(!own.headers().contains_key("access-control-allow-origin"));
    let mut form = post("{}");
    form.headers_mut().insert("content-type", "application/x-www-form-urlencoded".parse().unwrap());
    assert_eq!(refused(&app, form).await.0, 415);
}

#[tokio::test]
async fn an_origin_that_is_allowed_may_ask_and_no_other() {
    let app = router(Options::default().allow_origin("https://app.example").unwrap()).unwrap();
    let allowed = send(&app, from("localhost", Some("https://app.example"))).await;
    assert_eq!(allowed.status(), 200);
    assert_eq!(allowed.headers()["access-control-allow-origin"], "https://app.example");
    assert_eq!(allowed.headers()["access-control-expose-headers"], "patchwire-stream");
    let mut asks = from("localhost", Some("https://app.example"));
    *asks.method_mut() = Method::OPTIONS;
    *asks.uri_mut() = "/v1/fields".parse().unwrap();
    asks.headers_mut().insert("access-control-request-method", "POST".parse().unwrap());
    let may = send(&app, asks).await;
    assert_eq!(may.status(), 200);
    let headers = may.headers()["access-control-allow-headers"].to_str().unwrap();
    for name in ["content-type", "last-event-id", "authorization"] {
        assert!(headers.contains(name), "{headers}");
    }
    let (status, code, _) = refused(&app, from("localhost", Some("https://other.example"))).await;
    assert_eq!((status, code.as_str()), (403, "origin_not_allowed"));
}

/// The clients of OpenAI and Anthropic send them from a page.
#[tokio::test]
async fn headers_of_clients_are_allowed_to_an_origin_that_is_allowed() {
    let app = router(Options::default().allow_origin("https://app.example").unwrap()).unwrap();
    let allowed = async |origin| {
        let mut asks = from("localhost", Some(origin));
        *asks.method_mut() = Method::OPTIONS;
        *asks.uri_mut() = "/v1/messages".parse().unwrap();
        let asked = "authorization, X-Stainless-Lang,x-stainless-retry-count, x-other, cookie";
        for (name, value) in [("method", "POST"), ("headers", asked)] {
            let name: HeaderName = format!("access-control-request-{name}").parse().unwrap();
            asks.headers_mut().insert(name, value.parse().unwrap());
        }
        let response = send(&app, asks).await;
        let allowed = response.headers().get_all("access-control-allow-headers").iter();
        allowed.map(|names| names.to_str().unwrap().to_owned()).collect::<Vec<_>>().join(",")
    };
    let headers = allowed("https://app.example").await;
    let client = "anthropic-dangerous-direct-browser-access";
    for name in ["x-stainless-lang", "x-stainless-retry-count", client, "authorization"] {
        assert!(headers.split(',').any(|own| own == name), "{name}: {headers}");
    }
    assert!(!headers.contains("x-other") && !headers.contains("cookie"), "{headers}");
    assert!(!allowed("https://other.example").await.contains("x-stainless"));
}

#[test]
fn what_is_no_name_or_origin_is_refused() {
    for host in ["", "*", "a b", "http://a.example", "a.example:80", "u@a.example", "*.example"] {
        let error = Options::default().allow_host(host).unwrap_err();
        assert_eq!(error, OptionsError::Host(host.to_owned()));
    }
    for origin in
        ["", "*", "null", "a.example", "https://*", "https://a.example/x", "https://u@a", "ftp://a"]
    {
        let error = Options::default().allow_origin(origin).unwrap_err();
        assert_eq!(error, OptionsError::Origin(origin.to_owned()));
    }
    assert!(
        format!("{:?}", Options::default()).starts_with("Options { limits: Limits { streams: 256")
    );
}
