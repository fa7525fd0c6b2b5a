//! The history of an agent's execution, with every kind of tag there is.

use patchwire::{Answer, TagSet};

use super::{check, shown, spec, texts, uncut, values};

const TURN: &str = "<<thinking>>\nThey ask for the weather, so I look.\n<</thinking>>\nI check Oslo.\n\
    <<STEP_START>>\n<<SINGLE_STEP_FLAG>>\nStep 1: Looking it up ✓\nOne moment.\n\
    <<TOOL_STEP_START/web_search:call_9z>>\n<<TOOL_STEP_INPUT_START>>\n{\"query\": \"weather Oslo\"}\n\
    <<TOOL_STEP_INPUT_END>>\n<<TOOL_STEP_RESULT_START>>\n{\"temperature\": \"-3 °C\", \"sky\": [\"grey\"]}\n\
    <<TOOL_STEP_RESULT_END>>\n<<TOOL_STEP_END/web_search:call_9z>>\n<<STEP_END>>\n\
    <<CHECKPOINT_START>>\nCheckpoint: weather_known\n<<CHECKPOINT_END>>\n";

const ASKED: &str = "<<INPUT_REQUIRED_START>>\nWhich address may I write to?\nExpected input types: text\n\
    checkpoint_name: wait_for_address\n<<INPUT_REQUIRED_END>>\n";

const REPLIED: &str = "<<INPUT_REQUIRED_START>>\nWhich address may I write to?\nExpected input types: text\n\n\
    <<USER_INPUT_PROVIDED_START>>\n{\"input\": \"kim@example.org\", \"type\": \"text\"}\n\
    <<USER_INPUT_PROVIDED_END>>\n<<INPUT_REQUIRED_END>>\n";

const FAILED: &str = "<<ERROR_START>>\nError: the tool gave up\n<<ERROR_END>>\n\n<<ERROR_JSON_START>>\n\
    {\n  \"error\": \"the tool gave up\",\n  \"trace\": [\"a\", 7],\n  \"at\": \"2030-01-01T10:00:00Z\"\n}\n\
    <<ERROR_JSON_END>>\n";

fn read(text: &str) -> Answer {
    uncut(&spec(&TagSet::ubik()), text).1
}

#[test]
fn every_element_has_its_value() {
    let answer = read(TURN);
    assert_eq!(answer.reasoning(), "\nThey ask for the weather, so I look.\n");
    assert_eq!(values(&answer, "tool_input"), [r#"{"query":"weather Oslo"}"#]);
    assert_eq!(values(&answer, "tool_result"), [r#"{"temperature":"-3 °C","sky":["grey"]}"#]);
    assert_eq!(values(&answer, "checkpoint"), [r#"{"Checkpoint":"weather_known"}"#]);
    let answer = read(&format!("{ASKED}{REPLIED}"));
    assert_eq!(values(&answer, "user_input"), [r#"{"input":"kim@example.org","type":"text"}"#]);
    let answer = read(FAILED);
    assert_eq!(texts(&answer, "error"), ["\nError: the tool gave up\n"]);
    assert!(values(&answer, "error_json")[0].starts_with(r#"{"error":"the tool gave up""#));
}

#[test]
fn the_whole_as_events() {
    let text = "<<STEP_START>>\nGo\n<<TOOL_STEP_START/t:1>><<TOOL_STEP_INPUT_START>>{\"a\": 1}\
                <<TOOL_STEP_INPUT_END>><<TOOL_STEP_END/t:1>><<STEP_END>>";
    check(
        &TagSet::ubik(),
        text,
        &[
            "<step>",
            "step: \nGo\n",
            "<tool name=t id=1>",
            "<tool_input>",
            " open",
            "a = 1",
            " done",
            "</tool_input>",
            "</tool>",
            "</step>",
        ],
    );
}

#[test]
fn histories_gone_wrong() {
    let tags = TagSet::ubik();
    // The end of another call closes nothing.
    let text = "<<TOOL_STEP_START/t:1>>a<<TOOL_STEP_END/t:2>>b<<TOOL_STEP_END/t:1>>c";
    let answer = shown(&tags, text, "c", "");
    assert_eq!(answer.elements().next().unwrap().text(), "ab");
    assert_eq!(answer.notice_count(), 1);
    // A marker in a string of JSON is data; one that is cut is text.
    let text = "<<TOOL_STEP_START/t:1>><<TOOL_STEP_RESULT_START>>{\"a\": \"<<TOOL_STEP_RESULT_END>>\"}\
                <<TOOL_STEP_RESULT_END>><<TOOL_STEP_END/t:1>>x <<STEP_ST";
    let answer = shown(&tags, text, "x <<STEP_ST", "");
    assert_eq!(values(&answer, "tool_result"), [r#"{"a":"<<TOOL_STEP_RESULT_END>>"}"#]);
    // A result outside of a tool, a step that was never closed.
    shown(&tags, "1 << 2 <<TOOL_STEP_RESULT_START>>", "1 << 2 <<TOOL_STEP_RESULT_START>>", "");
    let answer = shown(&tags, "<<STEP_START>>\nGo\n<<thinking>>hm", "", "hm");
    assert!(answer.elements().all(|element| !element.is_complete()));
}

/// Results with several roots, and results that are logs.
#[test]
fn results_that_are_no_single_value() {
    let result = |body: &str| {
        let text = format!(
            "<<TOOL_STEP_START/t:1>><<TOOL_STEP_RESULT_START>>\n{body}\n<<TOOL_STEP_RESULT_END>><<TOOL_STEP_END/t:1>>"
        );
        let (_, answer) = uncut(&spec(&TagSet::ubik()), &text);
        let result = answer.elements().nth(1).unwrap();
        let roots: Vec<String> = result.roots().map(|root| root.to_string()).collect();
        (roots.join(" "), result.text().trim().to_owned())
    };
    for (body, roots, text) in [
        ("{\"a\":1}\n{\"b\":2}", "{\"a\":1} {\"b\":2}", ""),
        ("{\"a\":1}{\"b\":2}\n[3]", "{\"a\":1} {\"b\":2} [3]", ""),
        ("[1]\n[2]", "[1] [2]", ""),
        ("{\"a\":1}\nexit code 0", "{\"a\":1}", "exit code 0"),
        ("{\"a\":1} done {\"b\":2}", "{\"a\":1}", "done {\"b\":2}"),
    ] {
        assert_eq!(result(body), (roots.to_owned(), text.to_owned()), "{body}");
    }
    for body in [
        "[INFO] started ok",
        "[INFO] started ok\n[WARN] slow",
        "[INFO]\nstarted ok",
        "{INFO} started: ok",
        "{ echo hi; } > out",
        "[2026-01-02 10:00:00] GET /",
        "[12:00] ok",
        "[main] INFO x - y",
        "[1] 4711",
        "[ERROR] {\"code\": 7} failed",
        "[x] done\n[ ] open",
        "[a](b) is a link",
        "[0.001] boot",
    ] {
        let (value, _) = result(body);
        assert_eq!(value, serde_json::to_string(&format!("{body}\n")).unwrap(), "{body}");
    }
}
