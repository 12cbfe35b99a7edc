"""What is measured about a block of lines: white space, neighbours, width, words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from vectree.ingest.layout.body import BodyText, font_family, half_points
from vectree.ingest.layout.candidate import Candidate
from vectree.ingest.layout.neighbours import in_one_row, runs_wide, share_baseline
from vectree.ingest.layout.row_text import bare_number, joined
from vectree.ingest.lexicon import is_section_title
from vectree.ingest.numbering import readings
from vectree.ingest.parse import Line
from vectree.ingest.rows import Row
from vectree.normal import match_key

_LONG_TEXT = 20
_SAME_SIZE = 0.6


def measure(
    page: int,
    block: Sequence[tuple[int, Row]],
    above: Line | None,
    below: Line | None,
    body: BodyText,
    listed: frozenset[str],
) -> Candidate:
    """Measure a block against what stands around it.

    Args:
        page: Physical page.
        block: Its rows with their positions on the page.
        above: The line before it in reading order.
        below: The line after it.
        body: What running text looks like.
        listed: Normal forms of titles that a contents list promises.

    Returns:
        The candidate.
    """
    lines = [row.line for _, row in block]
    text = joined([row for _, row in block])
    shown = lines[-1] if bare_number(lines[0].text) else lines[0]
    numbers = readings(text)
    titles = [text, *(title for _, title in numbers)]
    gap_above = _gap(above, lines[0], body) if above else None
    gap_below = _gap(lines[-1], below, body) if below else None
    return Candidate(
        page=page,
        first=block[0][0],
        last=block[-1][0],
        text=text,
        style=body.style(shown),
        numbers=tuple(numbers),
        known=any(is_section_title(title) for title in titles),
        listed=any(match_key(title) in listed for title in titles if len(title) > 2),
        stands_out=body.stands_out(shown),
        gap_above=gap_above,
        gap_below=gap_below,
        stacked=above is not None and body.stands_out(above) and gap_above is not None and gap_above > -0.5,
        alone=not (in_one_row(lines[0], above, body) or in_one_row(lines[-1], below, body)),
        height=1 + sum(not share_baseline(one, other) for one, other in pairwise(lines)),
        body_below=below is not None and _is_body(below, lines[-1], body),
        paragraph_below=below is not None and runs_wide(below, body) and not readings(below.text),
        leads_in=_opens_paragraph(lines[-1], body) or (below is not None and _runs_on(lines[-1], below)),
        turned=all(len(line.text) > 2 and line.box.height > 2 * line.box.width for line in lines),
        fill=max(line.box.width for line in lines) / max(body.width, 1.0),
        left=lines[0].box.x0,
        top=lines[0].box.y0,
    )


def _gap(above: Line, below: Line, body: BodyText) -> float | None:
    """White space between two lines beyond the usual; ``None`` if one does not stand under the other."""
    apart = below.box.y0 - above.box.y1
    if (
        apart < -above.box.height
        or below.box.x0 > above.box.x1 + body.size
        or above.box.x0 > below.box.x1 + body.size
    ):
        return None
    return (apart - body.gap) / body.size


def _is_body(line: Line, above: Line, body: BodyText) -> bool:
    return body.carries(line) and len(line.text) > _LONG_TEXT and not share_baseline(above, line)


def _runs_on(line: Line, below: Line) -> bool:
    """Whether the look of a line continues into the start of the next one, which goes on as text."""
    run = below.run
    return (
        run is not None
        and (run.font, run.bold, run.italic) == (line.font, line.bold, line.italic)
        and abs(run.size - line.size) < _SAME_SIZE
        and 0 < below.box.y0 - line.box.y0 < 1.55 * line.size
    )


def _opens_paragraph(line: Line, body: BodyText) -> bool:
    """Whether only the start of a full line stands out."""
    run = line.run
    if (
        run is None
        or (line.bold and not body.bold)
        or bare_number(run.text)
        or line.box.width < 0.85 * body.width
    ):
        return False
    if len(run.text) >= len(line.text) - 2:
        return False
    return run.font == line.font or (font_family(line.font), half_points(line.size)) in body.fonts
