"""What a run says of the corpus: averages of the ingestion reports (Appendix D)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from vectree.errors import UnknownDocument
from vectree.evaluate.records import Papers
from vectree.evaluate.running.header import document_statistics, ingestion_statistics


def reported(doc_id: str) -> dict[str, Any]:
    if doc_id.startswith("oduya"):
        raise UnknownDocument("There is no such report.")
    good = doc_id.startswith("ekholm")
    return {
        "headings": {
            "paper_rate": 1.0 if good else 0.9,
            "paper_rate_before_repair": None if good else 0.8,
            "repair_rounds": 2,
        },
        "usage": {"model_calls": 7},
        "seconds": {"parse": 100.0, "headings": 2.0, "summaries": 1.0},
    }


def test_ingestion_is_averaged_over_the_reports_there_are_and_parsing_is_left_out(papers: Papers) -> None:
    found = ingestion_statistics(replace(papers, report=reported))
    assert found["paper_rate"] == {"mean": 0.95, "median": 0.95, "count": 2}
    assert found["paper_rate_before_repair"] == {"mean": 0.8, "median": 0.8, "count": 1}
    assert found["repair_rounds"]["mean"] == 2
    assert found["seconds"]["mean"] == 3.0
    assert found["model_calls"]["mean"] == 7
    assert ingestion_statistics(papers) == {}


def test_documents_are_counted(papers: Papers) -> None:
    found = document_statistics(papers)
    assert (found["count"], found["years"]) == (3, [2019, 2021])
