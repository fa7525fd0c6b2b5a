//! `patchwire serve`: the page and the gateway.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::time::Duration;

use patchwire_chat::{Endpoint, Forward};
use patchwire_web::upstream::About;
use patchwire_web::{Limits, Options, serve_until_or_abort};
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::sync::watch;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::args::{LogLevel, ServeArgs};
use crate::exit::{Failure, ServerError, Status};
use crate::gateway_model::GatewayModel;
use crate::output;
use crate::request_setup::{RequestError, key_from_env};

pub(crate) fn run(args: &ServeArgs) -> Result<Status, Failure> {
    log(args.log);
    let runtime = runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(ServerError::Start)?;
    runtime.block_on(listen(args))
}

/// Logs as JSON on stderr. Other crates may log headers, so only what this project logs is let through.
fn log(level: LogLevel) {
    let level = match level {
        LogLevel::Off => return,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Info => LevelFilter::INFO,
    };
    let own = Targets::new().with_target("patchwire", level);
    let lines = tracing_subscriber::fmt::layer().json().flatten_event(true);
    tracing_subscriber::registry().with(lines.with_writer(io::stderr).with_filter(own)).init();
}

async fn listen(args: &ServeArgs) -> Result<Status, Failure> {
    let listen = args.listen;
    let refused = |error| ServerError::Listen { listen, error };
    let listener = TcpListener::bind(listen).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    // Signals are caught before the address is printed, so that none is missed.
    let signals = signals().map_err(ServerError::Start)?;
    no_lone_option_of_the_store(args)?;
    let options = store(args, options(args)?).await?;
    let others = !listen.ip().is_loopback();
    tell(&address, others.then_some(args.upstream_key_env.is_some()))?;
    let (stop, abort) = (received(&signals, 1), received(&signals, 2));
    let stopped = serve_until_or_abort(listener, options, stop, abort).await;
    let stopped = stopped.map_err(ServerError::Serve)?;
    if stopped.aborted > 0 {
        output::note(&format_args!("{} connections did not end in time", stopped.aborted));
    }
    Ok(Status::Complete)
}

fn options(args: &ServeArgs) -> Result<Options, ServerError> {
    let limits = Limits {
        streams: args.max_streams.get(),
        per_address: Some(args.per_address),
        grace_time: Duration::from_secs(args.grace),
        ..Limits::default()
    };
    let options = Options::default().with_limits(limits).trust_loopback();
    let options =
        args.trusted_proxy.iter().fold(options, |options, proxy| options.trust_proxy(*proxy));
    let options =
        args.allow_host.iter().try_fold(options, |options, host| options.allow_host(host))?;
    let options = upstream(args, options)?;
    let mut origins = args.allow_origin.iter();
    Ok(origins.try_fold(options, |options, origin| options.allow_origin(origin))?)
}

/// Who sets something of the store wants one: without it, answers would be lost with this process.
fn no_lone_option_of_the_store(args: &ServeArgs) -> Result<(), ServerError> {
    let options = [
        ("--store-prefix", args.store_prefix.is_some()),
        ("--store-keep", args.store_keep.is_some()),
        ("--store-lease", args.store_lease.is_some()),
    ];
    match options.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) if args.store.is_none() => Err(ServerError::LoneOption { option }),
        _ => Ok(()),
    }
}

/// Adds the store of the answers, if there is one. It has to be there when the server starts.
#[cfg(feature = "redis")]
async fn store(args: &ServeArgs, options: Options) -> Result<Options, ServerError> {
    use patchwire_redis::{RedisSettings, RedisStore};
    use patchwire_web::store::StoreSettings;

    let Some(url) = &args.store else { return Ok(options) };
    let seconds = |count: std::num::NonZeroU32| Duration::from_secs(count.get().into());
    let settings = RedisSettings::new(url)?;
    let settings = match &args.store_prefix {
        Some(prefix) => settings.with_prefix(prefix)?,
        None => settings,
    };
    let host = settings.host();
    let store = RedisStore::connect(settings).await;
    let store = store.map_err(|error| ServerError::Store { host, error })?;
    let usual = StoreSettings::default();
    let settings = StoreSettings {
        lease: args.store_lease.map_or(usual.lease, seconds),
        keep: args.store_keep.map_or(usual.keep, seconds),
        ..usual
    };
    Ok(options.with_store(store, settings))
}

