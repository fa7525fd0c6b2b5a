//! Notices that the caller closed stdout (`>&-`).
//!
//! The standard library opens the null device in place of a descriptor that is closed when the program starts.
//! Whatever is written then is lost, and every write succeeds. Such a null device is open for reading and
//! writing; that of `>/dev/null` only for writing. But Python's `DEVNULL`, node's `ignore` and systemd open it for
//! both, too: so this is no error.

/// Whether stdout was closed when the program started, or is a null device that looks like it.
#[cfg(unix)]
pub(crate) fn may_be_closed() -> bool {
    use std::fs::{File, metadata};
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::MetadataExt as _;

    use rustix::fs::{OFlags, fcntl_getfl};

    let stdout = std::io::stdout();
    let Ok(flags) = fcntl_getfl(&stdout) else { return true };
    let Ok(copy) = stdout.as_fd().try_clone_to_owned() else { return false };
    let device = |found: std::io::Result<std::fs::Metadata>| found.map_or(0, |it| it.rdev());
    let (own, null) = (device(File::from(copy).metadata()), device(metadata("/dev/null")));
    own != 0 && own == null && flags & OFlags::RWMODE == OFlags::RDWR
}

/// Other systems report a closed stdout when it is written.
#[cfg(not(unix))]
pub(crate) const fn may_be_closed() -> bool {
    false
}
