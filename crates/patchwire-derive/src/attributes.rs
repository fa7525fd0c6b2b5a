//! The attributes of containers, variants and fields: those of serde that are kept, and our own.

use proc_macro2::Span;
use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, ExprLit, Ident, Lit, LitStr, Meta, Path, Result, Token};

/// The attributes of a struct or enum.
#[derive(Default)]
pub(crate) struct ContainerAttributes {
    pub(crate) docs: Vec<Attribute>,
    /// The attributes of serde that the partial form keeps.
    pub(crate) kept: Vec<Meta>,
    pub(crate) name: Option<Ident>,
    pub(crate) derives: Vec<Path>,
    /// The type is its own partial form.
    pub(crate) is_whole: bool,
    pub(crate) is_transparent: bool,
    pub(crate) is_untagged: bool,
    /// The member that names the variant of an enum.
    pub(crate) tag: Option<LitStr>,
}

impl ContainerAttributes {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut read = Self { docs: docs(attributes), ..Self::default() };
        for meta in metas(attributes, "serde")? {
            match &*name(&meta) {
                "rename_all" | "rename_all_fields" | "content" => read.kept.push(meta),
                "tag" => {
                    read.tag = Some(text(&meta)?);
                    read.kept.push(meta);
                }
                "untagged" => {
                    read.is_untagged = true;
                    read.kept.push(meta);
                }
                "transparent" => read.is_transparent = true,
                // Read from another type, by code of its own.
                "from" | "try_from" => read.is_whole = true,
                _ => {}
            }
        }
        for meta in metas(attributes, "partial")? {
            match (&*name(&meta), &meta) {
                ("whole", Meta::Path(_)) => read.is_whole = true,
                ("name", _) => read.name = Some(text(&meta)?.parse()?),
                ("derive", Meta::List(list)) => {
                    let parse = Punctuated::<Path, Token![,]>::parse_terminated;
                    read.derives.extend(list.parse_args_with(parse)?);
                }
                _ => {
                    let known = "expected `whole`, `name = \"…\"` or `derive(…)`";
                    return Err(Error::new_spanned(&meta, known));
                }
            }
        }
        Ok(read)
    }
}

/// How a field is read.
pub(crate) enum FieldReading {
    /// By the partial form of its type.
    Partial,
    /// When it is complete.
    Whole,
    /// When it is complete, by this function.
    Function(Path),
    /// From the members around it.
    Flat,
    /// Not at all.
    Skipped,
}

/// The attributes of a field.
pub(crate) struct FieldAttributes {
    pub(crate) docs: Vec<Attribute>,
    pub(crate) kept: Vec<Meta>,
    pub(crate) reading: FieldReading,
}

impl FieldAttributes {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Self> {
        let (docs, mut kept) = (docs(attributes), Vec::new());
        let mut reading = FieldReading::Partial;
        for meta in metas(attributes, "serde")? {
            match &*name(&meta) {
                "rename" | "alias" => kept.push(meta),
                "flatten" => {
                    reading = FieldReading::Flat;
                    kept.push(meta);
                }
                "skip" | "skip_deserializing" => reading = FieldReading::Skipped,
                "deserialize_with" => reading = FieldReading::Function(text(&meta)?.parse()?),
                "with" => {
                    let mut function: Path = text(&meta)?.parse()?;
                    function.segments.push(Ident::new("deserialize", Span::call_site()).into());
                    reading = FieldReading::Function(function);
                }
                _ => {}
            }
        }
        for meta in metas(attributes, "partial")? {
            if name(&meta) != "whole" || !matches!(meta, Meta::Path(_)) {
                return Err(Error::new_spanned(&meta, "expected `whole`"));
            }
            match reading {
                FieldReading::Flat => {
                    let message =
                        "a flattened field has no end of its own: it cannot be read whole";
                    return Err(Error::new_spanned(&meta, message));
                }
                FieldReading::Partial => reading = FieldReading::Whole,
                _ => {}
            }
        }
        Ok(Self { docs, kept, reading })
    }
}

/// The attributes of a variant.
pub(crate) struct VariantAttributes {
    pub(crate) docs: Vec<Attribute>,
    pub(crate) kept: Vec<Meta>,
}

impl VariantAttributes {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Self> {
        if let Some(meta) = metas(attributes, "partial")?.first() {
            return Err(Error::new_spanned(meta, "a variant takes no attribute `partial`"));
        }
        let mut kept = metas(attributes, "serde")?;
        for meta in &kept {
            if matches!(&*name(meta), "with" | "deserialize_with") {
                let message = "a variant with a function of its own has no partial form; \
                               mark the enum with `#[partial(whole)]`";
                return Err(Error::new_spanned(meta, message));
            }
        }
        const KEPT: [&str; 7] =
            ["rename", "alias", "rename_all", "other", "untagged", "skip", "skip_deserializing"];
        kept.retain(|meta| KEPT.contains(&&*name(meta)));
        Ok(Self { docs: docs(attributes), kept })
    }
}

/// The doc comments.
fn docs(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("doc")).cloned().collect()
}

/// The parts of all attributes with this name.
fn metas(attributes: &[Attribute], name: &str) -> Result<Vec<Meta>> {
    let mut metas = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        metas.extend(attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?);
    }
    Ok(metas)
}

fn name(meta: &Meta) -> String {
    meta.path().to_token_stream().to_string()
}

/// The text in `name = "text"`.
fn text(meta: &Meta) -> Result<LitStr> {
    if let Meta::NameValue(pair) = meta
        && let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value
    {
        return Ok(text.clone());
    }
    Err(Error::new_spanned(meta, format!("expected `{} = \"…\"`", name(meta))))
}
