"""LangChain: an output parser that streams patches, or the value so far."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal

from langchain_core.messages import BaseMessage
from langchain_core.output_parsers import BaseTransformOutputParser
from langchain_core.exceptions import OutputParserException

from ._core import Spec
from ._data import data_of
from ._errors import AnswerError, MissingError, Truncated
from ._reader import AsyncReader, Reader


class PatchwireParser(BaseTransformOutputParser[Any]):  # type: ignore[misc,unused-ignore]
    """The end of a chain: `prompt | model | PatchwireParser(schema=Report)`.

    `stream` and `astream` give patches, or with `streams="values"` the value so far (a copy, after each chunk that changed
    it). `invoke` gives the value as the type of the schema.
    """

    spec: Any
    """The settings."""
    streams: Literal["patches", "values"] = "patches"
    """What a stream gives."""

    def __init__(self, schema: Any = None, *, streams: Literal["patches", "values"] = "patches", **settings: Any) -> None:
        spec = schema if isinstance(schema, Spec) and not settings else Spec(schema, **settings)
        super().__init__(spec=spec, streams=streams)  # type: ignore[call-arg,unused-ignore]

    @property
    def _type(self) -> str:
        return "patchwire"

    def get_format_instructions(self) -> str:
        """The text that makes a model write what is expected."""
        text: str = self.spec.prompt()
        return text

    def parse(self, text: str) -> Any:
        """The value of a whole answer, as the type of the schema."""
        from ._core import parse

        try:
            return data_of(parse(text, self.spec), self.spec.type)
        except AnswerError as error:
            raise OutputParserException(str(error), llm_output=text) from error

    def _transform(self, input: Iterator[str | BaseMessage]) -> Iterator[Any]:
        reader = Reader(input, self.spec)
        if self.streams == "patches":
            yield from reader
            return
        try:
            for value in reader.values(""):
                yield copy.deepcopy(value)
        except (MissingError, Truncated):
            # A stream ends with what there is; `invoke` says what is missing.
            return

    async def _atransform(self, input: AsyncIterator[str | BaseMessage]) -> AsyncIterator[Any]:
        async with AsyncReader(input, self.spec) as reader:
            if self.streams == "patches":
                async for patch in reader:
                    yield patch
                return
            try:
                async for value in reader.values(""):
                    yield copy.deepcopy(value)
            except (MissingError, Truncated):
                return
