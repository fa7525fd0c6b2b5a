// The page: the streams to watch, a text of your own, and the stage.

import { Ask } from "./ask.js";
import { get, isLocal, scriptAddress } from "./connect.js";
import { Cut } from "./cut.js";
import { Own } from "./own.js";
import { Play } from "./play.js";
import { setView, unpack } from "./share.js";
import { Stage } from "./stage.js";
import { theme } from "./theme.js";

const $ = (id) => document.getElementById(id);

function cutPanel() {
  const { slider, every } = { slider: $("cut-at"), every: $("cut-every") };
  const parts = { panel: $("cut"), place: $("cut-place"), before: $("cut-before"), after: $("cut-after"), verdict: $("cut-verdict") };
  const values = { whole: $("cut-whole"), cut: $("cut-cut"), wholeTally: $("cut-whole-tally"), cutTally: $("cut-cut-tally") };
  return new Cut({ slider, every, ...parts, ...values });
}

// What is shown: a stream of the page, a text of your own, or the answer of a model.
class Choice {
  constructor(play, own, ask) {
    Object.assign(this, { play, own, ask });
    own.onDrop = () => this.open();
    $("streams").addEventListener("change", ({ target }) => this.choose(target));
  }

  show(kind) {
    $("controls").classList.toggle("asking", kind !== "stream");
    $("playing").hidden = kind === "ask";
    $("play").hidden = kind !== "stream";
    $("about").hidden = kind !== "stream";
    $("own").hidden = kind !== "own";
    $("ask").hidden = kind !== "ask";
    this.play.onChange = kind === "own" ? () => this.own.read(true) : () => this.play.play();
  }

  choose(target) {
    if (target === $("stream-own")) {
      this.open();
      return this.own.read();
    }
    if (target === $("stream-ask")) {
      this.show("ask");
      this.play.stop();
      return this.ask.choose();
    }
    this.show("stream");
    return this.play.choose(target.value);
  }

  // Shows the form of a text of your own.
  open() {
    $("stream-own").checked = true;
    this.show("own");
    this.play.stop();
  }

  // Shows the state of a link.
  restore(state) {
    this.play.slide(new Map(Object.entries(state)));
    setView(state);
    this.own.restore(state);
    return this.choose($("stream-own"));
  }

  // Another link in the address of the open page.
  async arrive() {
    const { hash } = location;
    const state = await unpack(hash.slice(1));
    if (location.hash !== hash) return;
    if (state) return this.restore(state);
    if (hash === "#own" && $("own").hidden) return this.choose($("stream-own"));
    if (hash === "" || $("own").hidden) return;
    // It is a place on the page, or no link: the text stays, and its address too.
    return this.own.keep();
  }

  // A step back from a text to a stream of the page.
  back() {
    if (location.hash !== "" || $("own").hidden) return;
    const asked = new URLSearchParams(location.search);
    const { name } = this.play.streams.find((stream) => stream.name === asked.get("stream")) ?? this.play.stream;
    this.play.slide(asked);
    setView(Object.fromEntries(asked));
    $(`stream-${name}`).checked = true;
    this.show("stream");
    return this.play.choose(name, true);
  }
}

// Until the choices are there, nothing is drawn.
const appear = () => $("main").classList.remove("beginning");

async function begin() {
  const [{ streams }, known] = await Promise.all([get("/v1/streams"), get("/v1/upstream")]);
  const [stage, cut] = [new Stage(), cutPanel()];
  const play = new Play(streams, stage, cut);
  const asked = new URLSearchParams(location.search);
  const state = location.hash.length > 1 ? await unpack(location.hash.slice(1)) : null;
  play.offer(asked);
  appear();
  const own = new Own(known, stage, cut, play);
  const ask = known.upstream ? new Ask(known, stage, cut) : null;
  $("ask-none").hidden = ask !== null || isLocal;
  $("asks").hidden = ask === null;
  const choice = new Choice(play, own, ask);
  const isAsking = ask !== null && asked.has("ask");
  addEventListener("hashchange", () => choice.arrive());
  addEventListener("popstate", () => choice.back());
  if (isAsking || location.hash === "#own") {
    const chosen = isAsking ? $("stream-ask") : $("stream-own");
    chosen.checked = true;
    return choice.choose(chosen);
  }
  if (state) return choice.restore(state);
  setView(Object.fromEntries(asked));
  return play.begin();
}

theme($("theme"));
try {
  await begin();
} catch (error) {
  appear();
  $("status").dataset.state = "failed";
  $("status").textContent = isLocal ? `The page cannot begin: ${error.message}` : `The server cannot be asked: ${error.message}`;
}
// From now on the page opens without a network.
if (isLocal) navigator.serviceWorker?.register(scriptAddress("offline.js")).catch(() => {});
