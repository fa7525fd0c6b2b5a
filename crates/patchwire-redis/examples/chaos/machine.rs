//! Redis and gateways as processes, and what is done to them.
#![allow(dead_code, reason = "each program uses some of it")]

use core::time::Duration;
use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use tokio::time::sleep;

/// A process that ends with this.
pub(crate) struct Process(Child);

impl Process {
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let id = self.0.id().to_string();
        let _ = Command::new("kill").arg(format!("-{signal}")).arg(id).status();
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A Redis with a folder of its own.
pub(crate) struct Redis {
    folder: PathBuf,
    pub(crate) port: u16,
    pub(crate) process: Mutex<Option<Process>>,
}

impl Redis {
    pub(crate) async fn start() -> Self {
        let folder = std::env::temp_dir().join(format!("patchwire-redis-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let port = free_port();
        let redis = Self { folder, port, process: Mutex::new(None) };
        redis.begin().await;
        redis
    }

    /// Starts it on what it had.
    pub(crate) async fn begin(&self) {
        let child = Command::new("redis-server")
            .args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--save", ""])
            .args(["--appendonly", "yes", "--appendfsync", "everysec"])
            .args(["--maxmemory-policy", "noeviction", "--loglevel", "warning"])
            .arg("--dir")
            .arg(&self.folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("redis-server is installed");
        *self.process.lock().expect("nobody panics") = Some(Process(child));
        while !self.cli(&["PING"]).contains("PONG") {
            sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) fn with(&self, act: impl FnOnce(&mut Process)) {
        if let Some(process) = &mut *self.process.lock().expect("nobody panics") {
            act(process);
        }
    }

    pub(crate) fn cli(&self, command: &[&str]) -> String {
        let port = self.port.to_string();
        let ran = Command::new("redis-cli").args(["-p", &port]).args(command).output();
        ran.map(|ran| String::from_utf8_lossy(&ran.stdout).trim().to_owned()).unwrap_or_default()
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        *self.process.lock().expect("nobody panics") = None;
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A gateway, which keeps its address when it is started again.
pub(crate) struct Gateway {
    command: PathBuf,
    args: Vec<String>,
    pub(crate) address: SocketAddr,
    pub(crate) process: Mutex<Option<Process>>,
}

impl Gateway {
    /// `store` is the address of Redis, or none.
    pub(crate) fn start(command: PathBuf, model: SocketAddr, store: Option<&str>) -> Self {
        let mut args: Vec<String> =
            ["serve", "--max-streams", "8000", "--log", "error"].map(str::to_owned).into();
        args.push(format!("--upstream=http://{model}/v1"));
        if let Some(store) = store {
            args.push(format!("--store={store}"));
            args.push("--store-lease=3".to_owned());
        }
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()));
        let gateway = Self { command, args, address, process: Mutex::new(None) };
        gateway.begin();
        gateway
    }

    pub(crate) fn begin(&self) {
        let mut child = Command::new(&self.command)
            .args(&self.args)
            .arg(format!("--listen={}", self.address))
            .stdout(Stdio::piped())
            .stderr(if std::env::var_os("CHAOS_LOG").is_some() {
                Stdio::inherit()
            } else {
                Stdio::null()
            })
            .spawn()
            .expect("the gateway starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("it is piped");
        BufReader::new(out).read_line(&mut line).expect("its address");
        assert!(line.starts_with("http://"), "the gateway did not start: {line}");
        *self.process.lock().expect("nobody panics") = Some(Process(child));
    }

    pub(crate) fn with(&self, act: impl FnOnce(&mut Process)) {
        if let Some(process) = &mut *self.process.lock().expect("nobody panics") {
            act(process);
        }
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("it is bound").port()
}
