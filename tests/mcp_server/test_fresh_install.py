"""What a user does first: install into an empty environment, add papers, let a chatbot ask over stdio."""

from __future__ import annotations

import json
import os
import subprocess
import venv
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]

SESSION = """
import json, sys
import anyio
from mcp import StdioServerParameters
from mcp.client.client import Client

server = StdioServerParameters(command=sys.argv[1], args=["mcp", "--corpus", sys.argv[2]])

async def main():
    async with Client(server) as client:
        async def call(name, **arguments):
            got = await client.call_tool(name, arguments)
            assert not got.is_error, got.content
            return got.content
        tools = [tool.name for tool in (await client.list_tools()).tools]
        found = (await call("search_documents", query=sys.argv[3]))[0].text
        doc_id = found.split("\\n")[1].split()[1]
        tree = (await call("get_document_tree", doc_id=doc_id))[0].text
        pages = (await call("get_page_content", doc_id=doc_id, pages="2"))[0].text
        listed = (await call("list_images", doc_id=doc_id))[0].text
        name = listed.split("\\n")[1].split(" | ")[0]
        text, image = await call("get_page_image", doc_id=doc_id, image=name)
        print(json.dumps({"tools": tools, "found": found, "tree": tree, "pages": pages, "figure": text.text,
                          "image": image.mime_type, "bytes": len(image.data)}))

anyio.run(main)
"""


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.timeout(900)
@pytest.mark.skipif(
    "VECTREE_TEST_FRESH" not in os.environ, reason="set VECTREE_TEST_FRESH=1; it installs packages"
)
def test_a_client_searches_opens_reads_and_looks_after_one_install(tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    binaries = tmp_path / "env" / "bin"
    python, vectree = str(binaries / "python"), str(binaries / "vectree")
    pip = [python, "-m", "pip", "install", "-q", "--constraint", "constraints.txt"]
    subprocess.run([*pip, "packages/vectree-core[mcp,minilm]"], cwd=REPOSITORY, check=True)
    clean = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    papers = REPOSITORY / "examples" / "papers"
    subprocess.run([vectree, "add", str(papers)], cwd=tmp_path, env=clean, check=True, capture_output=True)
    corpus, query = (
        str(tmp_path / "vectree-corpus"),
        "conductivity of aligned garnet nanofibres in a membrane",
    )
    run = subprocess.run(
        [python, "-c", SESSION, vectree, corpus, query],
        cwd=tmp_path,
        env=clean,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    seen = json.loads(run.stdout)
    assert len(seen["tools"]) == 7
    assert "Garnet nanofibres" in seen["tree"].split("\n")[0]
    assert "quoted from the paper" in seen["pages"]
    assert seen["image"].startswith("image/")
    assert seen["bytes"] > 1_000
