"""Figures in a run of thirty calls add less than 1 MB to its checkpoints."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from langchain_scripts import ANSWER, thread

from langchain_vectree.graph import create_vectree_graph
from vectree.llm.scripted import ScriptedModel, call
from vectree.testing.library import MemoryLibrary, make_paper

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")


def noise(size: int) -> bytes:
    """A PNG that does not compress."""
    import io

    from PIL import Image

    out = io.BytesIO()
    Image.frombytes("RGB", (size, size), os.urandom(3 * size * size)).save(out, format="PNG")
    return out.getvalue()


def bytes_kept(folder: Path, library: MemoryLibrary, calls: list[Any]) -> int:
    path = folder / f"runs-{len(list(folder.iterdir()))}.db"
    with sqlite.SqliteSaver.from_conn_string(str(path)) as saver:
        graph = create_vectree_graph(library, ScriptedModel([*calls, ANSWER]), checkpointer=saver)
        state = graph.invoke({"messages": [("user", "q")]}, thread())
    assert state["vectree_answer"]["calls"] == len(calls)
    return path.stat().st_size


def test_ten_figures_of_200_kilobytes_add_less_than_a_megabyte(tmp_path: Path) -> None:
    picture = noise(260)
    assert len(picture) > 200_000
    figures = [(f"fig-{n}.png", 1, picture) for n in range(10)]
    library = MemoryLibrary([make_paper("a1", title="Anodes", pages=["anode " * 300], figures=figures)])
    others = [call("get_page_content", doc_id="a1", pages="1") for _ in range(19)]
    shown = [call("get_page_image", doc_id="a1", image=f"fig-{n}.png") for n in range(10)]
    without = [call("get_paper_metadata", doc_id="a1") for _ in range(10)]
    added = bytes_kept(tmp_path, library, shown + others) - bytes_kept(tmp_path, library, without + others)
    assert added < 1_000_000
