//! Which input becomes which file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::error::TableError;
use super::form::TableForm;

/// A table to read, and the file to write.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) input: PathBuf,
    pub(crate) from: TableForm,
    pub(crate) output: PathBuf,
    pub(crate) to: TableForm,
}

/// The files that names and patterns mean. A file that exists is itself, whatever letters it has.
pub(crate) fn expanded(inputs: &[PathBuf]) -> Result<Vec<PathBuf>, TableError> {
    let mut files = Vec::new();
    for input in inputs {
        let pattern = input.to_string_lossy();
        if input.exists() || !pattern.contains(['*', '?', '[']) {
            files.push(input.clone());
            continue;
        }
        let found = glob::glob(&pattern).map_err(|error| {
            let pattern = pattern.clone().into_owned();
            TableError::Pattern { pattern, reason: error.msg }
        })?;
        let found: Vec<PathBuf> =
            found.filter_map(Result::ok).filter(|path| path.is_file()).collect();
        if found.is_empty() {
            return Err(TableError::NoMatch { pattern: pattern.into_owned() });
        }
        files.extend(found);
    }
    // Names and patterns may overlap.
    let mut seen = std::collections::HashSet::new();
    files.retain(|file| seen.insert(file.clone()));
    Ok(files)
}

/// The forms that options set.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Forms {
    pub(crate) from: Option<TableForm>,
    pub(crate) to: Option<TableForm>,
}

/// The jobs of a run. One input becomes the file `out`, unless that is a folder.
pub(crate) fn jobs(inputs: &[PathBuf], out: &Path, forms: Forms) -> Result<Vec<Job>, TableError> {
    if out == Path::new("-") {
        return Err(TableError::Stdout);
    }
    let is_folder = out.is_dir() || out.to_string_lossy().ends_with(['/', '\\']);
    if !is_folder && inputs.len() > 1 {
        return Err(TableError::NeedsFolder);
    }
    let job = |input: &PathBuf| {
        let from = forms.from.map_or_else(|| TableForm::of(input), Ok)?;
        let (output, to) = if is_folder {
            let to = forms.to.unwrap_or(from);
            let name = input.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            (out.join(format!("{name}.{}", to.extension())), to)
        } else {
            let to = forms.to.map_or_else(|| TableForm::of(out), Ok)?;
            (out.to_owned(), to)
        };
        if is_same(input, &output) {
            return Err(TableError::OntoInput { out: output.display().to_string() });
        }
        Ok(Job { input: input.clone(), from, output, to })
    };
    let jobs: Vec<Job> = inputs.iter().map(job).collect::<Result<_, TableError>>()?;
    let mut taken: HashMap<&Path, &Path> = HashMap::new();
    for job in &jobs {
        if let Some(other) = taken.insert(&job.output, &job.input) {
            let [one, other] = [other, &*job.input].map(|path| path.display().to_string());
            let out = job.output.display().to_string();
            return Err(TableError::SameOutput { one, other, out });
        }
    }
    Ok(jobs)
}

/// Whether two names lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{Forms, jobs};
    use crate::batch::{TableError, TableForm};

    fn outputs(inputs: &[&str], out: &str, forms: Forms) -> Result<Vec<String>, TableError> {
        let inputs: Vec<PathBuf> = inputs.iter().map(PathBuf::from).collect();
        let jobs = jobs(&inputs, Path::new(out), forms)?;
        Ok(jobs.iter().map(|job| job.output.display().to_string()).collect())
    }

    #[test]
    fn each_input_has_a_file() {
        let csv = Forms { to: Some(TableForm::Csv), ..Forms::default() };
        for (inputs, out, forms, want) in [
            (&["a.parquet"][..], "b.csv", Forms::default(), &["b.csv"][..]),
            (
                &["a.parquet", "x/b.jsonl"],
                "out/",
                Forms::default(),
                &["out/a.parquet", "out/b.jsonl"],
            ),
            (&["a.parquet", "x/b.jsonl"], "out/", csv, &["out/a.csv", "out/b.csv"]),
            (&["a.parquet"], "b.dat", csv, &["b.dat"]),
        ] {
            assert_eq!(outputs(inputs, out, forms).expect("it works"), want);
        }
    }

    #[test]
    fn what_cannot_be_is_said() {
        let none = Forms::default();
        for (inputs, out, word) in [
            (&["a.csv", "b.csv"][..], "c.csv", "give a folder"),
            (&["a.txt"], "c.csv", "a.txt is not known"),
            (&["a.csv"], "c.txt", "c.txt is not known"),
            (&["a.csv"], "a.csv", "is an input"),
            (&["a.csv"], "-", "a whole file"),
            (&["x/a.csv", "y/a.csv"], "out/", "would both become"),
        ] {
            let error = outputs(inputs, out, none).expect_err("it is refused").to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
