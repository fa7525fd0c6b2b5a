import type { Call } from "./decode.js";
import type { CallPart } from "./items.js";
import type { SpecOptions } from "./spec.js";
/** The calls of one answer, in the order in which they began. */
export declare class Calls {
    #private;
    constructor(tools: SpecOptions["tools"]);
    take(parts: readonly CallPart[]): void;
    /** The input ended. */
    end(): void;
    get all(): readonly Call[];
}
