//! The command as people and scripts use it.

mod body;
mod chat;
mod check;
mod completions;
mod demo;
mod docs;
mod exit;
mod final_value;
mod formats;
mod help;
mod local_model;
mod model;
mod parse;
mod rate;
mod run;
mod schemas;
#[cfg(unix)]
mod screen;
mod serve;
mod tags;
mod trace;
mod watch;
mod wire;
