//! The options of `patchwire serve`, from the command line, the environment and a file.

use std::ffi::OsString;
use std::net::{IpAddr, SocketAddr};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Args, CommandFactory as _, Parser as _, ValueEnum};

use super::{Cli, UpstreamProtocol, help, numbers};

/// Serve a page that shows fields as they arrive, and a gateway
///
/// The address is printed. The page plays built-in answers at any speed and with any cuts, and asks
/// the model of `--upstream`. The gateway accepts chat requests for that model, or for one of the
/// built-in answers, and sends the fields as server-sent events. Ctrl-C stops the server.
#[derive(Debug, Args)]
#[command(after_help = help::SERVE)]
pub(crate) struct ServeArgs {
    /// The address to listen on; port 0 takes any free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:3000")]
    #[arg(value_parser = numbers::address, env = "PATCHWIRE_LISTEN")]
    pub(crate) listen: SocketAddr,
    /// A host name of this server, in addition to localhost and addresses (repeatable)
    #[arg(long, value_name = "NAME", value_delimiter = ',', env = "PATCHWIRE_ALLOW_HOST")]
    pub(crate) allow_host: Vec<String>,
    /// An origin whose pages may use this server, such as `https://app.example` (repeatable)
    #[arg(long, value_name = "ORIGIN", value_delimiter = ',', env = "PATCHWIRE_ALLOW_ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
    /// The model behind the gateway: the URL of its server, such as http://localhost:11434/v1
    /// [default: none; requests get the built-in answers]
    #[arg(long, value_name = "URL", env = "PATCHWIRE_UPSTREAM")]
    pub(crate) upstream: Option<String>,
    /// The protocols that the model's server speaks, separated by commas. The first is asked for
    /// `/v1/fields`
    #[arg(long, value_name = "PROTOCOL", value_delimiter = ',', default_value = "openai-chat")]
    #[arg(env = "PATCHWIRE_UPSTREAM_PROTOCOL")]
    pub(crate) upstream_protocol: Vec<UpstreamProtocol>,
    /// The model for requests to `/v1/fields` that name none, and the default in the page's form.
    /// Requests that are passed on stay as they are
    #[arg(long, value_name = "NAME", requires = "upstream", env = "PATCHWIRE_UPSTREAM_MODEL")]
    pub(crate) upstream_model: Option<String>,
    /// The environment variable with the key, for clients that send none
    #[arg(long, value_name = "VARIABLE", requires = "upstream")]
    #[arg(env = "PATCHWIRE_UPSTREAM_KEY_ENV")]
    pub(crate) upstream_key_env: Option<String>,
    /// How many streams may run at a time
    #[arg(long, value_name = "N", default_value = "256", value_parser = numbers::from_one)]
    #[arg(allow_negative_numbers = true, env = "PATCHWIRE_MAX_STREAMS")]
    pub(crate) max_streams: NonZeroUsize,
    /// How many connections one address may have at a time. Clients on this machine have any number
    #[arg(long, value_name = "N", default_value = "128", value_parser = numbers::from_one)]
    #[arg(allow_negative_numbers = true, env = "PATCHWIRE_PER_ADDRESS")]
    pub(crate) per_address: NonZeroUsize,
    /// The address of a proxy in front of this server, which may have any number of connections
    /// (repeatable)
    #[arg(long, value_name = "ADDRESS", value_delimiter = ',', env = "PATCHWIRE_TRUSTED_PROXY")]
    #[arg(value_parser = numbers::host)]
    pub(crate) trusted_proxy: Vec<IpAddr>,
    /// How many seconds running streams have to end when the server is told to stop
    #[arg(long, value_name = "SECONDS", default_value = "0", env = "PATCHWIRE_GRACE")]
    #[arg(value_parser = numbers::seconds_or_none, allow_negative_numbers = true)]
    pub(crate) grace: u64,
    /// Where answers are kept, so that any instance goes on with them: redis://HOST:PORT, or rediss:// for TLS, with
    /// USER:PASSWORD@ before the host if they are needed [default: in this process]
    #[arg(long, value_name = "URL", env = "PATCHWIRE_STORE", hide_env_values = true)]
    pub(crate) store: Option<String>,
    /// What the keys of the store begin with. Instances with different prefixes do not see each other's answers
    /// [default: patchwire:]
    #[arg(long, value_name = "PREFIX", env = "PATCHWIRE_STORE_PREFIX")]
    pub(crate) store_prefix: Option<String>,
    /// How many seconds an answer is kept in the store behind its end [default: 900]
    #[arg(long, value_name = "SECONDS", env = "PATCHWIRE_STORE_KEEP")]
    #[arg(value_parser = numbers::seconds)]
    pub(crate) store_keep: Option<NonZeroU32>,
    /// How many seconds an instance may be silent before others take its answers over [default: 10]
    #[arg(long, value_name = "SECONDS", env = "PATCHWIRE_STORE_LEASE")]
    #[arg(value_parser = numbers::seconds)]
    pub(crate) store_lease: Option<NonZeroU32>,
    /// What is logged on stderr, as JSON: never a key, and no text of a model
    #[arg(long, value_name = "LEVEL", default_value = "off", env = "PATCHWIRE_LOG")]
    pub(crate) log: LogLevel,
    /// A TOML file with these options, such as `listen = "0.0.0.0:8080"`. Options and variables of
    /// the environment take precedence over it
    #[arg(long, value_name = "FILE", env = "PATCHWIRE_CONFIG")]
    pub(crate) config: Option<PathBuf>,
}

