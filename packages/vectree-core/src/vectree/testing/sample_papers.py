"""Four invented papers on electrolytes and alloys, small enough to read, different enough to compare."""

from __future__ import annotations

import struct
import zlib

from vectree.testing.library import MemoryLibrary, Paper, make_paper


def grey_png(width: int = 8, height: int = 6) -> bytes:
    """A grey image as PNG bytes.

    Args:
        width: Pixels.
        height: Pixels.

    Returns:
        A valid file.
    """

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\x00" + b"\x80" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    ends = chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(ends)


_BERG = make_paper(
    "berg2021-a1b2",
    title="A garnet electrolyte for solid batteries",
    authors=("Maria van den Berg", "Jun Li", "Ana Moreno", "Kofi Mensah"),
    year=2021,
    journal="Journal of Power Studies",
    description="A cubic garnet keeps its ionic conductivity up to 120 °C.",
    sections=(
        ("Abstract", 1, 1),
        ("1 Introduction", 1, 1),
        ("2 Methods", 2, 2),
        ("3 Results", 3, 3),
        ("References", 4, 4),
    ),
    pages=(
        "# A garnet electrolyte for solid batteries\n\n"
        "We study a cubic garnet as an electrolyte for solid batteries.\n\n"
        "## 1 Introduction\n\n"
        "Solid electrolytes promise safer cells. Earlier garnets lost their conductivity above 80 °C "
        "(Smith et al., 2010).",
        "## 2 Methods\n\n"
        "Pellets were sintered at 1150 °C for 6 h. Impedance was measured from 20 to 120 °C. Each pellet was "
        "12 mm wide.",
        "## 3 Results\n\n"
        "The garnet reaches an ionic conductivity of 0.62 mS/cm at 25 °C. It keeps its conductivity up to "
        "120 °C over 400 h. The activation energy is 0.28 eV.\n\n"
        "![Conductivity against temperature](fig-3-1.png)\n\n"
        "No second phase was found by diffraction.",
        "## References\n\nSmith, A., Jones, B. (2010). Garnets revisited. J. Ceram. 4, 1-9.",
    ),
    figures=(("fig-3-1.png", 3, grey_png()),),
)
_OKORO = make_paper(
    "okoro2023-c3d4",
    title="A sulfide electrolyte with high conductivity",
    authors=("Ngozi Okoro", "Peter Lindqvist"),
    year=2023,
    journal="Energy Letters of the North",
    description="A sulfide glass conducts better than garnets at room temperature and degrades above 80 °C.",
    sections=(("Abstract", 1, 1), ("1 Synthesis", 2, 2), ("2 Conductivity", 2, 3), ("3 Stability", 3, 3)),
    pages=(
        "# A sulfide electrolyte with high conductivity\n\nWe report a sulfide glass for solid batteries.",
        "## 1 Synthesis\n\nThe glass was milled for 20 h under argon.\n\n"
        "## 2 Conductivity\n\n"
        "The sulfide glass reaches an ionic conductivity of 4.1 mS/cm at 25 °C.",
        "Its activation energy is 0.21 eV.\n\n"
        "## 3 Stability\n\n"
        "Above 80 °C the sulfide electrolyte loses a third of its conductivity within 50 h.",
    ),
    related=("okoro2023-si-9e9e",),
)
_OKORO_SI = make_paper(
    "okoro2023-si-9e9e",
    title="Supporting information: A sulfide electrolyte with high conductivity",
    authors=("Ngozi Okoro", "Peter Lindqvist"),
    year=2023,
    journal="Energy Letters of the North",
    description="Milling protocol and raw impedance spectra.",
    pages=("Milling used 10 mm zirconia balls at 510 rpm.", "Raw impedance spectra are listed here."),
    related=("okoro2023-c3d4",),
)
_RAMAN = make_paper(
    "raman2019-e5f6",
    title="Creep of a nickel superalloy with rhenium",
    authors=("Indira Raman",),
    year=2019,
    journal="Alloys Quarterly",
    description="Rhenium additions triple the creep life of a single-crystal nickel alloy.",
    sections=(("Abstract", 1, 1), ("1 Creep tests", 2, 2), ("2 Discussion", 3, 3)),
    pages=(
        "# Creep of a nickel superalloy with rhenium\n\n"
        "Single crystals with 0, 3 and 6 wt% rhenium were tested.",
        "## 1 Creep tests\n\n"
        "The creep life at 1000 °C and 200 MPa rose from 110 h without rhenium to 340 h with 6 wt% rhenium. "
        "In total 24 specimens were broken.",
        "## 2 Discussion\n\nRhenium slows the climb of dislocations in the matrix.",
    ),
)

SAMPLE_PAPERS: tuple[Paper, ...] = (_BERG, _OKORO, _OKORO_SI, _RAMAN)


def sample_library() -> MemoryLibrary:
    """A library of the sample papers.

    Returns:
        Three papers and a supplement.
    """
    return MemoryLibrary(SAMPLE_PAPERS)
