"""Gates kept in the corpus, and the depth of entries, as one process leaves them to another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from vectree.corpus import Corpus
from vectree.errors import CorpusDamaged, IndexMismatch, InvalidArguments, UsageError
from vectree.evidence import Filters
from vectree.index.embedder import HashEmbedder


def filled(root: Path, desk: Any, **options: Any) -> Corpus:
    for number in range(3):
        desk.write(f"{number}.pdf", title=f"Garnet electrolytes number {number}", year=2019 + number)
    corpus = Corpus.open(root, embedder="hash", **options)
    corpus.add(desk.folder)
    return corpus


def test_measured_gates_are_used_by_every_reader_from_then_on(root: Path, desk: Any) -> None:
    corpus, reader = filled(root, desk), Corpus.open(root)
    before = reader.explain("garnet electrolytes")
    assert not before.measured
    found = corpus.calibrate(write=True)
    after = reader.explain("garnet electrolytes")
    assert after.measured
    assert after.thresholds.similarities == found.suggested != before.thresholds.similarities
    assert after.thresholds.relevant_bm25 == 1.0


def test_measuring_alone_changes_nothing(root: Path, desk: Any) -> None:
    corpus = filled(root, desk)
    before = (root / "corpus.json").read_bytes()
    found = corpus.calibrate()
    assert (root / "corpus.json").read_bytes() == before
    assert found.current == HashEmbedder().gates


def test_gates_go_with_the_embedder_they_were_measured_for(root: Path, desk: Any) -> None:
    corpus = filled(root, desk)
    corpus.calibrate(write=True)
    corpus.reindex(embedder=HashEmbedder(64))
    other = Corpus.open(root, embedder=HashEmbedder(64)).explain("garnet")
    assert not other.measured
    assert other.thresholds.similarities == HashEmbedder(64).gates


@pytest.mark.parametrize("value", ["1.5", '"high"', "null"])
def test_gates_that_are_no_cosines_are_damage_not_thresholds(root: Path, desk: Any, value: str) -> None:
    filled(root, desk).calibrate(write=True)
    path = root / "corpus.json"
    stored = json.loads(path.read_text())
    text = json.dumps(stored).replace(f'"relevant": {stored["gates"]["relevant"]}', f'"relevant": {value}')
    path.write_text(text)
    with pytest.raises(CorpusDamaged):
        Corpus.open(root).search("garnet")


def test_an_empty_corpus_cannot_be_measured(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no paper to measure"):
        Corpus.open(tmp_path / "c", embedder="hash", create=True).calibrate()


def test_an_explanation_obeys_the_filters_and_names_what_was_left_out(root: Path, desk: Any) -> None:
    desk.write("bees.pdf", title="Gut microbes of honey bees", year=2020)
    corpus = filled(root, desk)
    explained = corpus.explain("garnet electrolytes", filters=Filters(year_min=2020))
    assert explained.small_library
    kept = [decision.verdict.kept for decision in explained.decisions]
    assert kept == sorted(kept, reverse=True)
    assert (
        kept.count(True) == corpus.search("garnet electrolytes", filters=Filters(year_min=2020)).total_matches
    )
    assert len(kept) == 3
    assert all(decision.verdict.reason for decision in explained.decisions)
    with pytest.raises(InvalidArguments):
        corpus.explain("  ")


def test_the_depth_of_entries_is_recorded_and_guarded(root: Path, desk: Any) -> None:
    filled(root, desk, entry_depth=2)
    assert json.loads((root / "corpus.json").read_text())["template"] == "title-first-2"
    assert Corpus.open(root).search("garnet").hits
    before = (root / "corpus.json").read_bytes()
    with pytest.raises(IndexMismatch, match=r"entry depth 2, not 3.*reindex --entry-depth 3"):
        Corpus.open(root, entry_depth=3)
    assert (root / "corpus.json").read_bytes() == before
    corpus = Corpus.open(root)
    corpus.reindex(entry_depth=1)
    assert json.loads((root / "corpus.json").read_text())["template"] == "title-first"
    assert Corpus.open(root, entry_depth=1).search("garnet").hits


def test_a_corpus_without_papers_takes_the_depth_that_is_asked_for_now(root: Path, desk: Any) -> None:
    Corpus.open(root, embedder="hash", create=True)
    filled(root, desk, entry_depth=3)
    assert json.loads((root / "corpus.json").read_text())["template"] == "title-first-3"


def test_a_depth_that_is_none_is_refused(root: Path) -> None:
    with pytest.raises(UsageError, match=r"Entry depth 9: allowed are 1 \(the paper's\) to 4"):
        Corpus.open(root, entry_depth=9)


def test_vectors_are_counted_before_anything_is_embedded(root: Path, desk: Any) -> None:
    corpus = filled(root, desk)
    assert corpus.count_vectors() == corpus.count_vectors(entry_depth=3) == 3 * 2


def test_an_endpoint_corpus_opens_offline_for_reading_and_refuses_to_search(
    root: Path, desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(root, desk)
    path = root / "corpus.json"
    path.write_text(path.read_text().replace('"name":"hash"', '"name":"openai:small"'))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-any")
    corpus = Corpus.open(root, offline=True)
    assert len(corpus.list()) == 3
    with pytest.raises(UsageError, match="--offline allows none"):
        corpus.search("garnet")
