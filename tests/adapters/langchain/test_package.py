"""What the package exports, what importing it costs, and what a fresh environment needs."""

from __future__ import annotations

import os
import shutil
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
        "LangChainVectorStore",
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


class TestFreshEnvironment:
    pytestmark = FRESH

    @pytest.mark.parametrize("flag", [[], ["-e"]], ids=["wheel", "editable"])
    def test_it_has_no_torch_and_answers_without_a_key(self, tmp_path: Path, flag: list[str]) -> None:
        names = ("vectree-core", "langchain-vectree")
        packages = [part for name in names for part in [*flag, f"packages/{name}"]]
        python = fresh_python(tmp_path / "env", *packages)
        assert subprocess.run([python, "-c", "import torch"], capture_output=True).returncode != 0
        code = (
            "from langchain_vectree import create_vectree_graph\n"
            "from vectree import Corpus, HashEmbedder\n"
            "corpus = Corpus.open('corpus', embedder=HashEmbedder())\n"
            f"corpus.add({str(sorted((REPOSITORY / 'examples' / 'papers').glob('*.pdf'))[0])!r})\n"
            "graph = create_vectree_graph(corpus)\n"
            "asked = {'messages': [('user', corpus.list()[0].metadata.title)]}\n"
            "print(graph.invoke(asked)['vectree_answer']['text'])\n"
        )
        assert run_clean(python, code, tmp_path).strip()

    def test_the_first_example_of_the_readme_works_with_the_extra_it_names(self, tmp_path: Path) -> None:
        readme = (REPOSITORY / "packages/langchain-vectree/README.md").read_text(encoding="utf-8")
        assert 'pip install "langchain-vectree[minilm]"' in readme
        python = fresh_python(tmp_path / "env", "packages/vectree-core", "packages/langchain-vectree[minilm]")
        shutil.copytree(REPOSITORY / "examples" / "papers", tmp_path / "papers")
        example = readme.split("```python\n")[1].split("```")[0]
        printed = run_clean(python, example, tmp_path)
        assert "'status': 'read'" in printed
