"""Crossref over a transport that stands in for the network: politeness, bounds, what is kept (C08, C10)."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from vectree.document import Metadata
from vectree.ingest.bibliography_source import BibliographySource, LookUpStatus
from vectree.ingest.crossref import CachedAnswers, Crossref, CrossrefSettings

TITLE = "Ion transport in cold glass membranes"
FRONT = f"{TITLE}\nAda Lovelace and Alan Turing"
PAPER = Metadata(
    title=TITLE, authors=("Ada Lovelace",), doi="10.1234/abc(1)<2>;x", provenance={"title": "rules"}
)
RECORD = {
    "DOI": "10.1234/abc",
    "title": [TITLE],
    "author": [{"given": "Ada", "family": "Lovelace"}],
    "volume": "7",
}
FOUND = {"message": RECORD}


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(tmp_path: Path, clock: Clock) -> Callable[..., tuple[Crossref, list[httpx.Request]]]:
    """A client of a service that gives these replies one after the other, the last one for ever."""

    def make(*replies: object, **settings: object) -> tuple[Crossref, list[httpx.Request]]:
        left, seen = list(replies), list[httpx.Request]()

        def handle(request: httpx.Request) -> httpx.Response:
            seen.append(request)
            reply = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(reply, Exception):
                raise reply
            if isinstance(reply, httpx.Response):
                return httpx.Response(reply.status_code, headers=reply.headers, content=reply.content)
            return httpx.Response(200, json=reply)

        chosen = CrossrefSettings(**settings)  # pyright: ignore[reportArgumentType]
        client = Crossref(
            tmp_path / "cache", chosen, transport=httpx.MockTransport(handle), sleep=clock.sleep, clock=clock
        )
        return client, seen

    return make


def test_a_record_that_agrees_is_found_by_doi(service) -> None:
    client, seen = service(FOUND)
    assert isinstance(client, BibliographySource)
    found = client.find(PAPER, FRONT)
    assert (found.status, found.work.volume) == (LookUpStatus.VERIFIED, "7")
    assert len(seen) == 1


def test_c08_the_path_is_percent_encoded(service) -> None:
    client, seen = service(FOUND)
    client.find(PAPER, FRONT)
    assert seen[0].url.raw_path == b"/works/10.1234%2Fabc%281%29%3C2%3E%3Bx"


def test_the_caller_says_who_they_are(service) -> None:
    client, seen = service(FOUND, mailto="ada@example.org")
    client.find(PAPER, FRONT)
    assert seen[0].url.params["mailto"] == "ada@example.org"
    assert seen[0].headers["user-agent"] == "VecTree (mailto:ada@example.org)"


def test_without_a_doi_title_and_authors_are_searched_for(service) -> None:
    client, seen = service({"message": {"items": [{**RECORD, "title": ["Another"]}, RECORD]}})
    found = client.find(Metadata(title=TITLE, authors=("Ada Lovelace",)), FRONT)
    assert (found.status, found.work.doi) == (LookUpStatus.VERIFIED, "10.1234/abc")
    assert seen[0].url.params["query.bibliographic"] == f"{TITLE} Ada Lovelace"
    assert seen[0].url.params["rows"] == "3"


def test_c09_a_near_neighbour_is_recorded_as_unverified(service) -> None:
    neighbour = {"DOI": "10.9/n", "title": ["Ion transport in cold glasses"], "author": [{"family": "Chen"}]}
    client, _ = service({"message": {"items": [neighbour]}})
    found = client.find(Metadata(title=TITLE, authors=("Ada Lovelace",)), FRONT)
    assert (found.status, found.work) == (LookUpStatus.UNVERIFIED, None)
    assert "10.9/n" in found.detail


def test_answers_are_kept_also_that_there_is_none(service, tmp_path) -> None:
    client, seen = service(FOUND, httpx.Response(404))
    unknown = Metadata(title=TITLE, doi="10.1234/none")
    for _ in range(3):
        assert client.find(PAPER, FRONT).status is LookUpStatus.VERIFIED
        assert client.find(unknown, FRONT).status is LookUpStatus.NOT_FOUND
    assert len(seen) == 2
    offline = CachedAnswers(tmp_path / "cache")
    assert offline.find(PAPER, FRONT).status is LookUpStatus.VERIFIED
    assert offline.find(unknown, FRONT).status is LookUpStatus.NOT_FOUND
    assert offline.find(Metadata(title=TITLE), FRONT).status is LookUpStatus.OFFLINE


def test_a_damaged_answer_is_asked_for_anew(service, tmp_path) -> None:
    client, seen = service(FOUND)
    client.find(PAPER, FRONT)
    (kept,) = (tmp_path / "cache").iterdir()
    kept.write_text(kept.read_text()[:40])
    assert client.find(PAPER, FRONT).status is LookUpStatus.VERIFIED
    assert len(seen) == 2


def test_c10_retry_after_is_honoured(service, clock) -> None:
    client, seen = service(httpx.Response(429, headers={"retry-after": "7"}), FOUND)
    assert client.find(PAPER, FRONT).status is LookUpStatus.VERIFIED
    assert (len(seen), 7.0 in clock.slept) == (2, True)


@pytest.mark.parametrize(
    "trouble",
    [
        httpx.Response(429, headers={"retry-after": "3600"}),
        httpx.Response(429, headers={"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}),
        httpx.Response(504),
        httpx.Response(403),
        httpx.ConnectError("no DNS"),
        httpx.ReadTimeout("no answer"),
        httpx.Response(200, content=b"<html>captive portal</html>"),
        httpx.Response(200, content=b"[" * 100_000),
        httpx.Response(200, content=b'{"message": "' + b"x" * 5_000_000 + b'"}'),
    ],
    ids=["429 for an hour", "429 date", "504", "403", "no DNS", "timeout", "html", "deep", "huge"],
)
def test_c10_whatever_is_wrong_ends_in_time_as_unavailable_and_is_not_kept(service, clock, trouble) -> None:
    client, seen = service(trouble)
    found = client.find(PAPER, FRONT)
    assert found.status is LookUpStatus.UNAVAILABLE
    assert found.detail
    assert len(seen) <= 3
    assert clock.now - 1000.0 <= 45.0
    healed, _ = service(FOUND)
    assert healed.find(PAPER, FRONT).status is LookUpStatus.VERIFIED


def test_c10_a_service_that_is_down_does_not_hold_up_every_paper_of_a_folder(service, clock) -> None:
    client, seen = service(httpx.ConnectError("down"), patience=2, pause=100.0)
    for number in range(20):
        client.find(Metadata(title=TITLE, doi=f"10.1234/{number}"), FRONT)
    assert len(seen) == 2 * 3
    clock.now += 101.0
    client.find(PAPER, FRONT)
    assert len(seen) == 3 * 3


@pytest.mark.parametrize(
    ("mailto", "doi", "gap"),
    [(None, True, 0.2), (None, False, 1.0), ("a@b.org", True, 0.1), ("a@b.org", False, 1 / 3)],
)
def test_requests_keep_to_the_limit_of_their_pool(service, clock, mailto, doi, gap) -> None:
    client, seen = service(FOUND, mailto=mailto)
    for number in range(5):
        client.find(Metadata(title=f"{TITLE} {number}", doi=f"10.1234/{number}" if doi else None), FRONT)
    assert len(seen) == 5
    assert clock.now - 1000.0 == pytest.approx(4 * gap)


def test_one_client_serves_many_threads(service) -> None:
    client, seen = service(FOUND, mailto="a@b.org")
    papers = [
        Metadata(title=TITLE, doi=f"10.1234/{number}", authors=("Ada Lovelace",)) for number in range(8)
    ]
    threads = [threading.Thread(target=client.find, args=(paper, FRONT)) for paper in papers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8


def test_nothing_known_nothing_asked(service) -> None:
    client, seen = service(FOUND)
    assert client.find(Metadata(title=""), FRONT).status is LookUpStatus.NOT_FOUND
    assert seen == []


def test_a_kept_answer_is_plain_json_under_a_hash(service, tmp_path) -> None:
    client, _ = service(FOUND)
    client.find(PAPER, FRONT)
    (kept,) = (tmp_path / "cache").iterdir()
    assert kept.stem.isalnum()
    assert json.loads(kept.read_text())["answer"] == FOUND
