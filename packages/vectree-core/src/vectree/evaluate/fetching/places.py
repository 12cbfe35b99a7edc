"""Where an open copy of a paper lies, by what three services say."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, cast
from urllib.parse import quote

OPENALEX_KEY = "OPENALEX_API_KEY"
"""Environment variable with a (free) key of OpenAlex; single works can be asked for without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An address at which a service says a PDF lies.

    Attributes:
        url: The address.
        service: Who says so.
        licence: The licence as the service writes it; empty if it says nothing.
        version: For example ``"publishedVersion"``; empty if the service says nothing.
    """

    url: str
    service: str
    licence: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A service that knows open copies.

    Attributes:
        name: Its name.
        address: From a DOI and the caller's mail address to what to ask.
        places: From its answer to places, best first; anything unexpected in the answer is passed over.
    """

    name: str
    address: Callable[[str, str], str]
    places: Callable[[Any], Iterator[Place]]


def _openalex_address(doi: str, mailto: str) -> str:
    key = os.environ.get(OPENALEX_KEY, "")
    fields = "id,doi,title,open_access,best_oa_location,locations"
    return f"https://api.openalex.org/works/doi:{quote(doi)}?mailto={quote(mailto)}&select={fields}" + (
        f"&api_key={quote(key)}" if key else ""
    )


def _openalex_places(answer: Any) -> Iterator[Place]:
    for location in [_dict(_dict(answer).get("best_oa_location")), *_dicts(answer, "locations")]:
        url = _address(location.get("pdf_url"))
        if location.get("is_oa") and url:
            yield Place(
                url=url,
                service="OpenAlex",
                licence=_text(location.get("license")),
                version=_text(location.get("version")),
            )


def _unpaywall_address(doi: str, mailto: str) -> str:
    return f"https://api.unpaywall.org/v2/{quote(doi)}?email={quote(mailto)}"


def _unpaywall_places(answer: Any) -> Iterator[Place]:
    for location in [_dict(_dict(answer).get("best_oa_location")), *_dicts(answer, "oa_locations")]:
        if url := _address(location.get("url_for_pdf")):
            yield Place(
                url=url,
                service="Unpaywall",
                licence=_text(location.get("license")),
                version=_text(location.get("version")),
            )


def _europe_pmc_address(doi: str, mailto: str) -> str:
    query = quote(f'DOI:"{doi}"', safe="")
    return (
        "https://www.ebi.ac.uk/europepmc/webservices/rest/search"
        f"?query={query}&resultType=core&format=json&pageSize=5&email={quote(mailto)}"
    )


def _europe_pmc_places(answer: Any) -> Iterator[Place]:
    for result in _dicts(_dict(answer).get("resultList"), "result"):
        for link in _dicts(result.get("fullTextUrlList"), "fullTextUrl"):
            is_open = link.get("availabilityCode") in ("OA", "F")
            url = _address(link.get("url"))
            if is_open and link.get("documentStyle") == "pdf" and url:
                yield Place(url=url, service="Europe PMC", licence=_text(result.get("license")))


SERVICES: Final = (
    Service(name="OpenAlex", address=_openalex_address, places=_openalex_places),
    Service(name="Unpaywall", address=_unpaywall_address, places=_unpaywall_places),
    Service(name="Europe PMC", address=_europe_pmc_address, places=_europe_pmc_places),
)
"""In the order of §4.1; the next one is asked only where the places of those before gave no PDF."""


def _dict(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _dicts(value: Any, name: str) -> list[dict[str, Any]]:
    found: Any = _dict(value).get(name)
    return [_dict(each) for each in cast("list[Any]", found)] if isinstance(found, list) else []


def _text(value: Any) -> str:
    return value[:100] if isinstance(value, str) else ""


def _address(value: Any) -> str:
    return value if isinstance(value, str) and value.startswith(("https://", "http://")) else ""
