//! The fields of structs and variants.

use proc_macro2::TokenStream as Code;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Field, GenericArgument, LitStr, PathArguments, Result, Type, Visibility};

use crate::attributes::{FieldAttributes, FieldReading};
use crate::target::{Target, path_text};

/// The fields of a partial form, and the items that read them.
#[derive(Default)]
pub(crate) struct PartialFields {
    pub(crate) fields: Vec<Code>,
    /// Hidden types that call functions of the caller.
    pub(crate) readers: Vec<Code>,
}

impl PartialFields {
    /// Named fields. `place` makes the names of hidden types unique.
    pub(crate) fn named<'a>(
        target: &Target<'_>,
        place: &str,
        fields: impl IntoIterator<Item = &'a Field>,
    ) -> Result<Self> {
        let mut made = Self::default();
        for field in fields {
            made.add(target, place, field)?;
        }
        Ok(made)
    }

    fn add(&mut self, target: &Target<'_>, place: &str, field: &Field) -> Result<()> {
        let krate = &target.krate;
        let Field { ident, vis, ty, .. } = field;
        let FieldAttributes { docs, kept, reading } = FieldAttributes::read(&field.attrs)?;
        let inner = optional(ty).unwrap_or(ty);
        let (form, function) = match reading {
            FieldReading::Skipped => return Ok(()),
            FieldReading::Flat => {
                let form = partial_form(target, ty);
                self.fields.push(quote!(#(#docs)* #[serde(#(#kept),*)] #vis #ident: #form));
                return Ok(());
            }
            FieldReading::Partial => (partial_form(target, inner), call(target, "field", inner)),
            FieldReading::Whole => (quote!(#inner), call(target, "whole", inner)),
            FieldReading::Function(function) => {
                let name = ident.as_ref().map(ToString::to_string).unwrap_or_default();
                let name = name.trim_start_matches("r#");
                let reader = format_ident!("__{}{}_{}", target.name, place, name);
                self.readers.push(quote! {
                    #[doc(hidden)]
                    #[allow(non_camel_case_types, dead_code, reason = "it names a function, and has no values")]
                    struct #reader;

                    impl<'de> #krate::partial::WholeWith<'de> for #reader {
                        type Value = #ty;

                        fn read<D: #krate::partial::serde::Deserializer<'de>>(
                            deserializer: D,
                        ) -> ::core::result::Result<#ty, D::Error> {
                            #function(deserializer)
                        }
                    }
                });
                let reader: Type = syn::parse2(quote!(#reader))?;
                (quote!(#ty), call(target, "whole_with", &reader))
            }
        };
        self.fields.push(quote! {
            #(#docs)*
            #[serde(default, deserialize_with = #function, #(#kept),*)]
            #vis #ident: ::core::option::Option<#form>
        });
        Ok(())
    }
}

/// The fields of a tuple variant. All of them are needed to read it.
pub(crate) fn unnamed<'a>(
    target: &Target<'_>,
    fields: impl IntoIterator<Item = &'a Field>,
) -> Result<Vec<Code>> {
    let field = |field: &Field| {
        let ty = &field.ty;
        let FieldAttributes { docs, reading, .. } = FieldAttributes::read(&field.attrs)?;
        let (form, function) = match reading {
            FieldReading::Whole => (quote!(#ty), call(target, "needed_whole", ty)),
            _ => (partial_form(target, ty), call(target, "needed", ty)),
        };
        Ok(quote!(#(#docs)* #[serde(deserialize_with = #function)] #form))
    };
    fields.into_iter().map(field).collect()
}

/// The partial form of a type.
pub(crate) fn partial_form(target: &Target<'_>, of: &Type) -> Code {
    let krate = &target.krate;
    quote_spanned!(of.span()=> <#of as #krate::partial::Partial>::Partial)
}

/// The path of a function of the engine for a type, as serde's attributes take it.
fn call(target: &Target<'_>, function: &str, of: &Type) -> LitStr {
    let krate = path_text(&target.krate);
    LitStr::new(&format!("{krate}::partial::{function}::<_, {}>", quote!(#of)), of.span())
}

/// The type in `Option<…>`, as it is written.
fn optional(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}

/// Fields of variants are as visible as their enum.
pub(crate) fn without_visibility(field: &Field) -> Field {
    Field { vis: Visibility::Inherited, ..field.clone() }
}
