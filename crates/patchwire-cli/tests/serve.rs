//! The server as a process. What it serves is tested beside it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Child;

use crate::model;
use crate::run::{patchwire, spawn, spawn_with};

/// A server that is ended with its test.
pub(crate) struct Server {
    child: Child,
    /// Where it listens: `127.0.0.1:4711`.
    address: String,
}

impl Server {
    pub(crate) fn start(more: &[&str]) -> Self {
        Self::start_with(more, &[])
    }

    /// A server with variables of the environment.
    pub(crate) fn start_with(more: &[&str], variables: &[(&str, String)]) -> Self {
        let args = [&["serve", "--listen", "127.0.0.1:0"], more].concat();
        let mut child = spawn_with(&args, variables);
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("stdout is piped");
        BufReader::new(out).read_line(&mut line).expect("it prints its address");
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        Self { address: address.expect("an address").to_owned(), child }
    }

    /// Asks the gateway, and gives all that it answers.
    pub(crate) fn ask(&self, body: &str, key: &str) -> String {
        self.post("/v1/fields", body, key)
    }

    fn post(&self, path: &str, body: &str, key: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n{key}\r\n",
            body.len()
        );
        stream.write_all((head + body).as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    }

    pub(crate) fn get(&self, path: &str, host: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    }

    /// A request whose response has begun.
    #[cfg(unix)]
    fn begin(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("it reads");
        stream.read_exact(&mut [0; 12]).expect("it answers");
        stream
    }

