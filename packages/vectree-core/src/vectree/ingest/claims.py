"""Bringing claims for headings to their places.

Claims come from several sources and in three states: right, on the wrong page, or naming something that is
no heading. All are looked up by the one verifier; two claims for the same rows become one heading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vectree.document import HeadingSource, Match
from vectree.ingest.layout.body import Style
from vectree.ingest.numbering import Enumerator, readings
from vectree.ingest.rows import PageRows
from vectree.ingest.verify import Site, Verdict, Verifier
from vectree.normal import match_key

_LAST = (1 << 30, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A heading as a source states it.

    Attributes:
        number: Its number.
        title: Title without the number.
        page: Physical page; ``None`` if the source does not know.
        source: Where it comes from.
        level: Depth from 1, if the source states one.
        rows: Positions of its first and last row on the page, if the source saw it.
        style: Its look, if the source saw it.
        before: The claim as it was before a repair changed it; ``None`` if none did.
    """

    number: Enumerator | None
    title: str
    page: int | None
    source: HeadingSource
    level: int | None = None
    rows: tuple[int, int] | None = None
    style: Style | None = None
    before: Claim | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A claim with the place where it was found.

    Attributes:
        claim: What was claimed.
        match: How it was found.
        site: Its rows; for a substring match, the row it occurs in.
    """

    claim: Claim
    match: Match
    site: Site

    @property
    def place(self) -> tuple[int, int]:
        """Page and row, for document order."""
        return self.site.page, self.site.first


def place_seen(claims: Sequence[Claim], verifier: Verifier) -> tuple[list[Placed], list[Claim]]:
    """Verify claims whose rows the source saw.

    Args:
        claims: In document order, each with page and rows.
        verifier: Of this document.

    Returns:
        What stands where it was seen, and the claims that do not.
    """
    placed: list[Placed] = []
    lost: list[Claim] = []
    for claim in claims:
        first, last = claim.rows or (0, -1)
        site = next(
            (
                site
                for site in verifier.sites(claim.title)
                if site.page == claim.page and first <= site.first <= last
            ),
            None,
        )
        if site is None:
            lost.append(claim)
        else:
            placed.append(Placed(claim=claim, match=Match.HEADING_LINE, site=site))
    return placed, lost


def place_told(
    claims: Sequence[Claim], verifier: Verifier, pages: Sequence[PageRows]
) -> tuple[list[Placed], list[Claim]]:
    """Verify claims that name a page, and look for those that are not there.

    A claim keeps its page if the title stands there or on a neighbour as a heading line. Otherwise it is
    looked for between the claims around it, then in the whole document if it stands in one place only. A mere
    occurrence on the claimed page counts last.

    Args:
        claims: In the order of the source.
        verifier: Of this document.
        pages: Rows of every page.

    Returns:
        What was found, in the order of the source, and the claims that were not.
    """
    taken: set[Site] = set()
    verdicts: list[Verdict | None] = []
    for claim in claims:
        verdict = verifier.check(claim.title, claim.page, taken) if claim.page is not None else None
        if verdict is not None and verdict.site is not None:
            taken.add(verdict.site)
        verdicts.append(verdict)
    placed: list[Placed] = []
    lost: list[Claim] = []
    for index, (claim, verdict) in enumerate(zip(claims, verdicts, strict=True)):
        site = verdict.site if verdict is not None else None
        if site is None:
            site = _elsewhere(
                claim, verifier.sites(claim.title), taken, *_window(placed, verdicts[index + 1 :])
            )
        if site is not None:
            taken.add(site)
            placed.append(Placed(claim=claim, match=Match.HEADING_LINE, site=site))
        elif verdict is not None and verdict.match is Match.SUBSTRING:
            row = row_of(claim.title, pages[verdict.page - 1])
            placed.append(
                Placed(claim=claim, match=Match.SUBSTRING, site=Site(page=verdict.page, first=row, last=row))
            )
        else:
            lost.append(claim)
    return placed, lost


def merge(seen: Sequence[Placed], told: Sequence[Placed]) -> list[Placed]:
    """Make one heading of two claims for the same rows.

    The printed words and number of the one that was seen stay; source, level and stated page are those of the
    one that was told.

    Args:
        seen: Claims placed by their rows.
        told: Claims placed by their titles.

    Returns:
        In document order.
    """
    by_row = {
        (item.site.page, row): index
        for index, item in enumerate(seen)
        for row in range(item.site.first, item.site.last + 1)
    }
    merged = list(seen)
    for item in told:
        index = by_row.get(item.place)
        if index is None or item.match is not Match.HEADING_LINE:
            if index is None:
                merged.append(item)
            continue
        claim = merged[index].claim
        if claim.level is None:
            number = claim.number or item.claim.number
            title = (
                item.claim.title if claim.number is None and item.claim.number is not None else claim.title
            )
            joined = replace(
                claim,
                number=number,
                title=title,
                page=item.claim.page or claim.page,
                source=item.claim.source,
                level=item.claim.level,
                before=item.claim.before,
            )
            merged[index] = replace(merged[index], claim=joined)
    return sorted(merged, key=lambda item: item.place)


def with_printed_number(item: Placed, page: PageRows) -> Placed:
    """Add the number that is printed before a title whose source did not give it.

    Args:
        item: A placed claim.
        page: Rows of its page.

    Returns:
        The same, or with the number read off the page.
    """
    if item.claim.number is not None or item.match is not Match.HEADING_LINE:
        return item
    text = " ".join(row.text for row in page.rows[item.site.first : item.site.last + 1] if not row.furniture)
    wanted = match_key(item.claim.title)
    for number, rest in readings(text):
        if match_key(rest) == wanted:
            return replace(item, claim=replace(item.claim, number=number))
    return item


def _window(
    before: Sequence[Placed], after: Sequence[Verdict | None]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """The stretch of the document between the surely placed claims around one."""
    start = next((item.place for item in reversed(before) if item.match is Match.HEADING_LINE), (0, 0))
    sites = (verdict.site for verdict in after if verdict is not None and verdict.site is not None)
    end = next(((site.page, site.first) for site in sites if (site.page, site.first) > start), _LAST)
    return start, end


def _elsewhere(
    claim: Claim, sites: Sequence[Site], taken: set[Site], start: tuple[int, int], end: tuple[int, int]
) -> Site | None:
    free = [site for site in sites if site not in taken]
    within = [site for site in free if start < (site.page, site.first) < end]
    if within:
        return within[0]
    return free[0] if len(free) == 1 else None


def row_of(title: str, page: PageRows) -> int:
    """The row in which a title occurs.

    Args:
        title: Without its number.
        page: Rows of the page.

    Returns:
        Position of the row; of the first one if the title spans rows, or if it cannot be told.
    """
    wanted = match_key(title)
    usable = [place for place, row in enumerate(page.rows) if not row.furniture and not row.contents]
    whole = next((place for place in usable if wanted in page.rows[place].key), None)
    if whole is not None:
        return whole
    for start, place in enumerate(usable):
        joined = "".join(page.rows[other].key for other in usable[start : start + 3])
        if wanted in joined and wanted not in joined[len(page.rows[place].key) :]:
            return place
    return usable[0] if usable else 0
