//! The options of `patchwire chat`.

use clap::Args;
use patchwire_chat::sources::Protocol;
use patchwire_chat::{Endpoint, EndpointError};
use serde_json::{Map, Value as Json};

use super::{CheckingArgs, ReadingArgs, RecordArgs, help, numbers};

/// Ask a model, and print the events of its answer as it writes
///
/// The prompt is sent with instructions for the format and the schema. For JSON, the request
/// carries the schema too. If the answer does not pass, the model is asked again with the reasons.
/// Keys come from the environment and are sent to the endpoint only. With `--watch`, the answer is
/// shown as a form that fills in, and its value is printed afterwards; if stdout is no terminal,
/// only the value is printed.
#[derive(Debug, Args)]
#[command(after_help = help::CHAT)]
pub(crate) struct ChatArgs {
    /// The prompt [default: stdin]
    pub(crate) prompt: Option<String>,
    /// Print only what the model writes, as it writes it: no events, no reasoning
    #[arg(long, conflicts_with = "watch")]
    pub(crate) plain: bool,
    /// Show the answer as a form that fills in, as `patchwire watch` does; then print its value
    #[arg(long)]
    pub(crate) watch: bool,
    /// With `--watch`: leave when the answer is complete
    #[arg(long, requires = "watch")]
    pub(crate) exit: bool,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) checking: CheckingArgs,
    #[command(flatten)]
    pub(crate) record: RecordArgs,
}

/// The request: its endpoint, model, and settings.
#[derive(Debug, Args)]
#[command(next_help_heading = "Request")]
pub(crate) struct RequestArgs {
    /// The endpoint: openai, anthropic, ollama, or a URL such as http://localhost:8000/v1
    #[arg(long, value_name = "NAME|URL")]
    pub(crate) endpoint: String,
    /// The model
    #[arg(long, value_name = "NAME")]
    pub(crate) model: String,
    /// The protocol of a URL: openai-chat, openai-responses, anthropic or ollama [default: guessed
    /// from the URL, else openai-chat]
    #[arg(long, value_name = "NAME")]
    pub(crate) protocol: Option<Protocol>,
    /// The environment variable with the key [default: `OPENAI_API_KEY` and `ANTHROPIC_API_KEY`,
    /// each for its own host only]
    #[arg(long, value_name = "VARIABLE")]
    pub(crate) key_env: Option<String>,
    /// The system prompt
    #[arg(long, value_name = "TEXT")]
    pub(crate) system: Option<String>,
    /// A member of the request, as JSON or text (repeatable): temperature=0.2
    #[arg(long, value_name = "NAME=VALUE", value_parser = member)]
    pub(crate) set: Vec<(String, Json)>,
    /// Do not send the schema to the endpoint
    #[arg(long)]
    pub(crate) no_structured: bool,
    /// Send the prompt as it is, without instructions for the format
    #[arg(long)]
    pub(crate) no_instructions: bool,
    /// How often the model is asked again
    #[arg(long, value_name = "N", default_value = "3", value_parser = numbers::times)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) max_retries: u32,
}

impl RequestArgs {
    /// The endpoint that the options name.
    pub(crate) fn endpoint(&self) -> Result<Endpoint, EndpointError> {
        let (url, usual) = match self.endpoint.as_str() {
            "openai" => ("https://api.openai.com/v1", Protocol::OpenAiChat),
            "anthropic" => ("https://api.anthropic.com", Protocol::Anthropic),
            "ollama" => ("http://localhost:11434", Protocol::Ollama),
            url => (url, usual(url)),
        };
        Endpoint::new(self.protocol.unwrap_or(usual), url)
    }

    /// The environment variable with the key for an endpoint. A provider's default key is sent to
    /// that provider only.
    pub(crate) fn key_variable(&self, endpoint: &Endpoint) -> Option<&str> {
        let is_of = |host: &str| endpoint.url().starts_with(&format!("https://{host}/"));
        match &self.key_env {
            Some(name) => Some(name),
            None if is_of("api.openai.com") => Some("OPENAI_API_KEY"),
            None if is_of("api.anthropic.com") => Some("ANTHROPIC_API_KEY"),
            None => None,
        }
    }

    /// The extra members of the request.
    pub(crate) fn settings(&self) -> Json {
        let members: Map<String, Json> = self.set.iter().cloned().collect();
        if members.is_empty() { Json::Null } else { members.into() }
    }
}

/// The protocol that a URL looks like.
fn usual(url: &str) -> Protocol {
    let url = url.trim_end_matches('/');
    if url.ends_with("/responses") {
        Protocol::OpenAiResponses
    } else if url.ends_with("/messages") || url.contains("://api.anthropic.com") {
        Protocol::Anthropic
    } else if url.ends_with(":11434") || url.contains("/api/chat") || url.contains("/api/generate")
    {
        Protocol::Ollama
    } else {
        Protocol::OpenAiChat
    }
}

fn member(text: &str) -> Result<(String, Json), &'static str> {
    let (name, value) =
        text.split_once('=').ok_or("write it as NAME=VALUE, such as temperature=0.2")?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
    Ok((name.to_owned(), value))
}
