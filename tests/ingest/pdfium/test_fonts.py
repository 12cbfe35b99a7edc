from __future__ import annotations

import pytest

from vectree.ingest.parsers.pdfium.fonts import face


@pytest.mark.parametrize(
    "name",
    [
        "ABCDEF+Helvetica-Bold",
        "TimesNewRomanPS-BoldMT",
        "CMBX10",
        "SFBX1095",
        "NimbusRomNo9L-Medi",
        "AdvOT12ab34.B",
        "MyriadPro-Semibold",
        "Arial,Bold",
        "LinLibertineTB",
        "Univers-Black",
    ],
)
def test_a_bold_name_is_bold(name: str) -> None:
    assert face(name, -1, 0).bold_name


@pytest.mark.parametrize(
    "name", ["Helvetica", "CMR10", "NimbusRomNo9L-Regu", "Futura-Medium", "Times-Italic", "STIX-Regular", ""]
)
def test_a_plain_name_is_not_bold(name: str) -> None:
    assert not face(name, -1, 0).bold_name


@pytest.mark.parametrize("name", ["Times-Italic", "CMTI10", "Helvetica-Oblique", "AdvP123.I", "ArialMT-It"])
def test_an_italic_name_is_italic(name: str) -> None:
    assert face(name, -1, 0).italic


def test_the_subset_prefix_is_no_part_of_the_name() -> None:
    assert face("QWERTY+CMR10", 400, 0).name == "CMR10"


def test_a_heavy_stem_is_kept_apart_from_a_bold_name() -> None:
    judged = face("AdvOT596495f2", 700, 0)
    assert judged.heavy
    assert not judged.bold_name


def test_a_name_that_says_regular_outweighs_the_stem() -> None:
    assert not face("NimbusRomNo9L-Regu", 700, 1 << 18).heavy