/// Says that this build has no store, if one is wanted.
#[cfg(not(feature = "redis"))]
async fn store(args: &ServeArgs, options: Options) -> Result<Options, ServerError> {
    match &args.store {
        Some(_) => Err(ServerError::NoStore),
        None => Ok(options),
    }
}

/// Adds the model behind the gateway, if there is one.
fn upstream(args: &ServeArgs, options: Options) -> Result<Options, ServerError> {
    let Some(url) = &args.upstream else { return Ok(options) };
    let key = args.upstream_key_env.as_deref();
    let key = key.map(|name| key_from_env(name, "--upstream-key-env")).transpose()?;
    let mut endpoints = Vec::new();
    for protocol in &args.upstream_protocol {
        let endpoint = Endpoint::new((*protocol).into(), url).map_err(RequestError::Endpoint)?;
        endpoints.push(match &key {
            Some(key) => endpoint.with_key(key.clone()),
            None => endpoint,
        });
    }
    let mut endpoints = endpoints.into_iter();
    let Some(first) = endpoints.next() else { return Ok(options) };
    let about = about(&first, args.upstream_model.as_deref());
    let patience = patchwire_chat::Options::default();
    let first = Forward::new(first, patience).map_err(RequestError::Client)?;
    let others: Vec<_> = endpoints.map(|endpoint| first.with_endpoint(endpoint)).collect();
    let forwards = [first].into_iter().chain(others).collect();
    Ok(options.with_upstream(GatewayModel::new(forwards, patience, about)))
}

/// What the page may show of the model. It must hold no secret part of the URL.
fn about(endpoint: &Endpoint, model: Option<&str>) -> About {
    let protocol = endpoint.protocol().name();
    let about = About::default().with_protocol(protocol).with_host(endpoint.host());
    match model {
        Some(model) => about.with_model(model),
        None => about,
    }
}

/// Prints the server's address on stdout. If other machines can reach it, a note says so, and
/// whether they can use the key: `others` is `Some(has_key)`.
fn tell(address: &SocketAddr, others: Option<bool>) -> io::Result<()> {
    let mut out = output::stdout();
    writeln!(out, "http://{address}/")?;
    out.flush()?;
    let also = match others {
        None => return Ok(()),
        Some(false) => "",
        Some(true) => ", and it asks the model with your key",
    };
    output::note(&format_args!(
        "anyone who can reach this address can use this server: it has no passwords{also}"
    ));
    Ok(())
}

/// Completes when so many signals have come: the first lets the server stop, the second ends it at once.
fn received(signals: &watch::Receiver<u32>, count: u32) -> impl Future<Output = ()> + use<> {
    let mut signals = signals.clone();
    async move {
        // The task that counts runs as long as the process.
        let _ = signals.wait_for(|received| *received >= count).await;
    }
}

/// Counts Ctrl-C, and how often the system terminates the command.
#[cfg(unix)]
fn signals() -> io::Result<watch::Receiver<u32>> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let (count, counted) = watch::channel(0);
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            count.send_modify(|count| *count += 1);
        }
    });
    Ok(counted)
}

/// Counts Ctrl-C.
#[cfg(not(unix))]
fn signals() -> io::Result<watch::Receiver<u32>> {
    let (count, counted) = watch::channel(0);
    tokio::spawn(async move {
        // If the signal cannot be awaited, the server stops at once.
        while tokio::signal::ctrl_c().await.is_ok() {
            count.send_modify(|count| *count += 1);
        }
    });
    Ok(counted)
}
