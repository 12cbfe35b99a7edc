"""Where a service is, and which key it gets."""

from __future__ import annotations

import pytest

from vectree.errors import UsageError
from vectree.llm.endpoint import OPENAI_URL, Endpoint, find_endpoint, is_local

LOCAL = "http://localhost:8000/v1"


def test_the_caller_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VECTREE_BASE_URL", "https://env.example/v1")
    monkeypatch.setenv("VECTREE_API_KEY", "from-env")
    assert find_endpoint(base_url=None, api_key=None) == Endpoint(
        base_url="https://env.example/v1", api_key="from-env"
    )
    assert find_endpoint(base_url=LOCAL, api_key="mine") == Endpoint(base_url=LOCAL, api_key="mine")


def test_vectrees_variables_come_before_openais(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://two.example/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "two")
    assert find_endpoint(base_url=None, api_key=None) == Endpoint(
        base_url="https://two.example/v1", api_key="two"
    )
    monkeypatch.setenv("VECTREE_BASE_URL", "https://one.example/v1")
    monkeypatch.setenv("VECTREE_API_KEY", "one")
    assert find_endpoint(base_url=None, api_key=None) == Endpoint(
        base_url="https://one.example/v1", api_key="one"
    )


def test_without_a_key_a_service_elsewhere_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(UsageError, match=r"api\.openai\.com asks for an API key, and none is set") as caught:
        find_endpoint(base_url=None, api_key=None)
    assert "VECTREE_API_KEY or OPENAI_API_KEY" in caught.value.hint


def test_on_this_machine_and_network_no_key_is_needed() -> None:
    assert find_endpoint(base_url=LOCAL, api_key=None).api_key == ""
    assert find_endpoint(base_url=LOCAL, api_key=None).key_to_send


@pytest.mark.parametrize(
    ("written", "url"),
    [
        (f" {LOCAL}/ ", LOCAL),
        (f"{LOCAL}/chat/completions", LOCAL),
        (OPENAI_URL, OPENAI_URL),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
    ],
)
def test_common_ways_to_write_a_url_mean_the_same(written: str, url: str) -> None:
    assert find_endpoint(base_url=written, api_key="k").base_url == url


@pytest.mark.parametrize(
    "wrong", ["localhost:8000", "ftp://host/v1", "http://", "//host", "http://host:port", "/v1"]
)
def test_what_is_no_url_is_refused(wrong: str) -> None:
    with pytest.raises(UsageError, match="http://"):
        find_endpoint(base_url=wrong, api_key="k")


@pytest.mark.parametrize("pasted", ["sk-“abc”", "sk-a\nb", "sk-a b", "clé"])
def test_a_key_that_cannot_be_sent_is_refused_without_showing_it(pasted: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_endpoint(base_url=LOCAL, api_key=pasted)
    assert pasted not in str(caught.value)


def test_white_space_around_a_key_is_not_part_of_it() -> None:
    assert find_endpoint(base_url=LOCAL, api_key=" sk-abc\n").api_key == "sk-abc"


def test_neither_key_nor_password_is_ever_shown() -> None:
    endpoint = find_endpoint(base_url="https://user:secret@api.example.org:8443/v1", api_key="sk-abc")
    assert endpoint.host == "api.example.org:8443"
    assert "sk-abc" not in repr(endpoint)
    assert endpoint.without_key("Incorrect API key provided: sk-abc.") == "Incorrect API key provided: ***."


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("0.0.0.0", True),
        ("192.168.1.7", True),
        ("ollama", True),
        ("box.local", True),
        ("host.docker.internal", True),
        ("api.openai.com", False),
        ("8.8.8.8", False),
        ("localhost.example.org", False),
        ("2001:4860:4860::8888", False),
    ],
)
def test_local_is_this_machine_and_its_network(host: str, local: bool) -> None:
    assert is_local(host) is local
