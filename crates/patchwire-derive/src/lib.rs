//! The derive macro of [patchwire](https://docs.rs/patchwire): `#[derive(Partial)]` makes, from the type of a finished
//! answer, a type for the answer while it is being written.
//!
//! Use it through the feature `derive` of `patchwire` or `patchwire-async`. `patchwire::partial` describes what it makes.
#![forbid(unsafe_code)]
// Shows on docs.rs which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod attributes;
mod enums;
mod fields;
mod structs;
mod target;

use proc_macro::TokenStream;
use proc_macro2::{Group, Ident, TokenStream as Code, TokenTree};
use quote::{ToTokens as _, quote};
use syn::{Data, DeriveInput, Error, Result, parse_macro_input};

use attributes::ContainerAttributes;
use target::Target;

/// Makes the partial form of a struct or enum: `Report` gets `PartialReport`.
///
/// Attributes of serde that concern reading are kept. Own attributes:
///
/// | attribute | on | meaning |
/// |---|---|---|
/// | `#[partial(whole)]` | a field | the field is read when it is complete; its type needs no partial form |
/// | `#[partial(whole)]` | a type | the type is its own partial form, read when it is complete |
/// | `#[partial(name = "Draft")]` | a type | the name of the partial form |
/// | `#[partial(derive(PartialEq, Serialize))]` | a type | more derives for it, beside `Debug`, `Clone`, `Default` and `Deserialize` |
#[proc_macro_derive(Partial, attributes(partial, serde))]
pub fn partial(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input, quote!(::patchwire)).unwrap_or_else(Error::into_compile_error).into()
}

/// `Partial` for crates that depend on `patchwire-async` alone, which renames it.
#[doc(hidden)]
#[proc_macro_derive(PartialOfAsync, attributes(partial, serde))]
pub fn partial_of_async(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let krate = quote!(::patchwire_async::patchwire);
    expand(&input, krate).unwrap_or_else(Error::into_compile_error).into()
}

/// The partial form, and the implementation that names it.
fn expand(input: &DeriveInput, krate: Code) -> Result<Code> {
    refuse_parameters(input)?;
    let input = &with_its_name(input)?;
    let attributes = ContainerAttributes::read(&input.attrs)?;
    let target = Target::new(input, krate, &attributes);
    if attributes.is_whole {
        return Ok(target.own_form());
    }
    match &input.data {
        Data::Struct(data) => structs::expand(&target, &data.fields),
        Data::Enum(data) => enums::expand(&target, data),
        Data::Union(_) => Err(Error::new_spanned(&input.ident, "a union has no partial form")),
    }
}

/// The type with its name in place of `Self`, which is another type in what is made.
fn with_its_name(input: &DeriveInput) -> Result<DeriveInput> {
    syn::parse2(replace_self(input.to_token_stream(), &input.ident))
}

fn replace_self(code: Code, name: &Ident) -> Code {
    let replaced = |token: TokenTree| match token {
        TokenTree::Ident(it) if it == "Self" => Ident::new(&name.to_string(), it.span()).into(),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), replace_self(group.stream(), name));
            inner.set_span(group.span());
            inner.into()
        }
        other => other,
    };
    code.into_iter().map(replaced).collect()
}

fn refuse_parameters(input: &DeriveInput) -> Result<()> {
    let Some(parameter) = input.generics.params.first() else { return Ok(()) };
    let is_lifetime = matches!(parameter, syn::GenericParam::Lifetime(_));
    Err(Error::new_spanned(
        parameter,
        if is_lifetime {
            "a type that borrows has no partial form: the answer is still growing. \
             Own the data, as in `String` in place of `&str`"
        } else {
            "a type with parameters has no partial form. Derive `Partial` for a type without parameters"
        },
    ))
}

/// The README's example, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
