//! Running the command.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use serde_json::Value;

/// What a run left.
pub(crate) struct Run {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Starts the command, with no colours asked for or forbidden.
pub(crate) fn spawn(args: &[&str]) -> Child {
    spawn_with(args, &[])
}

/// Starts the command with variables of the environment.
pub(crate) fn spawn_with(args: &[&str], variables: &[(&str, String)]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_patchwire"))
        .args(args)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .env_remove("CLICOLOR_FORCE")
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command was built")
}

/// Runs the command on an input.
pub(crate) fn patchwire(args: &[&str], input: impl Into<Vec<u8>>) -> Run {
    let mut child = spawn(args);
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = input.into();
    // Aside, so that neither side waits for the other. Not all commands read to the end.
    let feeder = thread::spawn(move || drop(stdin.write_all(&input)));
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the command ends");
    feeder.join().expect("the feeder does not panic");
    let text = |bytes| String::from_utf8(bytes).expect("the command prints UTF-8");
    Run { status: status.code(), out: text(stdout), err: text(stderr) }
}

impl Run {
    /// It went well and had nothing to complain of, except that an answer was repaired or cut off.
    pub(crate) fn ok(self) -> String {
        let is_other = |line: &&str| !line.ends_with("; `--envelope` shows where");
        let complaints: Vec<&str> = self.err.lines().filter(is_other).collect();
        assert_eq!((self.status, &complaints[..]), (Some(0), &[][..]), "{}", self.out);
        self.out
    }

    /// The status, what was printed, and the one line on stderr.
    pub(crate) fn failed(&self) -> (Option<i32>, &str, &str) {
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        (self.status, self.out.as_str(), self.err.trim_end())
    }
}

/// The objects of NDJSON.
pub(crate) fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

/// Events with neighbouring deltas joined.
pub(crate) fn joined(text: &str) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    for event in lines(text) {
        match all.last_mut() {
            Some(last) if event["delta"].is_string() && same_field(last, &event) => {
                let delta =
                    [&last["delta"], &event["delta"]].map(|delta| delta.as_str().unwrap_or(""));
                last["delta"] = Value::from(delta.concat());
                last["span"][1] = event["span"][1].clone();
            }
            _ => all.push(event),
        }
    }
    all
}

fn same_field(one: &Value, other: &Value) -> bool {
    ["event", "kind", "path", "channel", "element"].iter().all(|name| one[name] == other[name])
        && one["delta"].is_string()
}

/// A file with this text, which is removed at the end.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str, text: impl AsRef<[u8]>) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("the scratch directory can be written to");
        Self(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("the scratch directory has a plain name")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
