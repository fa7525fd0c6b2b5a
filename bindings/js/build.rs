//! Tells the linker to write numbers in as few bytes as they take: otherwise it pads the address of each call and of each constant
//! to five bytes. And to leave out the names of functions: `strip` in a profile does nothing for a package with settings of its own.

fn main() {
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo::rustc-link-arg-cdylib=--compress-relocations");
        println!("cargo::rustc-link-arg-cdylib=--strip-all");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
