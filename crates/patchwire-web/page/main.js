// The page: the streams to watch, and the stage.

import { Ask } from "./ask.js";
import { Cut } from "./cut.js";
import { Play } from "./play.js";
import { Stage } from "./stage.js";
import { theme } from "./theme.js";

const $ = (id) => document.getElementById(id);

const fetchJson = async (address) => (await fetch(address)).json();

function cutPanel() {
  const { slider, every } = { slider: $("cut-at"), every: $("cut-every") };
  const parts = { panel: $("cut"), place: $("cut-place"), before: $("cut-before"), after: $("cut-after"), verdict: $("cut-verdict") };
  const values = { whole: $("cut-whole"), cut: $("cut-cut"), wholeTally: $("cut-whole-tally"), cutTally: $("cut-cut-tally") };
  return new Cut({ slider, every, ...parts, ...values });
}

async function begin() {
  const [{ streams }, upstream] = await Promise.all([fetchJson("/v1/streams"), fetchJson("/v1/upstream")]);
  const [stage, cut] = [new Stage(), cutPanel()];
  const play = new Play(streams, stage, cut);
  const asked = new URLSearchParams(location.search);
  play.offer(asked);
  const ask = upstream.upstream ? new Ask(upstream, stage, cut) : null;
  $("ask-none").hidden = ask !== null;
  $("asks").hidden = ask === null;
  const choose = (isAsking) => {
    $("controls").classList.toggle("asking", isAsking);
    $("playing").hidden = isAsking;
    $("about").hidden = isAsking;
    $("ask").hidden = !isAsking;
  };
  $("streams").addEventListener("change", ({ target }) => {
    choose(target === $("stream-ask"));
    if (target !== $("stream-ask")) return play.choose(target.value);
    play.stop();
    ask.choose();
  });
  if (ask === null || !asked.has("ask")) return play.begin();
  $("stream-ask").checked = true;
  choose(true);
  ask.choose();
}

theme($("theme"));
try {
  await begin();
} catch (error) {
  $("status").dataset.state = "failed";
  $("status").textContent = `The server cannot be asked: ${error.message}`;
}
