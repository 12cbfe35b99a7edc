"""Groups of papers: of one topic, of the sizes asked for, the same ones for a seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from vectree.errors import UsageError
from vectree.evaluate.mosaic.neighbourhoods import affinities, neighbourhoods, topic_words
from vectree.evaluate.mosaic.settings import BuildSettings
from vectree.evaluate.papers import records
from vectree.evaluate.records import Papers
from vectree.index.embedder import HashEmbedder
from vectree.testing.library import MemoryLibrary, make_paper

SETTINGS = BuildSettings()


def test_groups_have_five_to_seven_papers_and_every_paper_begins_one(lamps: Papers) -> None:
    groups = list(islice(neighbourhoods(lamps, SETTINGS), 16))
    assert {len(group) for group in groups} == {5, 6, 7}
    assert all(len(set(group)) == len(group) for group in groups)
    assert Counter(group[0] for group in groups) == dict.fromkeys(lamps.doc_ids, 2)
    assert groups == list(islice(neighbourhoods(lamps, SETTINGS), 16))
    assert groups != list(islice(neighbourhoods(lamps, replace(SETTINGS, seed=14)), 16))


def test_a_paper_on_another_topic_stays_out(lamps: Papers) -> None:
    groups = [group for group in islice(neighbourhoods(lamps, SETTINGS), 8) if group[0] != "bees"]
    assert not any("bees" in group for group in groups)


def test_papers_that_were_together_are_drawn_apart(lamps: Papers) -> None:
    few = replace(SETTINGS, fewest=2, most=2)
    pairs = {frozenset(group) for group in islice(neighbourhoods(lamps, few), 24) if "bees" not in group}
    assert len(pairs) > 14


def test_affinity_mixes_similarity_and_keywords(lamps: Papers) -> None:
    held = records(lamps)
    bees = [record.doc_id for record in held].index("bees")
    for weight in (0.0, 0.3, 1.0):
        found = affinities(lamps, held, weight)
        assert found.shape == (8, 8)
        assert (found == found.T).all()
        assert found[bees, (bees + 1) % 8] < found[(bees + 1) % 8, (bees + 2) % 8]


def test_keywords_are_taken_before_title_and_description(lamps: Papers) -> None:
    record = records(lamps)[0]
    named = replace(record, metadata=replace(record.metadata, keywords=("Arc lamp", "ice")))
    assert topic_words(named) == {"arc", "lamp", "ice"}
    assert "clover" in topic_words(record)


def test_a_supplement_is_not_asked_about_beside_its_paper() -> None:
    made = [
        make_paper("a", title="Ice", pages=["x", "y"], related=["s"]),
        make_paper("s", title="Ice, supplement", pages=["x"], related=["a"]),
        make_paper("b", title="Snow", pages=["x"]),
    ]
    papers = Papers(library=MemoryLibrary(made), doc_ids=("a", "b", "s"), embedder=HashEmbedder())
    few = replace(SETTINGS, fewest=2, most=2)
    assert set(next(neighbourhoods(papers, few))) == {"a", "b"}
    with pytest.raises(UsageError, match="has 2"):
        next(neighbourhoods(papers, replace(SETTINGS, fewest=3)))
