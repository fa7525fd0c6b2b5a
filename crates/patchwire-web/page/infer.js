// A schema from a value: what the value shows, in the form of an example.

// The most members and levels that are looked at.
const MEMBERS = 60;
const LEVELS = 8;

// The schema of a folded node; null if there is nothing to infer from.
export function infer(node, depth = 0) {
  if (!node || depth > LEVELS) return "any";
  switch (node.kind) {
    case "text":
      return "str";
    case "list":
      return [joined(node.items.slice(0, MEMBERS).map((item) => infer(item, depth + 1)))];
    case "object":
      return Object.fromEntries([...node.members].slice(0, MEMBERS).map(([name, of]) => [name, infer(of, depth + 1)]));
    default:
      if (node.text === "true" || node.text === "false") return "bool";
      if (node.text === "null") return "any";
      return /^-?\d+$/u.test(node.text) ? "int" : "float";
  }
}

// One schema for all items of a list.
function joined(all) {
  if (all.length === 0) return "any";
  return all.reduce((one, other) => {
    if (JSON.stringify(one) === JSON.stringify(other)) return one;
    if (isNumber(one) && isNumber(other)) return "float";
    if (Array.isArray(one) && Array.isArray(other)) return [joined([one[0], other[0]])];
    if (isObject(one) && isObject(other)) {
      const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
      return Object.fromEntries(names.map((name) => [name, joined([one[name], other[name]].filter((of) => of !== undefined))]));
    }
    return "any";
  });
}

const isNumber = (schema) => schema === "int" || schema === "float";
const isObject = (schema) => typeof schema === "object" && schema !== null && !Array.isArray(schema);

// A schema as YAML, as people would write it.
export function written(schema, indent = "") {
  if (typeof schema === "string") return schema;
  if (Array.isArray(schema)) {
    const [item] = schema;
    // `[str]` alone is a text.
    if (typeof item === "string") return `[[${item}]]`;
    return `\n${indent}- ${written(item, `${indent}  `).trimStart()}`;
  }
  const members = Object.entries(schema);
  if (members.length === 0) return "{}";
  const name = (text) => (/^[A-Za-z_][\w-]*$/u.test(text) ? text : JSON.stringify(text));
  return `\n${members.map(([key, of]) => `${indent}${name(key)}:${inside(of, indent)}`).join("\n")}`;
}

function inside(of, indent) {
  const text = written(of, `${indent}  `);
  return text.startsWith("\n") ? text : ` ${text}`;
}
