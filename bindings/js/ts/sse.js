// Bodies of responses: server-sent events, JSON lines, and JSON.
import { SourceError } from "./errors.js";
/** The texts of a stream of bytes. */
export async function* texts(body, signal) {
    const decoder = new TextDecoder("utf-8");
    for await (const bytes of chunksOf(body, signal)) {
        const text = decoder.decode(bytes, { stream: true });
        if (text !== "")
            yield text;
    }
    const rest = decoder.decode();
    if (rest !== "")
        yield rest;
}
/** The chunks of a stream. Leaving the loop cancels it, and so does the signal, even while a chunk is waited for. */
export async function* chunksOf(stream, signal) {
    const reader = stream.getReader();
    let isDone = false;
    const stop = () => void reader.cancel(signal.reason).catch(() => { });
    signal.addEventListener("abort", stop);
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) {
                isDone = true;
                return;
            }
            yield value;
        }
    }
    finally {
        // Without waiting: a source may never answer.
        signal.removeEventListener("abort", stop);
        if (!isDone)
            reader.cancel().catch(() => { });
        reader.releaseLock();
    }
}
/** The lines of a text. A line ends with a line feed, a return, or both. */
export async function* lines(source) {
    let rest = "";
    let hadReturn = false;
    for await (let text of source) {
        if (hadReturn && text.startsWith("\n"))
            text = text.slice(1);
        hadReturn = text === "" ? hadReturn : text.endsWith("\r");
        const found = (rest + text).split(/\r\n|\n|\r/u);
        rest = found.pop();
        yield* found;
    }
    if (rest !== "")
        yield rest;
}
/** The data of server-sent events, with the name of each. */
export async function* serverSentEvents(body, signal) {
    let [name, data] = ["", []];
    for await (const line of lines(texts(body, signal))) {
        if (line === "") {
            if (data.length > 0)
                yield { name, data: data.join("\n") };
            [name, data] = ["", []];
            continue;
        }
        const colon = line.indexOf(":");
        const field = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /u, "");
        if (field === "data")
            data.push(value);
        else if (field === "event")
            name = value;
    }
    // A body that was cut may end without a blank line.
    if (data.length > 0)
        yield { name, data: data.join("\n") };
}
/** A piece of JSON that a server sent. */
export function readJson(text, what) {
    try {
        return JSON.parse(text);
    }
    catch (error) {
        const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
        throw new SourceError(`${what} is not JSON: ${shown}`, { cause: error });
    }
}
