"""Both transports with the SDK's client; the server is a process of its own, as for a chatbot."""

from __future__ import annotations

import asyncio
import base64
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from mcp import StdioServerParameters
from mcp.client.client import Client

from vectree import Corpus
from vectree.errors import UsageError
from vectree.mcp.server import make_server
from vectree.mcp.transports import HttpAddress, serve_http
from vectree.testing.sample_papers import sample_library

COMMAND = [sys.executable, "-m", "vectree", "mcp"]


def over_stdio(corpus: Path) -> StdioServerParameters:
    return StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], "--corpus", str(corpus)])


async def text(client: Client, tool: str, **arguments: object) -> str:
    got = await client.call_tool(tool, arguments)
    assert not got.is_error, got.content
    return got.content[0].text  # type: ignore[union-attr]


async def walk(client: Client, corpus: Corpus) -> None:
    """Search, tree, pages, figure."""
    record = corpus.list()[0]
    assert record.doc_id in await text(client, "search_documents", query=record.metadata.title)
    assert "Sections by id:" in await text(client, "get_document_tree", doc_id=record.doc_id)
    assert corpus.pages(record.doc_id, 1)[0].text[:40] in await text(
        client, "get_page_content", doc_id=record.doc_id, pages="1"
    )
    figure = corpus.figures(record.doc_id)[0]
    got = await client.call_tool("get_page_image", {"doc_id": record.doc_id, "image": figure.name})
    assert got.content[1].type == "image"
    assert len(base64.b64decode(got.content[1].data)) > 100


async def test_over_stdio_a_client_walks_the_layers_and_sees_what_another_process_adds(
    own_corpus: Path, example_papers: Path
) -> None:
    corpus = Corpus.open(own_corpus)
    async with Client(over_stdio(own_corpus)) as client:
        await walk(client, corpus)
        assert (await text(client, "search_documents", query="*")).startswith("2 of 2")
        corpus.add(sorted(example_papers.glob("*.pdf"))[2])
        assert (await text(client, "search_documents", query="*")).startswith("3 of 3")


def test_over_stdio_nothing_but_the_protocol_is_on_standard_output(corpus_folder: Path) -> None:
    lines = 'not json\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    run = subprocess.run(
        [*COMMAND, "--corpus", str(corpus_folder)], input=lines, capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 0  # the end of the input ends the server
    assert run.stdout.splitlines() == ['{"jsonrpc":"2.0","id":1,"result":{}}']


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a process without a console")
def test_over_stdio_an_interrupt_ends_the_server_though_its_input_stays_open(corpus_folder: Path) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*COMMAND, "--corpus", str(corpus_folder)], stdin=pipe, stdout=pipe, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        server.stdin.flush()
        assert "result" in server.stdout.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=10) != 0


@pytest.fixture(scope="module")
def url(corpus_folder: Path) -> Iterator[str]:
    """The endpoint of a server on a free port of the loopback interface."""
    with subprocess.Popen(
        [*COMMAND, "--http", "--port", "0", "--corpus", str(corpus_folder)], stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        assert line.startswith("serving http://127.0.0.1:"), line
        yield line.split()[1]
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=15)


@pytest.mark.network
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_over_http_a_client_walks_the_layers(url: str, corpus_folder: Path, mode: str) -> None:
    async with Client(url, mode=mode) as client:
        await walk(client, Corpus.open(corpus_folder))


@pytest.mark.network
async def test_over_http_several_clients_are_served_at_once(url: str) -> None:
    async def ask() -> str:
        async with Client(url) as client:
            return await text(client, "search_documents", query="*")

    answers = await asyncio.gather(*(ask() for _ in range(4)))
    assert len(set(answers)) == 1


@pytest.mark.network
@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Host", "evil.example", 421),
        ("Host", "127.0.0.1.evil.example:80", 421),
        ("Origin", "http://evil.example", 403),
    ],
)
async def test_over_http_requests_in_the_name_of_another_site_are_refused(
    url: str, header: str, value: str, status: int
) -> None:
    import httpx

    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = {"Accept": "application/json, text/event-stream", header: value}
    async with httpx.AsyncClient(trust_env=False) as client:
        assert (await client.post(url, json=ping, headers=headers)).status_code == status


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("127.9.9.9", True),
        ("0.0.0.0", False),
        ("192.168.1.4", False),
        ("lab.example", False),
    ],
)
def test_only_loopback_addresses_count_as_local(host: str, local: bool) -> None:
    assert HttpAddress(host=host, port=1).local is local


def test_a_port_that_is_taken_is_told_in_a_line() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = HttpAddress(host="127.0.0.1", port=taken.getsockname()[1])
        with pytest.raises(UsageError, match=r"Cannot listen on 127.0.0.1, port \d+"):
            serve_http(make_server(sample_library(), version="1"), address, on_ready=lambda url: None)
