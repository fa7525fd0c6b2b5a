#!/usr/bin/env python3
"""Extracts pairs (input, expected value) from the public tests of libraries that repair or complete JSON.

    python3 crates/testkit/suites/extract.py FOLDER > pairs.ndjson

FOLDER contains clones, or unpacked packages, under these names; one that is missing is said and left out:

    jsonrepair                github.com/josdejong/jsonrepair
    json_repair               github.com/mangiucugna/json_repair
    fantasy                   github.com/charmbracelet/fantasy (a port of json_repair to Go)
    ai                        github.com/vercel/ai
    best-effort-json-parser   github.com/beenotung/best-effort-json-parser
    langchain                 github.com/langchain-ai/langchain, or the source package langchain-core
    partial-json-parser       github.com/promplate/partial-json-parser
    partial-json-parser-js    github.com/promplate/partial-json-parser-js
    baml                      github.com/BoundaryML/baml

A line of the output is {"suite": …, "input": …, "expected": …}. The tests are read, never run: Python by `ast`,
the others by small tokenizers. A call whose arguments are not literals (or names of literals) is left out, and so
is a test that expects an error or no value at all; stderr says how many.

`undefined` as a member's value is no member, as it is for `JSON.stringify`. Where a test of partial-json-parser
reads one input with several options, the last one counts: it allows the most. Of BAML only
`test_code.rs` is read: elsewhere a schema makes the value, from aliases, enums and prose.
"""

import ast
import json
import re
import sys
from pathlib import Path


class NotLiteral(Exception):
    """What is to be read is not a literal."""


class Pairs:
    """The pairs of one suite, and how many calls gave none."""

    def __init__(self, suite):
        self.suite = suite
        self.pairs = []
        self.skipped = 0

    def add(self, text, expected, is_text):
        """Adds a pair; `is_text` says that the expectation is the text of a value."""
        try:
            value = json.loads(expected) if is_text else expected
            line = {"suite": self.suite, "input": text, "expected": value}
            if not isinstance(text, str):
                raise ValueError("the input is no text")
            text.encode()
            self.pairs.append(json.dumps(line, ensure_ascii=False, allow_nan=False))
            self.pairs[-1].encode()
        except (ValueError, TypeError):
            self.skipped += 1

    def keep_last(self):
        """Keeps the last expectation of each input."""
        self.pairs = list({json.loads(line)["input"]: line for line in self.pairs}.values())


# --- Python -----------------------------------------------------------------------------------------------


