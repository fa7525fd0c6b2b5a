//! How many connections an address may have.

use core::net::{IpAddr, Ipv6Addr};
use core::num::NonZeroUsize;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::problem::Problem;

/// The connections of each address.
pub(super) struct Shares {
    most: Option<NonZeroUsize>,
    /// Proxies, which have as many as they like.
    exempt: Vec<IpAddr>,
    /// Whether clients on this machine are exempt, too.
    loopback: bool,
    taken: Arc<Taken>,
}

#[derive(Default)]
struct Taken(Mutex<HashMap<IpAddr, usize>>);

impl Taken {
    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One connection of an address. None if its connections are not counted.
pub(super) struct Share(Option<(IpAddr, Arc<Taken>)>);

impl Shares {
    pub(super) fn new(most: Option<NonZeroUsize>, exempt: Vec<IpAddr>, loopback: bool) -> Self {
        Self { most, exempt, loopback, taken: Arc::default() }
    }

    fn is_exempt(&self, peer: IpAddr) -> bool {
        self.exempt.contains(&peer) || (self.loopback && peer.is_loopback())
    }

    /// Counts a connection of this address.
    ///
    /// # Errors
    /// The address has as many as it may have.
    pub(super) fn take(&self, peer: IpAddr) -> Result<Share, Problem> {
        let peer = peer.to_canonical();
        let Some(most) = self.most.filter(|_| !self.is_exempt(peer)) else {
            return Ok(Share(None));
        };
        let owner = owner(peer);
        let mut taken = self.taken.lock();
        let own = taken.entry(owner).or_default();
        if *own >= most.get() {
            return Err(Problem::TooManyConnections { most: most.get() });
        }
        *own += 1;
        drop(taken);
        Ok(Share(Some((owner, Arc::clone(&self.taken)))))
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let Some((owner, taken)) = self.0.take() else { return };
        let mut taken = taken.lock();
        if let Some(own) = taken.get_mut(&owner) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&owner);
            }
        }
    }
}

/// Whoever has one address of IPv6 has 2^64 of them.
fn owner(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V6(peer) => Ipv6Addr::from_bits(peer.to_bits() >> 64 << 64).into(),
        peer @ IpAddr::V4(_) => peer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn two() -> Shares {
        Shares::new(NonZeroUsize::new(2), vec![ip("192.0.2.9")], false)
    }

    #[test]
    fn an_address_has_as_many_as_it_may_and_gets_them_back() {
        let shares = two();
        let first = shares.take(ip("192.0.2.1")).ok();
        let _second = shares.take(ip("192.0.2.1")).ok().unwrap();
        let refused = shares.take(ip("192.0.2.1")).err();
        assert_eq!(refused, Some(Problem::TooManyConnections { most: 2 }));
        assert!(shares.take(ip("192.0.2.2")).is_ok());
        drop(first);
        assert!(shares.take(ip("192.0.2.1")).is_ok());
    }

    #[test]
    fn nothing_is_remembered_of_who_has_left() {
        let shares = two();
        drop(shares.take(ip("192.0.2.1")));
        assert!(shares.taken.lock().is_empty());
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one_address_and_so_do_both_forms_of_ipv4() {
        let shares = two();
        for (taken, also) in
            [("2001:db8::1", "2001:db8::ffff:2"), ("192.0.2.1", "::ffff:192.0.2.1")]
        {
            let _both = [shares.take(ip(taken)).ok().unwrap(), shares.take(ip(also)).ok().unwrap()];
            assert!(shares.take(ip(taken)).is_err(), "{taken}");
            assert!(shares.take(ip("2001:db8:0:1::1")).is_ok());
        }
    }

    #[test]
    fn a_proxy_and_everybody_without_a_limit_have_any_number() {
        let shares = two();
        let proxy: Vec<Share> =
            (0..9).map(|_| shares.take(ip("::ffff:192.0.2.9")).ok().unwrap()).collect();
        assert!(proxy.iter().all(|share| share.0.is_none()));
        let here = Shares::new(NonZeroUsize::new(1), Vec::new(), true);
        let local: Vec<Share> = ["127.0.0.1", "127.0.0.1", "::ffff:127.0.0.1", "::1", "::1"]
            .map(|peer| here.take(ip(peer)).ok().unwrap())
            .into();
        assert!(local.iter().all(|share| share.0.is_none()));
        let shares = Shares::new(None, Vec::new(), false);
        let all: Vec<Share> = (0..9).map(|_| shares.take(ip("192.0.2.1")).ok().unwrap()).collect();
        assert!(all.iter().all(|share| share.0.is_none()));
    }
}
