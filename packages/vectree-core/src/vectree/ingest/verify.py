"""The one check every claimed heading must pass, wherever the claim came from.

The paper (§3.2) accepts a title that occurs, as a case-insensitive substring, on its claimed page or a
neighbour. On real pages that rule rejects true titles (ligatures, line breaks, lost spaces) and accepts
false ones (a running head, a contents entry, a sentence that uses the word). Deviation: titles are compared
in one normal form, and a match is graded. *Heading line*: the title stands alone at its place, or opens a
paragraph in a look of its own. *Substring*: it merely occurs. Furniture and contents entries count as
neither. The paper's literal rule is computed beside it, so that both rates can be reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from vectree.document import Heading, Match
from vectree.ingest.layout.body import BodyText
from vectree.ingest.layout.neighbours import in_one_row
from vectree.ingest.layout.row_text import labels
from vectree.ingest.lexicon import is_abstract_part, is_abstract_title
from vectree.ingest.numbering import readings, split_number
from vectree.ingest.parse import Line, ParsedPage
from vectree.ingest.rows import PageRows, Row
from vectree.normal import match_key

PAGE_TOLERANCE = 1
_NEARBY = (0, 1, -1)
_MAX_SITE_ROWS = 14
_MAX_NUMBER = 8
_MAX_STARTS = 500
_OPENING_MARKS = ":.—–-"
_SENTENCE_END = (".", ":", "?", "!")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Site:
    """A place where a title stands as a heading.

    Attributes:
        page: Physical page.
        first: Position of its first row on the page.
        last: Position of its last row.
        run_in: Whether text follows on its last row.
    """

    page: int
    first: int
    last: int
    run_in: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found for a claim.

    Attributes:
        match: How the title was found.
        page: Where; the claimed page if it was not found.
        site: Its rows, for a heading line.
    """

    match: Match
    page: int
    site: Site | None = None


class Verifier:
    """Looks titles up in the pages of one document.

    Args:
        pages: Rows of every page, in order.
        body: What running text looks like.

    Attributes:
        pages: As given.
        body: As given.
    """

    def __init__(self, pages: Sequence[PageRows], body: BodyText) -> None:
        self.pages = pages
        self.body = body
        self._found: dict[str, tuple[Site, ...]] = {}
        self._starts: dict[str, list[tuple[int, int, bool]]] = defaultdict(list)
        for page in pages:
            for place, row in enumerate(page.rows):
                if not row.furniture and not row.contents and row.key:
                    self._enter(page.number, place, row)

    def sites(self, title: str) -> tuple[Site, ...]:
        """All places where a title stands as a heading, with or without a number before it.

        On a page that marks one of its lines with this title as a heading, other lines do not count.

        Args:
            title: Without its number.

        Returns:
            In document order.
        """
        known = self._found.get(title)
        if known is None:
            known = self._found[title] = self._search(title)
        return known

    def _search(self, title: str) -> tuple[Site, ...]:
        wanted = match_key(title)
        found = {
            site
            for length in range(1, len(wanted) + 1)
            for page, place, lead in self._starts.get(wanted[:length], ())
            for site in self._grow(title, wanted, wanted[:length], page, place, lead=lead)
        }
        marked = {site.page for site in found if self._is_marked(site)}
        kept = (site for site in found if site.page not in marked or self._is_marked(site))
        return tuple(sorted(kept))

    def _is_marked(self, site: Site) -> bool:
        return self.pages[site.page - 1].rows[site.first].marked

    def check(self, title: str, page: int, taken: Collection[Site] = ()) -> Verdict:
        """Grade a claim: heading line before substring, the claimed page before its neighbours.

        Args:
            title: Without its number.
            page: The claimed page.
            taken: Places that other claims hold.

        Returns:
            The best match within one page of the claim.
        """
        free = [site for site in self.sites(title) if site not in taken]
        for step in _NEARBY:
            site = next((site for site in free if site.page == page + step), None)
            if site is not None:
                return Verdict(match=Match.HEADING_LINE, page=site.page, site=site)
        wanted = match_key(title)
        for step in _NEARBY:
            number = page + step
            if wanted and 1 <= number <= len(self.pages) and wanted in self.pages[number - 1].key:
                return Verdict(match=Match.SUBSTRING, page=number)
        return Verdict(match=Match.NONE, page=page)

    def _enter(self, page: int, place: int, row: Row) -> None:
        """File a row under what a title starting there would begin with."""
        self._file(row.key, (page, place, False))
        for _, rest in readings(row.text):
            if key := match_key(rest):
                self._file(key, (page, place, False))
        for key in _lead_keys(row):
            self._file(key, (page, place, True))

    def _file(self, key: str, start: tuple[int, int, bool]) -> None:
        """Words that begin hundreds of rows are no heading's; the bound keeps hostile pages cheap."""
        if len(self._starts[key]) < _MAX_STARTS:
            self._starts[key].append(start)

    def _grow(
        self, title: str, wanted: str, have: str, page: int, place: int, *, lead: bool
    ) -> Iterator[Site]:
        """Add rows until the title is complete; nothing if other words come first."""
        rows = self.pages[page - 1].rows
        first = rows[place]
        if lead:
            if have == wanted and self._may_lead(title, first):
                yield Site(page=page, first=place, last=place, run_in=True)
            return
        last = place
        while have != wanted:
            last += 1
            if last >= min(len(rows), place + _MAX_SITE_ROWS):
                return
            row = rows[last]
            if row.furniture:
                continue
            if have + row.lead == wanted and row.lead:
                yield Site(page=page, first=place, last=last, run_in=True)
                return
            if row.contents or not wanted.startswith(have + row.key):
                return
            have += row.key
        if self._stands_alone(title, rows, place, last):
            yield Site(page=page, first=_with_label(rows, place, self.body), last=last)

    def _may_lead(self, title: str, row: Row) -> bool:
        """Whether a title may open this row's paragraph: in a look of its own, or as part of an abstract."""
        if row.line.run is not None and match_key(row.line.run.text).endswith(match_key(title)):
            return True
        return is_abstract_part(title) or is_abstract_title(title)

    def _stands_alone(self, title: str, rows: Sequence[Row], first: int, last: int) -> bool:
        """Whether rows are a heading and not the last words of a sentence or a cell of a table."""
        if rows[first].marked:
            return True
        text = readings(rows[first].text)
        begins = [rows[first].text, *(rest for _, rest in text)]
        if all(begin[:1].islower() != title[:1].islower() for begin in begins if begin):
            return False
        above = _next_line(rows, range(first - 1, -1, -1))
        below = _next_line(rows, range(last + 1, len(rows)))
        if above is not None and _ends_paragraph(above, rows[first].line, self.body):
            return False
        return not any(
            other is not None and _cell_of(line, other, self.body)
            for line, other in ((rows[first].line, above), (rows[last].line, below))
        )


