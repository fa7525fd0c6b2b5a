//! What is done to gateways and Redis while streams run.

use core::time::Duration;

use tokio::time::sleep;

use crate::machine::{Gateway, Redis};

/// What things are done to.
pub(crate) struct Scene {
    pub(crate) redis: Redis,
    pub(crate) gateways: [Gateway; 3],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    Nothing,
    KillGateway,
    StopGateway,
    EndGateway,
    KillRedis,
    StopRedis,
    FillRedis,
}

/// When it happens: all streams have begun, and few have ended.
const WHEN: Duration = Duration::from_secs(5);
/// How long a process stands still.
const STILL: Duration = Duration::from_secs(5);
/// How long a process is away.
const AWAY: Duration = Duration::from_secs(1);

impl Fault {
    pub(crate) const ALL: [Self; 7] = [
        Self::Nothing,
        Self::KillGateway,
        Self::StopGateway,
        Self::EndGateway,
        Self::KillRedis,
        Self::StopRedis,
        Self::FillRedis,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::KillGateway => "kill -9 of a gateway, started again after 1 s",
            Self::StopGateway => "SIGSTOP of a gateway for 5 s",
            Self::EndGateway => "SIGTERM of a gateway, started again",
            Self::KillRedis => "kill -9 of Redis, started again after 1 s",
            Self::StopRedis => "SIGSTOP of Redis for 5 s",
            Self::FillRedis => "maxmemory reached for 3 s",
        }
    }

    pub(crate) async fn happen(self, scene: &Scene) {
        sleep(WHEN).await;
        let gateway = &scene.gateways[1];
        match self {
            Self::Nothing => {}
            Self::KillGateway => {
                gateway.with(|process| process.kill());
                sleep(AWAY).await;
                gateway.begin();
            }
            Self::StopGateway => {
                gateway.with(|process| process.signal("STOP"));
                sleep(STILL).await;
                gateway.with(|process| process.signal("CONT"));
            }
            Self::EndGateway => {
                gateway.with(|process| process.signal("TERM"));
                sleep(AWAY).await;
                gateway.begin();
            }
            Self::KillRedis => {
                scene.redis.with(|process| process.kill());
                sleep(AWAY).await;
                scene.redis.begin().await;
            }
            Self::StopRedis => {
                scene.redis.with(|process| process.signal("STOP"));
                sleep(STILL).await;
                scene.redis.with(|process| process.signal("CONT"));
            }
            Self::FillRedis => {
                scene.redis.cli(&["CONFIG", "SET", "maxmemory", "1mb"]);
                sleep(Duration::from_secs(3)).await;
                scene.redis.cli(&["CONFIG", "SET", "maxmemory", "0"]);
            }
        }
    }
}