class PythonTests:
    """Reads `assert call(input) == expected`, through names, parameters and helpers of the file."""

    #: Arguments that change what a value is, or what is returned.
    OTHER_READING = {"strict", "schema", "stream_stable", "schema_repair_mode", "chunk_length"}

    def __init__(self, pairs, names, gives_text):
        self.pairs = pairs
        self.names = names
        self.gives_text = gives_text
        self.module = {}
        self.functions = {}

    def read(self, source):
        tree = ast.parse(source)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                self.functions[node.name] = node
            self.bind(node, self.module)
        called = {name for node in ast.walk(tree) for name in [self.call_name(node)]}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name not in called:
                for arguments in self.parameters(node):
                    self.run(node.body, {**self.module, **arguments}, 0)

    def parameters(self, function):
        """The values of a test's parameters, one dict a row."""
        rows = [{}]
        for decorator in function.decorator_list:
            if not (isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith("parametrize")):
                continue
            try:
                names, values = (self.value(it, self.module) for it in decorator.args[:2])
            except (NotLiteral, ValueError):
                return []
            names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
            values = [value if len(names) > 1 else (value,) for value in values]
            rows = [{**row, **dict(zip(names, value))} for row in rows for value in values]
        return rows

    def run(self, body, scope, depth):
        for node in body:
            self.bind(node, scope)
            if isinstance(node, ast.Assert):
                self.check(node.test, scope)
            elif isinstance(node, ast.Expr):
                self.enter(node.value, scope, depth)
            elif isinstance(node, (ast.With, ast.For, ast.If, ast.Try)):
                self.pairs.skipped += sum(self.call_name(it) in self.names for it in ast.walk(node))

    def enter(self, call, scope, depth):
        """Runs a helper of the file, as `check_repair(raw, expected)`."""
        helper = self.functions.get(self.call_name(call))
        if helper is None or depth > 2:
            return
        try:
            values = [self.value(it, scope) for it in call.args]
        except NotLiteral:
            self.pairs.skipped += 1
            return
        names = [argument.arg for argument in helper.args.args]
        self.run(helper.body, {**self.module, **dict(zip(names, values))}, depth + 1)

    def bind(self, node, scope):
        """Remembers what an assignment names: a literal, or a call that is not made."""
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            return
        target, value = node.targets[0], node.value
        is_call = self.call_name(value) in self.names
        try:
            bound = (value, dict(scope)) if is_call else self.value(value, scope)
        except NotLiteral:
            return
        if isinstance(target, ast.Name):
            scope[target.id] = bound
        elif isinstance(target, ast.Tuple) and is_call:
            # With a log, the first of the two is the value.
            scope[getattr(target.elts[0], "id", None)] = bound
        elif isinstance(target, ast.Tuple) and isinstance(bound, (tuple, list)):
            scope.update({getattr(name, "id", None): part for name, part in zip(target.elts, bound)})

    def check(self, test, scope):
        """Takes the pair of one assertion."""
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return
        if not isinstance(test.ops[0], (ast.Eq, ast.Is)):
            return
        call = test.left
        if isinstance(call, ast.Name) and isinstance(scope.get(call.id), tuple):
            named = scope[call.id]
            if len(named) == 2 and isinstance(named[0], ast.Call):
                call, scope = named[0], {**scope, **named[1]}
        if self.call_name(call) not in self.names:
            return
        options = {keyword.arg: keyword.value for keyword in call.keywords}
        try:
            if self.OTHER_READING & options.keys() or None in options or not call.args:
                raise NotLiteral
            text = self.value(call.args[0], scope)
            expected = self.value(test.comparators[0], scope)
        except NotLiteral:
            self.pairs.skipped += 1
            return
        gives_text = self.call_name(call) in self.gives_text and "return_objects" not in options
        self.pairs.add(text, expected, gives_text)

    @staticmethod
    def call_name(node):
        if not isinstance(node, ast.Call):
            return None
        return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)

    def value(self, node, scope):
        """The value of an expression of literals and names."""
        if isinstance(node, ast.Name) and node.id in scope and not self.is_call(scope[node.id]):
            return scope[node.id]
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mult)):
            left, right = self.value(node.left, scope), self.value(node.right, scope)
            try:
                return left + right if isinstance(node.op, ast.Add) else left * right
            except TypeError as error:
                raise NotLiteral from error
        if isinstance(node, (ast.List, ast.Tuple)):
            values = [self.value(it, scope) for it in node.elts]
            return values if isinstance(node, ast.List) else tuple(values)
        if isinstance(node, ast.Dict) and None not in node.keys:
            keys = [self.value(it, scope) for it in node.keys]
            return dict(zip(keys, (self.value(it, scope) for it in node.values)))
        if self.call_name(node) == "loads" and "loads" not in self.names and len(node.args) == 1:
            return json.loads(self.value(node.args[0], scope))
        if self.call_name(node) == "param":
            return tuple(self.value(it, scope) for it in node.args)
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError) as error:
            raise NotLiteral from error

    @staticmethod
    def is_call(value):
        return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], ast.Call)


# --- TypeScript and JavaScript ----------------------------------------------------------------------------

TOKEN = re.compile(
    r"""(?P<gap>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{(?:'(?:\\.|[^'\\])*'|[^'`}])*\}|[^`\\])*`)
    |(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
    |(?P<name>[A-Za-z_$][\w$]*)
    |(?P<regex>(?<=[(,=:])/(?:\\.|[^/\\\n])+/[a-z]*)
    |(?P<mark>=>|===|!==|.)""",
    re.VERBOSE | re.DOTALL,
)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
WORDS = {"true": True, "false": False, "null": None}
UNDEFINED = object()


def script_tokens(source):
    found = [(it.lastgroup, it.group()) for it in TOKEN.finditer(source)]
    return [token for token in found if token[0] != "gap"]


def script_string(token):
    """The value of a string as it is written."""
    if token[0] == "`" and re.search(r"(?<!\\)\$\{", token):
        raise NotLiteral

    def escape(match):
        written = match.group(1)
        if written[0] in "ux" and len(written) > 1:
            return chr(int(written[1:].strip("{}"), 16))
        return ESCAPES.get(written, written)

    text = re.sub(r"\\(u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|.)", escape, token[1:-1], flags=re.DOTALL)
    # Two halves of one character are one character.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


