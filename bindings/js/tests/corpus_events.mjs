// The events of a case of the corpus as lines, wherever the package runs.

/** What the package of `Parser` and `StreamError` makes of a case, in pieces of three bytes. */
export function eventsOf({ Parser, StreamError }, { input, ...options }) {
  const parser = new Parser(options);
  const events = [];
  try {
    const bytes = Uint8Array.from(input.match(/../gu) ?? [], (byte) => Number.parseInt(byte, 16));
    for (let at = 0; at < bytes.length; at += 3) events.push(...parser.feed(bytes.subarray(at, at + 3)));
    events.push(...parser.finish());
  } catch (error) {
    if (!(error instanceof StreamError)) throw error;
    events.push(...error.events, { event: "error", code: error.code });
  } finally {
    parser.free();
  }
  return events.map((event) => JSON.stringify(event));
}