def _next_line(rows: Sequence[Row], places: range) -> Line | None:
    """The first line at these places that is no furniture."""
    return next((rows[place].line for place in places if not rows[place].furniture), None)


def _with_label(rows: Sequence[Row], first: int, body: BodyText) -> int:
    """The row a heading starts at, with a number or a label such as "Chapter 3" set apart before it."""
    before = next((place for place in range(first - 1, -1, -1) if not rows[place].furniture), None)
    if before is None or rows[before].contents:
        return first
    row, line = rows[before], rows[first].line
    label = split_number(row.text)
    if label[0] is not None and label[0].label and not label[1].strip():
        return before if labels(row, rows[first], body) else first
    number = len(row.text) <= _MAX_NUMBER and bool(readings(f"{row.text} X"))
    return before if number and abs(row.line.box.y1 - line.box.y1) < 0.3 * line.size else first


def _lead_keys(row: Row) -> list[str]:
    """Normal forms of the words a row's paragraph may be opened by, with and without a number."""
    keys: list[str] = []
    if row.line.run is not None:
        keys = [
            match_key(text)
            for text in (row.line.run.text, *(rest for _, rest in readings(row.line.run.text)))
        ]
    cut = min((at for mark in _OPENING_MARKS if (at := row.text.find(mark)) > 0), default=0)
    if 0 < cut < len(row.text) - 1:
        keys.append(match_key(row.text[:cut]))
    return [key for key in dict.fromkeys(keys) if key and key != row.key]


def _ends_paragraph(above: Line, line: Line, body: BodyText) -> bool:
    """Whether a line in the look of running text goes on from an unfinished line right above."""
    if not body.carries(line) or body.stands_out(line) or above.text.endswith(_SENTENCE_END):
        return False
    same = above.font == line.font and abs(above.size - line.size) < 0.3
    close = (
        line.box.y0 - above.box.y0 > 0 and line.box.y0 - above.box.y1 < max(body.gap, 0.0) + 0.35 * line.size
    )
    return same and close and above.box.width > 0.6 * body.width


def _cell_of(line: Line, other: Line, body: BodyText) -> bool:
    """Whether two lines are cells of one table row, and not a number and its title."""
    apart = max(other.box.x0 - line.box.x1, line.box.x0 - other.box.x1)
    if apart <= line.size or not in_one_row(line, other, body):
        return False
    return any(map(str.isalpha, other.text)) and not (
        len(other.text) <= _MAX_NUMBER and readings(f"{other.text} X")
    )


def paper_rule(heading: Heading, pages: Sequence[ParsedPage]) -> bool:
    """The paper's rule to the letter (§3.2): a case-insensitive substring, one page either way.

    Args:
        heading: A claim.
        pages: All pages.

    Returns:
        Whether the title, without its number, occurs.
    """
    title = heading.title.lower()
    for number in range(heading.page - PAGE_TOLERANCE, heading.page + PAGE_TOLERANCE + 1):
        if 1 <= number <= len(pages):
            page = pages[number - 1]
            if title in (page.raw if page.markdown is None else page.markdown).lower():
                return True
    return False