class ScriptTests:
    """Reads `expect(call(input)).toBe(expected)`, `strictEqual(call(input), expected)` and `unchanged(input)`."""

    COMPARISONS = {"toBe", "toEqual", "toStrictEqual", "equal", "equals", "eq", "eql"}

    def __init__(self, pairs, names, gives_text, unchanged=()):
        self.pairs = pairs
        self.names = names
        self.gives_text = gives_text
        self.unchanged = unchanged
        self.scope = {}
        self.tokens = []

    def read(self, source):
        self.tokens = script_tokens(source)
        at = 0
        while at < len(self.tokens):
            at = self.step(at)

    def step(self, at):
        """Reads what begins at a token; gives the token to go on with."""
        kind, text = self.tokens[at]
        if kind == "name" and text in ("const", "let", "var"):
            self.bind(at + 1)
        is_call = kind == "name" and self.mark(at + 1) == "("
        if is_call and text in ("expect", "strictEqual", "deepStrictEqual", "deepEqual", *self.unchanged):
            try:
                return self.pair(at, text)
            except (NotLiteral, IndexError, ValueError):
                self.pairs.skipped += text in self.unchanged
        elif is_call and text in self.names and self.word(at - 1) != "function":
            self.pairs.skipped += 1
        return at + 1

    def pair(self, at, opener):
        at = self.pass_mark(at + 1, "(")
        if opener in self.unchanged:
            value, at = self.value(at)
            self.pairs.add(value, value, self.gives_text)
            return at
        if self.word(at) not in self.names:
            raise NotLiteral
        value, at = self.value(self.pass_mark(at + 1, "("))
        while self.mark(at) != ")":
            # Options: names, `|` and `~`.
            if self.mark(at) == "(":
                raise NotLiteral
            at += 1
        at = self.pass_mark(at, ")")
        if opener == "expect":
            at += self.mark(at) == ","
            at = self.pass_mark(at, ")")
            while self.mark(at) == "." and self.word(at + 1) in ("deep", "to", "be"):
                at += 2
            if self.word(self.pass_mark(at, ".")) not in self.COMPARISONS:
                raise NotLiteral
            at = self.pass_mark(at + 2, "(")
        else:
            at = self.pass_mark(at, ",")
        expected, at = self.value(at)
        if self.mark(at) == ",":
            at += 1
        at = self.pass_mark(at, ")")
        self.pairs.add(value, expected, self.gives_text)
        return at

    def bind(self, at):
        """Remembers `name = literal`."""
        name, at = self.word(at), at + 1
        self.scope.pop(name, None)
        try:
            self.scope[name], at = self.value(self.pass_mark(at, "="))
            if self.mark(at) in (".", "(", "["):
                del self.scope[name]
        except (NotLiteral, IndexError, ValueError):
            pass

    def mark(self, at):
        kind, text = self.tokens[at] if at < len(self.tokens) else ("", "")
        return text if kind == "mark" else None

    def word(self, at):
        kind, text = self.tokens[at] if 0 <= at < len(self.tokens) else ("", "")
        return text if kind == "name" else None

    def pass_mark(self, at, mark):
        if self.mark(at) != mark:
            raise NotLiteral
        return at + 1

    def value(self, at):
        """The literal at a token, and the token behind it."""
        value, at = self.single(at)
        while self.mark(at) == "+":
            more, at = self.single(at + 1)
            if not (isinstance(value, str) and isinstance(more, str)):
                raise NotLiteral
            value += more
        return value, at

    def single(self, at):
        kind, text = self.tokens[at]
        if kind == "string":
            return script_string(text), at + 1
        if kind == "number":
            return json.loads(text), at + 1
        if kind == "name" and text in WORDS:
            return WORDS[text], at + 1
        if text == "undefined":
            return UNDEFINED, at + 1
        if kind == "name" and text in self.scope and self.mark(at + 1) not in ("(", "."):
            return self.scope[text], at + 1
        if text == "-":
            value, at = self.single(at + 1)
            return -float(value) if value == 0 else -value, at
        if text == "[":
            return self.array(at + 1)
        if text == "{":
            return self.object(at + 1)
        raise NotLiteral

    def array(self, at):
        items = []
        while self.mark(at) != "]":
            item, at = self.value(at)
            items.append(None if item is UNDEFINED else item)
            at += self.mark(at) == ","
        if self.mark(at + 1) == "." and self.word(at + 2) == "join":
            separator, at = self.value(self.pass_mark(at + 3, "("))
            return separator.join(items), self.pass_mark(at, ")")
        return items, at + 1

    def object(self, at):
        members = {}
        while self.mark(at) != "}":
            kind, text = self.tokens[at]
            if kind not in ("string", "name", "number"):
                raise NotLiteral
            key = script_string(text) if kind == "string" else text
            value, at = self.value(self.pass_mark(at + 1, ":"))
            if value is not UNDEFINED:
                members[key] = value
            at += self.mark(at) == ","
        return members, at + 1


