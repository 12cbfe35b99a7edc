"""What the package exports, what importing it costs, and what a fresh environment needs."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import langchain_vectree

REPOSITORY = Path(__file__).parents[3]
HEAVY = ("torch", "transformers", "sentence_transformers", "chromadb", "marker")


def test_the_root_exports_what_it_says() -> None:
    assert sorted(langchain_vectree.__all__) == [
        "LangChainChatModel",
        "LangChainEmbedder",
        "VecTreeChatModel",
        "VecTreeRetriever",
        "VecTreeTool",
        "VecTreeToolkit",
        "create_vectree_graph",
        "measure_gates",
    ]
    assert all(getattr(langchain_vectree, name) for name in langchain_vectree.__all__)
    with pytest.raises(AttributeError):
        _ = langchain_vectree.nothing


def loaded(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=100
    )
    return set(run.stdout.split())


def test_importing_the_root_loads_neither_langgraph_nor_langchain_nor_torch() -> None:
    assert not loaded("import langchain_vectree") & {*HEAVY, "langgraph", "langchain"}


def test_importing_the_graph_loads_neither_langchain_nor_torch() -> None:
    assert not loaded("import langchain_vectree.graph") & {*HEAVY, "langchain"}


def test_without_langchain_the_middleware_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['langchain'] = None; sys.modules['langchain.agents'] = None\n"
        "try:\n    import langchain_vectree.middleware\n"
        "except ImportError as error:\n    print(error)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=100
    )
    assert 'pip install "langchain-vectree[agents]"' in run.stdout


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
    packages = [
        part for name in ("vectree-core", "langchain-vectree") for part in [*flag, f"packages/{name}"]
    ]
    pip = [python, "-m", "pip", "install", "-q", "--constraint", "constraints.txt", *packages]
    subprocess.run(pip, cwd=REPOSITORY, check=True)
    assert subprocess.run([python, "-c", "import torch"], capture_output=True).returncode != 0
    code = (
        "from pathlib import Path\n"
        "from langchain_vectree import create_vectree_graph\n"
        "from vectree import Corpus, HashEmbedder\n"
        "corpus = Corpus.open('corpus', embedder=HashEmbedder())\n"
        f"corpus.add({str(sorted((REPOSITORY / 'examples' / 'papers').glob('*.pdf'))[0])!r})\n"
        "graph = create_vectree_graph(corpus)\n"
        "asked = {'messages': [('user', corpus.list()[0].metadata.title)]}\n"
        "print(graph.invoke(asked)['vectree_answer']['text'])\n"
    )
    clean = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    run = subprocess.run([python, "-c", code], cwd=tmp_path, env=clean, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()
