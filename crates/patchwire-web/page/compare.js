// Compares what was folded with a value of the wire, in steps, so that no key waits for a long value.

import { isNumber, numeral } from "./events.js";

// Pairs that are compared between two looks at the clock.
const STEPS = 500;

// Whether a folded node has exactly a wire value. `pace` lets the page draw in between.
export async function isExactly(node, value, pace) {
  const pairs = [[node, value]];
  for (let left = STEPS; pairs.length > 0; left -= 1) {
    if (left === 0) {
      left = STEPS;
      await pace.pause();
    }
    const [one, other] = pairs.pop();
    if (!isLike(one, other)) return false;
    // A list with a hole is not the same as one without it.
    if (one?.kind === "list") for (const [at, item] of one.items.entries()) pairs.push([item, other[at]]);
    for (const [name, of] of one?.members ?? []) pairs.push([of, other[name]]);
  }
  return true;
}

// Whether the two are the same, apart from what is inside of them.
function isLike(node, value) {
  switch (node?.kind) {
    case undefined:
      return value === null;
    case "text":
      return node.parts.join("") === value;
    case "scalar":
      return isScalar(value) && node.text === (isNumber(value) ? numeral(value) : String(value));
    case "list":
      return Array.isArray(value) && value.length === node.items.length;
    default:
      return isObject(value) && Object.keys(value).length === node.members.size && [...node.members.keys()].every((name) => Object.hasOwn(value, name));
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !isNumber(value);
const isScalar = (value) => typeof value !== "string" && !Array.isArray(value) && !isObject(value);
