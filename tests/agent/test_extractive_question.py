from __future__ import annotations

from typing import Any

import pytest

from vectree.agent.extractive.question import Kind, understand


@pytest.mark.parametrize(
    ("text", "query", "filters"),
    [
        ("How many papers are in the library?", "*", {}),
        ("How many papers do you have?", "*", {}),
        ("How many papers?", "*", {}),
        ("List all papers", "*", {}),
        ("List the papers by Okoro", "*", {"author": "Okoro"}),
        ("Which papers were published since 2022?", "*", {"year_min": 2022}),
        ("Which papers are from 2021?", "*", {"year_min": 2021}),
        ("How many papers were published in 2021?", "*", {"year_min": 2021, "year_max": 2021}),
        ("How many articles from 2019 to 2022 are there?", "*", {"year_min": 2019, "year_max": 2022}),
        ("Show me papers published before 2010", "*", {"year_max": 2009}),
        ("List papers about solid electrolytes after 2020", "solid electrolytes", {"year_min": 2021}),
        (
            "What papers are there on nickel alloys by Indira Raman?",
            "nickel alloys",
            {"author": "Indira Raman"},
        ),
    ],
)
def test_questions_about_the_library(text: str, query: str, filters: dict[str, Any]) -> None:
    question = understand(text)
    assert (question.kind, question.query, question.filters) == (Kind.LIBRARY, query, filters)


@pytest.mark.parametrize(
    "text",
    [
        "Compare the conductivity of garnet and sulfide.",
        "How does garnet differ from sulfide?",
        "Garnet versus sulfide: which conducts better?",
        "Which papers report a conductivity above 1 mS/cm?",
        "Which of the materials is most stable?",
        "Which electrolyte keeps its conductivity above 80 °C?",
        "What differences are there between the two alloys?",
    ],
)
def test_comparisons(text: str) -> None:
    assert understand(text).kind is Kind.COMPARISON


@pytest.mark.parametrize(
    "text",
    [
        "What is the activation energy of the garnet?",
        "Which of the following processes are impacted by the mutation?",
        "How many papers did the authors review?",
        "Does rhenium slow the climb of dislocations?",
        "How much of the domain is identical?",
    ],
)
def test_research(text: str) -> None:
    question = understand(text)
    assert question.kind is Kind.RESEARCH
    assert question.query == text
    assert question.filters == {}


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("How many specimens were broken?", True),
        ("By what factor did it grow?", True),
        ("What is the optimal binding temperature?", True),
        ("What was the thickness of the film?", True),
        ("Why did it break?", False),
        ("Which functions are enriched?", False),
    ],
)
def test_whether_a_number_is_wanted(text: str, wants: bool) -> None:
    assert understand(text).wants_number is wants


def test_a_second_search_uses_the_content_words() -> None:
    assert understand("What is known on the migration of zebras?").reformulated == "known migration zebras"


def test_a_question_of_any_length_makes_a_bounded_query() -> None:
    assert len(understand("word " * 10_000).query) <= 600
