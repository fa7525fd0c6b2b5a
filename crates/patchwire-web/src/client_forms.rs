//! The requests of user interfaces as chat requests: AG-UI's run input and the messages of the AI SDK.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::chat_body::ChatBody;
use crate::json_members;

/// What a client calls its stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StreamNames {
    pub(crate) thread: Option<String>,
    pub(crate) run: Option<String>,
}

/// A message of OpenAI's form. Members keep the text that they had.
#[derive(Debug, Default, Serialize)]
struct ChatMessage {
    role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_calls: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<String>,
}

/// Turns the body of a user interface into a chat request, in place. Another body stays as it is.
///
/// # Errors
/// What the body holds and a chat request cannot.
pub(crate) fn to_chat(body: &mut ChatBody) -> Result<StreamNames, String> {
    if let (Some(thread), Some(run)) = (body.text("threadId"), body.text("runId")) {
        run_input(body)?;
        return Ok(StreamNames { thread: Some(thread), run: Some(run) });
    }
    let has_parts = |messages: &[UiMessage]| messages.iter().any(|message| message.parts.is_some());
    let messages = body.get("messages").and_then(|messages| serde_json::from_str(messages).ok());
    if let Some(messages) = messages.filter(|messages: &Vec<UiMessage>| has_parts(messages)) {
        let messages: Result<Vec<_>, _> = messages.into_iter().map(ui_message).collect();
        body.set("messages", &messages?).map_err(|error| error.to_string())?;
        for own in ["id", "trigger", "messageId"] {
            body.remove(own);
        }
    }
    Ok(StreamNames::default())
}

/// A message of AG-UI.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RunMessage {
    role: String,
    content: Option<Box<RawValue>>,
    name: Option<String>,
    tool_calls: Option<Box<RawValue>>,
    tool_call_id: Option<String>,
}

/// A tool of AG-UI.
#[derive(Debug, Deserialize, Serialize)]
struct Function {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Box<RawValue>>,
}

#[derive(Debug, Serialize)]
struct Tool {
    r#type: &'static str,
    function: Function,
}

/// Members of a run input that a model does not get.
const RUN_MEMBERS: [&str; 7] =
    ["threadId", "runId", "parentRunId", "state", "context", "forwardedProps", "resume"];

