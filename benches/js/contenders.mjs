// Who reads, and how. Each gives all that it can say after each chunk.

import { JSONParser } from "@streamparser/json";
import { parsePartialJson } from "ai";
import { parse as bestEffort } from "best-effort-json-parser";
import { parse as river } from "jsonriver";
import { parse as partial } from "partial-json";
import { Parser } from "patchwire";

let seen = 0;

/** One that reads the stream once: `read(chunks)`. */
export const READERS = {
  "**patchwire**, events": (chunks) => {
    const parser = new Parser();
    for (const chunk of chunks) for (const event of parser.feed(chunk)) if (event.kind === "delta") seen += event.delta.length + event.path.length;
    parser.free();
  },
  "**patchwire**, events and the value so far": (chunks) => {
    const parser = new Parser();
    for (const chunk of chunks) {
      for (const event of parser.feed(chunk)) if (event.kind === "delta") seen += event.delta.length + event.path.length;
      if (parser.value !== undefined) seen += 1;
    }
    parser.free();
  },
  "`jsonriver`, the value so far": async (chunks) => {
    const source = (async function* () {
      yield* chunks;
    })();
    for await (const value of river(source)) if (value !== null) seen += 1;
  },
  "`@streamparser/json`, partial tokens and values": (chunks) => {
    const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true });
    parser.onValue = () => void (seen += 1);
    for (const chunk of chunks) parser.write(chunk);
  },
  "`@streamparser/json`, whole values": (chunks) => {
    const parser = new JSONParser();
    parser.onValue = () => void (seen += 1);
    for (const chunk of chunks) parser.write(chunk);
  },
};

/** One that reads all so far again after each chunk: `read(text)`. */
export const AGAIN = {
  "`partial-json`": (text) => partial(text),
  "`best-effort-json-parser`": (text) => bestEffort(text),
  "`ai`'s `parsePartialJson`": (text) => parsePartialJson(text),
};
