//! Tag sets that come with the engine: data files, compiled when they are first asked for.
//!
//! `presets/*.toml` are written by people. `presets/presets.json` has the same data in the form that is read here, so that
//! a build without TOML has them too. A test holds the two together.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::value::RawValue;

use super::tag_set::TagSet;

macro_rules! presets {
    ($($method:ident = $name:literal, $doc:literal;)*) => {
        impl TagSet {
            /// The names of the tag sets that come with the engine.
            pub const PRESETS: &'static [&'static str] = &[$($name,)*];

            /// A tag set that comes with the engine, by its name. An underscore counts as a hyphen.
            #[must_use]
            pub fn preset(name: &str) -> Option<Self> {
                match name.replace('_', "-").as_str() {
                    $($name => Some(Self::$method()),)*
                    _ => None,
                }
            }

            $(
                #[doc = $doc]
                #[must_use]
                pub fn $method() -> Self {
                    static SET: LazyLock<TagSet> = LazyLock::new(|| read($name));
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
    deepseek_v3 = "deepseek-v3", "DeepSeek V3 and R1: calls as JSON in fences, and what [`think`](Self::think) has.";
    deepseek_v3_1 = "deepseek-v3.1", "DeepSeek V3.1: calls as JSON, and what [`think`](Self::think) has.";
    deepseek_v3_2 = "deepseek-v3.2", "DeepSeek V3.2, V4 and V4.1: calls in markup, and what [`think`](Self::think) has.";
    dots = "dots", "dots.llm: `<dots_function_call>`, and what [`think`](Self::think) has.";
    ernie45 = "ernie45", "ERNIE 4.5: what [`hermes_json`](Self::hermes_json) has, and `<response>`.";
    glm4 = "glm4", "GLM 4.5 to 4.7: calls with keys and values in turn, and what [`think`](Self::think) has.";
    minimax_m2 = "minimax-m2", "MiniMax M2: `<minimax:tool_call>`, and what [`think`](Self::think) has.";
    minimax_m3 = "minimax-m3", "MiniMax M3: `<mm:think>`, and calls whose arguments are tags.";
    phi4 = "phi4", "Phi-4 mini: a list of calls after `functools`.";
    granite = "granite", "Granite: a list of calls after `<|tool_call|>`, and reasoning after a sentence or in `<think>`.";
    granite_20b = "granite-20b", "Granite 20B for functions: `<function_call>` with JSON behind it.";
    internlm2 = "internlm2", "InternLM 2: `<|action_start|><|plugin|>`.";
    longcat = "longcat", "LongCat: `<longcat_tool_call>` and `<longcat_think>`.";
    hunyuan = "hunyuan", "Hunyuan A13B: `<tool_calls>`, `<think>` and `<answer>`.";
    hy_v3 = "hy-v3", "Hy 3 and 4: `<tool_call>` with `<tool_sep>`, and what [`think`](Self::think) has.";
    jamba = "jamba", "Jamba: `<tool_calls>`, and what [`think`](Self::think) has.";
    nemotron = "nemotron", "Nemotron: `<TOOLCALL>`, and what [`think`](Self::think) has.";
    step3 = "step3", "Step 3: `<steptml:invoke>`, and what [`think`](Self::think) has.";
    step3_5 = "step3.5", "Step 3.5: calls as in [`qwen`](Self::qwen), and `<think>`.";
    gigachat3 = "gigachat3", "GigaChat 3: `function call<|role_sep|>`.";
    seed_oss = "seed-oss", "Seed-OSS: `<seed:tool_call>` and `<seed:think>`.";
    cohere = "cohere", "Command A and R7B: `<|START_ACTION|>`, `<|START_THINKING|>` and `<|START_RESPONSE|>`.";
    apertus = "apertus", "Apertus: `<|tools_prefix|>` and `<|inner_prefix|>`.";
    gemma4 = "gemma4", "Gemma 4 and FunctionGemma: `<|tool_call>` and `<|channel>`.";
    k2_horizon = "k2-horizon", "K2 Horizon: `<ifm|tool_call>` and `<ifm|think>`.";
    kimi_k3 = "kimi-k3", "Kimi K3: `<|open|>think<|sep|>`, `<|open|>response<|sep|>` and `<|open|>call …<|sep|>`.";
    minicpm5 = "minicpm5", "MiniCPM 5: `<function name=…>` with `<param name=…>`, and what [`think`](Self::think) has.";
    muse = "muse", "Muse: messages to `self`, to `user` and to tools.";
    plamo3 = "plamo3", "PLaMo 3: `<|plamo:begin_tool_request:plamo|>` and `<|plamo:begin_think:plamo|>`.";
    inkling = "inkling", "Inkling: `<|content_thinking|>`, `<|content_text|>` and `<|content_invoke_tool_json|>`.";
    llama3 = "llama3", "Llama 3: the answer is a call as JSON.";
    llama4 = "llama4", "Llama 4: the answer is calls in Python's syntax.";
    olmo3 = "olmo3", "Olmo 3: calls in Python's syntax in `<function_calls>`, and what [`think`](Self::think) has.";
    lfm2 = "lfm2", "LFM2: calls in Python's syntax or JSON, and what [`think`](Self::think) has.";
    xlam = "xlam", "xLAM: the answer is calls as JSON; and what [`think`](Self::think) has.";
    thoughts = "thoughts", "Reasoning in any marks: those of [`think`](Self::think), and `[THINK]`, `◁think▷`, `<reflection>`, `<analysis>` and more.";
}

/// The data of all presets, by name.
type Presets = HashMap<&'static str, &'static RawValue>;

const DATA: &str = include_str!("../../presets/presets.json");

fn read(name: &str) -> TagSet {
    static PRESETS: LazyLock<Presets> = LazyLock::new(|| match serde_json::from_str(DATA) {
        Ok(presets) => presets,
        Err(error) => unreachable!("the presets are JSON: {error}"),
    });
    let text = PRESETS.get(name).map_or("", |data| data.get());
    match TagSet::from_json(text) {
        Ok(set) => set,
        Err(error) => unreachable!("the preset {name} is a tag set: {error}"),
    }
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use serde_json::Value;

    use super::{DATA, TagSet};

    /// To write `presets.json` after a change: `BLESS=1 cargo test -p patchwire --lib presets`.
    #[test]
    fn the_data_is_that_of_the_files() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/presets");
        let of_file = |name: &&str| -> (String, Value) {
            let text = fs::read_to_string(format!("{folder}/{name}.toml")).expect("a file");
            ((*name).to_owned(), toml::from_str(&text).expect("TOML"))
        };
        let files: BTreeMap<String, Value> = TagSet::PRESETS.iter().map(of_file).collect();
        if std::env::var_os("BLESS").is_some() {
            let line = |(name, data): (&String, &Value)| format!("\"{name}\":{data}");
            let lines: Vec<String> = files.iter().map(line).collect();
            let text = format!("{{\n{}\n}}\n", lines.join(",\n"));
            fs::write(format!("{folder}/presets.json"), text).expect("written");
            return;
        }
        let data: BTreeMap<String, Value> = serde_json::from_str(DATA).expect("JSON");
        assert_eq!(data, files);
    }
}
