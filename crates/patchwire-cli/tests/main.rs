//! The command as people and scripts use it.

#[cfg(feature = "batch")]
mod batch;
mod body;
#[cfg(feature = "chat")]
mod chat;
mod check;
mod command_line;
mod completions;
mod demo;
mod docs;
mod exit;
mod final_value;
mod formats;
#[cfg(feature = "full")]
mod help;
mod left_out;
#[cfg(all(feature = "chat", feature = "serve"))]
mod local_model;
#[cfg(any(feature = "chat", feature = "serve"))]
mod model;
mod parse;
mod rate;
mod run;
mod schemas;
#[cfg(all(unix, feature = "chat", feature = "watch"))]
mod screen;
#[cfg(feature = "serve")]
mod serve;
#[cfg(all(unix, feature = "redis"))]
mod store;
mod tags;
mod trace;
#[cfg(feature = "watch")]
mod watch;
mod wire;