/// AG-UI's run input: messages and tools, and whatever the application forwards.
fn run_input(body: &mut ChatBody) -> Result<(), String> {
    let props = body.get("forwardedProps").filter(|props| *props != "null").map(str::to_owned);
    for own in RUN_MEMBERS {
        body.remove(own);
    }
    let wrong = |name: &str, error: String| format!("`{name}` of the run cannot be used: {error}");
    let messages = body.get("messages").unwrap_or("[]");
    let messages: Vec<RunMessage> =
        serde_json::from_str(messages).map_err(|error| wrong("messages", error.to_string()))?;
    let messages: Vec<_> = messages.into_iter().filter_map(run_message).collect();
    let tools: Vec<Function> = serde_json::from_str(body.get("tools").unwrap_or("[]"))
        .map_err(|error| wrong("tools", error.to_string()))?;
    body.remove("tools");
    let set = body.set("messages", &messages);
    let tools: Vec<_> =
        tools.into_iter().map(|function| Tool { r#type: "function", function }).collect();
    let set = set.and_then(|()| if tools.is_empty() { Ok(()) } else { body.set("tools", &tools) });
    set.map_err(|error| error.to_string())?;
    if let Some(props) = props {
        let props: ChatBody =
            json_members::read(props.as_bytes()).map_err(|error| wrong("forwardedProps", error))?;
        body.extend(props);
    }
    Ok(())
}

/// A message for the model; `None` for one that only users see.
fn run_message(message: RunMessage) -> Option<ChatMessage> {
    let RunMessage { role, content, name, tool_calls, tool_call_id } = message;
    let is_for_users = matches!(&*role, "activity" | "reasoning");
    (!is_for_users).then_some(ChatMessage { role, content, name, tool_calls, tool_call_id })
}

/// A message of the AI SDK.
#[derive(Debug, Deserialize)]
struct UiMessage {
    role: String,
    parts: Option<Vec<Part>>,
    content: Option<Box<RawValue>>,
}

#[derive(Debug, Deserialize)]
struct Part {
    r#type: String,
    text: Option<String>,
    data: Option<Box<RawValue>>,
}

/// The texts of a message. An answer that came as data is its JSON.
fn ui_message(message: UiMessage) -> Result<ChatMessage, String> {
    let UiMessage { role, parts, content } = message;
    let Some(parts) = parts else { return Ok(ChatMessage { role, content, ..Default::default() }) };
    let mut text = String::new();
    let mut answer = None;
    for part in parts {
        match (&*part.r#type, part.text, part.data) {
            ("text", Some(more), _) => text += &more,
            ("file", ..) => {
                let what = "a message has a file, which the gateway cannot pass on; send its text, or send \
                            messages in the form of the model's server";
                return Err(what.to_owned());
            }
            ("data-answer", _, Some(data)) => answer = Some(data),
            _ => {}
        }
    }
    if let Some(answer) = answer {
        let space = if text.is_empty() { "" } else { "\n" };
        text = format!("{text}{space}{answer}");
    }
    let content = serde_json::value::to_raw_value(&text).map_err(|error| error.to_string())?;
    Ok(ChatMessage { role, content: Some(content), ..Default::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chat(body: &str) -> Result<(String, StreamNames), String> {
        let mut body: ChatBody = json_members::read(body.as_bytes())?;
        let names = to_chat(&mut body)?;
        Ok((serde_json::to_string(&body).unwrap(), names))
    }

    #[test]
    fn a_run_of_ag_ui_is_a_chat() {
        let (body, names) = chat(
            r#"{"threadId":"t","runId":"r","state":{},"messages":[
                {"id":"1","role":"user","content":"Go é"},
                {"id":"2","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},
                {"id":"3","role":"tool","toolCallId":"c","content":"7"},
                {"id":"4","role":"activity","content":{"x":1}}
            ],"tools":[{"name":"f","description":"d","parameters":{"z":1.0,"a":2}}],"context":[],
            "forwardedProps":{"model":"m","patchwire":{"wire":"ag-ui"}}}"#,
        )
        .unwrap();
        assert_eq!(
            body,
            r#"{"messages":[{"role":"user","content":"Go é"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","content":"7","tool_call_id":"c"}],"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"z":1.0,"a":2}}}],"model":"m","patchwire":{"wire":"ag-ui"}}"#
        );
        assert_eq!((names.thread.as_deref(), names.run.as_deref()), (Some("t"), Some("r")));
    }

    #[test]
    fn messages_of_the_ai_sdk_are_texts() {
        let (body, _) = chat(
            r#"{"model":"m","id":"c","trigger":"submit-message","messages":[
                {"id":"1","role":"user","parts":[{"type":"text","text":"Go"},{"type":"text","text":"!"}]},
                {"id":"2","role":"assistant","parts":[{"type":"step-start"},{"type":"data-answer","id":"answer","data":{"b":1,"a":2}}]}
            ]}"#,
        )
        .unwrap();
        assert_eq!(
            body,
            r#"{"model":"m","messages":[{"role":"user","content":"Go!"},{"role":"assistant","content":"{\"b\":1,\"a\":2}"}]}"#
        );
        let file = r#"{"messages":[{"role":"user","parts":[{"type":"file","url":"x"}]}]}"#;
        assert!(chat(file).unwrap_err().contains("a file"));
    }

    #[test]
    fn a_chat_stays_as_it_is() {
        for body in [
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"é"}],"x":1.0}],"id":7}"#,
            r#"{"threadId":"t","messages":7}"#,
        ] {
            assert_eq!(chat(body).unwrap().0, body);
        }
        let wrong = chat(r#"{"threadId":"t","runId":"r","messages":[{"id":"1"}]}"#).unwrap_err();
        assert!(wrong.contains("`messages` of the run"), "{wrong}");
    }
}
