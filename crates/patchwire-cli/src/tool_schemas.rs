//! Reads the tools of `--tools`, as requests of providers list them.

use std::io;
use std::path::Path;

use patchwire::Schema;
use patchwire::schema::{SchemaError, SchemaForm};
use serde_json::Value as Json;

/// The tools cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ToolsError {
    #[error(
        "cannot read the tools {name}: {error}; give a JSON file with the list `tools` of a request"
    )]
    File { name: String, error: io::Error },
    #[error("the tools {name} cannot be read: {error}")]
    Json { name: String, error: serde_json::Error },
    #[error("{name} has no list of tools with names")]
    NoTools { name: String },
    #[error("the arguments of the tool `{tool}` cannot be used: {error}")]
    Schema { tool: String, error: SchemaError },
}

/// The names of the tools in a file, and the schemas of their arguments.
pub(crate) fn read(file: &Path) -> Result<Vec<(String, Schema)>, ToolsError> {
    let name = file.display().to_string();
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return Err(ToolsError::File { name, error }),
    };
    let json = match serde_json::from_str(&text) {
        Ok(json) => json,
        Err(error) => return Err(ToolsError::Json { name, error }),
    };
    let found = tools(&json);
    if found.is_empty() {
        return Err(ToolsError::NoTools { name });
    }
    found.into_iter().map(|(tool, schema)| compiled(tool, &schema)).collect()
}

/// The tools in a list, or in the member `tools` of a request.
fn tools(json: &Json) -> Vec<(String, Json)> {
    let list = json.get("tools").unwrap_or(json);
    let all = list.as_array().into_iter().flatten();
    all.flat_map(|tool| match tool.get("functionDeclarations").and_then(Json::as_array) {
        Some(declared) => declared.iter().filter_map(one).collect(),
        None => one(tool).into_iter().collect::<Vec<_>>(),
    })
    .collect()
}

/// The name and the schema of a tool: OpenAI's `function`, Anthropic's `input_schema`, Bedrock's `toolSpec`.
fn one(tool: &Json) -> Option<(String, Json)> {
    let tool = ["function", "toolSpec"].into_iter().find_map(|key| tool.get(key)).unwrap_or(tool);
    let name = tool.get("name")?.as_str()?.to_owned();
    let keys = ["parameters", "input_schema", "inputSchema", "parametersJsonSchema"];
    let schema = keys.into_iter().find_map(|key| tool.get(key))?;
    Some((name, schema.get("json").unwrap_or(schema).clone()))
}

fn compiled(tool: String, schema: &Json) -> Result<(String, Schema), ToolsError> {
    match Schema::from_text_in(SchemaForm::JsonSchema, &schema.to_string()) {
        Ok(schema) => Ok((tool, schema)),
        Err(error) => Err(ToolsError::Schema { tool, error }),
    }
}
