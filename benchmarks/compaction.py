"""Tokens of a long run with and without compaction of old page texts, on real papers, with a scripted model.

The script searches once, then opens the tree of one paper after another, reads some of its pages, and notes a
sentence, for 28 rounds in all. Sent tokens are counted by characters / 4, prompt and tool schemas included. A
service that caches prefixes charges most for tokens it has not seen in this place before; these are counted too,
since taking texts out breaks the prefix.

    python benchmarks/compaction.py --corpus /tmp/litqa2-corpus
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from vectree import Corpus
from vectree.agent.compaction import Compaction
from vectree.agent.loop import LoopSettings
from vectree.evidence import Answer
from vectree.llm.chat import ChatRequest, Message, Reply
from vectree.llm.scripted import ScriptedModel, call
from vectree.tokens import count_tokens

PAPERS = 13
PAGES = 4
NOTE = (
    "The pages say what was asked for; I note it with its citation (Author et al., 2024, some-id, p.1). " * 3
)


def script(corpus: Corpus) -> Iterator[Reply | str]:
    """One search, then tree and pages of each paper, then an answer."""
    yield call("search_documents", query="protein")
    for record in corpus.list()[:PAPERS]:
        yield replace(call("get_document_tree", doc_id=record.doc_id), text=NOTE)
        last = min(PAGES + 1, record.total_pages)
        yield call("get_page_content", doc_id=record.doc_id, pages=f"{min(2, last)}-{last}")
    yield "Done."


def size(message: Message) -> int:
    """Tokens of a message as sent."""
    return count_tokens(message.text + "".join(c.name + c.arguments for c in message.tool_calls))


def sent(requests: list[ChatRequest]) -> tuple[int, int]:
    """Tokens sent in all, and those after the prefix that the request before had too."""
    schemas = sum(count_tokens(t.description + json.dumps(t.parameters)) for t in requests[0].tools)
    total = uncached = 0
    before: tuple[Message, ...] = ()
    for request in requests:
        same = 0
        for old, new in zip(before, request.messages, strict=False):
            if old != new:
                break
            same += 1
        total += schemas + sum(map(size, request.messages))
        uncached += (0 if before else schemas) + sum(map(size, request.messages[same:]))
        before = request.messages
    return total, uncached


def run(corpus: Corpus, room: int | None) -> tuple[Answer, ScriptedModel]:
    """One run."""
    model = ScriptedModel(script(corpus))
    compaction = None if room is None else Compaction(page_tokens=room)
    return corpus.ask("What do they find?", model=model, settings=LoopSettings(compaction=compaction)), model


def main() -> None:
    """Run without and with, print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, required=True)
    corpus = Corpus.open(parser.parse_args().corpus)
    print("room    sent       saved      share   not cached   largest request")
    for room in (None, 24_000, 12_000, 6_000):
        answer, model = run(corpus, room)
        total, uncached = sent(model.requests)
        largest = max(sum(map(size, request.messages)) for request in model.requests)
        share = answer.saved_tokens / (total + answer.saved_tokens)
        print(
            f"{room or 'none':>6}  {total:>9,}  {answer.saved_tokens:>9,}  {share:>5.0%}  {uncached:>11,}  {largest:>9,}"
        )


if __name__ == "__main__":
    main()
