"""Schemas and values as types."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import pickle
import typing
from typing import Annotated, Any, Literal, Optional, TypedDict

import pydantic
import pytest
import typing_extensions
from typing_extensions import NotRequired

import patchwire as pw


class Tone(enum.Enum):
    CALM = "calm"
    URGENT = "urgent"


@dataclasses.dataclass
class Row:
    sku: str
    price: float
    tags: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Report:
    """What happened."""

    title: Annotated[str, "one line"]
    tone: Tone
    rows: list[Row]
    when: datetime.date | None = None
    size: Literal["s", "m"] = "s"
    parent: Optional[Report] = None


class Draft(TypedDict):
    title: str
    n: NotRequired[int]


class Item(pydantic.BaseModel):
    sku: str
    qty: int = pydantic.Field(ge=1)


class Order(pydantic.BaseModel):
    customer: str
    items: list[Item]
    note: str | None = None


TEXT = """Sure! {"title": "Mill", "tone": "calm", "rows": [{"sku": "a1", "price": 3}], "when": "2026-01-02",
 "parent": {"title": "Up", "tone": "urgent", "rows": []}}"""


def test_dataclasses() -> None:
    report = pw.read([TEXT], Report).data()
    parent = Report("Up", Tone.URGENT, [])
    assert report == Report("Mill", Tone.CALM, [Row("a1", 3.0)], datetime.date(2026, 1, 2), "s", parent)
    prompt = pw.prompt(Report)
    assert "one line" in prompt and "calm" in prompt
    reader = pw.read([TEXT], Report)
    assert reader.get("rows[0]", Row) == Row("a1", 3.0)
    assert list(reader.each("rows", Row)) == [Row("a1", 3.0)]
    assert list(reader.each("rows", Row, indexed=True)) == [(0, Row("a1", 3.0))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"title": 3, "tone": "calm", "rows": []}', "title should be a string"),
        ('{"title": "x", "tone": "loud", "rows": []}', "tone should be"),
        ('{"title": "x", "tone": "calm"}', "rows is missing"),
    ],
)
def test_misfits_of_the_schema(text: str, message: str) -> None:
    with pytest.raises(pw.Invalid) as raised:
        pw.read([text], Report, align=False, exact=True).data()
    assert message in str(raised.value).replace("`", "")
    assert raised.value.value == pw.loads(text, Report, align=False) and raised.value.answer.has_value


def test_misfits_of_types() -> None:
    with pytest.raises(pw.Invalid, match="`when` should be a date"):
        pw.parse('{"title": "x", "tone": "calm", "rows": [], "when": "soon"}', Report).data()
    with pytest.raises(pw.Invalid, match="`\\[1\\].price` should be a number, and is 'x'"):
        pw.read(['[{"sku": "a", "price": 1}, {"sku": "b", "price": "x"}]']).data(list[Row])
    reader = pw.read(['{"rows": [{"sku": "a"}]}'])
    with pytest.raises(pw.Invalid, match="`rows\\[0\\].price` is missing") as raised:
        reader.get("rows[0]", Row)
    assert raised.value.value == {"sku": "a"}


def test_typed_dicts() -> None:
    assert pw.read(['{"title": "x"}'], Draft).data() == {"title": "x"}
    with pytest.raises(pw.Invalid, match="title is missing"):
        pw.read(['{"n": 1}'], Draft).data()


def test_types_of_the_standard_library() -> None:
    for of, text, value in (
        (list[int], "[1, 2]", [1, 2]),
        (dict[str, float], '{"a": 1}', {"a": 1.0}),
        (tuple[int, str], '[1, "a"]', (1, "a")),
        (tuple[int, ...], "[1, 2]", (1, 2)),
        (set[str], '["a", "a"]', {"a"}),
        (Any, "[null]", [None]),
        (int | str, '"a"', "a"),
    ):
        assert pw.parse(text, of).data() == value, of


def test_pydantic_models() -> None:
    text = '{"customer": "Ada", "items": [{"sku": "a", "qty": 2}, {"sku": "b", "qty": 1}]}'
    reader = pw.read([text[:40], text[40:]], Order)
    assert list(reader.each("items", Item)) == [Item(sku="a", qty=2), Item(sku="b", qty=1)]
    assert reader.data() == Order(customer="Ada", items=[Item(sku="a", qty=2), Item(sku="b", qty=1)])
    with pytest.raises(pw.PathError, match="did you mean `items\\[\\*\\].sku`"):
        reader.each("items[*].skuu")
    with pytest.raises(pw.Invalid) as raised:
        pw.read(['{"customer": "Ada", "items": [{"sku": "a", "qty": 0}]}'], Order).data()
    assert raised.value.errors[0]["loc"] == ("items", 0, "qty")
    assert isinstance(raised.value.__cause__, pydantic.ValidationError)


def test_pydantic_inside_other_types() -> None:
    @dataclasses.dataclass
    class Page:
        order: Order

    assert pw.parse('{"order": {"customer": "Ada", "items": []}}', list[Order] | Page) is not None
    assert pw.parse('[{"sku": "a", "qty": 1}]', list[Item]).data() == [Item(sku="a", qty=1)]
    assert pw.parse('[{"sku": "a", "qty": 1}]', pydantic.TypeAdapter(list[Item])).data() == [Item(sku="a", qty=1)]


def test_models_read_json() -> None:
    class Strict(pydantic.BaseModel, strict=True):
        when: datetime.date

    assert pw.parse('{"when": "2026-01-02"}', Strict).data().when == datetime.date(2026, 1, 2)


def test_json_schema_the_dsl_and_examples() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    for written in (schema, {"a": ["int", "", True]}, "a: [int, '', true]", pw.example({"a": 1})):
        assert pw.parse('{"a": "3"}', written).data() == {"a": 3}, written
        with pytest.raises(pw.Invalid, match="a is missing"):
            pw.parse('{"b": 3}', written).data()
    nested = pw.Spec(pw.example({"rows": [{"n": 1}, {"n": 2.5}], "none": None})).json_schema()
    assert nested["properties"]["rows"]["items"]["anyOf"][0]["properties"] == {"n": {"type": "integer"}}
    with pytest.raises(pw.SchemaError, match="an example has only what JSON has"):
        pw.Spec(pw.example({"a": object()}))
    assert pw.Spec(Item(sku="a", qty=1)).type is Item


def test_closed_schemas_for_endpoints() -> None:
    closed = pw.Spec(Draft).json_schema(closed=True)
    definition = closed.get("$defs", {}).get("Draft", closed)
    assert definition["additionalProperties"] is False and definition["required"] == ["title", "n"]


def test_what_nothing_checks() -> None:
    spec = pw.Spec({"type": "object", "properties": {"a": {"type": "string", "pattern": "^x"}}})
    assert any("pattern" in keyword for keyword in spec.unchecked())


def test_classes_that_are_no_schema() -> None:
    class Plain:
        pass

    with pytest.raises(pw.SchemaError, match="`Plain`: write a dataclass, a TypedDict or a model"):
        pw.Spec(Plain)


def test_specs_of_types_can_be_pickled() -> None:
    spec = pickle.loads(pickle.dumps(pw.Spec(Order, tools=[Item])))
    assert spec.type is Order and spec.tool_types == {"Item": Item}
    assert pickle.loads(pickle.dumps(pw.parse('{"customer": "a", "items": []}', Order))).data() == Order(customer="a", items=[])


def test_tools_in_the_forms_of_providers() -> None:
    parameters = {"type": "object", "properties": {"days": {"type": "integer"}}}
    text = "<tool_call><function=w><parameter=days>3</parameter></function></tool_call>"
    for tools in (
        [{"type": "function", "function": {"name": "w", "parameters": parameters}}],
        [{"type": "function", "name": "w", "parameters": parameters}],
        [{"name": "w", "input_schema": parameters}],
        [{"toolSpec": {"name": "w", "inputSchema": {"json": parameters}}}],
        {"w": parameters},
        [{"function_declarations": [{"name": "v"}, {"name": "w", "parameters": parameters}]}],
    ):
        assert pw.parse(text, format="text", tags="qwen", tools=tools).calls[0].arguments == {"days": 3}
    assert pw.Spec(format="text", tags="qwen", tools=[{"type": "function", "function": {"name": "now"}}])


def test_tools_of_langchain() -> None:
    tools = pytest.importorskip("langchain_core.tools")

    @tools.tool
    def weather(days: int) -> str:
        """The weather."""
        return str(days)

    delta = {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "weather", "arguments": '{"days": "2"}'}}]}}]}
    (call,) = pw.read([delta], tools=[weather]).calls()
    assert call.arguments == {"days": 2}


def test_calls_as_types() -> None:
    delta = {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "Item", "arguments": '{"sku": "a", "qty": "2"}'}}]}}]}
    (call,) = pw.read([delta], tools=[Item]).calls()
    assert call.data() == Item(sku="a", qty=2)
    assert call.data(dict[str, Any]) == {"sku": "a", "qty": 2}


def test_arguments_have_not_the_type_of_the_answer() -> None:
    delta = {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "f", "arguments": '{"n": 1}'}}]}}]}
    (call,) = pw.read([delta], Order).calls()
    assert call.data() == {"n": 1}
    text = "<tool_call>{\"name\": \"f\", \"arguments\": {\"n\": 1}}</tool_call>"
    (written,) = pw.parse(text, Order, tags="hermes-json").calls
    assert written.data() == {"n": 1}


class ExtendedDraft(typing_extensions.TypedDict):
    title: str
    item: NotRequired[Item]


class Strict(pydantic.BaseModel, strict=True):
    when: datetime.date
    tone: Tone
    pair: tuple[int, int]


@dataclasses.dataclass
class Positive:
    n: int

    def __post_init__(self) -> None:
        if self.n <= 0:
            raise ValueError("`n` must be positive")


@dataclasses.dataclass
class Bounded:
    n: Annotated[int, pydantic.Field(ge=3)]


def test_typed_dicts_of_typing_extensions() -> None:
    draft = pw.parse('{"title": "a", "item": {"sku": "b", "qty": 2}}', ExtendedDraft).data()
    assert draft == {"title": "a", "item": Item(sku="b", qty=2)}


def test_types_that_pydantic_refuses() -> None:
    class Mixed(TypedDict):
        item: Item

    class Called(pydantic.BaseModel):
        call: typing.Callable[[], int]

    if not hasattr(typing, "TypeAliasType"):
        with pytest.raises(pw.SchemaError, match="`Mixed`: Please use `typing_extensions.TypedDict`"):
            pw.Spec(Mixed)
    with pytest.raises(pw.SchemaError, match="`Called`: Cannot generate a JsonSchema"):
        pw.Spec(Called)


def test_parts_are_read_as_the_whole_is() -> None:
    row = '{"when": "2026-01-02", "tone": "calm", "pair": [1, 2]}'
    wanted = Strict(when=datetime.date(2026, 1, 2), tone=Tone.CALM, pair=(1, 2))
    reader = pw.read(['{"rows": [', row, '], "one": ', row, "}"])
    assert list(reader.each("rows", Strict)) == [wanted] and reader.get("one", Strict) == wanted
    assert pw.parse(row, Strict).data() == wanted


def test_classes_that_check_themselves() -> None:
    with pytest.raises(pw.Invalid, match="the value is not accepted by `Positive`: `n` must be positive") as raised:
        pw.parse('{"n": -1}', Positive).data()
    assert isinstance(raised.value.__cause__, ValueError) and raised.value.value == {"n": -1}
    with pytest.raises(pw.Invalid, match=r"`rows\[\*\]` is not accepted"):
        list(pw.read(['{"rows": [{"n": 0}]}']).each("rows", Positive))
    with pytest.raises(pw.Invalid, match="greater than or equal to 3"):
        pw.parse('{"n": 1}', Bounded).data()


def test_corners_of_the_standard_library() -> None:
    assert pw.parse('"calm"', Literal[Tone.CALM]).data() is Tone.CALM
    assert pw.parse('{"1": 2}', dict[int, int]).data() == {1: 2}
    assert pw.parse('"09:30"', datetime.time).data() == datetime.time(9, 30)
    for bare in (typing.List, typing.Tuple, typing.Set):  # noqa: UP006
        assert list(pw.parse("[1]", bare).data()) == [1]
    assert pw.parse('{"a": 1}', typing.Dict).data() == {"a": 1}  # noqa: UP006
    with pytest.raises(pw.Invalid, match="cannot be a set"):
        pw.parse('[{"a": 1}]', set[dict]).data()
    with pytest.raises(pw.Invalid, match="`a` should have an integer as its name"):
        pw.parse('{"a": 1}', dict[int, int]).data()
    with pytest.raises(pw.Invalid):
        pw.parse("1", Literal[True]).data()
