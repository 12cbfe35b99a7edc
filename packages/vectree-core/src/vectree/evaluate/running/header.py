"""What a run says of itself: data, models, corpus, and the statistics of Table 6 and Appendix D."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import fmean, median
from typing import Any, cast

from vectree.errors import VecTreeError
from vectree.evaluate.bind import Bound
from vectree.evaluate.datasets.dataset import Dataset
from vectree.evaluate.models import Models
from vectree.evaluate.papers import records
from vectree.evaluate.records import Papers, Question
from vectree.evaluate.results.rows import RunRow

_BLOCK = 1 << 20


def run_header(
    *,
    dataset: Dataset,
    data: Path,
    bound: Bound,
    questions: Sequence[Question],
    papers: Papers,
    models: Models,
    settings: Mapping[str, Any],
) -> RunRow:
    """Describe a run.

    Args:
        dataset: The benchmark.
        data: Its file.
        bound: What of it the corpus can be asked.
        questions: What will be asked.
        papers: The corpus.
        models: Who answers and who judges.
        settings: Everything else that was chosen, as plain JSON.

    Returns:
        The first row of the run.
    """
    return RunRow(
        version=package_version(),
        started=datetime.now(UTC).isoformat(timespec="seconds") if models.timed else "",
        benchmark=dataset.benchmark,
        data=data.name,
        data_sha256=file_hash(data),
        questions=[question.id for question in questions],
        left_out=bound.left_out,
        generator=models.generator_name,
        judge=models.judge_name,
        settings=dict(settings),
        corpus={
            "embedder": asdict(papers.embedder.fingerprint),
            "questions": question_statistics(questions),
            "documents": document_statistics(papers),
            "passages_mapped": bound.mapped,
            "passages_unmapped": bound.unmapped,
            "ingestion": ingestion_statistics(papers),
        },
        canary=dataset.canary,
    )


def question_statistics(questions: Sequence[Question]) -> dict[str, Any]:
    """Count questions by kind, and their gold evidence.

    Args:
        questions: The questions.

    Returns:
        Plain JSON for Table 6.
    """
    golds = [gold for question in questions if (gold := _gold_sizes(question))]
    papers_each = [len(question.documents) for question in questions if question.documents]
    return {
        "count": len(questions),
        "kinds": dict(sorted(Counter(question.kind or "other" for question in questions).items())),
        "gold_papers": len({doc_id for question in questions for doc_id in question.documents}),
        "gold_papers_each": [min(papers_each), max(papers_each)] if papers_each else None,
        "gold_records_mean": fmean(fmean(sizes) for sizes in golds) if golds else None,
        "with_gold_evidence": len(golds),
    }


def document_statistics(papers: Papers) -> dict[str, Any]:
    """Count documents, pages and years.

    Args:
        papers: The corpus.

    Returns:
        Plain JSON for Table 6.
    """
    known = records(papers)
    pages = [record.total_pages for record in known]
    years = [record.metadata.year for record in known if record.metadata.year is not None]
    return {
        "count": len(known),
        "years": [min(years), max(years)] if years else None,
        "pages_mean": fmean(pages) if pages else None,
        "pages_median": median(pages) if pages else None,
        "pages_range": [min(pages), max(pages)] if pages else None,
    }


def ingestion_statistics(papers: Papers) -> dict[str, Any]:
    """Average what the ingestion reports say of title verification, repair and time (Appendix D).

    Args:
        papers: The corpus.

    Returns:
        Figure to its mean, median and count; figures that no report holds are left out.
    """
    gathered: dict[str, list[float]] = {}
    if papers.report is None:
        return {}
    for doc_id in papers.doc_ids:
        with suppress(VecTreeError):
            for name, value in _ingestion_figures(papers.report(doc_id)).items():
                gathered.setdefault(name, []).append(value)
    return {
        name: {"mean": fmean(values), "median": median(values), "count": len(values)}
        for name, values in sorted(gathered.items())
    }


def file_hash(path: Path) -> str:
    """Hash a file.

    Args:
        path: The file.

    Returns:
        Its sha256 in hexadecimal digits.
    """
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def package_version() -> str:
    """Version of this package.

    Returns:
        The version; ``"unknown"`` if it is not installed.
    """
    try:
        return version("vectree-core")
    except PackageNotFoundError:
        return "unknown"


def _gold_sizes(question: Question) -> list[int]:
    return [len(reference.evidence) for reference in question.references if reference.evidence]


_HEADING_FIGURES = (
    "paper_rate",
    "verified_rate",
    "paper_rate_before_repair",
    "verified_rate_before_repair",
    "repair_rounds",
)


def _ingestion_figures(report: Mapping[str, Any]) -> dict[str, float]:
    """Numbers of one report, by the names the tables use."""
    headings, usage, seconds = (_mapping(report.get(name)) for name in ("headings", "usage", "seconds"))
    found: dict[str, Any] = {name: headings.get(name) for name in _HEADING_FIGURES}
    found["model_calls"] = usage.get("model_calls")
    spent = [value for name, value in seconds.items() if name != "parse" and isinstance(value, int | float)]
    found["seconds"] = sum(spent) if spent else None
    return {name: float(value) for name, value in found.items() if isinstance(value, int | float)}


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
