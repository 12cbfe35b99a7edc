"""calibrate, and search --explain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from vectree.cli.explaining import explanation_lines
from vectree.corpus.gate_methods import Explanation
from vectree.search.gates import GateThresholds

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


def test_calibrate_draws_and_suggests_without_writing(built: CommandLine) -> None:
    result = built.run("calibrate")
    assert result.exit_code == 0
    assert "suggested gates: relevant" in result.stdout
    assert "█" in result.stdout
    assert "◂ relevant" in result.stdout
    assert "nothing was changed" in result.stderr
    assert "5 papers are few" in result.stderr


def test_calibrate_has_a_json_shape(built: CommandLine) -> None:
    found = built.json("calibrate")
    assert found["written"] is False
    assert set(found["suggested"]) == set(found["current"]) == {"relevant", "strong"}
    assert sum(bar["unrelated"] for bar in found["histogram"]) == found["pairs"] == 5 * 40


def test_explain_shows_the_gates_and_every_candidate(built: CommandLine) -> None:
    result = built.run("search", "hot-pressed garnet electrolyte density", "--explain")
    assert result.exit_code == 0
    assert "gates of hash (the embedder's own): relevant if similarity ≥ 0.15 or bm25 ≥ 1.0" in result.stdout
    assert "small library" in result.stdout
    assert "both retrievers find it" in result.stdout


def test_explain_adds_to_the_json_of_search_and_takes_nothing_away(built: CommandLine) -> None:
    plain = built.json("search", "garnet density")
    found = built.json("search", "garnet density", "--explain")
    explanation = found.pop("explanation")
    assert found == plain
    shown = [candidate["doc_id"] for candidate in explanation["candidates"] if candidate["shown"]]
    assert shown == [result["doc_id"] for result in plain["results"]]
    assert len(explanation["candidates"]) == 5
    assert explanation["gates"]["small_library"] is True
    assert {"similarity", "dense_rank", "bm25", "sparse_rank", "rrf", "reason"} <= set(
        explanation["candidates"][0]
    )


def test_a_listing_has_nothing_to_explain(built: CommandLine) -> None:
    assert "explanation" not in built.json("search", "*", "--explain")


def test_reindex_tells_the_number_of_vectors_before_it_begins(built: CommandLine) -> None:
    result = built.run("reindex")
    assert result.exit_code == 0
    assert "5 documents have" in result.stderr
    assert "index entries, a vector each" in result.stderr


@pytest.mark.parametrize(
    ("embedder", "measured", "said"),
    [
        ("specter2", False, "(the embedder's own)"),
        ("openai:small", False, "measure them: vectree calibrate"),
        ("openai:small", True, "(measured on this corpus)"),
    ],
)
def test_explain_says_where_the_gates_come_from(embedder: str, measured: bool, said: str) -> None:
    explained = Explanation(
        embedder=embedder,
        measured=measured,
        small_library=False,
        thresholds=GateThresholds(relevant_similarity=0.35, strong_similarity=0.55),
        decisions=(),
    )
    gates, rule, *_ = explanation_lines(explained)
    assert said in gates
    assert "from 40% of the best fused value" in rule
