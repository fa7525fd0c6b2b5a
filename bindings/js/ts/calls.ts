// Tool calls that the provider sends in fields of their own: the arguments of each are read as they grow.

import type { Call } from "./decode.js";
import type { Json } from "./events.js";
import type { CallPart } from "./items.js";
import { Parser } from "./parser.js";
import type { SpecOptions } from "./spec.js";

interface Growing {
  id?: string;
  name: string;
  readonly parser: Parser;
  isComplete: boolean;
}

/** The calls of one answer, in the order in which they began. */
export class Calls {
  readonly #tools: SpecOptions["tools"];
  readonly #growing = new Map<string | number, Growing>();

  constructor(tools: SpecOptions["tools"]) {
    this.#tools = tools;
  }

  take(parts: readonly CallPart[]): void {
    for (const part of parts) this.#one(part);
  }

  #one({ at, id, name, arguments: text }: CallPart): void {
    let call = this.#growing.get(at);
    if (!call) {
      // A call that begins ends the one before it.
      for (const before of this.#growing.values()) this.#complete(before);
      const schema = name === undefined ? undefined : this.#tools?.[name];
      call = { name: name ?? "", parser: new Parser({ schema, tags: "none" }), isComplete: false };
      this.#growing.set(at, call);
    }
    if (id !== undefined) call.id = id;
    if (name !== undefined && call.name === "") call.name = name;
    if (text !== undefined && !call.isComplete) call.parser.feed(text);
  }

  #complete(call: Growing): void {
    if (call.isComplete) return;
    call.isComplete = true;
    call.parser.finish();
    call.parser.free();
  }

  /** The input ended. */
  end(): void {
    for (const call of this.#growing.values()) this.#complete(call);
  }

  get all(): readonly Call[] {
    return [...this.#growing.values()].map(({ id, name, parser, isComplete }) => {
      const value = (isComplete ? parser.value : parser.snapshot()) as Json | undefined;
      return { ...(id !== undefined && { id }), name, arguments: value ?? {}, isComplete };
    });
  }
}
