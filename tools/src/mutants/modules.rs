//! The files of a crate, found as the compiler finds them: from its root along `mod name;`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use syn::{Attribute, Item, Meta};

/// A file of a crate.
pub(crate) struct SourceFile {
    /// Below the folder of the workspace.
    pub(crate) path: PathBuf,
    /// The top-level module; the name of the file for the root.
    pub(crate) module: String,
    pub(crate) text: String,
    pub(crate) syntax: syn::File,
}

/// Whether an item is not compiled in the build that is tested, or is a test itself.
pub(crate) fn is_left_out(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).any(|attribute| {
        let Meta::List(list) = &attribute.meta else { return false };
        let condition = list.tokens.to_string();
        ["test", "not", "schemars"].iter().any(|it| condition.contains(it))
    })
}

/// All files of the crate whose root is `root`, which lies below `workspace`.
pub(crate) fn files_of_crate(workspace: &Path, root: &Path) -> Result<Vec<SourceFile>> {
    let folder = root.parent().context("a root lies in a folder")?.to_owned();
    let mut found = Vec::new();
    let mut open = vec![(root.to_owned(), folder, None::<String>)];
    while let Some((path, children, module)) = open.pop() {
        let full = workspace.join(&path);
        let text =
            fs::read_to_string(&full).with_context(|| format!("cannot read {}", full.display()))?;
        let syntax =
            syn::parse_file(&text).with_context(|| format!("cannot parse {}", full.display()))?;
        for item in &syntax.items {
            let Item::Mod(declared) = item else { continue };
            if declared.content.is_some() || is_left_out(&declared.attrs) {
                continue;
            }
            let name = declared.ident.to_string();
            let flat = children.join(format!("{name}.rs"));
            let nested = children.join(&name).join("mod.rs");
            let file = if workspace.join(&flat).exists() { flat } else { nested };
            let top = module.clone().unwrap_or_else(|| name.clone());
            open.push((file, children.join(&name), Some(top)));
        }
        let module = module.unwrap_or_else(|| {
            path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
        });
        found.push(SourceFile { path, module, text, syntax });
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}
