//! The partial forms of structs.

use proc_macro2::TokenStream as Code;
use quote::quote;
use syn::{Field, Fields, Result};

use crate::attributes::{FieldAttributes, FieldReading};
use crate::fields::{PartialFields, partial_form};
use crate::target::Target;

pub(crate) fn expand(target: &Target<'_>, fields: &Fields) -> Result<Code> {
    match fields {
        _ if target.attributes.is_transparent || is_newtype(fields) => wrapper(target, fields),
        Fields::Named(fields) => named(target, &fields.named),
        // The place of each item gives its meaning: all of them are needed.
        Fields::Unnamed(_) | Fields::Unit => Ok(target.own_form()),
    }
}

fn is_newtype(fields: &Fields) -> bool {
    matches!(fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1)
}

/// A struct that serde reads as its only field has the partial form of that field.
fn wrapper(target: &Target<'_>, fields: &Fields) -> Result<Code> {
    let krate = &target.krate;
    for field in fields {
        match FieldAttributes::read(&field.attrs)?.reading {
            FieldReading::Skipped => {}
            FieldReading::Partial => {
                let (form, ty) = (partial_form(target, &field.ty), &field.ty);
                let read = quote!(<#ty as #krate::partial::Partial>::read_partial(deserializer));
                return Ok(target.implementation(&form, &read));
            }
            _ => return Ok(target.own_form()),
        }
    }
    Ok(target.own_form())
}

fn named<'a>(target: &Target<'_>, fields: impl IntoIterator<Item = &'a Field>) -> Result<Code> {
    let Target { visibility, name, krate, .. } = target;
    let PartialFields { fields, readers } = PartialFields::named(target, "", fields)?;
    let attributes = target.form_attributes(true);
    let form = quote!(#name);
    let implementation =
        target.implementation(&form, &quote!(#krate::partial::growing(deserializer)));
    Ok(quote! {
        #attributes
        #visibility struct #name {
            #(#fields),*
        }

        #(#readers)*

        #implementation
    })
}
