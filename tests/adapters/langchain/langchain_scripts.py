"""Scripts for models, by what they show; each is used with the core's loop and with the graph."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from vectree.llm.chat import Reply, ToolCall, Usage
from vectree.llm.scripted import call, calls

BERG = "berg2021-a1b2"
READ_3 = ("get_page_content", {"doc_id": BERG, "pages": "3"})
ANSWER = f"It is 0.28 eV (van den Berg et al., 2021, {BERG}, p.3)."
Script = Callable[[], Sequence[Reply | str]]


def plain() -> Sequence[Reply | str]:
    return [
        call("search_documents", query="activation energy"),
        call("get_document_tree", doc_id=BERG),
        calls(READ_3),
        ANSWER,
    ]


def parallel() -> Sequence[Reply | str]:
    """One round with calls of every layer, then one with twelve searches: reminders from the tenth call."""
    return [
        calls(
            ("search_documents", {"query": "garnet"}),
            READ_3,
            ("get_document_tree", {"doc_id": BERG}),
            ("get_page_image", {"doc_id": BERG, "image": "fig-3-1.png"}),
        ),
        calls(*[("search_documents", {"query": f"garnet {n}"}) for n in range(12)]),
        Reply(text=ANSWER, usage=Usage(prompt_tokens=100, completion_tokens=7, cached_tokens=40)),
    ]


def malformed() -> Sequence[Reply | str]:
    """C22: broken and good calls in one round, in mixed order."""
    return [
        calls(
            ("get_page_content", '{"doc_id": "berg2021-a1b2", "pa'),
            READ_3,
            ("get_pages", "{}"),
            ("get_page_content", "null"),
            ("get_page_content", "[]"),
            ("get_page_content", {"doc_id": "nobody", "pages": "1"}),
            ("get_page_content", {"doc_id": BERG}),
            ("search_documents", {"query": "garnet", "top_k": 0}),
            (" search_documents ", {"query": "garnet"}),
        ),
        ANSWER,
    ]


def only_malformed() -> Sequence[Reply | str]:
    """Plain ``create_agent`` ends here (langchain#33504)."""
    return [calls(("search_documents", '{"query')), calls(("nonsense", "{")), ANSWER]


def never_stops() -> Sequence[Reply | str]:
    """Forty rounds with a draft in the fifth."""
    searches = [call("search_documents", query=f"garnet {n}") for n in range(40)]
    searches[4] = Reply(text="A draft.", tool_calls=searches[4].tool_calls)
    return searches


def exactly_thirty_calls() -> Sequence[Reply | str]:
    """Twenty-nine rounds with thirty calls, then the answer in the last round."""
    first = calls(("search_documents", {"query": "garnet"}), READ_3)
    return [first, *[call("search_documents", query=f"garnet {n}") for n in range(28)], ANSWER]


def nudged() -> Sequence[Reply | str]:
    return [call("search_documents", query="garnet"), "", calls(READ_3), ANSWER]


def empty_twice() -> Sequence[Reply | str]:
    searched = call("search_documents", query="garnet")
    return [Reply(text="A draft.", tool_calls=searched.tool_calls), "  ", ""]


def broken_figure() -> Sequence[Reply | str]:
    """A figure that does not exist, one given twice, one listed."""
    return [
        calls(
            ("get_page_image", {"doc_id": BERG, "image": "../secret"}),
            ("list_images", {"doc_id": BERG}),
        ),
        call("get_page_image", doc_id=BERG, image="fig-3-1.png"),
        call("search_within_paper", doc_id=BERG, query="energy"),
        f"See the figure (van den Berg et al., 2021, {BERG}, p.3).",
    ]


def same_ids() -> Sequence[Reply | str]:
    """A service that gives two calls one id, and another call none."""
    arguments = '{"query": "garnet"}'
    twins = tuple(ToolCall(id=i, name="search_documents", arguments=arguments) for i in ("x", "x", ""))
    return [Reply(tool_calls=twins), calls(READ_3), ANSWER]


SCRIPTS: dict[str, Script] = {
    script.__name__: script
    for script in (
        plain,
        parallel,
        malformed,
        only_malformed,
        never_stops,
        exactly_thirty_calls,
        nudged,
        empty_twice,
        broken_figure,
        same_ids,
    )
}

_numbers = itertools.count()


def thread() -> dict[str, dict[str, str]]:
    """A config with a thread of its own."""
    return {"configurable": {"thread_id": f"t{next(_numbers)}"}}