# --- Go and Rust ------------------------------------------------------------------------------------------

GO_STRING = r'("(?:\\.|[^"\\\n])*"|`[^`]*`)'
GO_CASE = re.compile(rf"\{{\s*name:.*?\n\s*input:\s*{GO_STRING},(?P<between>.*?)\n\s*want:\s*(?:{GO_STRING},)?", re.DOTALL)


def read_go(pairs, source):
    """Reads tables of cases with the fields `input` and `want`, both strings."""

    def text(written):
        return written[1:-1] if written[0] == "`" else ast.literal_eval(written)

    for case in GO_CASE.finditer(source):
        given, wanted, between = case.group(1), case.group(3), case.group("between")
        if wanted is None or re.search(r"With(?!SkipJSONLoads|EnsureASCII)\w+", between):
            pairs.skipped += 1
        else:
            pairs.add(text(given), text(wanted), True)


RUST_CASE = re.compile(
    r"""test_deserializer!\(\s*\w+,\s*[^,]+,\s*
    (?:r(?P<hashes>\#+)"(?P<raw>.*?)"(?P=hashes)|"(?P<plain>(?:\\.|[^"\\])*)")\s*(?:\.trim\(\))?,
    \s*(?P<type>.*?),\s*(?P<json>[\[{].*?|"(?:\\.|[^"\\])*")\s*\n\);\n""",
    re.VERBOSE | re.DOTALL,
)


def read_rust(pairs, source):
    """Reads `test_deserializer!(name, schema, text, type, json)`, where the value is written as JSON."""
    for case in RUST_CASE.finditer(source):
        raw, plain = case.group("raw"), case.group("plain")
        # The values of strings may be raw strings of Rust.
        wanted = re.sub(r'r(#+)"(.*?)"\1', lambda it: json.dumps(it.group(2)), case.group("json"), flags=re.DOTALL)
        wanted = re.sub(r",(\s*[}\]])", r"\1", wanted)
        pairs.add(raw if raw is not None else ast.literal_eval(f'"""{plain}"""'), wanted, True)
    pairs.skipped += len(re.findall(r"(?m)^test_deserializer!\(", source)) - len(RUST_CASE.findall(source))


# --- the suites -------------------------------------------------------------------------------------------


def python_suite(names, gives_text=()):
    return lambda pairs, source: PythonTests(pairs, set(names), set(gives_text)).read(source)


def script_suite(names, gives_text, unchanged=()):
    return lambda pairs, source: ScriptTests(pairs, set(names), gives_text, unchanged).read(source)


#: Each suite: its name, which is that of its folder, the patterns of its files, and its reader.
SUITES = [
    ("jsonrepair", ["src/index.test.ts"], script_suite(["jsonrepair"], True, ("assertRepair",))),
    (
        "json_repair",
        [f"tests/test_{name}.py" for name in ("json_repair", "parse_*", "type_inference")],
        python_suite(["repair_json", "loads"], ["repair_json"]),
    ),
    ("fantasy", ["jsonrepair/jsonrepair_test.go"], read_go),
    ("ai", ["packages/ai/src/util/fix-json.test.ts", "packages/ai/core/util/fix-json.test.ts"], script_suite(["fixJson"], True)),
    ("best-effort-json-parser", ["src/parse.spec.ts"], script_suite(["parse"], False)),
    (
        "langchain",
        ["libs/core/tests/unit_tests/output_parsers/test_json.py", "tests/unit_tests/output_parsers/test_json.py"],
        python_suite(["parse_json_markdown", "parse_partial_json"]),
    ),
    ("partial-json-parser", ["tests/test_examples.py"], python_suite(["parse_json"])),
    ("partial-json-parser-js", ["tests/examples.test.js"], script_suite(["parse"], False)),
    ("baml", ["engine/baml-lib/jsonish/src/tests/test_code.rs"], read_rust),
]


def main(folder):
    for name, patterns, read in SUITES:
        files = sorted({path for pattern in patterns for path in (folder / name).glob(pattern)})
        if not files:
            print(f"{name}: no tests in {folder / name}, left out", file=sys.stderr)
            continue
        pairs = Pairs(name)
        for path in files:
            read(pairs, path.read_text(encoding="utf-8"))
        if name.startswith("partial-json-parser"):
            pairs.keep_last()
        for line in pairs.pairs:
            print(line)
        print(f"{name}: {len(pairs.pairs)} pairs, {pairs.skipped} calls left out", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.reconfigure(encoding="utf-8")
    main(Path(sys.argv[1]))
