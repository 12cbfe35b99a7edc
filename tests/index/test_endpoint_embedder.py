import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from vectree.errors import EmbedderError, UsageError
from vectree.index.embedder import HashEmbedder
from vectree.index.endpoint_embedder import EndpointEmbedder, EndpointSettings
from vectree.testing.embedder_contract import EmbedderContract

pytest.importorskip("openai")
pytestmark = pytest.mark.network
DIMENSION = 24


class Service:
    """The Embeddings API on loopback; ``script`` holds answers to give before the usual ones."""

    def __init__(self):
        self.requests, self.script, self.keys = [], [], []
        self.embedder = HashEmbedder(DIMENSION)
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                service.requests.append(body)
                service.keys.append(self.headers.get("authorization"))
                status, headers, answer = service.answer(self.path, body)
                data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                with contextlib.suppress(OSError):  # the client may have given up
                    self.send_response(status)
                    for name, value in {"content-type": "application/json", **headers}.items():
                        self.send_header(name, value)
                    self.send_header("content-length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def answer(self, path, body):
        if self.script:
            return self.script.pop(0)
        assert path == "/v1/embeddings"
        assert body["encoding_format"] == "float"
        assert all(text for text in body["input"])
        vectors = self.embedder.embed_documents(body["input"]) * 3
        data = [
            {"object": "embedding", "index": place, "embedding": vector.tolist()}
            for place, vector in enumerate(vectors)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return 200, {}, {"object": "list", "data": data[::-1], "model": body["model"], "usage": usage}

    def embedder_for(self, **options):
        return EndpointEmbedder("small", base_url=self.url, api_key="sk-secret", **options)


@pytest.fixture
def service():
    running = Service()
    yield running
    running.server.shutdown()
    running.server.server_close()


class TestEndpoint(EmbedderContract):
    @pytest.fixture(autouse=True)
    def _service(self, service):
        self.service = service

    def make_embedder(self):
        return self.service.embedder_for()


def test_the_dimension_is_learnt_once(service):
    embedder = service.embedder_for()
    assert embedder.fingerprint.dimension == embedder.fingerprint.dimension == DIMENSION
    assert len(service.requests) == 1


def test_a_known_dimension_is_not_asked_for(service):
    assert service.embedder_for(dimension=DIMENSION).fingerprint.name == "openai:small"
    assert service.requests == []


def test_another_dimension_than_the_known_one_is_refused(service):
    with pytest.raises(
        EmbedderError, match=r"24 dimensions; 99 are expected.*reindex --embedder openai:small"
    ):
        service.embedder_for(dimension=99).embed_query("bees")


def test_texts_are_sent_in_batches_by_number_and_size_and_come_back_in_order(service):
    settings = EndpointSettings(batch=3, batch_characters=30)
    texts = [f"text number {number}" for number in range(8)] + ["", "long " * 30]
    found = service.embedder_for(dimension=DIMENSION, settings=settings).embed_documents(texts)
    assert [len(request["input"]) for request in service.requests] == [2, 2, 2, 2, 1]
    assert np.allclose(found, service.embedder.embed_documents(texts), atol=1e-6)
    assert not found[8].any()


def test_a_long_text_is_cut_before_it_is_sent(service):
    service.embedder_for(dimension=DIMENSION).embed_query("bees " * 100_000)
    assert len(service.requests[0]["input"][0]) == EndpointSettings().max_characters


def test_the_wait_that_a_busy_service_asks_for_is_kept(service):
    service.script.append((429, {"retry-after": "0.6"}, {"error": {"message": "slow down"}}))
    start = time.monotonic()
    service.embedder_for(dimension=DIMENSION).embed_query("bees")
    assert time.monotonic() - start >= 0.6
    assert len(service.requests) == 2


def test_a_service_that_stays_busy_is_an_error_within_the_tries(service):
    busy = (429, {"retry-after": "0.01"}, {"error": {"message": "slow down"}})
    service.script += [busy] * 9
    settings = EndpointSettings(retries=2)
    with pytest.raises(EmbedderError, match=r"refused \(429\).*slow down.*Try again later"):
        service.embedder_for(dimension=DIMENSION, settings=settings).embed_query("bees")
    assert len(service.requests) == 3


@pytest.mark.parametrize(
    ("status", "hint"),
    [(401, "VECTREE_EMBEDDING_API_KEY"), (404, "name of the model"), (400, "Check the name")],
)
def test_a_refusal_names_the_remedy_and_never_the_key(service, status, hint):
    service.script.append((status, {}, {"error": {"message": "bad key sk-secret"}}))
    with pytest.raises(EmbedderError, match=hint) as caught:
        service.embedder_for(dimension=DIMENSION).embed_query("bees")
    assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize(
    "answer",
    [
        b"<html>a page</html>",
        {"data": []},
        {"object": "list", "data": [{"index": 0, "embedding": []}]},
        {"object": "list", "data": [{"index": 0, "embedding": [0.5]}, {"index": 1, "embedding": [0.5]}]},
        {"object": "list", "data": [{"index": 0, "embedding": ["x"]}]},
    ],
)
def test_what_is_no_embedding_is_refused(service, answer):
    service.script += [(200, {}, answer)] * 5
    with pytest.raises(EmbedderError, match="holds no embeddings"):
        service.embedder_for().embed_query("bees")


def test_a_service_that_is_down_is_a_clear_error(service):
    service.server.shutdown()
    service.server.server_close()
    with pytest.raises(EmbedderError, match=r"127\.0\.0\.1:\d+ cannot be reached"):
        service.embedder_for(settings=EndpointSettings(retries=0)).embed_query("bees")


def test_a_service_that_hangs_is_given_up(service):
    service.answer = lambda *_: time.sleep(2) or (200, {}, {})
    settings = EndpointSettings(timeout=0.2, retries=0)
    with pytest.raises(EmbedderError, match="does not answer"):
        service.embedder_for(settings=settings).embed_query("bees")


def test_url_and_key_come_from_the_environment(service, monkeypatch):
    monkeypatch.setenv("VECTREE_EMBEDDING_BASE_URL", service.url + "/")
    monkeypatch.setenv("VECTREE_EMBEDDING_API_KEY", "sk-of-the-environment")
    EndpointEmbedder("small").embed_query("bees")
    assert service.keys == ["Bearer sk-of-the-environment"] * 2


def test_openai_itself_is_not_called_without_a_key(monkeypatch):
    for name in (
        "VECTREE_EMBEDDING_API_KEY",
        "VECTREE_API_KEY",
        "OPENAI_API_KEY",
        "VECTREE_BASE_URL",
        "OPENAI_BASE_URL",
    ):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError, match="asks for an API key"):
        EndpointEmbedder("small")
    with pytest.raises(UsageError, match="starts with http"):
        EndpointEmbedder("small", base_url="localhost:8000")
