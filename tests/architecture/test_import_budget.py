"""`import vectree` is cheap, and the command line answers at once."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {
    "PIL",
    "chromadb",
    "httpx",
    "marker",
    "openai",
    "pandas",
    "pypdfium2",
    "rich",
    "scipy",
    "sentence_transformers",
    "sklearn",
    "torch",
    "transformers",
    "typer",
}


def _loaded(statement: str) -> set[str]:
    code = (
        f"{statement}\nimport json, sys; print(json.dumps(sorted({{m.split('.')[0] for m in sys.modules}})))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(out.stdout.splitlines()[-1]))


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert _loaded("import vectree") & HEAVY == set()


def test_opening_a_corpus_loads_no_model_library(tmp_path: object) -> None:
    loaded = _loaded(f"from vectree import Corpus; Corpus.open({str(tmp_path)!r} + '/corpus')")
    assert loaded & {"torch", "transformers", "sentence_transformers"} == set()


@pytest.mark.parametrize("module", ["llama_index_vectree", "langchain_vectree"])
def test_importing_an_adapter_loads_no_model_library(module: str) -> None:
    assert (
        _loaded(f"import {module}") & {"torch", "transformers", "sentence_transformers", "chromadb"} == set()
    )
