"""The seven tools as LangChain tools, for any chatbot that calls tools."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

from langchain_core.callbacks import CallbackManagerForToolRun
from langchain_core.tools import BaseTool, BaseToolkit, ToolException
from langchain_core.tools.base import ArgsSchema
from pydantic import ConfigDict, Field, PrivateAttr

from langchain_vectree.convert.messages import Block, image_block, text_block
from langchain_vectree.convert.results import Artifact, to_artifact
from langchain_vectree.library import as_library
from vectree.agent.images import load_image
from vectree.agent.library import Library
from vectree.agent.results import ToolResult
from vectree.agent.tool import ToolDef, read_arguments
from vectree.agent.tools import TOOLS, find_tool, run_tool
from vectree.errors import InvalidArguments, ToolError, UsageError

Images = Literal["inline", "reference"]

ALL_LAYERS = (0, 1, 2)


class VecTreeTool(BaseTool):
    """One of the seven tools; make it with `VecTreeToolkit` or `VecTreeTool.of`.

    What a model can correct (unknown documents, pages that do not exist, bad arguments) is handled inside:
    the tool message has status ``"error"`` and the text that VecTree's own agent would see. A damaged corpus
    or a failing embedder is raised. Artifacts hold plain JSON types, so that any checkpointer can keep them.

    Attributes:
        library: Where it reads.
        definition: Its row in the table of tools.
        images: ``"inline"``: figures are standard image blocks in the message. ``"reference"``: the artifact
            names them, and `langchain_vectree.images.attach` loads them when a model is called.
        keep_data: Whether artifacts include the result as plain JSON.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    library: Any = Field(repr=False, exclude=True)
    definition: ToolDef = Field(repr=False, exclude=True)
    images: Images = "inline"
    keep_data: bool = True
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    handle_tool_error: Any = True

    @classmethod
    def of(cls, corpus: Any, name: str, *, images: Images = "inline", keep_data: bool = True) -> VecTreeTool:
        """Make a tool by its name.

        Args:
            corpus: A corpus or library.
            name: One of the seven names.
            images: How figures are returned.
            keep_data: Whether artifacts include the result as plain JSON.

        Returns:
            The tool.

        Raises:
            UsageError: If there is no tool of that name.
        """
        definition = find_tool(name)
        if definition is None:
            raise UsageError(f"No tool {name!r}; there are {', '.join(tool.name for tool in TOOLS)}.")
        layer = int(definition.layer)
        return cls(
            name=definition.name,
            description=definition.description,
            args_schema=definition.arguments,
            library=as_library(corpus),
            definition=definition,
            images=images,
            keep_data=keep_data,
            tags=["vectree", f"layer:{layer}"],
            metadata={"vectree_layer": layer},
        )

    @property
    def layer(self) -> int:
        """Disclosure layer: 0 which papers, 1 where in a paper, 2 its text and figures."""
        return int(self.definition.layer)

    @property
    def tool_call_schema(self) -> ArgsSchema:
        """The flat schema that VecTree's own agent shows; some services refuse the ``anyOf`` of others."""
        return {
            "title": self.name,
            "description": self.description,
            **self.definition.parameters,
        }

    def _parse_input(self, tool_input: str | dict[str, Any], tool_call_id: str | None) -> dict[str, Any]:
        # Here rather than in pydantic's hands, so that models read the same words as in VecTree's own agent.
        try:
            given = self._mapping(tool_input)
            return self.definition.validate(given).model_dump(exclude_none=True, exclude_unset=True)
        except ToolError as error:
            raise ToolException(_error_text(self.library, self.name, tool_input)) from error

    def _mapping(self, tool_input: str | dict[str, Any]) -> dict[str, Any]:
        """A text is the first argument, as LangChain has it, or all of them as a JSON object."""
        if isinstance(tool_input, dict):
            return tool_input
        try:
            return (
                read_arguments(tool_input) if tool_input.lstrip().startswith("{") else self._first(tool_input)
            )
        except InvalidArguments:
            return self._first(tool_input)

    def _first(self, text: str) -> dict[str, Any]:
        return {next(iter(self.definition.arguments.model_fields)): text}

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[()], dict[str, Any]]:
        return (), self._parse_input(tool_input, tool_call_id)

    def _run(
        self, *, run_manager: CallbackManagerForToolRun | None = None, **arguments: Any
    ) -> tuple[str | list[Block], Artifact]:
        result = run_tool(self.library, self.name, arguments)
        if result.error:
            raise ToolException(result.text)
        artifact = to_artifact(self.name, self.definition, result, data=self.keep_data)
        return _content(self.library, result, self.images), artifact

    async def _arun(self, **arguments: Any) -> tuple[str | list[Block], Artifact]:
        arguments.pop("run_manager", None)
        return await asyncio.to_thread(self._run, **arguments)


class VecTreeToolkit(BaseToolkit):
    """The seven tools over one corpus, or those of some layers.

    Example:
        .. code-block:: python

            from langchain_vectree import VecTreeToolkit
            from vectree import Corpus

            tools = VecTreeToolkit(corpus=Corpus.open("papers-corpus")).get_tools()
            model_with_tools = model.bind_tools(tools)

    Attributes:
        corpus: A corpus or library.
        layers: Layers whose tools are handed out: 0 search, 1 structure, 2 text and figures.
        images: How figures are returned; see `VecTreeTool`.
        keep_data: Whether artifacts include the result as plain JSON.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    corpus: Any = Field(repr=False, exclude=True)
    layers: Sequence[int] = ALL_LAYERS
    images: Images = "inline"
    keep_data: bool = True

    _library: Library = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Check the settings.

        Args:
            context: Of pydantic; unused.

        Raises:
            UsageError: If there is no such layer.
        """
        super().model_post_init(context)
        self._library = as_library(self.corpus)
        if not self.layers or not set(self.layers) <= set(ALL_LAYERS):
            raise UsageError(f"layers={list(self.layers)}; choose from {list(ALL_LAYERS)}.")

    def get_tools(self) -> list[BaseTool]:
        """Hand out the tools.

        Returns:
            The tools of the chosen layers, in the order of the table.
        """
        return [
            VecTreeTool.of(self._library, tool.name, images=self.images, keep_data=self.keep_data)
            for tool in TOOLS
            if tool.layer in self.layers
        ]


def _error_text(library: Library, name: str, tool_input: str | dict[str, Any]) -> str:
    """The observation for arguments that do not fit; nothing is executed for them."""
    return run_tool(library, name, tool_input).text


def _content(library: Library, result: ToolResult, images: Images) -> str | list[Block]:
    if not result.images or images == "reference":
        return result.text
    try:
        blocks = [image_block(load_image(library, image)) for image in result.images]
    except ToolError as error:
        return f"{result.text} [Not attached: {error}]"
    return [text_block(result.text), *blocks]
