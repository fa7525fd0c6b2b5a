//! Signals that end the view: the terminal is given back first.

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
        /// The last that came; 0 for none.
        caught: Arc<AtomicUsize>,
        /// The terminal is given back: from now on they do what they do by themselves.
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

        /// Whether one came.
        pub(crate) fn is_caught(&self) -> bool {
            self.caught.load(Ordering::Relaxed) != 0
        }

        /// Does what the signal that came does by itself: ends the command, with the status that says so.
        pub(crate) fn raise(&self) {
            if let Ok(signal @ 1..) = i32::try_from(self.caught.load(Ordering::Relaxed)) {
                // What cannot be done leaves the command to end as ever.
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

    /// Where there are no signals, none comes.
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
