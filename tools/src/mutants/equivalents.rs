//! The committed list of mutants that change nothing that anybody sees.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::mutant::Mutant;

/// Reads a list: a mutant's name on a line, and the reason on the lines below it, set in.
pub(crate) fn read(path: &Path) -> Result<BTreeMap<String, String>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&text)
}

fn parse(text: &str) -> Result<BTreeMap<String, String>> {
    let mut list: BTreeMap<String, String> = BTreeMap::new();
    let mut key = None;
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        match (line.strip_prefix("    "), &key) {
            (None, _) => {
                if list.insert(line.to_owned(), String::new()).is_some() {
                    bail!("twice in the list: {line}");
                }
                key = Some(line.to_owned());
            }
            (Some(reason), Some(key)) => {
                let whole = list.entry(key.clone()).or_default();
                whole.push_str(if whole.is_empty() { "" } else { " " });
                whole.push_str(reason.trim());
            }
            (Some(_), None) => bail!("a reason without a mutant: {line}"),
        }
    }
    match list.iter().find(|(_, reason)| reason.is_empty()) {
        Some((key, _)) => bail!("no reason is given for {key}"),
        None => Ok(list),
    }
}

/// The lines of the list that name no mutant of these packages any more: their functions were rewritten.
pub(crate) fn stale<'a>(list: &'a BTreeMap<String, String>, pool: &[Mutant]) -> Vec<&'a String> {
    let keys: std::collections::BTreeSet<_> = pool.iter().map(Mutant::key).collect();
    let roots: std::collections::BTreeSet<_> =
        pool.iter().map(|mutant| format!("crates/{}/", mutant.package)).collect();
    let is_ours = |key: &&String| roots.iter().any(|root| key.starts_with(root));
    list.keys().filter(is_ours).filter(|key| !keys.contains(*key)).collect()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_list_has_reasons() {
        let list =
            parse("# A list.\na | f | x\n    One\n    reason.\n\nb | f | x\n    Two.\n").unwrap();
        let lines: Vec<_> = list.iter().map(|(key, reason)| format!("{key}: {reason}")).collect();
        assert_eq!(lines, ["a | f | x: One reason.", "b | f | x: Two."]);
        for wrong in ["a | f | x\n", "    reason\n", "a\n    one\na\n    two\n"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
