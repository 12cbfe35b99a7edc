from __future__ import annotations

import pytest

from vectree.ingest.keywords import MAX_KEYWORDS, SALIENT_KEYWORDS, find_keywords, salient_terms


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Keywords: glass, ion transport, cold"], ("glass", "ion transport", "cold")),
        (["Key words  glass; ion transport"], ("glass", "ion transport")),
        (["Keywords Glass · Ion transport · Cold"], ("Glass", "Ion transport", "Cold")),
        (
            ["Keywords: glass, ion trans|", "port, cold", "1. Introduction"],
            ("glass", "ion transport", "cold"),
        ),
        (
            ["Keywords:", "ALSPAC", "Mercury", "Childhood IQ", "1. Introduction"],
            ("ALSPAC", "Mercury", "Childhood IQ"),
        ),
        (["Mots-clés : verre, froid"], ("verre", "froid")),
        (["关键词：玻璃；低温"], ("玻璃", "低温")),
    ],
)
def test_printed_keywords_are_taken_as_printed(document, lines, expected):
    assert find_keywords(document(["20|A Title", *lines]), "A Title", "", []) == expected


def test_keyword_field_of_the_file_comes_second(document):
    parsed = document(["20|A Title"], info={"keywords": "Lung,Air leaks,Sealant"})
    assert find_keywords(parsed, "A Title", "", []) == ("Lung", "Air leaks", "Sealant")


def test_without_a_list_the_terms_of_title_and_abstract_are_used(document):
    abstract = "Ion transport in glass is slow. We measure ion transport in cold glass."
    found = find_keywords(
        document(["20|Ion transport"]), "Ion transport in cold glass", abstract, ["Cold glass"]
    )
    assert {"ion transport", "cold glass"} <= set(found)


def test_number_of_keywords_is_bounded(document):
    long = "Keywords: " + ", ".join(f"term {chr(97 + n)}" for n in range(20))
    assert len(find_keywords(document(["20|A Title", long]), "A Title", "", [])) <= MAX_KEYWORDS
    text = " and ".join(f"alpha{n} beta{n}" for n in range(50))
    assert len(salient_terms(text, text, [text])) <= SALIENT_KEYWORDS
