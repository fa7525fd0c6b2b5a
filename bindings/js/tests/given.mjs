// Streams and frames that tests give one by one, for what draws the fields of an answer.

export const TEXT = '{"title": "Spring", "rows": [{"sku": "a1"}, {"sku": "b2"}]}';

export const rest = (milliseconds = 5) => new Promise((done) => setTimeout(done, milliseconds));

/** A stream whose pieces are given one by one. `within` is what a framework wants around a change. */
export function given(within = (run) => run()) {
  let controller;
  const one = {
    isCancelled: false,
    stream: new ReadableStream({ start: (own) => void (controller = own), cancel: () => void (one.isCancelled = true) }),
    give: (text) => within(async () => {
      controller.enqueue(text);
      await rest();
    }),
    end: () => within(async () => {
      controller.close();
      await rest();
    }),
  };
  return one;
}

/** Frames come when the test asks for one: what returns draws those that are due. */
export function frames(within = (run) => run()) {
  let due = [];
  globalThis.requestAnimationFrame = (run) => due.push(run);
  return () => within(async () => {
    const now = due;
    due = [];
    for (const run of now) run(0);
  });
}

/** Puts the names of a window of happy-dom where scripts look for them. */
export function place(window, ...names) {
  for (const name of ["document", "window", "HTMLElement", "Node", "navigator", ...names]) {
    Object.defineProperty(globalThis, name, { value: name === "window" ? window : window[name], configurable: true, writable: true });
  }
}

/** A server that answers with a stream: notes what it is asked, and when a request is given up. */
export function answering(stream) {
  const asked = [];
  globalThis.fetch = async (url, init) => {
    asked.push([String(url), init.method ?? "GET", init.body, Object.fromEntries(new Headers(init.headers))]);
    init.signal.addEventListener("abort", () => asked.push("aborted"));
    return new Response(stream.pipeThrough(new TextEncoderStream()));
  };
  return asked;
}
