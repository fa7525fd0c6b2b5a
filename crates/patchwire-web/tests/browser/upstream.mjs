// A model's server that says what a check has it say, and a way to it that can be cut.

import { once } from "node:events";
import { createServer } from "node:http";
import { connect, createServer as createProxy } from "node:net";

const listening = async (server) => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server.address().port;
};

// One request, and the answer to it while it is written.
class Chat {
  constructor(request, response, body) {
    this.authorization = request.headers.authorization;
    this.body = body;
    this.response = response;
    this.closed = once(response, "close");
  }

  delta(delta, more = {}) {
    if (!this.response.headersSent) this.response.writeHead(200, { "Content-Type": "text/event-stream" });
    this.response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, ...more }] })}\n\n`);
  }

  // A text, in pieces of so many letters.
  says(text, size = 5) {
    for (let at = 0; at < text.length; at += size) this.delta({ content: text.slice(at, at + size) });
  }

  end() {
    this.delta({}, { finish_reason: "stop" });
    this.response.end("data: [DONE]\n\n");
  }

  refuses(status, message) {
    this.response.writeHead(status, { "Content-Type": "application/json" });
    this.response.end(JSON.stringify({ error: { message } }));
  }

  breaks() {
    this.response.destroy();
  }
}

// Chats are asked for in the order in which they come.
export async function model() {
  const [waiting, wanted] = [[], []];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request.setEncoding("utf8")) text += part;
    const chat = new Chat(request, response, JSON.parse(text));
    const next = wanted.shift();
    if (next) next(chat);
    else waiting.push(chat);
  });
  const port = await listening(server);
  const next = () => (waiting.length > 0 ? Promise.resolve(waiting.shift()) : new Promise((done) => wanted.push(done)));
  return { url: `http://127.0.0.1:${port}/v1`, next, close: () => server.close(() => {}) };
}

// Leads to a port, until all that goes through it is cut.
export async function way(to) {
  const open = new Set();
  const server = createProxy((client) => {
    const other = connect(to, "127.0.0.1");
    for (const [one, next] of [[client, other], [other, client]]) {
      open.add(one);
      one.on("error", () => next.destroy());
      one.on("close", () => open.delete(one));
      one.pipe(next);
    }
  });
  const port = await listening(server);
  const cut = () => open.forEach((one) => one.destroy());
  return { url: `http://127.0.0.1:${port}/`, cut, close: () => (cut(), server.close()) };
}