/// How much is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    /// Nothing
    Off,
    /// What went wrong in the server
    Error,
    /// Requests and answers
    Info,
}

/// A file with options that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("cannot read {path}: {error}; give a TOML file with options of `serve`")]
    Read { path: String, error: std::io::Error },
    #[error("{path} is no TOML: {error}")]
    Toml { path: String, error: String },
    #[error("{path} has `{key}`, which is no option of a file; there are {known}")]
    Unknown { path: String, key: String, known: String },
    #[error("{path}: `{key}` has to be a text, a whole number, or a list of them")]
    Value { path: String, key: String },
    #[error("{place}: {error}")]
    Refused { place: String, error: String },
}

/// The command line with the options of the file that `--config` names, where neither it nor the environment sets them.
pub(crate) fn with_file(args: Vec<OsString>) -> Result<Vec<OsString>, ConfigError> {
    // What is wrong with the command line is said later.
    let Ok(matches) = Cli::command().try_get_matches_from(&args) else { return Ok(args) };
    let Some(("serve", serve)) = matches.subcommand() else { return Ok(args) };
    let Some(file) = serve.get_one::<PathBuf>("config") else { return Ok(args) };
    let is_set = |name: &str| {
        let source = serve.value_source(&name.replace('-', "_"));
        matches!(source, Some(ValueSource::CommandLine | ValueSource::EnvVariable))
    };
    let more = options_of(file)?.into_iter().filter(|(name, _)| !is_set(name));
    let more: Vec<_> =
        more.map(|(name, value)| OsString::from(format!("--{name}={value}"))).collect();
    let all: Vec<_> = args.into_iter().chain(more.iter().cloned()).collect();
    if let Err(error) = Cli::command().try_get_matches_from(&all) {
        // Without the file, the line is right.
        return Err(refused(file.display().to_string(), &error));
    }
    Ok(all)
}

/// The error for a value of the environment, if the line does not have the option.
fn of_environment(args: &[OsString], error: &clap::Error) -> Option<ConfigError> {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let name = option.split([' ', '=', '[']).next()?.strip_prefix("--")?;
    let is_given = |arg: &OsString| {
        let given = arg.to_str().and_then(|arg| arg.strip_prefix("--"));
        given.is_some_and(|given| given.split('=').next() == Some(name))
    };
    if args.iter().any(is_given) {
        return None;
    }
    let mut command = Cli::command();
    let serve = command.find_subcommand_mut("serve")?;
    let found = serve.get_arguments().find(|arg| arg.get_long() == Some(name))?;
    let variable = found.get_env().filter(|variable| std::env::var_os(variable).is_some())?;
    Some(refused(variable.to_string_lossy().into_owned(), error))
}

/// An error of clap for a value that does not come from the command line.
fn refused(place: String, error: &clap::Error) -> ConfigError {
    let error = error.to_string();
    let error = error.strip_prefix("error: ").unwrap_or(&error);
    // The lines behind it are about the command line.
    let error = error.split("\n\n").next().unwrap_or_default().trim_end().to_owned();
    ConfigError::Refused { place, error }
}

/// The options in a file, a value at a time.
fn options_of(file: &Path) -> Result<Vec<(String, String)>, ConfigError> {
    let path = file.display().to_string();
    let text = std::fs::read_to_string(file)
        .map_err(|error| ConfigError::Read { path: path.clone(), error })?;
    let table: toml::Table = toml::from_str(&text).map_err(|error: toml::de::Error| {
        ConfigError::Toml { path: path.clone(), error: error.to_string().trim_end().to_owned() }
    })?;
    let command = Cli::command();
    let serve = command.find_subcommand("serve");
    let known: Vec<&str> = serve
        .into_iter()
        .flat_map(clap::Command::get_arguments)
        .filter_map(clap::Arg::get_long)
        .filter(|name| !matches!(*name, "config" | "help" | "color"))
        .collect();
    let mut options = Vec::new();
    for (key, value) in table {
        let name = key.replace('_', "-");
        if !known.contains(&&*name) {
            return Err(ConfigError::Unknown { path, key, known: known.join(", ") });
        }
        let values = match value {
            toml::Value::Array(values) => values,
            value => vec![value],
        };
        for value in values {
            let value = match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                _ => return Err(ConfigError::Value { path, key }),
            };
            options.push((name.clone(), value));
        }
    }
    Ok(options)
}

/// Reads the command line of this process.
pub(crate) fn parse() -> Result<Result<Cli, clap::Error>, ConfigError> {
    let args: Vec<_> = std::env::args_os().collect();
    let parsed = Cli::try_parse_from(with_file(args.clone())?);
    if let Some(error) = parsed.as_ref().err().and_then(|error| of_environment(&args, error)) {
        return Err(error);
    }
    Ok(parsed)
}
