"""What the package exports, what importing it costs, and what a fresh environment needs."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

import llama_index_vectree

REPOSITORY = Path(__file__).parents[3]
PACKAGE = REPOSITORY / "packages" / "llama-index-vectree"
HEAVY = ("torch", "transformers", "sentence_transformers", "chromadb", "marker", "openai")


def test_the_root_exports_what_it_says() -> None:
    assert llama_index_vectree.__all__ == sorted(llama_index_vectree.__all__)
    assert all(getattr(llama_index_vectree, name) for name in llama_index_vectree.__all__)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("llama_index.retrievers.vectree", "VecTreeRetriever"),
        ("llama_index.tools.vectree", "VecTreeToolSpec"),
        ("llama_index.readers.vectree", "VecTreeReader"),
    ],
)
def test_the_paths_llamaindex_users_try_lead_to_the_same_classes(module: str, name: str) -> None:
    assert getattr(import_module(module), name) is getattr(llama_index_vectree, name)


def test_no_init_file_shuts_other_packages_out_of_the_namespace() -> None:
    """PEP 420: an ``__init__.py`` in ``llama_index`` would hide llama-index-core or be hidden by it."""
    shared = PACKAGE / "src" / "llama_index"
    assert not [path for path in (shared, *shared.iterdir()) if (path / "__init__.py").exists()]
    assert all((path.parent / "py.typed").is_file() for path in shared.rglob("__init__.py"))
    assert getattr(import_module("llama_index"), "__file__", None) is None
    assert import_module("llama_index.vector_stores.chroma")  # a neighbour in the same namespace


def test_the_hub_s_metadata_names_what_there_is() -> None:
    hub = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["llamahub"]
    assert import_module(hub["import_path"])
    assert all(hasattr(llama_index_vectree, name) for name in hub["class_authors"])


def test_importing_it_loads_no_torch_and_no_service_s_package() -> None:
    code = "import sys, llama_index_vectree; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=100
    )
    assert not set(run.stdout.split()) & set(HEAVY)


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.timeout(900)
@pytest.mark.skipif(
    "VECTREE_TEST_FRESH" not in os.environ, reason="set VECTREE_TEST_FRESH=1; it installs packages"
)
@pytest.mark.parametrize("editable", [False, True])
def test_a_fresh_environment_has_no_torch_and_answers_without_a_key(tmp_path: Path, editable: bool) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = str(tmp_path / "env" / "bin" / "python")
    flag = ["-e"] if editable else []
    names = ("vectree-core", "llama-index-vectree")
    packages = [part for name in names for part in [*flag, f"packages/{name}"]]
    pip = [python, "-m", "pip", "install", "-q", "--constraint", "constraints.txt", *packages]
    subprocess.run(pip, cwd=REPOSITORY, check=True)
    for absent in ("torch", "openai"):
        assert subprocess.run([python, "-c", f"import {absent}"], capture_output=True).returncode != 0
    code = (
        "import asyncio\n"
        "from llama_index.readers.vectree import VecTreeReader\n"
        "from llama_index.retrievers.vectree import VecTreeRetriever\n"
        "from llama_index.tools.vectree import VecTreeToolSpec\n"
        "from llama_index_vectree import VecTreeAgent\n"
        "from vectree import Corpus, HashEmbedder\n"
        "corpus = Corpus.open('corpus', embedder=HashEmbedder())\n"
        f"corpus.add({str(sorted((REPOSITORY / 'examples' / 'papers').glob('*.pdf'))[0])!r})\n"
        "title = corpus.list()[0].metadata.title\n"
        "assert VecTreeRetriever(corpus).retrieve(title) and VecTreeReader(corpus).load_data()\n"
        "assert len(VecTreeToolSpec(corpus).to_tool_list()) == 7\n"
        "async def ask():\n"
        "    return await VecTreeAgent(corpus).run(title)\n"
        "print(asyncio.run(ask()).vectree_answer['text'])\n"
    )
    clean = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    run = subprocess.run([python, "-c", code], cwd=tmp_path, env=clean, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.timeout(300)
@pytest.mark.skipif(
    "VECTREE_TEST_FRESH" not in os.environ, reason="set VECTREE_TEST_FRESH=1; it installs packages"
)
def test_the_wheel_holds_both_import_paths_and_their_types(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(PACKAGE)]
    subprocess.run(pip, check=True)
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    assert "llama_index/__init__.py" not in names
    for kind in ("retrievers", "tools", "readers"):
        assert {f"llama_index/{kind}/vectree/__init__.py", f"llama_index/{kind}/vectree/py.typed"} <= set(
            names
        )
    assert "llama_index_vectree/py.typed" in names
