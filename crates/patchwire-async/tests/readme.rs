//! Pages that speak of this crate: what they show is what is there.

#[test]
fn both_pages_show_one_example() {
    let own = include_str!("../README.md");
    let example = own.split("```").find_map(|block| block.strip_prefix("rust\n"));
    let example = example.and_then(|block| block.split("\n# ").next());
    let front = include_str!("../../../README.md");
    assert!(front.contains(example.expect("an example")), "the two READMEs differ");
}

#[test]
fn the_page_on_retries_names_tests_that_are_there() {
    let page = include_str!("../../../docs/retries.md");
    let sources = [
        ("retries", include_str!("retries.rs")),
        ("validators", include_str!("validators.rs")),
        ("again", include_str!("again.rs")),
    ];
    let mut named = 0;
    for word in page.split('`') {
        let Some((module, name)) = word.split_once("::") else { continue };
        let Some((_, source)) = sources.iter().find(|(known, _)| *known == module) else {
            continue;
        };
        assert!(source.contains(&format!("fn {name}()")), "{word} is not there");
        named += 1;
    }
    assert!(named > 30);
    for (module, source) in sources {
        for test in source.split("test]\n").skip(1) {
            let name = test.split("fn ").nth(1).and_then(|test| test.split('(').next()).unwrap();
            let shown = page.contains(&format!("`{module}::{name}`"));
            assert!(
                shown || name == "responses_have_names_of_their_own" || name.contains("stream")
            );
        }
    }
}
