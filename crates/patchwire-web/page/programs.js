// What the page shows, as a program.

const quoted = (text) => JSON.stringify(text);

// The settings of a reading in a form that every language can begin with.
function parts({ format = "json", schema = "", tags = "" }) {
  return { format, schema: schema.trim(), tags, hasTags: tags !== "", isJson: format === "json" };
}

function rust(options) {
  const { format, schema, tags, hasTags } = parts(options);
  const name = format.split("_").map((word) => word[0].toUpperCase() + word.slice(1)).join("");
  const lines = [`.format(Format::${name})`];
  if (schema) lines.push(`.schema(Schema::from_text(SCHEMA)?)`);
  if (hasTags) lines.push(tags === "none" ? ".without_tags()" : `.tags(TagSet::preset(${quoted(tags)}).ok_or("no such tags")?)`);
  return `// cargo add patchwire-async tokio-stream anyhow
use patchwire_async::{Format, ${schema ? "Schema, " : ""}Spec, ${hasTags && tags !== "none" ? "TagSet, " : ""}TokenStreamExt as _};
use tokio_stream::Stream;
${schema ? `\nconst SCHEMA: &str = r##"${schema}"##;\n` : ""}
async fn read(tokens: impl Stream<Item = String> + Unpin) -> anyhow::Result<()> {
    let spec = Spec::builder()
        ${lines.join("\n        ")}
        .build()?;
    let mut answer = tokens.fields(spec);
    while let Some(event) = answer.next().await {
        if let Some(patch) = event?.as_patch() {
            println!("{} {} {:?}", patch.path, patch.op.name(), patch.delta);
        }
    }
    Ok(())
}
`;
}

function python(options, host) {
  const { format, schema, tags, hasTags } = parts(options);
  const own = [`"format": ${quoted(format)}`];
  if (schema) own.push(`"schema": SCHEMA`);
  if (hasTags) own.push(`"tags": ${quoted(tags)}`);
  return `# pip install openai; patchwire serve --upstream URL
from openai import OpenAI
${schema ? `\nSCHEMA = """\\\n${schema.replaceAll("\\", "\\\\").replaceAll('"""', '\\"""')}\n"""\n` : ""}
client = OpenAI(base_url="http://${host}/v1", api_key="unused")
stream = client.chat.completions.create(
    model="MODEL",
    messages=[{"role": "user", "content": "PROMPT"}],
    stream=True,
    extra_body={"patchwire": {${own.join(", ")}}},
)
for chunk in stream:
    for choice in chunk.choices:
        for patch in getattr(choice.delta, "patches", []):
            print(patch.get("path"), patch.get("delta"))
`;
}

function typescript(options) {
  const { schema, tags, hasTags, format, isJson } = parts(options);
  const own = [];
  if (!isJson) own.push(`format: ${quoted(format)}`);
  if (schema) own.push("schema");
  if (hasTags) own.push(`tags: ${quoted(tags)}`);
  return `// npm i patchwire openai
import OpenAI from "openai";
import { read } from "patchwire";
${schema ? `\nconst schema = ${template(schema)};\n` : ""}
const stream = await new OpenAI().chat.completions.create({
  model: "MODEL",
  messages: [{ role: "user", content: "PROMPT" }],
  stream: true,
});
const answer = read(stream${own.length > 0 ? `, { ${own.join(", ")} }` : ""});
for await (const event of answer) {
  if (event.type === "patch") console.log(event.path, event.kind, event.delta);
}
console.log(await answer.data());
`;
}

const template = (text) => `\`\n${text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${")}\n\``;

function shell(options, host) {
  const { format, schema, tags, hasTags } = parts(options);
  const patchwire = { format, ...(schema && { schema }), ...(hasTags && { tags }) };
  const body = JSON.stringify({ model: "MODEL", messages: [{ role: "user", content: "PROMPT" }], patchwire }, null, 2);
  return `# patchwire serve --upstream URL
curl -N ${host}/v1/fields -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'
`;
}

// The program that reads answers with these options.
export function program(language, options, host = "localhost:3000") {
  return { rust, python, typescript, curl: shell }[language](options, host);
}
