"""The server as the SDK's client sees it, without a transport."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp.client.client import Client

from vectree.agent.tools import TOOLS, run_tool
from vectree.errors import CorpusDamaged
from vectree.mcp.server import make_server
from vectree.testing.library import MemoryLibrary
from vectree.testing.sample_papers import sample_library
from vectree.tokens import count_tokens


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> str:
    """The protocol's two ways to begin: newer clients ask per request, older ones shake hands."""
    return request.param


async def test_it_offers_the_seven_tools_in_the_order_of_the_table(mode: str) -> None:
    async with Client(make_server(sample_library(), version="1.2"), mode=mode) as client:
        listed = await client.list_tools()
        assert [tool.name for tool in listed.tools] == [tool.name for tool in TOOLS]
        assert client.server_info is not None
        assert (client.server_info.name, client.server_info.version) == ("vectree", "1.2")


async def test_its_instructions_hold_the_rules_of_disclosure(mode: str) -> None:
    async with Client(make_server(sample_library(), version="1"), mode=mode) as client:
        instructions = client.instructions or ""
    for word in ("search_documents", "get_document_tree", "at most 5 pages", "doc_id, p.X", "synonyms"):
        assert word in instructions
    assert "<!--" not in instructions
    assert count_tokens(instructions) <= 400


async def test_a_call_answers_what_the_table_answers(mode: str) -> None:
    library = sample_library()
    async with Client(make_server(library, version="1"), mode=mode) as client:
        for name, arguments in (
            ("search_documents", {"query": "*"}),
            ("get_document_tree", {"doc_id": library.search("*").hits[0].doc_id}),
        ):
            got = await client.call_tool(name, arguments)
            assert got.content[0].text == run_tool(library, name, arguments).text  # type: ignore[union-attr]
            assert not got.is_error


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("get_page_content", {"doc_id": "nobody", "pages": "1"}, "exactly as search_documents gave it"),
        ("get_page_content", {"pages": "1"}, "doc_id is required"),
        ("get_page_contents", {}, "Did you mean get_page_content?"),
        ("search_documents", None, "query is required"),
    ],
)
async def test_mistakes_come_back_as_errors_in_words(name: str, arguments: Any, says: str) -> None:
    async with Client(make_server(sample_library(), version="1")) as client:
        got = await client.call_tool(name, arguments)
        assert got.is_error
        assert says in got.content[0].text  # type: ignore[union-attr]


class _Damaged(MemoryLibrary):
    def search(self, *_: Any, **__: Any) -> Any:
        raise CorpusDamaged("index/1/manifest.json is damaged.", hint="Run: vectree reindex.")


async def test_a_damaged_corpus_is_told_and_the_server_goes_on() -> None:
    async with Client(make_server(_Damaged([]), version="1")) as client:
        got = await client.call_tool("search_documents", {"query": "x"})
        assert got.is_error
        assert "vectree reindex" in got.content[0].text  # type: ignore[union-attr]
        assert len((await client.list_tools()).tools) == len(TOOLS)


class _Slow(MemoryLibrary):
    """Counts how many searches run at once; they wait until they are let go."""

    def __init__(self) -> None:
        super().__init__([])
        self.go = threading.Event()
        self.lock = threading.Lock()
        self.running = self.most = 0

    def search(self, *arguments: Any, **options: Any) -> Any:
        with self.lock:
            self.running += 1
            self.most = max(self.most, self.running)
        self.go.wait(timeout=30)
        with self.lock:
            self.running -= 1
        return super().search(*arguments, **options)


async def test_slow_calls_are_bounded_and_do_not_keep_others_waiting_for_the_loop() -> None:
    library = _Slow()
    async with Client(make_server(library, version="1", at_once=2)) as client:
        calls = [asyncio.create_task(client.call_tool("search_documents", {"query": "x"})) for _ in range(6)]
        while library.running < 2:
            await asyncio.sleep(0.01)
        assert len((await client.list_tools()).tools) == len(TOOLS)  # answered while all threads are busy
        library.go.set()
        results = await asyncio.gather(*calls)
    assert library.most == 2
    assert not any(result.is_error for result in results)
