from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from vectree.corpus import Corpus
from vectree.errors import InvalidArguments, NoAnswer, UnknownDocument, UnknownFigure, UsageError
from vectree.evidence import Filters
from vectree.llm.chat import ChatRequest
from vectree.llm.scripted import FunctionModel, ScriptedModel, call


@pytest.fixture
def garnet(corpus: Corpus, desk: Any) -> str:
    """The ``doc_id`` of one of two papers."""
    desk.write("a.pdf", "Garnet electrolytes conduct lithium", year=2024)
    desk.write("b.pdf", "Perovskite solar cells degrade", author="B. Ito", year=2020, journal="Énergie")
    return corpus.add(desk.folder).added[0].doc_id


def numbers(pages: Any) -> list[int]:
    return [page.number for page in pages]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (None, [1, 2, 3]),
        (2, [2]),
        ("2", [2]),
        ("1-2", [1, 2]),
        ("2–3", [2, 3]),
        ("3,1", [1, 3]),
        ([3, 1, 3], [1, 3]),
        ("ix", [1]),
        ("101-102", [2, 3]),
        (range(1, 3), [1, 2]),
    ],
)
def test_pages_can_be_named_in_every_usual_way(
    corpus: Corpus, garnet: str, wanted: Any, expected: list[int]
) -> None:
    assert numbers(corpus.pages(garnet, wanted)) == expected


@pytest.mark.parametrize("wanted", [0, 4, [1, 9], "9", "xyz", "", "0-2"])
def test_pages_that_do_not_exist_are_refused(corpus: Corpus, garnet: str, wanted: Any) -> None:
    with pytest.raises(InvalidArguments):
        corpus.pages(garnet, wanted)


