//! The partial forms of enums.

use proc_macro2::TokenStream as Code;
use quote::quote;
use syn::{DataEnum, Fields, Result, Variant};

use crate::attributes::VariantAttributes;
use crate::fields::{self, PartialFields};
use crate::target::Target;

pub(crate) fn expand(target: &Target<'_>, data: &DataEnum) -> Result<Code> {
    let is_unit = |variant: &Variant| matches!(variant.fields, Fields::Unit);
    let attributes = target.attributes;
    if data.variants.iter().all(is_unit) && attributes.tag.is_none() && !attributes.is_untagged {
        return Ok(target.own_form());
    }
    let (mut variants, mut readers) = (Vec::new(), Vec::new());
    for variant in &data.variants {
        variants.push(partial_variant(target, variant, &mut readers)?);
    }
    let Target { visibility, name, krate, .. } = target;
    let form_attributes = target.form_attributes(false);
    let read = match &attributes.tag {
        Some(tag) => {
            let settled = format!("$patchwire::tag:{}", tag.value());
            quote!(#krate::partial::settled(deserializer, #settled))
        }
        None if attributes.is_untagged => quote!(#krate::partial::growing(deserializer)),
        None => quote!(#krate::partial::variant(deserializer)),
    };
    let implementation = target.implementation(&quote!(#name), &read);
    Ok(quote! {
        #form_attributes
        #visibility enum #name {
            #(#variants),*
        }

        #(#readers)*

        #implementation
    })
}

fn partial_variant(
    target: &Target<'_>,
    variant: &Variant,
    readers: &mut Vec<Code>,
) -> Result<Code> {
    let Variant { ident, fields, .. } = variant;
    let VariantAttributes { docs, kept } = VariantAttributes::read(&variant.attrs)?;
    let content = match fields {
        Fields::Unit => quote!(),
        Fields::Named(fields) => {
            let named: Vec<_> = fields.named.iter().map(fields::without_visibility).collect();
            let made = PartialFields::named(target, &format!("_{ident}"), &named)?;
            readers.extend(made.readers);
            let fields = made.fields;
            quote!({ #(#fields),* })
        }
        Fields::Unnamed(fields) => {
            let fields = fields::unnamed(target, &fields.unnamed)?;
            quote!(( #(#fields),* ))
        }
    };
    Ok(quote!(#(#docs)* #[serde(#(#kept),*)] #ident #content))
}
