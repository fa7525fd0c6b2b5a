// What the page shows, as a program.

const quoted = (text) => JSON.stringify(text);

// Letters that a program cannot hold, or that nobody would see in it: Rust refuses those that change the direction of a text.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/gu;

const code = (letter) => letter.codePointAt(0).toString(16).padStart(4, "0");
const unseen = (letter) => `\\u${code(letter)}`;
const escaped = (text) => text.replaceAll("\\", "\\\\").replace(UNSEEN, unseen);

// The settings of a reading in a form that every language can begin with.
function parts({ format = "json", schema = "", tags = "" }) {
  return { format, schema: schema.trim(), tags, hasTags: tags !== "", isJson: format === "json" };
}

function rust(options) {
  const { format, schema, tags, hasTags } = parts(options);
  const name = format.split("_").map((word) => word[0].toUpperCase() + word.slice(1)).join("");
  const lines = [`.format(Format::${name})`];
  if (schema) lines.push(`.schema(Schema::from_text(SCHEMA)?)`);
  // A set of tags is a function with its name.
  if (hasTags) lines.push(tags === "none" ? ".without_tags()" : `.tags(TagSet::${tags.replace(/[-.]/gu, "_")}())`);
  return `// cargo add patchwire-async tokio-stream anyhow
use patchwire_async::{Format, ${schema ? "Schema, " : ""}Spec, ${hasTags && tags !== "none" ? "TagSet, " : ""}TokenStreamExt as _};
use tokio_stream::Stream;
${schema ? `\nconst SCHEMA: &str = ${rustText(schema)};\n` : ""}
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

// A raw text, with more marks than it has itself; one with escapes if it has letters that a raw one cannot hold.
function rustText(text) {
  if (text.search(UNSEEN) >= 0) return `"${text.replace(/["\\]/gu, "\\$&").replace(UNSEEN, (letter) => `\\u{${code(letter)}}`)}"`;
  const longest = Math.max(0, ...(text.match(/"#*/gu) ?? []).map((marks) => marks.length));
  const marks = "#".repeat(Math.max(longest, 1));
  return `r${marks}"${text}"${marks}`;
}

function python(options) {
  const { schema } = parts(options);
  const own = [...(schema ? ["SCHEMA"] : []), ...named(options).map(([name, value]) => `${name}=${value}`)];
  return `# pip install patchwire openai
import patchwire as pw
from openai import OpenAI
${schema ? `\nSCHEMA = """\\\n${escaped(schema).replaceAll('"""', '\\"\\"\\"')}\n"""\n` : ""}
stream = OpenAI().chat.completions.create(
    model="MODEL",
    messages=[{"role": "user", "content": "PROMPT"}],
    stream=True,
)
with pw.read(${["stream", ...own].join(", ")}) as reader:
    for patch in reader:
        print(patch.path, patch.op, patch.delta)
    print(reader.data())
`;
}

// The settings beside the schema. Without one, tags that mark the answer would make another format than JSON the usual one.
function named(options) {
  const { tags, hasTags, format, isJson } = parts(options);
  return [...(isJson && !hasTags ? [] : [["format", quoted(format)]]), ...(hasTags ? [["tags", quoted(tags)]] : [])];
}

function typescript(options) {
  const { schema } = parts(options);
  const own = [...(schema ? ["schema"] : []), ...named(options).map(([name, value]) => `${name}: ${value}`)];
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

const template = (text) => `\`\n${escaped(text).replaceAll("`", "\\`").replaceAll("${", "\\${")}\n\``;

function shell(options, host) {
  const { format, schema, tags, hasTags } = parts(options);
  const patchwire = { format, ...(schema && { schema }), ...(hasTags && { tags }) };
  const body = JSON.stringify({ model: "MODEL", messages: [{ role: "user", content: "PROMPT" }], patchwire }, null, 2).replace(UNSEEN, unseen);
  return `# patchwire serve --upstream URL
curl -N ${host}/v1/fields -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'
`;
}

// The program that reads answers with these options.
export function program(language, options, host = "localhost:3000") {
  return { rust, python, typescript, curl: shell }[language](options, host);
}
