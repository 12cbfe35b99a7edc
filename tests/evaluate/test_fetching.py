"""Fetching papers: the services' answers in their shape, a network that misbehaves, taking up again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from vectree.cli import eval_fetching
from vectree.cli.eval_app import eval_app
from vectree.errors import StoreError, UsageError
from vectree.evaluate.fetching.courier import Courier, CourierSettings, FetchError, is_pdf
from vectree.evaluate.fetching.fetch import RECORD, FetchReport, Outcome, fetch_papers, file_name
from vectree.evaluate.fetching.places import OPENALEX_KEY, SERVICES

PDF = b"%PDF-1.7\n" + b"x" * 2000 + b"\n%%EOF\n"
DOI = "10.5555/moss.51"

OPENALEX = {
    "id": "https://openalex.org/W0000000051",
    "doi": f"https://doi.org/{DOI}",
    "title": "Moss panels delay storm runoff on flat roofs",
    "open_access": {
        "is_oa": True,
        "oa_status": "gold",
        "oa_url": "https://press.example/moss",
        "any_repository_has_fulltext": True,
    },
    "best_oa_location": {
        "is_oa": True,
        "landing_page_url": "https://press.example/moss",
        "pdf_url": "https://press.example/moss.pdf",
        "source": {"id": "https://openalex.org/S51", "display_name": "Annals of Roofs", "type": "journal"},
        "license": "cc-by",
        "license_id": "https://openalex.org/licenses/cc-by",
        "version": "publishedVersion",
        "is_accepted": True,
        "is_published": True,
    },
    "locations": [
        {
            "is_oa": True,
            "landing_page_url": "https://press.example/moss",
            "pdf_url": "https://press.example/moss.pdf",
        },
        {
            "is_oa": False,
            "landing_page_url": "https://closed.example",
            "pdf_url": "https://closed.example/a.pdf",
        },
        {"is_oa": True, "landing_page_url": "https://repo.example/51", "pdf_url": None, "license": None},
    ],
}
UNPAYWALL = {
    "doi": DOI,
    "doi_url": f"https://doi.org/{DOI}",
    "is_oa": True,
    "oa_status": "green",
    "best_oa_location": {
        "endpoint_id": None,
        "evidence": "oa repository (via OAI-PMH doi match)",
        "host_type": "repository",
        "is_best": True,
        "license": "cc-by-nc",
        "url": "https://repo.example/51.pdf",
        "url_for_pdf": "https://repo.example/51.pdf",
        "url_for_landing_page": "https://repo.example/51",
        "version": "acceptedVersion",
    },
    "first_oa_location": None,
    "oa_locations": [{"url_for_pdf": "https://repo.example/51.pdf"}, {"url_for_pdf": None}],
}
EUROPE_PMC = {
    "version": "6.9",
    "hitCount": 1,
    "request": {"queryString": f'DOI:"{DOI}"', "resultType": "core"},
    "resultList": {
        "result": [
            {
                "id": "99000051",
                "source": "MED",
                "pmcid": "PMC9900051",
                "doi": DOI,
                "isOpenAccess": "Y",
                "inEPMC": "Y",
                "license": "cc by",
                "fullTextUrlList": {
                    "fullTextUrl": [
                        {
                            "availability": "Subscription required",
                            "availabilityCode": "S",
                            "documentStyle": "pdf",
                            "site": "DOI",
                            "url": "https://closed.example/b.pdf",
                        },
                        {
                            "availability": "Open access",
                            "availabilityCode": "OA",
                            "documentStyle": "html",
                            "site": "Europe_PMC",
                            "url": "https://epmc.example/PMC9900051",
                        },
                        {
                            "availability": "Open access",
                            "availabilityCode": "OA",
                            "documentStyle": "pdf",
                            "site": "Europe_PMC",
                            "url": "https://epmc.example/PMC9900051?pdf=render",
                        },
                    ]
                },
            }
        ]
    },
}
HOSTS = {
    "api.openalex.org": OPENALEX,
    "api.unpaywall.org": UNPAYWALL,
    "www.ebi.ac.uk": EUROPE_PMC,
    "press.example": PDF,
    "repo.example": PDF,
    "epmc.example": PDF,
}


class Net:
    """A network of hosts, each with a response or a function that gives one."""

    def __init__(self, **changes: Any) -> None:
        self.hosts: dict[str, Any] = {
            **HOSTS,
            **{key.replace("_", "."): value for key, value in changes.items()},
        }
        self.asked: list[httpx.URL] = []
        self.agents: set[str] = set()
        self.slept: list[float] = []
        self.now = 0.0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.url)
        self.agents.add(request.headers["User-Agent"])
        found = self.hosts[request.url.host]
        if callable(found):
            found = found(request)
        if isinstance(found, httpx.Response):
            return found
        if isinstance(found, bytes):
            return httpx.Response(200, content=found)
        return httpx.Response(200, json=found)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def courier(self, **bounds: Any) -> Courier:
        return Courier(
            "me@uni.example",
            CourierSettings(**bounds),
            transport=httpx.MockTransport(self),
            sleep=self.sleep,
            clock=lambda: self.now,
        )

    def fetch(self, folder: Path, *dois: str, **bounds: Any) -> FetchReport:
        with self.courier(**bounds) as courier:
            return fetch_papers(dois or (DOI,), folder, courier)

    @property
    def paths(self) -> list[str]:
        return [f"{url.host}{url.path}" for url in self.asked]


def absent(_: httpx.Request) -> httpx.Response:
    return httpx.Response(404, json={"error": "not found"})


def test_a_paper_is_fetched_with_its_licence(tmp_path: Path) -> None:
    net = Net()
    (row,) = net.fetch(tmp_path).rows
    assert (row.outcome, row.service, row.licence) == (Outcome.FETCHED, "OpenAlex", "cc-by")
    assert (row.version, row.url) == ("publishedVersion", "https://press.example/moss.pdf")
    assert (tmp_path / row.file).read_bytes() == PDF
    assert row.bytes == len(PDF)
    assert net.paths == [f"api.openalex.org/works/doi:{DOI}", "press.example/moss.pdf"]
    assert dict(net.asked[0].params)["mailto"] == "me@uni.example"
    assert all("mailto:me@uni.example" in agent for agent in net.agents)


def test_the_next_service_is_asked_only_where_those_before_gave_nothing(tmp_path: Path) -> None:
    page = b"<!doctype html><title>Please enable cookies</title>"
    net = Net(press_example=page, repo_example=absent)
    (row,) = net.fetch(tmp_path).rows
    assert (row.outcome, row.service, row.licence) == (Outcome.FETCHED, "Europe PMC", "cc by")
    assert row.reasons == [
        "OpenAlex: press.example gave no PDF, but b'<!doctype ht'….",
        "Unpaywall: repo.example has nothing at this address.",
    ]
    assert not any("closed.example" in path for path in net.paths)


def test_addresses_name_the_work_and_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OPENALEX_KEY, "k1")
    openalex, unpaywall, europe_pmc = (service.address("10.1/a b", "me@x") for service in SERVICES)
    assert "/works/doi:10.1/a%20b?" in openalex
    assert openalex.endswith("&api_key=k1")
    assert unpaywall == "https://api.unpaywall.org/v2/10.1/a%20b?email=me%40x"
    assert httpx.URL(europe_pmc).params["query"] == 'DOI:"10.1/a b"'


@pytest.mark.parametrize(
    "answer", [None, [], "x", 7, {"best_oa_location": []}, {"locations": [3], "oa_locations": {}}]
)
def test_answers_of_any_shape_are_passed_over(answer: Any) -> None:
    assert [place for service in SERVICES for place in service.places(answer)] == []


def test_a_paper_without_an_open_copy_is_no_failure(tmp_path: Path) -> None:
    net = Net(api_openalex_org=absent, api_unpaywall_org=absent, www_ebi_ac_uk={"resultList": {"result": []}})
    report = net.fetch(tmp_path)
    assert report.rows[0].outcome is Outcome.NO_COPY
    assert (report.count(Outcome.NO_COPY), report.licences) == (1, {})


def test_services_that_fail_are_named(tmp_path: Path) -> None:
    def broken(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no route", request=request)

    net = Net(
        api_openalex_org=broken,
        api_unpaywall_org=lambda _: httpx.Response(422, json={"message": "bad email"}),
        www_ebi_ac_uk=b"<html>",
    )
    (row,) = net.fetch(tmp_path).rows
    assert row.outcome is Outcome.FAILED
    assert row.reasons == [
        "OpenAlex: api.openalex.org cannot be reached: ConnectError.",
        "Unpaywall: api.unpaywall.org answered 422.",
        "Europe PMC: www.ebi.ac.uk gave no JSON.",
    ]


def test_a_busy_host_is_given_time_and_then_given_up(tmp_path: Path) -> None:
    waits = iter([httpx.Response(429, headers={"Retry-After": "7"}), httpx.Response(200, content=PDF)])
    net = Net(press_example=lambda _: next(waits))
    assert net.fetch(tmp_path).rows[0].outcome is Outcome.FETCHED
    assert 7.0 in net.slept
    net = Net(press_example=lambda _: httpx.Response(503, headers={"Retry-After": "9999"}))
    assert "asks to wait 9999 seconds" in net.fetch(tmp_path / "b").rows[0].reasons[0]
    net = Net(press_example=lambda _: httpx.Response(503, headers={"Retry-After": "Mon, 30 Nov 2026"}))
    assert "answered 503" in net.fetch(tmp_path / "c").rows[0].reasons[0]
    assert net.paths.count("press.example/moss.pdf") == 3


def test_requests_to_one_host_are_spaced(tmp_path: Path) -> None:
    net = Net()
    net.fetch(tmp_path, "10.1/a", "10.1/b", "10.1/c")
    assert net.slept == [1.0, 1.0]


def test_what_is_too_big_or_too_slow_is_left(tmp_path: Path) -> None:
    net = Net()
    (row,) = net.fetch(tmp_path, pdf_bytes=500).rows
    assert row.reasons[0] == "OpenAlex: press.example sends more than 500 bytes."
    net = Net()
    (row,) = net.fetch(tmp_path / "b", total_seconds=-1.0).rows
    assert "took more than" in row.reasons[0]


def test_a_pdf_that_was_cut_off_is_none() -> None:
    assert is_pdf(PDF)
    assert is_pdf(b"\n\n" + PDF + b"\0" * 500)
    assert not is_pdf(PDF[:-10])
    assert not is_pdf(b"")
    assert not is_pdf(b"<html>%%EOF</html>")


def test_what_was_fetched_is_kept_and_the_rest_is_tried_again(tmp_path: Path) -> None:
    net = Net(
        press_example=lambda request: (
            absent(request) if len(net.asked) > 2 else httpx.Response(200, content=PDF)
        )
    )
    net.hosts["repo.example"] = net.hosts["epmc.example"] = absent
    report = net.fetch(tmp_path, "10.1/a", "10.1/b")
    assert [row.outcome for row in report.rows] == [Outcome.FETCHED, Outcome.FAILED]
    again = Net()
    report = again.fetch(tmp_path, "10.1/a", "10.1/b")
    assert (report.kept, report.count(Outcome.FETCHED)) == (1, 2)
    assert not any("10.1/a" in path for path in again.paths)
    (tmp_path / file_name("10.1/a")).write_bytes(b"changed")
    assert Net().fetch(tmp_path, "10.1/a", "10.1/b").kept == 1


def test_a_record_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / RECORD).write_text("{}\n")
    with pytest.raises(StoreError, match="line 1"):
        Net().fetch(tmp_path)


@pytest.mark.parametrize(
    "doi", ["../../etc/passwd", "10.1/../x", "10.1/" + "a" * 900, "10.1/ä/ö", "con", "."]
)
def test_no_doi_leads_out_of_the_folder(tmp_path: Path, doi: str) -> None:
    name = file_name(doi)
    assert (tmp_path / name).resolve().parent == tmp_path.resolve()
    assert len(name) < 120
    assert file_name("10.1/a/b") != file_name("10.1/a-b")


def test_redirects_are_bounded(tmp_path: Path) -> None:
    net = Net(press_example=lambda request: httpx.Response(302, headers={"Location": str(request.url)}))
    assert "TooManyRedirects" in net.fetch(tmp_path).rows[0].reasons[0]


def test_an_address_that_is_none_is_a_reason_and_no_fault() -> None:
    with Net().courier() as courier, pytest.raises(FetchError):
        courier.pdf("http://press.example/\x00")


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """Two invented questions in LitQA2's form."""
    rows = [
        {
            "id": f"q{number}",
            "question": "?",
            "ideal": "a",
            "distractors": ["b"],
            "sources": [f"https://doi.org/{doi}"],
        }
        for number, doi in enumerate((DOI, "10.5555/gone"))
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_the_command_fetches_and_says_what_is_next(
    questions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(request: httpx.Request) -> Any:
        return absent(request) if "gone" in str(request.url) else OPENALEX

    net = Net(api_openalex_org=gone, api_unpaywall_org=absent, www_ebi_ac_uk={})
    monkeypatch.setattr(eval_fetching, "Courier", lambda mailto: net.courier())
    words = [
        "fetch-litqa2",
        "--data",
        str(questions),
        "--out",
        str(tmp_path / "pdfs"),
        "--mailto",
        "me@uni.example",
    ]
    result = CliRunner().invoke(eval_app, words, catch_exceptions=False)
    assert result.exit_code == 1
    assert "10.5555/gone: no open copy." in result.stdout
    assert "1 of 2 papers" in result.stdout
    assert "Licences: 1 cc-by" in result.stdout
    result = CliRunner().invoke(eval_app, [*words, "--limit", "1", "--json"], catch_exceptions=False)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["kept"] == 1


def test_nothing_is_asked_without_a_mail_address(questions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VECTREE_MAILTO", raising=False)
    result = CliRunner().invoke(eval_app, ["fetch-litqa2", "--data", str(questions)])
    assert isinstance(result.exception, UsageError)
