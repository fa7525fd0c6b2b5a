//! Tag sets that come with the engine: data files, compiled when they are first asked for.

use std::sync::LazyLock;

use super::tag_set::TagSet;

macro_rules! presets {
    ($($method:ident = $name:literal, $doc:literal;)*) => {
        impl TagSet {
            /// The names of the tag sets that come with the engine.
            pub const PRESETS: &'static [&'static str] = &[$($name,)*];

            /// A tag set that comes with the engine, by its name.
            #[must_use]
            pub fn preset(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$method()),)*
                    _ => None,
                }
            }

            $(
                #[doc = $doc]
                #[must_use]
                pub fn $method() -> Self {
                    static SET: LazyLock<TagSet> = LazyLock::new(|| {
                        read(include_str!(concat!("../../presets/", $name, ".toml")))
                    });
                    SET.clone()
                }
            )*
        }
    };
}

presets! {
    think = "think", "Reasoning as most models mark it: `<think>`, `<thinking>`, `<reasoning>` or `<thought>`, in any case, with or without attributes.";
    scratchpad = "scratchpad", "`<scratch_pad>` and `<output>`, and what [`think`](Self::think) has.";
    hermes = "hermes", "`<scratchpad>`, `<thinking>`, `<result>` and `<metadata>` in prose, in `<response>` or not; other tags as trees.";
    ubik = "ubik", "`<<STEP_START>>` and its like: an agent's steps, tools, checkpoints and requests for input.";
    qwen = "qwen", "`<tool_call>` with `<function=…>` and `<parameter=…>`, and what [`think`](Self::think) has.";
    hermes_json = "hermes-json", "`<tool_call>` with JSON in it, and what [`think`](Self::think) has.";
    anthropic_xml = "anthropic-xml", "`<function_calls>` with `<invoke>` and `<parameter>`, and what [`think`](Self::think) has.";
    harmony = "harmony", "`<|channel|>` and `<|message|>`: the messages of gpt-oss, by their channels and receivers.";
    kimi = "kimi", "Kimi K2's `<|tool_call_begin|>` and its like, and its reasoning.";
    mistral = "mistral", "`[TOOL_CALLS]` and `[THINK]`.";
    edit_blocks = "edit-blocks", "`<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`: edits of files.";
}

fn read(text: &str) -> TagSet {
    match TagSet::from_toml(text) {
        Ok(set) => set,
        Err(error) => unreachable!("a preset is a tag set: {error}"),
    }
}
