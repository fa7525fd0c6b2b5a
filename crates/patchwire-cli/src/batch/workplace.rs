//! The folder beside a file in which it is made.
//!
//! Only files that this program makes are ever removed from it. A folder that holds anything else is somebody's: it is
//! left, and the run says so.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::ValueEnum as _;

use super::error::TableError;
use super::form::TableForm;
use super::plan::Job;
use super::run_lock::{LockError, RunLock};
use super::splice::splice;

/// The file that says what the parts depend on.
const FINGERPRINT: &str = "made-from.txt";
/// The name of `made-from.txt` until all of it is written.
const UNFINISHED_FINGERPRINT: &str = "made-from.draft";
/// How `made-from.txt` begins.
pub(super) const FIRST_WORD: &str = "patchwire ";
/// The file whose lock the run holds.
const LOCK: &str = "lock";

/// The folder of a run, which holds its lock.
pub(super) struct Workplace {
    folder: PathBuf,
    form: TableForm,
    _lock: RunLock,
}

impl Workplace {
    /// Opens the folder. Parts of other settings or of another input are removed.
    pub(super) fn open(job: &Job, fingerprint: &str) -> Result<Self, TableError> {
        let mut folder = job.output.clone().into_os_string();
        folder.push(".partial");
        let folder = PathBuf::from(folder);
        let failed = |error| Self::failed(&folder, error);
        fs::create_dir_all(&folder).map_err(failed)?;
        let lock = RunLock::take(&checked(&folder)?.join(LOCK)).map_err(|error| match error {
            LockError::Io(error) => failed(error),
            LockError::Taken(process) => {
                TableError::OtherRun { name: job.output.display().to_string(), process }
            }
        })?;
        let known = fs::read_to_string(folder.join(FINGERPRINT)).ok();
        if known.as_deref() != Some(fingerprint) {
            let written = || {
                remove_files(&folder, |name| name != LOCK)?;
                let draft = folder.join(UNFINISHED_FINGERPRINT);
                fs::write(&draft, fingerprint)?;
                fs::rename(draft, folder.join(FINGERPRINT))
            };
            written().map_err(failed)?;
        }
        Ok(Self { folder, form: job.to, _lock: lock })
    }

    pub(super) fn failed(path: &Path, error: io::Error) -> TableError {
        TableError::Write { name: path.display().to_string(), error }
    }

    pub(super) fn draft(&self) -> PathBuf {
        self.folder.join(format!("draft.{}", self.form.extension()))
    }

    pub(super) fn part(&self, number: usize) -> PathBuf {
        self.folder.join(format!("part-{number:06}.{}", self.form.extension()))
    }

    /// The parts that an earlier run finished.
    pub(super) fn whole_parts(&self) -> Vec<PathBuf> {
        (0..).map(|number| self.part(number)).take_while(|part| part.exists()).collect()
    }

    /// Makes the file of its parts.
    pub(super) fn place(&self, parts: &[PathBuf], job: &Job) -> Result<(), TableError> {
        let draft = self.draft();
        let whole = match parts {
            [only] => only,
            parts => {
                splice(parts, &draft, self.form)?;
                &draft
            }
        };
        fs::rename(whole, &job.output).map_err(|error| Self::failed(&job.output, error))
    }

    /// Ends a run that failed. Parts that a rerun can use stay.
    pub(super) fn abandon(self, error: &TableError) {
        if !error.may_pass() || self.whole_parts().is_empty() {
            // The error of the run counts, and not this one.
            let _ = self.close();
        }
    }

    /// Removes the own files, and the folder if nobody else has put anything there.
    pub(super) fn close(self) -> Result<(), TableError> {
        let removed =
            remove_files(&self.folder, |_| true).and_then(|()| fs::remove_dir(&self.folder));
        match removed {
            Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => {
                Err(Self::failed(&self.folder, error))
            }
            _ => Ok(()),
        }
    }
}

/// The folder, if this program made it and nobody else put anything there.
fn checked(folder: &Path) -> Result<&Path, TableError> {
    let name = || folder.display().to_string();
    let foreign = |file: String| TableError::Foreign { folder: name(), file };
    let failed = |error| Workplace::failed(folder, error);
    if fs::symlink_metadata(folder).map_err(failed)?.is_symlink() {
        return Err(TableError::Link { folder: name() });
    }
    let files: Vec<String> = entries(folder).map_err(failed)?;
    if let Some(file) = files.iter().find(|file| !is_own(file)) {
        return Err(foreign(file.clone()));
    }
    let about = fs::read_to_string(folder.join(FINGERPRINT)).unwrap_or_default();
    let before = [LOCK, UNFINISHED_FINGERPRINT];
    // A run that was killed before it wrote what its parts depend on has no parts.
    match files.iter().find(|file| !before.contains(&&***file)) {
        Some(file) if !about.starts_with(FIRST_WORD) => Err(foreign(file.clone())),
        _ => Ok(folder),
    }
}

/// Whether a run gives a file this name.
fn is_own(name: &str) -> bool {
    let is_number = |text: &str| text.len() >= 6 && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_form =
        |end: &str| TableForm::value_variants().iter().any(|form| form.extension() == end);
    match name.split_once('.') {
        _ if [LOCK, FINGERPRINT, UNFINISHED_FINGERPRINT].contains(&name) => true,
        Some(("draft", end)) => is_form(end),
        Some((part, end)) => part.strip_prefix("part-").is_some_and(is_number) && is_form(end),
        None => false,
    }
}

fn entries(folder: &Path) -> io::Result<Vec<String>> {
    let name = |entry: io::Result<fs::DirEntry>| {
        entry.map(|entry| entry.file_name().to_string_lossy().into_owned())
    };
    let mut names = fs::read_dir(folder)?.map(name).collect::<io::Result<Vec<String>>>()?;
    names.sort();
    Ok(names)
}

/// Removes the files of this program that are wanted gone. The lock is the last.
fn remove_files(folder: &Path, is_gone: impl Fn(&str) -> bool) -> io::Result<()> {
    let mut files = entries(folder)?;
    files.retain(|name| is_own(name) && is_gone(name));
    // What the parts depend on outlives them: a folder with parts and without it would be somebody else's.
    files.sort_by_key(|name| (name == FINGERPRINT, name == LOCK));
    files.iter().try_for_each(|name| fs::remove_file(folder.join(name)))
}

#[cfg(test)]
mod tests {
    use super::is_own;

    #[test]
    fn names_are_those_that_a_run_gives() {
        for name in
            ["lock", "made-from.txt", "draft.csv", "part-000000.jsonl", "part-1234567.parquet"]
        {
            assert!(is_own(name), "{name}");
        }
        for name in
            ["part-1.csv", "part-000000.txt", "draft", "draft.csv.bak", ".lock", "part-00000a.csv"]
        {
            assert!(!is_own(name), "{name}");
        }
    }
}
