//! Signals that end the view, after the terminal was restored.

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::{flag, low_level};

    /// Signals that would end the command.
    #[derive(Default)]
    pub(crate) struct Signals {
        /// The last signal that arrived; 0 for none.
        caught: Arc<AtomicUsize>,
        /// The terminal was restored: from now on signals have their default effect.
        is_left: Arc<AtomicBool>,
    }

    impl Signals {
        pub(crate) fn catch() -> io::Result<Self> {
            let signals = Self::default();
            for signal in [SIGTERM, SIGHUP, SIGINT, SIGQUIT] {
                flag::register_conditional_default(signal, Arc::clone(&signals.is_left))?;
                flag::register_usize(signal, Arc::clone(&signals.caught), signal as usize)?;
            }
            Ok(signals)
        }

        /// Whether a signal arrived.
        pub(crate) fn is_caught(&self) -> bool {
            self.caught.load(Ordering::Relaxed) != 0
        }

        /// Gives the signal that arrived its default effect: it ends the command with the signal's
        /// status.
        pub(crate) fn raise(&self) {
            if let Ok(signal @ 1..) = i32::try_from(self.caught.load(Ordering::Relaxed)) {
                // If this fails, the command ends normally.
                let _ = low_level::emulate_default_handler(signal);
            }
        }
    }

    impl Drop for Signals {
        fn drop(&mut self) {
            self.is_left.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(not(unix))]
mod none {
    use std::io;

    /// This system has no signals.
    pub(crate) struct Signals;

    impl Signals {
        pub(crate) const fn catch() -> io::Result<Self> {
            Ok(Self)
        }

        pub(crate) const fn is_caught(&self) -> bool {
            false
        }

        pub(crate) const fn raise(&self) {}
    }
}

#[cfg(not(unix))]
pub(super) use none::Signals;
#[cfg(unix)]
pub(super) use unix::Signals;
