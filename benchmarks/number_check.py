"""How often the look-up of numbers is wrong, on sentences of real papers.

Every sentence with a number, of every other page, is taken as an answer that cites its page. Word for word, no
number may be missing (false alarms). Then one digit of one number is changed, seeded; the number should be missing,
unless it happens to stand elsewhere on the page. Last, dashes, percent signs and crosses are written another way,
which must not matter.

    python benchmarks/number_check.py --corpus /tmp/litqa2-corpus
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from vectree import Corpus
from vectree.agent.number_check import unfound_numbers
from vectree.agent.numerals import numerals
from vectree.document import Page
from vectree.sentences import sentences

SEED = 7
REWRITES = (("-", "\u2212"), ("%", " %"), ("×", " × "))
DIGIT = re.compile(r"(?<![\w.^-])\d+(?:\.\d+)?(?![\w^])")


def claims(page: Page) -> list[str]:
    """The sentences of a page with a number, without brackets, which might be taken for citations."""
    plain = [re.sub(r"[(\[\])]", " ", sentence).rstrip(".:# ") for sentence in sentences(page.text)]
    return [claim for claim in plain if 40 < len(claim) < 400 and next(iter(numerals(claim)), None)]


def alarms(doc_id: str, page: Page, said: Sequence[str]) -> list[str]:
    """The sentences of an answer with a number that the page does not hold."""
    text = "\n\n".join(f"{claim} (Author et al., n.d., {doc_id}, p.{page.number})." for claim in said)
    found = unfound_numbers(text, read=frozenset({(doc_id, page.number)}), page=lambda *_: page)
    return list(dict.fromkeys(item.sentence for item in found))


def changed(claim: str, draw: random.Random) -> str | None:
    """The claim with one digit of one number of at least three digits replaced."""
    spots = [match for match in DIGIT.finditer(claim) if sum(map(str.isdigit, match[0])) >= 3]
    if not spots:
        return None
    spot = draw.choice(spots)
    place = draw.choice([i for i, c in enumerate(spot[0]) if c.isdigit()])
    digit = draw.choice([d for d in "123456789" if d != spot[0][place]])
    number = spot[0][:place] + digit + spot[0][place + 1 :]
    return claim[: spot.start()] + number + claim[spot.end() :]


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--every", type=int, default=2, help="take each n-th page")
    parser.add_argument("--show", type=int, default=0, help="print so many false alarms")
    options = parser.parse_args()
    draw, counts = random.Random(SEED), Counter[str]()
    corpus = Corpus.open(options.corpus)
    pages = ((record.doc_id, page) for record in corpus.list() for page in corpus.pages(record.doc_id))
    for doc_id, page in islice(pages, 0, None, options.every):
        said = claims(page)
        counts["sentences"] += len(said)
        counts["numbers"] += sum(1 for claim in said for _ in numerals(claim))
        wrong = alarms(doc_id, page, said)
        for sentence in wrong[: max(options.show - counts["false alarms"], 0)]:
            print(sentence)
        counts["false alarms"] += len(wrong)
        written = said
        for old, new in REWRITES:
            written = [claim.replace(old, new) for claim in written]
        counts["false alarms, rewritten"] += len(alarms(doc_id, page, written))
        falsified = [claim for each in said if (claim := changed(each, draw))]
        counts["changed"] += len(falsified)
        counts["changed and listed"] += len(alarms(doc_id, page, falsified))
    for name, count in counts.items():
        print(f"{name:26} {count:>7,}")


if __name__ == "__main__":
    main()
