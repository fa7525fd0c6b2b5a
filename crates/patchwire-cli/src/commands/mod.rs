//! The commands, one file each.

mod chat;
mod check;
mod completions;
mod demo;
mod final_value;
mod parse;
mod prompt;
mod rate;
mod serve;
mod trace;
mod watch;

use crate::args::Command;
use crate::exit::{Failure, Status};

pub(crate) fn run(command: Command) -> Result<Status, Failure> {
    match command {
        Command::Parse(args) => parse::run(&args),
        Command::Final(args) => final_value::run(&args),
        Command::Chat(args) => chat::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Rate(args) => rate::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Prompt(args) => prompt::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Completions(args) => completions::run(&args),
    }
}
