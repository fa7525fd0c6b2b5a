//! The repository's README shows the example that this crate's README has and compiles.

#[test]
fn both_pages_show_one_example() {
    let own = include_str!("../README.md");
    let example = own.split("```").nth(1).and_then(|block| block.strip_prefix("rust\n"));
    let example = example.and_then(|block| block.split("\n# ").next());
    let front = include_str!("../../../README.md");
    assert!(front.contains(example.expect("an example")), "the two READMEs differ");
}
