//! A Redis for one test.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

pub(crate) struct Server {
    args: Vec<String>,
    folder: PathBuf,
    port: u16,
    child: Option<Child>,
}

impl Server {
    /// None if there is no `redis-server`, which is said.
    #[expect(clippy::print_stderr, reason = "who runs the tests is told what was left out")]
    pub(crate) async fn start(args: &[&str]) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        if !*INSTALLED {
            eprintln!("left out: a test with Redis, which needs redis-server");
            return None;
        }
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = format!("patchwire-redis-test-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        let mut server = Self { args, folder, port: free_port(), child: None };
        server.begin().await;
        Some(server)
    }

    /// Starts it on what it had.
    pub(crate) async fn begin(&mut self) {
        let child = Command::new("redis-server")
            .args(["--bind", "127.0.0.1", "--save", "", "--port", &self.port.to_string()])
            .arg("--dir")
            .arg(&self.folder)
            .args(&self.args)
            .stdout(Stdio::null())
            .spawn();
        self.child = Some(child.expect("it is installed"));
        while !["PONG", "NOAUTH"].iter().any(|word| self.cli(&["PING"]).contains(word)) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    pub(crate) fn url(&self, user: &str) -> String {
        format!("redis://{user}127.0.0.1:{}", self.port)
    }

    pub(crate) fn cli(&self, command: &[&str]) -> String {
        let port = self.port.to_string();
        let ran = Command::new("redis-cli").args(["-p", &port]).args(command).output();
        ran.map(|ran| String::from_utf8_lossy(&ran.stdout).trim().to_owned()).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

static INSTALLED: LazyLock<bool> = LazyLock::new(|| {
    let is_there = || Command::new("redis-server").arg("--version").output().is_ok();
    if !is_there() {
        // Where root may not, or without a network, it stays away.
        for args in [&["update"][..], &["install", "-y", "--no-install-recommends", "redis-server"]]
        {
            let _ = Command::new("apt-get")
                .args(args)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
        }
    }
    is_there()
});

pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("it is bound").port()
}
