// The form that asks a model, and its answer on the stage.

import { AnswerStream } from "./answer_stream.js";

const $ = (id) => document.getElementById(id);

// The form's defaults.
const PROMPT = "Plan a herb garden for a small balcony that gets the sun in the morning.";
const SCHEMA = `title: [str, one line, true]
summary: [str, two or three sentences, true]
steps:
  - do: [str, what to do]
    minutes: [int, how long it takes]
needs: [[str, one thing to buy]]
tip: str
`;

// Hints for errors that can only be fixed where the server is started.
const MENDED = {
  401: "If it wants a key: patchwire serve --upstream … --upstream-key-env NAME, where the variable NAME holds it.",
  403: "If it wants a key: patchwire serve --upstream … --upstream-key-env NAME, where the variable NAME holds it.",
  404: "Is there a model of that name?",
};

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export class Ask {
  constructor({ upstream, formats, tags }, stage, cut) {
    this.stage = stage;
    this.cut = cut;
    this.answer_stream = null;
    const named = upstream.model ?? upstream.protocol ?? "a model";
    $("ask-name").textContent = upstream.host ? `${named} at ${upstream.host}` : named;
    $("ask-prompt").value = PROMPT;
    $("ask-schema").value = SCHEMA;
    $("ask-model").value = upstream.model ?? "";
    $("ask-model").required = upstream.model === null;
    $("ask-model").placeholder = upstream.model ?? "its name";
    $("ask-format").append(...formats.map((name) => new Option(name)));
    $("ask-tags").append(new Option("as usual", ""), ...[...tags, "none"].map((name) => new Option(name)));
    this.listen();
    this.fit();
  }

  listen() {
    $("ask").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.answer_stream) this.stop();
      else this.send();
    });
    $("ask").addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.answer_stream) return this.stop();
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!this.answer_stream) $("ask").requestSubmit();
    });
    $("ask-format").addEventListener("change", () => this.fit());
    // Leaving the page cancels the answer.
    addEventListener("pagehide", () => this.answer_stream?.stop());
  }

  choose() {
    history.replaceState(null, "", "?ask");
  }

  // A text has no fields, so it has no schema.
  fit() {
    $("ask-schema-label").hidden = $("ask-format").value === "text";
  }

  // The options for the gateway.
  settings() {
    const [format, tags] = [$("ask-format").value, $("ask-tags").value];
    const schema = format === "text" ? "" : $("ask-schema").value.trim();
    return { format, ...(schema && { schema }), ...(tags && { tags }) };
  }

  async send() {
    const settings = this.settings();
    const model = $("ask-model").value.trim();
    const body = {
      ...(model && { model }),
      messages: [{ role: "user", content: $("ask-prompt").value }],
      patchwire: { ...settings, ...($("ask-prompted").checked && { prompt: true }), raw: true },
    };
    const answer_stream = new AnswerStream(body, {
      onLost: () => this.stage.say("live", "The connection was lost; coming back …"),
      onBack: () => this.stage.say("live", ""),
    });
    const came = [];
    const piece = ({ name, event }) => {
      if (name !== "raw") return null;
      came.push(event.delta);
      return [event.delta, event.span[1]];
    };
    this.cut.clear();
    this.stage.begin({ piece, options: settings, onStop: () => this.leave(answer_stream) });
    this.stage.say("live", "Asked. The model has not begun yet …");
    this.set(answer_stream);
    // On a small screen, the answer is below the visible part.
    const stage = $("stage");
    if (stage.getBoundingClientRect().top > innerHeight * 0.75) stage.scrollIntoView();
    await this.follow(answer_stream);
    if (this.answer_stream !== answer_stream) return;
    this.set(null);
    this.offerCut(came.join(""), settings);
  }

  async follow(answer_stream) {
    let hasBegun = false;
    let refusal = null;
    try {
      for await (const batch of answer_stream.batches()) {
        if (answer_stream.isStopped) return;
        if (!hasBegun) this.stage.say("live", "");
        hasBegun = true;
        for (const record of batch) {
          refusal = record.event.facts?.refusal ?? refusal;
          this.stage.show(record);
        }
      }
      if (refusal === null) await this.stage.end();
      else this.stage.fail(`The model refuses to answer: ${refusal}`);
    } catch (error) {
      if (answer_stream.isStopped) return;
      const mended = error.code === "upstream_refused" ? MENDED[error.status] : null;
      this.stage.fail([sentence(error.message), mended].filter(Boolean).join(" "));
    }
  }

  // An answer can be cut even if it was stopped or broke off.
  offerCut(text, patchwire) {
    if (text === "") return;
    const headers = { "Content-Type": "application/json" };
    const request = ({ cut }) => [
      "/v1/cut",
      { method: "POST", headers, body: JSON.stringify({ text, cut: cut === undefined ? [] : [cut], patchwire }) },
    ];
    this.cut.choose({}, new TextEncoder().encode(text), request);
  }

  stop() {
    this.answer_stream.stop();
    this.stage.stopped();
  }

  // Something else is shown on the stage.
  leave(answer_stream) {
    answer_stream.stop();
    if (this.answer_stream === answer_stream) this.set(null);
  }

  set(answer_stream) {
    this.answer_stream = answer_stream;
    $("ask-send").textContent = answer_stream ? "Stop" : "Send";
  }
}
