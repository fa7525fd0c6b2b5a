/** The texts of a stream of bytes. */
export declare function texts(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string>;
/** The chunks of a stream. Leaving the loop cancels it, and so does the signal, even while a chunk is waited for. */
export declare function chunksOf<T>(stream: ReadableStream<T>, signal: AbortSignal): AsyncGenerator<T>;
/** The lines of a text. A line ends with a line feed, a return, or both. */
export declare function lines(source: AsyncIterable<string>): AsyncGenerator<string>;
/** The data of server-sent events, with the name of each. */
export declare function serverSentEvents(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<{
    name: string;
    data: string;
}>;
/** A piece of JSON that a server sent. */
export declare function readJson(text: string, what: string): unknown;
