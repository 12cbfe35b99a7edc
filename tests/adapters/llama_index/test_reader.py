from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from llama_index.core import Document, MockEmbedding, SimpleDirectoryReader
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.postprocessor import PrevNextNodePostprocessor
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import MetadataMode, NodeRelationship
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import SimpleVectorStore

from llama_index_vectree import VecTreeReader, VecTreeRetriever
from vectree import Corpus, HashEmbedder
from vectree.errors import ParseError, UnknownDocument, UsageError


async def test_every_page_with_text_is_a_document_sync_and_async(corpus: Corpus) -> None:
    documents = VecTreeReader(corpus).load_data()
    expected = [
        (record.doc_id, page.number)
        for record in corpus.list()
        for page in corpus.pages(record.doc_id)
        if page.text.strip()
    ]
    assert [(d.metadata["doc_id"], d.metadata["page"]) for d in documents] == expected
    assert documents == await VecTreeReader(corpus).aload_data()
    assert all(isinstance(d, Document) for d in documents)


def test_ids_and_metadata_are_those_of_the_retriever(corpus: Corpus) -> None:
    documents = {d.node_id: d for d in VecTreeReader(corpus).load_data()}
    for item in VecTreeRetriever(corpus, 9).retrieve(corpus.list()[0].metadata.title):
        document = documents[item.node.node_id]
        assert document.text == item.node.get_content(MetadataMode.NONE)
        for name in ("title", "authors", "doc_id", "page_label", "file_name"):
            assert document.metadata.get(name) == item.node.metadata.get(name)
        assert set(document.relationships) == set(item.node.relationships) - {NodeRelationship.SOURCE}


def test_only_some_papers(corpus: Corpus) -> None:
    doc_id = corpus.list()[1].doc_id
    assert {d.metadata["doc_id"] for d in VecTreeReader(corpus).load_data(doc_ids=[doc_id])} == {doc_id}
    with pytest.raises(UnknownDocument):
        VecTreeReader(corpus).load_data(doc_ids=["nobody"])


def test_documents_go_through_a_pipeline_and_survive_serialisation(corpus: Corpus) -> None:
    documents = VecTreeReader(corpus).load_data()
    for document in documents:
        assert Document.from_dict(json.loads(json.dumps(document.to_dict()))) == document
    chunks = IngestionPipeline(transformations=[SentenceSplitter(chunk_size=256)]).run(
        documents=documents[:2]
    )
    assert {chunk.ref_doc_id for chunk in chunks} == {document.node_id for document in documents[:2]}
    assert all(chunk.metadata["page_label"] for chunk in chunks)


def test_a_pipeline_that_remembers_documents_keeps_every_page(corpus: Corpus) -> None:
    documents = VecTreeReader(corpus).load_data()
    pipeline = IngestionPipeline(
        transformations=[SentenceSplitter(), MockEmbedding(8)],
        docstore=SimpleDocumentStore(),
        vector_store=SimpleVectorStore(),
    )
    first = pipeline.run(documents=documents)
    assert {node.ref_doc_id for node in first} == {document.node_id for document in documents}
    assert pipeline.run(documents=documents) == []  # nothing has changed


def test_a_directory_is_read_with_vectree_s_parser_and_lands_in_the_corpus(
    tmp_path: Path, example_papers: Path
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    paper = sorted(example_papers.glob("*.pdf"))[0]
    (folder / paper.name).write_bytes(paper.read_bytes())
    corpus = Corpus.open(tmp_path / "corpus", embedder=HashEmbedder())
    extractor: dict[str, Any] = {".pdf": VecTreeReader(corpus)}
    reader = SimpleDirectoryReader(
        str(folder), file_extractor=extractor, file_metadata=lambda _: {"shelf": "A"}, raise_on_error=True
    )
    documents = reader.load_data()
    assert len(corpus.list()) == 1
    assert len(documents) == corpus.list()[0].total_pages
    assert documents[0].metadata["shelf"] == "A"
    assert "shelf: A" in documents[0].get_content(MetadataMode.LLM)
    assert documents[0].metadata["title"] == corpus.list()[0].metadata.title
    assert reader.load_data() == documents  # the same bytes cost nothing


def test_a_file_that_cannot_be_read_is_an_error_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 and nothing else")
    corpus = Corpus.open(tmp_path / "corpus", embedder=HashEmbedder())
    with pytest.raises(ParseError, match=r"broken\.pdf cannot be read"):
        VecTreeReader(corpus).load_data(tmp_path / "broken.pdf")


def test_wrong_arguments_are_refused(corpus: Corpus) -> None:
    with pytest.raises(UsageError, match="fs"):
        VecTreeReader(corpus).load_data("x.pdf", fs=object())
    with pytest.raises(UsageError, match="not for both"):
        VecTreeReader(corpus).load_data("x.pdf", doc_ids=["y"])
    with pytest.raises(UsageError, match=r"Corpus\.open"):
        VecTreeReader("papers")  # type: ignore[arg-type]


def test_neighbours_of_a_found_page_can_be_fetched_from_a_document_store(corpus: Corpus) -> None:
    store = SimpleDocumentStore()
    store.add_documents(VecTreeReader(corpus).load_data())
    found = VecTreeRetriever(corpus, 1).retrieve(corpus.list()[0].metadata.title)
    more = PrevNextNodePostprocessor(docstore=store, num_nodes=1, mode="both").postprocess_nodes(found)
    page = found[0].node.metadata["page"]
    assert {item.node.metadata["page"] for item in more} <= {page - 1, page, page + 1}
    assert len(more) >= 2


def test_it_is_a_reader_by_llamaindex_s_own_check() -> None:
    assert BaseReader.__name__ in [base.__name__ for base in VecTreeReader.__mro__]
