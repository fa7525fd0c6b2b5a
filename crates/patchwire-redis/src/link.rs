//! One connection for all commands. Commands of all streams share it, so those that are sent at the same time go in one write.

use core::time::Duration;
use std::sync::{Arc, Mutex, PoisonError};

use patchwire_web::store::StoreError;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, Cmd, FromRedisValue, RedisResult, ScriptInvocation};
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::{Instant, sleep};

use crate::replies::{Again, judged};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(2);
/// How long a reply may take.
const REPLY: Duration = Duration::from_secs(2);
/// The first and the longest pause before another try.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));

pub(crate) struct Link {
    /// How long an operation tries again.
    pub(crate) patience: Duration,
    connector: Arc<Connector>,
}

/// The connection, once it is made.
struct Connector {
    client: Client,
    current: Mutex<Option<Arc<MultiplexedConnection>>>,
    /// Held by the one who connects.
    connecting: AsyncMutex<()>,
}

/// What is sent.
pub(crate) enum Sent<'s> {
    Command(&'s Cmd),
    Script(&'s ScriptInvocation<'s>),
}

impl Link {
    pub(crate) fn new(client: Client, patience: Duration) -> Self {
        let connector =
            Connector { client, current: Mutex::default(), connecting: AsyncMutex::default() };
        Self { patience, connector: Arc::new(connector) }
    }

    /// Sends something that may be sent twice, until there is a reply or the patience is at its end.
    pub(crate) async fn send<T: FromRedisValue>(&self, sent: Sent<'_>) -> Result<T, StoreError> {
        let begun = Instant::now();
        let (mut pause, longest) = PAUSES;
        loop {
            let (error, again) = match self.once(&sent).await {
                Ok(reply) => return Ok(reply),
                Err(error) => judged(&error),
            };
            if again == Again::No || begun.elapsed() + pause > self.patience {
                return Err(error);
            }
            sleep(pause).await;
            pause = longest.min(pause * 2);
        }
    }

    async fn once<T: FromRedisValue>(&self, sent: &Sent<'_>) -> RedisResult<T> {
        let connection = self.connection().await?;
        let mut own = MultiplexedConnection::clone(&connection);
        let reply = match sent {
            Sent::Command(command) => command.query_async(&mut own).await,
            Sent::Script(script) => script.invoke_async(&mut own).await,
        };
        if reply.as_ref().is_err_and(|error| judged(error).1 == Again::Reconnect) {
            self.drop_broken(&connection);
        }
        reply
    }

    /// A task of its own connects, because a stream is polled only while its client reads: one that is not polled
    /// would keep the lock from all others.
    async fn connection(&self) -> RedisResult<Arc<MultiplexedConnection>> {
        if let Some(current) = &*self.connector.current() {
            return Ok(Arc::clone(current));
        }
        let connector = Arc::clone(&self.connector);
        let connects = tokio::spawn(async move { connector.connection().await });
        connects.await.map_err(std::io::Error::from)?
    }

    fn drop_broken(&self, broken: &Arc<MultiplexedConnection>) {
        let mut current = self.connector.current();
        if current.as_ref().is_some_and(|current| Arc::ptr_eq(current, broken)) {
            *current = None;
        }
    }

    /// A connection of its own.
    pub(crate) async fn connect(&self, reply: Duration) -> RedisResult<MultiplexedConnection> {
        self.connector.connect(reply).await
    }
}

impl Connector {
    fn current(&self) -> std::sync::MutexGuard<'_, Option<Arc<MultiplexedConnection>>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection that all commands share: one task makes it, and the others wait.
    async fn connection(&self) -> RedisResult<Arc<MultiplexedConnection>> {
        let _alone = self.connecting.lock().await;
        if let Some(current) = &*self.current() {
            return Ok(Arc::clone(current));
        }
        let made = Arc::new(self.connect(REPLY).await?);
        *self.current() = Some(Arc::clone(&made));
        Ok(made)
    }

    async fn connect(&self, reply: Duration) -> RedisResult<MultiplexedConnection> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT))
            .set_response_timeout(Some(reply));
        self.client.get_multiplexed_async_connection_with_config(&config).await
    }
}

#[cfg(test)]
mod tests {
    use core::future::poll_fn;
    use core::pin::pin;
    use core::task::Poll;

    use tokio::net::TcpListener;
    use tokio::time::timeout;

    use super::*;

    /// The clock runs to the next timeout whenever all wait: the server accepts connections and never replies.
    #[tokio::test(start_paused = true)]
    async fn a_stream_that_is_not_polled_keeps_no_other_from_connecting() {
        let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("redis://{}", silent.local_addr().unwrap());
        let link = Link::new(Client::open(address).unwrap(), Duration::ZERO);
        let mut unread = pin!(link.connection());
        let first = poll_fn(|cx| Poll::Ready(unread.as_mut().poll(cx))).await;
        assert!(first.is_pending());
        let other = timeout(CONNECT * 10, link.connection()).await;
        assert!(other.unwrap().is_err());
        assert!(unread.await.is_err());
    }
}
