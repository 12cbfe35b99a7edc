from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.sentences import sentence_spans, sentences


@pytest.mark.parametrize(
    "text",
    [
        "As Smith et al. (2020) showed, it holds.",
        "See Fig. 3 and Eq. 4 for details.",
        "The value was 3.5 mS at p < .05 in all cells.",
        "We thank J. R. Smith and A.-M. Jones for help.",
        "It was tested at approx. 37 °C vs. 25 °C.",
        "Many salts, e.g. LiTFSI, i.e. the imide, dissolve (cf. Sec. 2).",
        "The U.S. Department of Energy paid.",
        "Version 1.2.3 of the code was used.",
        "Samples (no. 4) were kept in No. 5 flasks.",
        "Vgl. Abb. 3 und z. B. Tab. 4 dieser Arbeit.",
        "This sentence has no end",
        "Is it so? yes, it is so.",
    ],
)
def test_text_that_is_one_sentence(text):
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It binds vitamin C. The protein folds.", ["It binds vitamin C.", "The protein folds."]),
        ("It was 3.5 mS. See Fig. 2.", ["It was 3.5 mS.", "See Fig. 2."]),
        ("It rose. mRNA fell. p53 rose. pH fell.", ["It rose.", "mRNA fell.", "p53 rose.", "pH fell."]),
        ("Cells died.12,13 The rest grew.", ["Cells died.12,13", "The rest grew."]),
        ("They died.[12, 13] Then more.", ["They died.[12, 13]", "Then more."]),
        ("As in Jones et al. We agree.", ["As in Jones et al.", "We agree."]),
        ('He said "no." Then he left.', ['He said "no."', "Then he left."]),
        ("这是第一句。这是第二句！好吗？", ["这是第一句。", "这是第二句！", "好吗？"]),
        ("これは文です。次の文です。", ["これは文です。", "次の文です。"]),
        ("# Results\nIt grew. It fell.", ["# Results", "It grew.", "It fell."]),
        ("One para\n\nTwo para", ["One para", "Two para"]),
        ("- item one\n- item two", ["- item one", "- item two"]),
        ("| a | b |\n| 1 | 2 |", ["| a | b |", "| 1 | 2 |"]),
        ("A line\nthat goes on. Next.", ["A line that goes on.", "Next."]),
        ("", []),
        (" \n\n ", []),
    ],
)
def test_sentences_are_split_where_they_end(text, expected):
    assert sentences(text) == expected


@given(st.text("aA .!?\n1[]()#|-。", max_size=120))
def test_spans_are_in_order_and_lose_no_letter(text):
    spans = sentence_spans(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())


@pytest.mark.parametrize("text", ["a. " * 50_000, "." * 300_000, ("[1," * 100_000), (" " * 500 + "\n") * 500])
def test_hostile_text_takes_little_time(text):
    start = time.perf_counter()
    sentences(text)
    assert time.perf_counter() - start < 5
