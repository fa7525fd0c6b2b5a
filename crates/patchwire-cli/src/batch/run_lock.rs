//! One run at a time makes a file. The lock is the system's: it ends with the process that holds it, however that ends.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// A lock that this process holds until it is dropped.
pub(super) struct RunLock {
    _file: File,
}

/// Why there is no lock.
pub(super) enum LockError {
    /// Another run holds it: the number of its process, if it has said so.
    Taken(Option<u32>),
    Io(io::Error),
}

impl From<io::Error> for LockError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl RunLock {
    /// Locks the file of this name, which is made if it is not there. It says which process holds it.
    pub(super) fn take(path: &Path) -> Result<Self, LockError> {
        loop {
            let Some(mut file) = locked(path)? else { return Err(LockError::Taken(holder(path))) };
            // The run that held it may have removed the file since it was opened here.
            if !is_at(&file, path) {
                continue;
            }
            file.set_len(0)?;
            write!(file, "{}", std::process::id())?;
            return Ok(Self { _file: file });
        }
    }
}

fn holder(path: &Path) -> Option<u32> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// Opens and locks the file; `None` if another process holds the lock.
#[cfg(unix)]
fn locked(path: &Path) -> io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;

    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => Ok(None),
        // A file system without locks: tables can be made there all the same, by one run at a time.
        _ => Ok(Some(file)),
    }
}

/// Opens the file so that no other process opens it to write.
#[cfg(windows)]
fn locked(path: &Path) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt as _;

    /// Others may read it, to see who holds it, and delete it.
    const SHARED: u32 = 1 | 4;
    /// `ERROR_SHARING_VIOLATION`.
    const VIOLATION: i32 = 32;
    let mut options = OpenOptions::new();
    match options.write(true).create(true).truncate(false).share_mode(SHARED).open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.raw_os_error() == Some(VIOLATION) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(not(any(unix, windows)))]
fn locked(path: &Path) -> io::Result<Option<File>> {
    OpenOptions::new().write(true).create(true).truncate(false).open(path).map(Some)
}

/// Whether the file is still the one of this name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    match (file.metadata(), fs::metadata(path)) {
        (Ok(own), Ok(there)) => (own.dev(), own.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
