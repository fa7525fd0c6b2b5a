//! Views of [`patchwire`]'s answers: what particular applications read from them.
//!
//! The engine knows formats, tags and schemas, and no application. This crate stands above it and uses only
//! its public interface.
//!
//! | to | see |
//! |---|---|
//! | hold a small model to one object with a kind and a text | [`kinds`] |
//! | read an agent's history as steps, tools and requests, or as Markdown | [`ubik`] |
//! | list the Mermaid diagrams of an answer | [`mermaid`] |
//!
//! ```
//! use patchwire_views::kinds::Kinds;
//!
//! let kinds = Kinds::builder(["world.observed", "agent.spoke"]).build()?;
//! let reply = kinds.parse(r#"Sure! {"kind": "agent.spoke", "text": "Ah."}"#);
//! assert_eq!((reply.kind(), reply.text()), ("agent.spoke", "Ah."));
//! # Ok::<(), patchwire_views::kinds::KindsError>(())
//! ```
//!
//! Nothing here does IO. Views borrow from the answer where they can, and are built when they are asked for.
#![forbid(unsafe_code)]
// Shows on docs.rs which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod kinds;
pub mod mermaid;
pub mod ubik;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
