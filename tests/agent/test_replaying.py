"""A trajectory can be run again, and gives what it gave."""

from __future__ import annotations

from vectree.agent.loop import answer_question
from vectree.agent.replaying import replay
from vectree.agent.trajectory import from_jsonl, to_jsonl
from vectree.llm.scripted import ScriptedModel, calls
from vectree.testing.library import MemoryLibrary

BERG = "berg2021-a1b2"


def trajectory(library: MemoryLibrary):
    replies = [
        calls(
            ("search_documents", {"query": "garnet", "top_k": "5"}),
            ("get_pages", {}),
            ("get_document_tree", "{"),
        ),
        calls(
            ("get_page_content", {"doc_id": BERG, "pages": [3, 4]}),
            ("get_page_content", {"doc_id": BERG, "pages": "99"}),
            ("get_page_image", {"doc_id": BERG, "image": "fig-3-1.png"}),
            ("list_images", "[]"),
        ),
        "Done.",
    ]
    return answer_question("q", library=library, model=ScriptedModel(replies)).trajectory


def test_every_step_comes_back_as_it_was_also_from_a_file(library: MemoryLibrary) -> None:
    steps = trajectory(library)
    assert len(steps) == 7
    assert tuple(replay(library, steps)) == steps
    assert tuple(replay(library, from_jsonl(to_jsonl(steps)))) == steps


def test_on_another_library_it_shows_what_changed(library: MemoryLibrary) -> None:
    steps = trajectory(library)
    again = tuple(replay(MemoryLibrary([]), steps))
    assert [step.call for step in again] == [step.call for step in steps]
    assert "no such document" in again[3].error
    assert again[3].sources == ()