    #[cfg(unix)]
    fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        let kill = std::process::Command::new("kill").args([signal, &pid]).status();
        assert!(kill.expect("there is kill").success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended already is what some tests are about.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_says_where_it_is_and_serves_the_page_and_the_streams() {
    let server = Server::start(&[]);
    assert!(server.get("/", "localhost").contains("<title>patchwire</title>"));
    let fields = server.get("/v1/streams/json/fields?chunk=all&speed=0", &server.address);
    assert!(fields.contains("event: final\n"), "{fields}");
    assert!(server.get("/", "evil.example").starts_with("HTTP/1.1 421 "));
}

#[test]
fn options_reach_the_server() {
    // Clients on this machine may have more than one connection, as this test has.
    let shares = ["--per-address", "1", "--trusted-proxy", "2001:db8::1"];
    let server = Server::start(
        &[&["--allow-host", "a.example", "--max-streams", "1"], &shares[..]].concat(),
    );
    assert!(server.get("/", "a.example").starts_with("HTTP/1.1 200 "));
    // The first is left open.
    let mut first = TcpStream::connect(&server.address).expect("it listens");
    let head = "GET /v1/streams/hostile-long/fields HTTP/1.1\r\nHost: localhost\r\n\r\n";
    first.write_all(head.as_bytes()).expect("it reads");
    let mut begun = [0; 12];
    first.read_exact(&mut begun).expect("it answers");
    assert_eq!(&begun, b"HTTP/1.1 200");
    assert!(server.get("/v1/streams/json/fields", "localhost").starts_with("HTTP/1.1 503 "));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_well() {
    for signal in ["-INT", "-TERM"] {
        let mut server = Server::start(&[]);
        let pid = server.child.id().to_string();
        let kill = std::process::Command::new("kill").args([signal, &pid]).status();
        assert!(kill.expect("there is kill").success());
        assert_eq!(server.child.wait().expect("it ends").code(), Some(0), "{signal}");
    }
}

#[test]
fn what_cannot_be_served_is_said() {
    let server = Server::start(&[]);
    let taken = patchwire(&["serve", "--listen", &server.address], "");
    let (status, _, error) = taken.failed();
    assert_eq!(status, Some(2));
    assert!(error.contains("choose another port, or 0 for any free port"), "{error}");
    for (option, value, says) in [
        ("--allow-origin", "*", "`*` is no origin"),
        ("--allow-host", "http://a", "`http://a` is no host name"),
    ] {
        let refused = patchwire(&["serve", "--listen", "127.0.0.1:0", option, value], "");
        let (status, out, error) = refused.failed();
        assert_eq!((status, out), (Some(2), ""));
        assert!(error.contains(says), "{error}");
    }
}

/// The body of a request that asks for a title.
pub(crate) const ASKED: &str = r#"{"model": "m", "messages": [{"role": "user", "content": "Go."}],
    "patchwire": {"schema": {"type": "object", "properties": {"title": {"type": "string"}}}}}"#;

#[test]
fn the_model_behind_it_is_asked_and_its_fields_are_emitted() {
    let model = model::Server::start(vec![model::says(r#"{"title": "Rain falls"}"#)]);
    let server = Server::start(&["--upstream", &model.url]);
    let answer = server.ask(ASKED, "Authorization: Bearer sk-client\r\n");
    assert!(answer.contains("event: patch") && answer.contains("event: final"), "{answer}");
    assert!(answer.contains(r#""value":{"title":"Rain falls"}"#), "{answer}");
    let asked = model.asked().remove(0);
    assert!(asked.contains("Bearer sk-client") && asked.contains("\"stream\":true"), "{asked}");
    assert!(!asked.contains("\"patchwire\""), "{asked}");
}

/// Large events are decoded on other threads than those of the connections.
#[test]
fn a_model_with_large_events_is_read_to_its_end() {
    let title = "rain ".repeat(200_000);
    let said = format!("{{\"title\": \"{title}\"}}");
    let model = model::Server::start(vec![model::says_in_pieces(&said, 300_000)]);
    let answer = Server::start(&["--upstream", &model.url]).ask(ASKED, "");
    let value = format!("\"value\":{{\"title\":\"{title}\"}}");
    assert!(answer.contains(&value), "{} bytes, {}", answer.len(), &answer[..300]);
}

#[test]
fn the_page_learns_the_model_and_no_secret() {
    let answers = vec![model::says(r#"{"title": "a"}"#), model::says(r#"{"title": "b"}"#)];
    let model = model::Server::start(answers);
    let url = model.url.replace("//", "//me:secret@");
    let server = Server::start(&["--upstream", &url, "--upstream-model", "llama3.2"]);
    let emitted = server.get("/v1/upstream", "localhost");
    let host = model.url.trim_start_matches("http://").trim_end_matches("/v1");
    let about =
        format!(r#""upstream":{{"host":"{host}","model":"llama3.2","protocol":"openai-chat"}}"#);
    assert!(emitted.contains(&about) && !emitted.contains("secret"), "{emitted}");
    // It is the model where none is named, and nowhere else.
    server.ask(&ASKED.replace(r#""model": "m", "#, ""), "");
    server.ask(ASKED, "");
    let asked = model.asked();
    assert!(asked[0].contains(r#""model":"llama3.2""#), "{}", asked[0]);
    assert!(asked[1].contains(r#""model":"m""#), "{}", asked[1]);
}

#[test]
fn a_server_for_others_warns_of_what_they_can_use() {
    let key = ["--upstream", "http://localhost:9/v1", "--upstream-key-env", "PATH"];
    for (more, says) in [(&[][..], "no passwords\n"), (&key, "with your key\n")] {
        let mut child = spawn(&[&["serve", "--listen", "0.0.0.0:0"], more].concat());
        let (out, err) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("it prints its address");
        line.clear();
        BufReader::new(err).read_line(&mut line).expect("it says so");
        let _ = child.kill();
        let _ = child.wait();
        assert!(line.ends_with(says), "{line}");
    }
}

#[test]
fn without_a_model_the_page_learns_so() {
    let emitted = Server::start(&[]).get("/v1/upstream", "localhost");
    assert!(emitted.contains(r#""upstream":null"#), "{emitted}");
}

#[test]
fn what_the_model_behind_it_refuses_is_passed_on() {
    let refusal = model::refuses(404, r#"{"error":{"message":"no such model"}}"#);
    let model = model::Server::start(vec![refusal]);
    let server = Server::start(&["--upstream", &model.url]);
    let answer = server.ask(ASKED, "");
    assert!(answer.starts_with("HTTP/1.1 404 ") && answer.contains("no such model"), "{answer}");
    assert!(!model.asked().remove(0).to_lowercase().contains("authorization"));
}

#[test]
fn how_long_the_model_behind_it_wants_to_be_left_alone_is_passed_on() {
    for status in [429, 503] {
        let refusal = model::refuses(status, r#"{"error":{"message":"slow down"}}"#);
        let refusal = refusal.replace("\r\nconnection", "\r\nretry-after: 7\r\nconnection");
        let model = model::Server::start(vec![refusal]);
        let server = Server::start(&["--upstream", &model.url]);
        let answer = server.ask(ASKED, "");
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
        assert!(answer.contains("slow down") && answer.contains("retry-after: 7\r\n"), "{answer}");
        drop(model.asked());
    }
}

#[test]
fn what_is_no_model_behind_it_is_said() {
    let page = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n<html>no</html>";
    let model = model::Server::start(vec![page.to_owned()]);
    let answer = Server::start(&["--upstream", &model.url]).ask(ASKED, "");
    assert!(answer.contains("\"upstream_foreign\"") && answer.contains("<html>"), "{answer}");
    drop(model.asked());
    let answer = Server::start(&[]).ask(ASKED, "");
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    assert!(answer.contains("no model is behind this server"), "{answer}");
}

#[test]
fn a_stream_without_anything_of_the_protocol_is_no_answer() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let cut = "data: {\"choices\":[{\"delta\":{\"role\"";
    for (body, code) in [
        ("", "upstream_foreign"),
        ("event: ping\ndata: {\"hello\":1}\n\n", "upstream_foreign"),
        (cut, "upstream_broken"),
    ] {
        let model = model::Server::start(vec![format!("{head}{body}")]);
        let answer = Server::start(&["--upstream", &model.url]).ask(ASKED, "");
        assert!(answer.contains(&format!("\"code\":\"{code}\"")), "{answer}");
        drop(model.asked());
    }
}

#[test]
fn a_redirect_says_which_address_to_set() {
    let head = "HTTP/1.1 302 Found\r\nlocation: https://a.example/v1\r\nconnection: close\r\n\r\n";
    let model = model::Server::start(vec![head.to_owned(), head.to_owned()]);
    let server = Server::start(&["--upstream", &model.url]);
    for path in ["/v1/fields", "/v1/chat/completions"] {
        let answer = server.post(path, ASKED, "");
        assert!(answer.starts_with("HTTP/1.1 502 "), "{answer}");
        assert!(answer.contains("redirects to `https://a.example/v1`"), "{answer}");
    }
    drop(model.asked());
}

#[test]
fn a_model_where_nobody_listens_is_not_asked_again() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}/v1", free.local_addr().expect("it is bound"));
    drop(free);
    let asked = ASKED.replace("{\"schema", "{\"max_retries\": 3, \"schema");
    let answer = Server::start(&["--upstream", &url]).ask(&asked, "");
    assert!(answer.starts_with("HTTP/1.1 502 "), "{answer}");
    assert!(answer.contains("\"upstream_unreachable\""), "{answer}");
    assert!(!answer.contains("attempt_failed"), "{answer}");
}

#[test]
fn a_model_that_cannot_be_asked_is_said_at_the_start() {
    let run = patchwire(&["serve", "--listen", "127.0.0.1:0", "--upstream", "nowhere"], "");
    assert_eq!(run.failed().0, Some(2));
    assert!(run.err.contains("http"), "{}", run.err);
}

#[test]
fn the_endpoints_of_the_model_are_its_own() {
    let answers = vec![
        model::says(r#"{"title": "a"}"#),
        model::refuses(401, r#"{"error":{"message":"who are you"}}"#),
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{ \"data\": [] }".to_owned(),
    ];
    let model = model::Server::start(answers);
    let server = Server::start(&["--upstream", &model.url]);
    let chat = "/v1/chat/completions";
    let answer = server.post(
        chat,
        &ASKED.replace("{\"model", "{ \"stream\": true, \"model"),
        "Authorization: Bearer sk-client\r\n",
    );
    assert!(
        answer.contains("\"patches\":[{") && answer.contains("\"value\":{\"title\":\"a\"}"),
        "{answer}"
    );
    let refused = server.post(chat, "{}", "");
    assert!(
        refused.starts_with("HTTP/1.1 401 ")
            && refused.contains(r#"{"error":{"message":"who are you"}}"#),
        "{refused}"
    );
    assert!(server.get("/v1/models?limit=2", "localhost").contains("{ \"data\": [] }"));
    let other = server.post("/v1/messages", "{}", "");
    assert!(
        other.starts_with("HTTP/1.1 404 ")
            && other.contains("endpoint_not_spoken")
            && other.contains("--upstream-protocol"),
        "{other}"
    );
    let asked = model.asked();
    assert!(
        asked[0].contains("Bearer sk-client") && !asked[0].contains("patchwire\""),
        "{}",
        asked[0]
    );
    assert!(asked[2].starts_with("GET /v1/models?limit=2 "), "{}", asked[2]);
}

#[test]
fn a_model_may_speak_more_than_one_protocol() {
    let message = r#"{"type":"message","content":[{"type":"text","text":"[1, 2]"}],"stop_reason":"end_turn"}"#;
    let whole = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{message}"
    );
    let model = model::Server::start(vec![whole, model::says("{}")]);
    let server =
        Server::start(&["--upstream", &model.url, "--upstream-protocol", "anthropic,openai-chat"]);
    let answer = server.post("/v1/messages", r#"{"patchwire":{}}"#, "x-api-key: sk-a\r\n");
    assert!(answer.contains("\"value\":[1,2]"), "{answer}");
    server.post("/v1/chat/completions", "{}", "");
    let asked = model.asked();
    assert!(
        asked[0].starts_with("POST /v1/messages ") && asked[0].contains("x-api-key: sk-a"),
        "{}",
        asked[0]
    );
    assert!(asked[1].starts_with("POST /v1/chat/completions "), "{}", asked[1]);
}

#[test]
fn options_come_from_the_line_the_environment_and_a_file_in_this_order() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("serve.toml");
    let text = "allow_host = [\"file.example\"]\nmax-streams = 1\nper_address = 3\n";
    std::fs::write(&file, text).expect("the file can be written");
    let file = file.to_str().expect("a path of letters");
    let server = Server::start(&["--config", file]);
    assert!(server.get("/", "file.example").starts_with("HTTP/1.1 200 "));
    let server = Server::start(&["--config", file, "--allow-host", "line.example"]);
    assert!(server.get("/", "line.example").starts_with("HTTP/1.1 200 "));
    assert!(server.get("/", "file.example").starts_with("HTTP/1.1 421 "));
    let hosts = [("PATCHWIRE_ALLOW_HOST", "environment.example".to_owned())];
    let server = Server::start_with(&["--config", file], &hosts);
    assert!(server.get("/", "environment.example").starts_with("HTTP/1.1 200 "));
    assert!(server.get("/", "file.example").starts_with("HTTP/1.1 421 "));
    let server = Server::start_with(&["--allow-host", "line.example"], &hosts);
    assert!(server.get("/", "line.example").starts_with("HTTP/1.1 200 "));
    assert!(server.get("/", "environment.example").starts_with("HTTP/1.1 421 "));
    for (text, says) in [
        ("listn = \"x\"", "`listn`, which is no option of a file; there are listen, "),
        ("listen = true", "`listen` has to be a text"),
        ("listen", "is no TOML"),
    ] {
        std::fs::write(file, text).expect("the file can be written");
        let refused = patchwire(&["serve", "--config", file], "");
        let (status, _, error) = refused.failed();
        assert!(status == Some(2) && error.contains(says), "{error}");
    }
    std::fs::write(file, "grace = \"soon\"").expect("the file can be written");
    let refused = patchwire(&["serve", "--config", file], "");
    let refused = refused.failed().2;
    let says = "serve.toml: invalid value 'soon' for '--grace <SECONDS>': write a whole number";
    assert!(refused.contains(says) && !refused.contains("--help"), "{refused}");
    let child = spawn_with(&["serve"], &[("PATCHWIRE_GRACE", "soon".to_owned())]);
    let refused = child.wait_with_output().expect("it ends");
    let error = String::from_utf8_lossy(&refused.stderr);
    let says =
        "error: PATCHWIRE_GRACE: invalid value 'soon' for '--grace <SECONDS>': write a whole";
    assert!(refused.status.code() == Some(2) && error.starts_with(says), "{error}");
    let missing = patchwire(&["serve", "--config", "/no/such/file"], "");
    assert!(missing.failed().2.contains("cannot read /no/such/file"));
}

#[test]
fn logs_have_no_key_and_no_text() {
    let model = model::Server::start(vec![model::says(r#"{"title": "Rain falls"}"#)]);
    let mut server = Server::start(&["--upstream", &model.url, "--log", "info"]);
    server.post("/v1/fields", ASKED, "Authorization: Bearer sk-secret-0123456789\r\n");
    server.get("/v1/streams/sk-secret/text", "localhost");
    server.child.kill().expect("it runs");
    let mut log = String::new();
    server.child.stderr.take().expect("piped").read_to_string(&mut log).expect("text");
    let lines: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(!log.contains("secret") && !log.contains("Rain") && !log.contains("Go."), "{log}");
    let ended = lines.iter().find(|line| line["message"] == "an answer ended").expect(&log);
    assert_eq!(
        (&ended["outcome"], &ended["gen_ai.operation.name"]),
        (&"complete".into(), &"chat".into())
    );
    let refused = lines.iter().find(|line| line["error.type"] == "unknown_stream").expect(&log);
    assert_eq!(refused["http.route"], "/v1/streams/{name}/text");
    drop(model.asked());
}

#[cfg(unix)]
#[test]
fn a_server_that_is_told_to_stop_waits_for_its_streams() {
    let mut server = Server::start(&["--grace", "30"]);
    let mut stream = server.begin("/v1/streams/text/fields?speed=2");
    server.signal("-TERM");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.contains("event: final"), "{answer}");
    assert_eq!(server.child.wait().expect("it ends").code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_second_signal_ends_it_at_once() {
    let mut server = Server::start(&["--grace", "600"]);
    let _stream = server.begin("/v1/streams/hostile-long/fields?speed=0.01");
    server.signal("-TERM");
    while !server.get("/healthz", "localhost").starts_with("HTTP/1.1 503 ") {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    server.signal("-INT");
    assert_eq!(server.child.wait().expect("it ends").code(), Some(0));
}
