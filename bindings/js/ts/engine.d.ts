import { PatchwireError } from "./errors.js";
/** The functions of the module. Specs and parsers are numbers from 1; 0 means that there is none. */
interface Exports {
    readonly memory: WebAssembly.Memory;
    place(): number;
    reserve(length: number): number;
    spec(length: number): number;
    free_spec(spec: number): void;
    prompt(spec: number): number;
    json_schema(spec: number): number;
    locate(spec: number, length: number): number;
    parser(spec: number): number;
    free_parser(parser: number): void;
    feed(parser: number, length: number): number;
    feed_reasoning(parser: number, length: number): number;
    finish(parser: number): number;
    settled(parser: number): number;
    calls(parser: number): number;
    first_difference(spec: number, length: number, from: number, to: number): number;
    names(): void;
    panic_on_purpose(parser: number): void;
}
/** An instance of the module, with views on its memory. */
export declare class Engine {
    #private;
    readonly exports: Exports;
    bytes: Uint8Array;
    words: Uint32Array;
    /** Where the module says where its last result is, in words. */
    readonly place: number;
    constructor(module: WebAssembly.Module);
    /** Looks at the memory again if it grew. */
    refresh(): void;
    /** Writes a text as the input of the next call, and returns its length in bytes. */
    write(text: string): number;
    /** Writes bytes as the input of the next call. */
    writeBytes(bytes: Uint8Array): number;
    /** The text of the last result. */
    text(): string;
}
/** How the module is loaded where the package runs. */
export interface Loader {
    /** Gives the module at once, if the platform can load it and has it. */
    now?(): WebAssembly.Module | undefined;
    later(): Promise<WebAssembly.Module>;
}
/** Says how the module is loaded. Each entry of the package calls it once. */
export declare function loadWith(own: Loader): void;
/** The instance that new parsers are made in. */
export declare function engine(): Engine;
/**
 * Loads the module. `read` waits for it; `parse`, `Parser`, `prompt` and `check` need it done in browsers. In node,
 * Deno, Bun and edge workers the module is there at once, unless a bundler left its file behind.
 */
export declare function ready(): Promise<void>;
/**
 * Calls the module. If it breaks, the instance is given up: parsers that live in it go on, and new ones get a fresh
 * instance.
 */
export declare function guarded<R>(engine: Engine, call: () => R): R;
/** The error for what a call of the module threw. The instance is given up. */
export declare function broken(engine: Engine, error: unknown): PatchwireError;
export {};