def test_a_range_that_runs_past_the_end_is_cut_and_said_so(
    corpus: Corpus, garnet: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert numbers(corpus.pages(garnet, "2,7")) == [2]
    assert garnet in caplog.text


def test_stats_count_documents_years_and_journals(corpus: Corpus, garnet: str) -> None:
    stats = corpus.stats()
    assert (stats.documents, stats.year_first, stats.year_last, stats.journals) == (2, 2020, 2024, 2)


def test_search_takes_filters_and_lists(corpus: Corpus, garnet: str) -> None:
    assert corpus.search("*").total_matches == 2
    assert [hit.doc_id for hit in corpus.search("*", filters=Filters(year_min=2022)).hits] == [garnet]
    assert corpus.search("*", filters=Filters(journal="energie")).total_matches == 1
    assert corpus.search("*", top_k=1, offset=1).hits != corpus.search("*", top_k=1).hits


def test_what_is_unknown_is_named(corpus: Corpus, garnet: str) -> None:
    for read in (corpus.record, corpus.tree, corpus.pages, corpus.figures, corpus.report):
        with pytest.raises(UnknownDocument):
            read("nobody-0000")
    with pytest.raises(UnknownDocument):
        corpus.within("nobody-0000", "x")
    with pytest.raises(UnknownFigure):
        corpus.figure(garnet, "../../corpus.json")


def test_the_seven_tools_are_methods_and_never_raise_for_a_models_mistake(
    corpus: Corpus, garnet: str
) -> None:
    assert garnet in corpus.search_documents("garnet electrolytes", top_k=3, year_min=2000).text
    assert "Garnet" in corpus.get_paper_metadata(garnet).text
    assert "0001" in corpus.get_document_tree(garnet).text
    assert "0001" in corpus.get_document_tree(garnet, node_id="0001").text
    assert corpus.search_within_paper(garnet, "garnet electrolytes").error is False
    pages = corpus.get_page_content(doc_id=garnet, pages="3")
    assert pages.sources == ((garnet, 3),)
    assert corpus.get_page_content(garnet, [1, 2]).sources == ((garnet, 1), (garnet, 2))
    assert "p001-1.png" in corpus.list_images(garnet).text
    assert corpus.get_page_image(garnet, "../../../etc/passwd").error
    assert corpus.get_page_content("nobody-0000", "1").error


def test_a_question_is_answered_by_the_model_that_was_asked(corpus: Corpus, garnet: str) -> None:
    citation = f"(Meyer, 2024, {garnet}, p.2)"
    model = ScriptedModel([call("get_page_content", doc_id=garnet, pages="2"), f"It conducts {citation}."])
    steps: list[Any] = []
    answer = corpus.ask("Does garnet conduct?", model=model, on_step=steps.append)
    assert [(c.doc_id, c.page, c.read) for c in answer.citations] == [(garnet, 2, True)]
    assert [(e.doc_id, e.page, e.node_id) for e in answer.evidence] == [(garnet, 2, "0001")]
    assert steps == list(answer.trajectory)
    assert model.left == 0


def test_the_corpus_has_a_model_of_its_own(root: Path, garnet: str) -> None:
    corpus = Corpus.open(root, model=ScriptedModel(["Nothing."], name="mine"))
    answer = corpus.ask("What?")
    assert (answer.text, answer.model) == ("Nothing.", "mine")


def test_the_default_model_quotes_the_papers(corpus: Corpus, garnet: str) -> None:
    answer = corpus.ask("Which electrolytes conduct lithium?")
    assert answer.model == "extractive"
    assert {item.doc_id for item in answer.evidence} <= {garnet}


@pytest.mark.parametrize("question", ["", "  \n"])
def test_an_empty_question_is_wrong_usage(corpus: Corpus, garnet: str, question: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        corpus.ask(question)


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
import conftest
import vectree.corpus.preparing as preparing
from vectree.corpus import Corpus
preparing.ingest = conftest.Desk(Path(sys.argv[2])).ingest
print(Corpus.open(sys.argv[1]).add(sys.argv[2]).added[0].doc_id)
"""


def test_what_another_process_added_or_replaced_is_found_by_the_next_search(
    corpus: Corpus, garnet: str, desk: Any, root: Path
) -> None:
    assert corpus.search("sodium sulfur batteries").hits == ()
    desk.write("c.pdf", "Sodium sulfur batteries")
    here = str(Path(__file__).parent)
    out = subprocess.run(
        [sys.executable, "-c", WRITER, str(root), str(desk.folder), here],
        capture_output=True,
        text=True,
        check=True,
    )
    doc_id = out.stdout.strip()
    assert [hit.doc_id for hit in corpus.search("sodium sulfur batteries").hits] == [doc_id]
    assert doc_id in {record.doc_id for record in corpus.list()}
    Corpus.open(root).remove(doc_id)
    assert corpus.search("sodium sulfur batteries").hits == ()


def test_reading_goes_on_while_another_writes(corpus: Corpus, garnet: str, desk: Any) -> None:
    problems: list[Any] = []
    stop = threading.Event()

    def read() -> None:
        least = 0
        while not stop.is_set():
            try:
                count = corpus.search("*").total_matches
                if count < least:
                    problems.append((count, least))
                least = count
                for hit in corpus.search("garnet electrolytes lithium").hits:
                    corpus.pages(hit.doc_id, 1)
            except Exception as error:
                problems.append(repr(error))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for n in range(12):
        corpus.add(desk.write(f"n{n}.pdf", f"Numbered paper {n}"))
        corpus.add(desk.write("a.pdf", f"Garnet electrolytes conduct lithium, edition {n}"))
    stop.set()
    for reader in readers:
        reader.join()
    assert problems == []
    assert corpus.search("*").total_matches == 14


def test_c34_eight_threads_of_fifty_calls_equal_serial(corpus: Corpus, garnet: str) -> None:
    calls = [
        lambda: corpus.search_documents("garnet electrolytes").text,
        lambda: corpus.get_document_tree(garnet).text,
        lambda: corpus.search_within_paper(garnet, "lithium").text,
        lambda: corpus.get_page_content(garnet, "2").sources,
        lambda: corpus.list_images(garnet).text,
    ]
    expected = [make() for make in calls]
    different: list[Any] = []

    def work() -> None:
        for n in range(50):
            found = calls[n % len(calls)]()
            if found != expected[n % len(calls)]:
                different.append(found)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert different == []


class Slow:
    """A model that sleeps a second before it answers."""

    def __init__(self, garnet: str) -> None:
        self.asked = 0
        self.garnet = garnet
        self.model = FunctionModel(self.reply, name="slow")

    def reply(self, _: ChatRequest) -> Any:
        self.asked += 1
        time.sleep(0.6)
        return call("get_document_tree", doc_id=self.garnet) if self.asked < 4 else "Done."


def test_c34_async_verbs_do_not_hold_up_the_event_loop(corpus: Corpus, garnet: str) -> None:
    async def main() -> tuple[Any, Any, float]:
        gaps, done = [0.0], asyncio.Event()

        async def tick() -> None:
            last = time.perf_counter()
            while not done.is_set():
                await asyncio.sleep(0.01)
                now = time.perf_counter()
                gaps.append(now - last)
                last = now

        ticker = asyncio.create_task(tick())
        answer = await corpus.aask("What?", model=Slow(garnet).model)
        result = await corpus.asearch("garnet electrolytes")
        done.set()
        await ticker
        return answer, result, max(gaps)

    answer, result, longest = asyncio.run(main())
    assert answer.text == "Done."
    assert result.hits[0].doc_id == garnet
    assert longest < 0.25  # two busy cores; a loop that was held up would show at least 0.6


def test_c34_the_sync_verbs_work_inside_a_running_loop(corpus: Corpus, garnet: str, desk: Any) -> None:
    async def main() -> None:
        assert corpus.search("garnet electrolytes").hits
        assert corpus.ask("What?", model=ScriptedModel(["Nothing."])).text == "Nothing."
        assert len(corpus.add(desk.write("c.pdf", "Sodium sulfur batteries")).added) == 1

    asyncio.run(main())


def test_a_cancelled_question_ends_before_its_next_call(corpus: Corpus, garnet: str) -> None:
    slow = Slow(garnet)

    async def main() -> None:
        task = asyncio.create_task(corpus.aask("What?", model=slow.model))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(1.0)

    asyncio.run(main())
    assert slow.asked == 1


def test_cancelled_adding_keeps_what_is_finished(corpus: Corpus, desk: Any) -> None:
    for n in range(30):
        desk.write(f"{n:02}.pdf", f"Paper number {n}")
    desk.before_reading = lambda _: time.sleep(0.05)

    async def main() -> None:
        task = asyncio.create_task(corpus.aadd(desk.folder, jobs=1))
        while not (corpus.path / "corpus.json").exists() or not corpus.list():
            await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())  # waits for the thread
    assert 1 <= len(corpus.list()) < 30
    report = asyncio.run(corpus.aadd(desk.folder))
    assert len(report.added) + len(report.unchanged) == 30


def test_a_run_without_any_text_is_no_answer(corpus: Corpus, garnet: str) -> None:
    with pytest.raises(NoAnswer):
        corpus.ask("What?", model=ScriptedModel([""] * 2))
