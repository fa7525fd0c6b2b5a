//! The commands, one file each.

#[cfg(feature = "batch")]
mod batch;
#[cfg(feature = "chat")]
mod chat;
mod check;
mod completions;
mod demo;
mod final_value;
mod help;
mod man;
mod nothing_read;
mod parse;
mod prompt;
mod rate;
#[cfg(feature = "serve")]
mod serve;
mod trace;
#[cfg(feature = "watch")]
mod watch;

use crate::args::Command;
use crate::exit::{Failure, Status};

pub(crate) fn run(command: Command) -> Result<Status, Failure> {
    match command {
        Command::Parse(args) => parse::run(&args),
        Command::Final(args) => final_value::run(&args),
        #[cfg(feature = "chat")]
        Command::Chat(args) => chat::run(&args),
        #[cfg(not(feature = "chat"))]
        Command::Chat(_) => Err(Failure::NotBuiltIn("chat")),
        Command::Check(args) => check::run(&args),
        Command::Rate(args) => rate::run(&args),
        #[cfg(feature = "batch")]
        Command::Batch(args) => batch::run(&args),
        #[cfg(not(feature = "batch"))]
        Command::Batch(_) => Err(Failure::NotBuiltIn("batch")),
        Command::Demo(args) => demo::run(&args),
        Command::Prompt(args) => prompt::run(&args),
        #[cfg(feature = "watch")]
        Command::Watch(args) => watch::run(&args),
        #[cfg(not(feature = "watch"))]
        Command::Watch(_) => Err(Failure::NotBuiltIn("watch")),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(&args),
        #[cfg(not(feature = "serve"))]
        Command::Serve(_) => Err(Failure::NotBuiltIn("serve")),
        Command::Trace(args) => trace::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Help(args) => help::run(&args),
    }
}
