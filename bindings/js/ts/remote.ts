// Events that a server of patchwire sends: the text was read there, and its value is built here.

import { Answer } from "./answer.js";
import type { Call } from "./decode.js";
import { StreamError } from "./errors.js";
import { type Event, FinalEvent, type Json, Patch, ReasoningEvent, TextEvent, type WireEvent, otherEvent } from "./events.js";
import { Document, type Field, get, stepsOf } from "./mirror.js";
import type { Validate } from "./schema.js";

/** Builds the value of a stream of events. */
export class Remote<T> {
  answer: Answer<T> | undefined;
  readonly #validate: Validate | undefined;
  readonly #documents = new Map<string, Document>();
  /** The paths of the answer that are still being written. */
  readonly #open = new Set<string>();

  constructor(validate?: Validate) {
    this.#validate = validate;
  }

  get live(): Json | undefined {
    return this.answer ? (this.answer.value as Json) : this.#document({})?.value;
  }

  /** Patches of a server copy what they change, so the live value is a snapshot. */
  snapshot(): Json | undefined {
    return this.live;
  }

  isOpen(path: string): boolean {
    return !this.answer && this.#open.has(path);
  }

  get calls(): readonly Call[] {
    return this.answer?.calls ?? [];
  }

  /** The event of a line. */
  take(wire: WireEvent): Event<T>[] {
    switch (wire.event) {
      case "patch":
        return [this.#patch(wire)];
      case "text":
        return [new TextEvent(wire.channel as string, wire.delta as string, (wire.element as number | undefined) ?? 0, spanOf(wire))];
      case "reasoning":
        return [new ReasoningEvent(wire.delta as string, (wire.element as number | undefined) ?? 0, spanOf(wire))];
      case "final":
        this.answer = new Answer<T>(wire, JSON.stringify(wire.value), this.#validate);
        this.answer.take(((wire.calls as WireEvent[] | undefined) ?? []).map(callOf));
        return [new FinalEvent(this.answer, wire)];
      case "reset":
        this.#documents.clear();
        this.#open.clear();
        return [];
      case "error":
        throw new StreamError((wire.code as string | undefined) ?? "error", String(wire.message), (wire.offset as number | undefined) ?? 0, []);
      case "raw":
      case "facts":
      case "tool_call":
      case "snapshot":
        return [];
      default:
        return [otherEvent(wire)];
    }
  }

  // A later attempt begins with `reset`, so its number is not looked at.
  #document({ element, root, call }: Partial<WireEvent>): Document {
    const key = [element, root, call].join("/");
    let document = this.#documents.get(key);
    if (!document) {
      const origin = { ...(element !== undefined && { element }), ...(root !== undefined && { root }) } as object;
      document = new Document(key === "//" ? 0 : this.#documents.size + 1, origin);
      this.#documents.set(key, document);
    }
    return document;
  }

  #patch(wire: WireEvent): Patch {
    const document = this.#document(wire);
    const pointer = wire.pointer as string;
    document.apply(wire, pointer === "" ? 0 : pointer.split("/").length - 1);
    const path = wire.path as string;
    if (document.number === 0) {
      if (wire.is_complete === true) this.#open.delete(path);
      else this.#open.add(path);
    }
    const [start, end] = spanOf(wire);
    const patch = new Patch(0, document.line[0] as Field, (wire.delta as string | undefined) ?? "", 0, start, end, wire);
    return patch;
  }
}

/** The value at a path of a value. */
export function at(value: Json | undefined, path: string): Json | undefined {
  return stepsOf(path)?.reduce((inside: Json | undefined, step) => get(inside, step), value);
}

function callOf({ id, name, arguments: given, outcome, is_complete }: WireEvent): Call {
  const isComplete = is_complete === undefined ? outcome !== "truncated" : is_complete === true;
  return { ...(id !== undefined && { id: id as string }), name: (name as string | undefined) ?? "", arguments: (given ?? {}) as Json, isComplete };
}

function spanOf({ span }: WireEvent): readonly [number, number] {
  return (span as [number, number] | undefined) ?? [0, 0];
}
