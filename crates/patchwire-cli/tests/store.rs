//! `patchwire serve --store`. Where `redis-server` is missing, a test that needs it says that it was left out.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::run::patchwire;
use crate::serve::Server;

/// A Redis with TLS and a password, in a folder of its own.
struct Redis {
    folder: PathBuf,
    port: u16,
    child: Child,
}

impl Redis {
    /// None if `redis-server` or `openssl` is missing.
    #[expect(clippy::print_stderr, reason = "who runs the tests is told what was left out")]
    fn start() -> Option<Self> {
        let has = |program: &str| Command::new(program).arg("--version").output().is_ok();
        if !has("redis-server") || Command::new("openssl").arg("version").output().is_err() {
            eprintln!("left out: a store with TLS, which needs redis-server and openssl");
            return None;
        }
        // Two tests of one process run at a time.
        let port = free_port();
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("redis-{port}"));
        std::fs::create_dir_all(&folder).expect("a folder");
        certify(&folder);
        let child = Command::new("redis-server")
            .current_dir(&folder)
            .args(["--port", "0", "--tls-port", &port.to_string(), "--bind", "127.0.0.1"])
            .args(["--tls-cert-file", "redis.pem", "--tls-key-file", "redis.key"])
            .args(["--tls-auth-clients", "no", "--requirepass", "secret", "--save", ""])
            .stdout(Stdio::null())
            .spawn()
            .expect("it is installed");
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            sleep(Duration::from_millis(20));
        }
        Some(Self { folder, port, child })
    }

    fn url(&self, user: &str) -> String {
        format!("--store=rediss://{user}127.0.0.1:{}", self.port)
    }

    fn authority(&self) -> [(&str, String); 1] {
        [("SSL_CERT_FILE", self.folder.join("ca.pem").display().to_string())]
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// An authority, and a certificate of it.
fn certify(folder: &std::path::Path) {
    let openssl = |args: &str| {
        let ran = Command::new("openssl").current_dir(folder).args(args.split(' ')).output();
        let ran = ran.expect("it is installed");
        assert!(ran.status.success(), "{args}: {}", String::from_utf8_lossy(&ran.stderr));
    };
    openssl(
        "req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.pem -subj /CN=authority",
    );
    openssl("req -newkey rsa:2048 -nodes -keyout redis.key -out redis.csr -subj /CN=redis");
    std::fs::write(folder.join("names"), "subjectAltName=IP:127.0.0.1\n").expect("a file");
    openssl(
        "x509 -req -in redis.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out redis.pem",
    );
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("it is bound").port()
}

#[test]
fn two_servers_with_one_store_have_the_same_streams() {
    let Some(redis) = Redis::start() else { return };
    let store = redis.url(":secret@");
    let start = || Server::start_with(&[&store, "--store-prefix=test:"], &redis.authority());
    let (one, other) = (start(), start());
    let first = one.ask("{\"model\": \"json\"}", "");
    let name = first.lines().find_map(|line| line.strip_prefix("patchwire-stream: "));
    let path = format!("/v1/fields/{}", name.expect("a name").trim());
    let again = other.get(&path, "localhost");
    let events = |answer: &str| -> Vec<String> {
        answer.lines().filter(|line| line.starts_with("data: ")).map(str::to_owned).collect()
    };
    assert!(events(&first).len() > 5, "{first}");
    assert_eq!(events(&first), events(&again));
    let elsewhere = Server::start_with(&[&store, "--store-prefix=bank:"], &redis.authority());
    assert!(elsewhere.get(&path, "localhost").starts_with("HTTP/1.1 410 "));
}

#[test]
fn a_store_that_refuses_is_said_at_the_start() {
    let Some(redis) = Redis::start() else { return };
    let mut child = Command::new(env!("CARGO_BIN_EXE_patchwire"))
        .args(["serve", "--listen=127.0.0.1:0", &redis.url(":wrong@")])
        .envs(redis.authority())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command was built");
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
    let error = std::io::read_to_string(child.stderr.take().expect("it is piped")).expect("text");
    assert!(error.contains("password") && !error.contains("wrong@"), "{error}");
}

#[test]
fn a_store_that_cannot_be_used_is_said_in_time() {
    let nobody = format!("redis://app:secret@127.0.0.1:{}", free_port());
    for (args, says) in [
        (vec!["--store=http://a"], "redis://127.0.0.1:6379"),
        (vec!["--store=redis://a", "--store-prefix=*"], "`*` cannot begin the keys"),
        (vec!["--store", &nobody], "cannot be reached"),
        (vec!["--store-prefix=shop:"], "`--store-prefix` is an option of the store"),
        (vec!["--store-keep=60"], "`--store redis://HOST:PORT`"),
        (vec!["--store-lease=5"], "`--store-lease`"),
    ] {
        let begun = Instant::now();
        let refused = patchwire(&[&["serve", "--listen", "127.0.0.1:0"], &args[..]].concat(), "");
        let (status, out, error) = refused.failed();
        assert_eq!((status, out), (Some(2), ""), "{error}");
        assert!(error.contains(says) && !error.contains("secret"), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    }
    let short = patchwire(&["serve", "--store-lease", "0"], "");
    assert!(short.status == Some(2) && short.err.contains("from 1"), "{}", short.err);
}
