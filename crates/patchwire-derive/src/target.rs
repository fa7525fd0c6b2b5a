//! What is made: the name of the partial form, and code that all kinds of types share.

use proc_macro2::TokenStream as Code;
use quote::{format_ident, quote};
use syn::{DeriveInput, Ident, LitStr, Visibility};

use crate::attributes::ContainerAttributes;

/// The type that the macro is for, and the partial form that it makes.
pub(crate) struct Target<'a> {
    pub(crate) of: &'a Ident,
    pub(crate) visibility: &'a Visibility,
    pub(crate) attributes: &'a ContainerAttributes,
    /// The name of the partial form.
    pub(crate) name: Ident,
    /// The path of the engine.
    pub(crate) krate: Code,
}

impl<'a> Target<'a> {
    pub(crate) fn new(
        input: &'a DeriveInput,
        krate: Code,
        attributes: &'a ContainerAttributes,
    ) -> Self {
        let DeriveInput { ident: of, vis: visibility, .. } = input;
        let name = attributes.name.clone().unwrap_or_else(|| format_ident!("Partial{of}"));
        Self { of, visibility, attributes, name, krate }
    }

    /// The type is its own partial form, read when it is complete.
    pub(crate) fn own_form(&self) -> Code {
        let krate = &self.krate;
        self.implementation(&quote!(Self), &quote!(#krate::partial::whole(deserializer)))
    }

    /// The implementation of the trait: the partial form, and how it is read from `deserializer`.
    pub(crate) fn implementation(&self, form: &Code, read: &Code) -> Code {
        let Self { of, krate, .. } = self;
        quote! {
            #[automatically_derived]
            impl #krate::partial::Partial for #of {
                type Partial = #form;

                fn read_partial<'de, D: #krate::partial::serde::Deserializer<'de>>(
                    deserializer: D,
                ) -> ::core::result::Result<
                    ::core::option::Option<<Self as #krate::partial::Partial>::Partial>,
                    D::Error,
                > {
                    #read
                }
            }
        }
    }

    /// The attributes of the partial form: documentation, derives, and what serde needs.
    pub(crate) fn form_attributes(&self, has_default: bool) -> Code {
        let Self { of, krate, attributes, .. } = self;
        let ContainerAttributes { docs, kept, derives, .. } = attributes;
        let note = format!("A [`{of}`] that is still being written.");
        let gap = if docs.is_empty() { quote!() } else { quote!(#[doc = ""]) };
        let default = has_default.then(|| quote!(::core::default::Default,));
        let serde = LitStr::new(&format!("{}::partial::serde", path_text(krate)), of.span());
        quote! {
            #(#docs)*
            #gap
            #[doc = #note]
            #[derive(
                ::core::fmt::Debug,
                ::core::clone::Clone,
                #default
                #krate::partial::serde::Deserialize,
                #(#derives),*
            )]
            #[serde(crate = #serde, #(#kept),*)]
            #[allow(dead_code, reason = "a program may read some of the fields only")]
        }
    }
}

/// The text of a path, as serde's attributes take it.
pub(crate) fn path_text(path: &Code) -> String {
    path.to_string().replace(' ', "")
}
