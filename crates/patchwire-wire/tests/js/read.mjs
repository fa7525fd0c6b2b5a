// Reads streams with the packages that people read them with, and compares what they come to with the
// value that the engine gave. Each line of the file is {name, wire, stream, want}.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";

import { HttpAgent } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema } from "ai";
import jsonPatch from "fast-json-patch";

/** All that a consumer of set, append-text and remove has to do. */
function fold(value, { op, path, value: next, text }) {
  const steps = path.split("/").slice(1).map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));
  const root = { value };
  let [at, key] = [root, "value"];
  for (const step of steps) [at, key] = [at[key], step];
  if (op === "set") at[key] = next;
  else if (op === "append-text") at[key] += text;
  else if (Array.isArray(at)) at.splice(key, 1);
  else delete at[key];
  return root.value ?? null;
}

/** All that a consumer of the compact form has to do. */
function reader() {
  const fields = [];
  let [last, at] = [null, 0];
  const add = (path, of) => fields[fields.push({ path, of }) - 1];
  const find = ([parent, ...steps], of) =>
    steps.reduce((field, step) => add([...field.path, step], field.of), parent === null ? add([], of) : fields[parent]);
  const patch = ([head, place, span, content]) => {
    const { kind, completion = kind === "done" ? "observed" : null, repaired, deferred, ...of } = head.kind ? head : { kind: head };
    const field = Array.isArray(place) ? find(place, of) : fields[place];
    span = Array.isArray(span) ? span : [at, at + span];
    return { event: "patch", kind, path: field.path, content, completion, repaired, deferred, span, ...field.of };
  };
  return (line) => {
    const read = JSON.parse(line);
    if (Array.isArray(read)) last = patch(read);
    else if (typeof read !== "string") last = read;
    else last = { ...last, ...("content" in last ? { content: read, repaired: undefined } : { delta: read }),
                  span: [at, at + new TextEncoder().encode(read).length] };
    if (["patch", "text", "reasoning"].includes(last.event)) at = Math.max(at, last.span[1]);
    if (["final", "error"].includes(last.event)) [fields.length, at] = [0, 0];
    return last;
  };
}

/** As JSON has it: without minus zero and infinities, which copying loses anyway. */
const plain = (value) => JSON.parse(JSON.stringify(value ?? null));

const lines = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));

const bytes = (text) =>
  new ReadableStream({
    start(controller) {
      const all = new TextEncoder().encode(text);
      for (let at = 0; at < all.length; at += 97) controller.enqueue(all.subarray(at, at + 97));
      controller.close();
    },
  });

const readers = {
  ops: (stream) => ({ value: lines(stream).reduce(fold, null) }),

  compact(stream) {
    const read = reader();
    const short = ({ event, kind, path, content, completion, delta, span }) =>
      event === "patch" ? [kind, path, content ?? null, completion ?? null, span]
      : ["text", "reasoning"].includes(event) ? [event, delta, span] : [event];
    const events = () => stream.split("\n").filter(Boolean).map((line) => short(read(line)));
    const first = events();
    // Another stream may follow, and is read by the same reader.
    if (!isDeepStrictEqual(events(), first)) throw new Error("the stream after the first is read differently");
    return { events: first };
  },

  "json-patch": (stream) => ({
    value: lines(stream).reduce(
      // The guard against `__proto__` is for patches of strangers.
      (value, patch) => jsonPatch.applyPatch(value, patch, true, true, false).newDocument,
      null,
    ),
  }),

  // The whole client: transport, schemas, the order of events, and its state.
  async "ag-ui"(stream) {
    const fetch = async () => new Response(bytes(stream), { headers: { "content-type": "text/event-stream" } });
    const agent = new HttpAgent({ url: "http://agent.invalid", threadId: "t", fetch });
    const types = [];
    let error;
    await agent.runAgent(
      { runId: "r" },
      {
        onEvent: ({ event }) => void types.push(EventSchemas.parse(event).type),
        onRunErrorEvent: ({ event }) => void (error = event.message),
      },
    );
    const ends = [types.at(0), types.at(-1)].join();
    if (ends !== `RUN_STARTED,${error ? "RUN_ERROR" : "RUN_FINISHED"}`) throw new Error(types.join());
    const said = (role) => agent.messages.filter((it) => it.role === role).map((it) => it.content ?? "").join("");
    const calls = agent.messages.flatMap((message) => message.toolCalls ?? []);
    return {
      // A run that says nothing of the state leaves the application's.
      value: types.some((type) => type.startsWith("STATE_")) ? agent.state : null,
      text: said("assistant"),
      reasoning: said("reasoning"),
      calls: calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)]),
      error,
    };
  },

  // The SDK's frames, schema and message; and in `onData`, what its client would fold.
  async "ui-message"(stream) {
    let folded = null;
    const chunks = parseJsonEventStream({ stream: bytes(stream), schema: uiMessageChunkSchema }).pipeThrough(
      new TransformStream({
        transform(chunk, controller) {
          if (!chunk.success) throw chunk.error;
          if (chunk.value.type === "data-op") folded = fold(folded, chunk.value.data);
          controller.enqueue(chunk.value);
        },
      }),
    );
    let message = { parts: [] };
    let error;
    const onError = (thrown) => void (error ??= thrown.message);
    for await (message of readUIMessageStream({ stream: chunks, onError }));
    const value = message.parts.find((part) => part.type === "data-answer")?.data ?? null;
    if (!isDeepStrictEqual(plain(value), plain(folded))) throw new Error(`onData: ${JSON.stringify(folded)}`);
    const said = (type) => message.parts.filter((it) => it.type === type).map((it) => it.text).join("");
    const calls = message.parts.filter((part) => part.state === "input-available" && part.toolCallId);
    return {
      value,
      text: said("text"),
      reasoning: said("reasoning"),
      calls: calls.map((call) => [call.type.slice("tool-".length), call.input]),
      error,
    };
  },
};

const counts = {};
let failures = 0;
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  const { name, wire, stream, want } = JSON.parse(line);
  counts[wire] = (counts[wire] ?? 0) + 1;
  let found;
  try {
    found = await readers[wire](stream);
  } catch (error) {
    found = { error: String(error) };
  }
  for (const [part, value] of Object.entries({ error: undefined, ...want })) {
    if (isDeepStrictEqual(plain(found[part]), plain(value))) continue;
    failures += 1;
    if (failures < 20) console.error(`${wire} ${name}: ${part}: ${JSON.stringify(found)} is not ${JSON.stringify(want)}`);
  }
}
console.log(`${failures} failures`, counts);
process.exitCode = failures > 0 ? 1 : 0;
