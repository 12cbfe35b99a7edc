"""The seven tools as LlamaIndex tools, for any agent that calls tools."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

from llama_index.core.base.llms.types import ContentBlock
from llama_index.core.tools import FunctionTool, ToolMetadata, ToolOutput
from llama_index.core.tools.tool_spec.base import BaseToolSpec

from llama_index_vectree.convert.calls import given_arguments
from llama_index_vectree.convert.results import to_output
from llama_index_vectree.library import as_library
from vectree.agent.images import load_image
from vectree.agent.library import Library
from vectree.agent.results import ToolResult
from vectree.agent.tool import ToolDef
from vectree.agent.tools import TOOLS, find_tool, run_tool
from vectree.corpus.facade import Corpus
from vectree.corpus.tool_methods import ToolMethods
from vectree.errors import ToolError, UsageError
from vectree.llm.chat import Image

Images = Literal["inline", "reference"]

ALL_LAYERS = (0, 1, 2)


class VecTreeTool(FunctionTool):
    """One of the seven tools; make it with `VecTreeToolSpec` or `VecTreeTool.of`.

    Arguments are checked, which LlamaIndex leaves to the model. What a model can correct (unknown documents,
    pages that do not exist, bad arguments) comes back as an output with ``is_error`` and the text that VecTree's
    own agent would see. A damaged corpus or a failing embedder is raised. ``raw_output`` is plain JSON, see
    `llama_index_vectree.convert.results.Artifact`.

    Args:
        library: Where it reads.
        definition: Its row in the table of tools.
        images: ``"inline"``: figures are image blocks behind the text. ``"reference"``: ``raw_output`` names them.
        keep_data: Whether ``raw_output`` includes the result as plain JSON.
        metadata: Takes the place of the table's name and description.
    """

    def __init__(
        self,
        library: Library,
        definition: ToolDef,
        *,
        images: Images = "inline",
        keep_data: bool = True,
        metadata: ToolMetadata | None = None,
    ) -> None:
        self._library = library
        self._definition = definition
        self._images: Images = images
        self._keep_data = keep_data
        super().__init__(
            fn=self._blocks,
            async_fn=self._ablocks,
            metadata=metadata
            or ToolMetadata(
                name=definition.name, description=definition.description, fn_schema=definition.arguments
            ),
        )

    @classmethod
    def of(
        cls, corpus: Corpus | Library, name: str, *, images: Images = "inline", keep_data: bool = True
    ) -> VecTreeTool:
        """Make a tool by its name.

        Args:
            corpus: A corpus or library.
            name: One of the seven names.
            images: How figures are returned.
            keep_data: Whether ``raw_output`` includes the result as plain JSON.

        Returns:
            The tool.
        """
        return cls(as_library(corpus), _defined(name), images=images, keep_data=keep_data)

    @property
    def layer(self) -> int:
        """Disclosure layer: 0 which papers, 1 where in a paper, 2 its text and figures."""
        return int(self._definition.layer)

    def call(self, *args: Any, **kwargs: Any) -> ToolOutput:
        """Run the tool.

        Args:
            *args: Arguments by position, in the order of the tool's schema.
            **kwargs: Arguments by name.

        Returns:
            Text, figures and ``raw_output``.
        """
        given = {**self._by_name(args), **kwargs}
        result = run_tool(self._library, self._definition.name, given_arguments(given))
        result, images = self._with_images(result)
        return to_output(self._definition, given, result, images, data=self._keep_data)

    async def acall(self, *args: Any, **kwargs: Any) -> ToolOutput:
        """`call` without blocking the event loop.

        Args:
            *args: As `call`.
            **kwargs: As `call`.

        Returns:
            As `call`.
        """
        return await asyncio.to_thread(self.call, *args, **kwargs)

    def _blocks(self, **kwargs: Any) -> list[ContentBlock]:
        return self.call(**kwargs).blocks

    async def _ablocks(self, **kwargs: Any) -> list[ContentBlock]:
        return (await self.acall(**kwargs)).blocks

    def _by_name(self, values: Sequence[Any]) -> dict[str, Any]:
        names = list(self._definition.arguments.model_fields)
        if len(values) > len(names):
            raise UsageError(f"{self._definition.usage} takes {len(names)} arguments, not {len(values)}.")
        return dict(zip(names, values, strict=False))

    def _with_images(self, result: ToolResult) -> tuple[ToolResult, Sequence[Image]]:
        if not result.images or self._images == "reference":
            return result, ()
        try:
            return result, [load_image(self._library, image) for image in result.images]
        except ToolError as error:
            return not_attached(result, error), ()


class VecTreeToolSpec(ToolMethods, BaseToolSpec):
    """The seven tools over one corpus, or those of some layers. Each is a method too.

    Example:
        .. code-block:: python

            from llama_index.core.agent.workflow import FunctionAgent
            from llama_index_vectree import VecTreeToolSpec
            from vectree import Corpus

            tools = VecTreeToolSpec(Corpus.open("papers-corpus")).to_tool_list()
            agent = FunctionAgent(tools=tools, llm=llm)

    Args:
        corpus: A corpus or library.
        layers: Layers whose tools are handed out: 0 search, 1 structure, 2 text and figures.
        images: How figures are returned; see `VecTreeTool`.
        keep_data: Whether ``raw_output`` includes the result as plain JSON.
    """

    # LlamaIndex's type allows pairs with the name of an async method; these tools are async by themselves.
    spec_functions: list[str | tuple[str, str]] = [tool.name for tool in TOOLS]  # noqa: RUF012

    def __init__(
        self,
        corpus: Corpus | Library,
        *,
        layers: Sequence[int] = ALL_LAYERS,
        images: Images = "inline",
        keep_data: bool = True,
    ) -> None:
        ToolMethods.__init__(self, as_library(corpus))
        if not layers or not set(layers) <= set(ALL_LAYERS):
            raise UsageError(f"layers={list(layers)}; choose from {list(ALL_LAYERS)}.")
        self.spec_functions = [tool.name for tool in TOOLS if tool.layer in layers]
        self._images: Images = images
        self._keep_data = keep_data

    def to_tool_list(
        self,
        spec_functions: list[str | tuple[str, str]] | None = None,
        func_to_metadata_mapping: dict[str, ToolMetadata] | None = None,
    ) -> list[FunctionTool]:
        """Hand out the tools.

        Args:
            spec_functions: Only these; by default those of the chosen layers, in the order of the table.
            func_to_metadata_mapping: Name to metadata that takes the place of the table's.

        Returns:
            The tools, sync and async.
        """
        names = [name if isinstance(name, str) else name[0] for name in spec_functions or self.spec_functions]
        renamed = func_to_metadata_mapping or {}
        return [
            VecTreeTool(
                self.library,
                _defined(name),
                images=self._images,
                keep_data=self._keep_data,
                metadata=renamed.get(name),
            )
            for name in names
        ]


def not_attached(result: ToolResult, error: ToolError) -> ToolResult:
    """A result whose figures cannot be shown: it says so, and a figure that was not shown was not read.

    Args:
        result: The result.
        error: What is wrong with a figure.

    Returns:
        The result without figures and sources.
    """
    return ToolResult(
        text=f"{result.text} [Not attached: {error}]", data=result.data, arguments=result.arguments
    )


def _defined(name: str) -> ToolDef:
    definition = find_tool(name)
    if definition is None:
        raise UsageError(f"No tool {name!r}; there are {', '.join(tool.name for tool in TOOLS)}.")
    return definition
