"""A Chat Completions service on the loopback interface: real sockets, real wire format, scripted answers."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from vectree.llm.chat import Reply


@dataclass
class Answer:
    status: int = 200
    body: str | bytes = ""
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    hang_up: bool = False


def completion(reply: Reply, *, usage: Any = "count", finish_reason: str | None = None) -> dict[str, Any]:
    """A reply as services write it."""
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.tool_calls
    ]
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if calls:
        message["tool_calls"] = calls
    reason = finish_reason or ("tool_calls" if calls else "stop")
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "test-model",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reason}],
    }
    if usage == "count":
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    if usage is not None:
        body["usage"] = usage
    return body


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    at: float


class ChatServer:
    """Gives one scripted answer a request; fails the test loudly where the script is too short."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.respond: Callable[[Received], Answer] | None = None
        self._answers: list[Answer] = []
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                headers = {name.lower(): value for name, value in self.headers.items()}
                answer = server._next(Received(self.path, headers, json.loads(body), time.monotonic()))
                time.sleep(answer.delay)
                if answer.hang_up:
                    self.close_connection = True
                    return
                content = answer.body.encode() if isinstance(answer.body, str) else answer.body
                self.send_response(answer.status)
                for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                pass  # a client that gave up waiting is part of some tests

        self._http = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def say(self, reply: Reply | str, **options: Any) -> None:
        self._answers.append(self.saying(reply, **options))

    def refuse(
        self, status: int, message: str, *, headers: dict[str, str] | None = None, **details: Any
    ) -> None:
        self._answers.append(self.refusing(status, message, headers=headers, **details))

    def answer(self, status: int, body: str | bytes, **options: Any) -> None:
        self._answers.append(Answer(status, body, **options))

    @staticmethod
    def saying(reply: Reply | str, **options: Any) -> Answer:
        reply = Reply(text=reply) if isinstance(reply, str) else reply
        return Answer(200, json.dumps(completion(reply, **options)))

    @staticmethod
    def refusing(
        status: int, message: str, *, headers: dict[str, str] | None = None, **details: Any
    ) -> Answer:
        return Answer(status, json.dumps({"error": {"message": message, **details}}), headers=headers or {})

    @staticmethod
    def answering(status: int, body: dict[str, Any]) -> Answer:
        return Answer(status, json.dumps(body))

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)

    def _next(self, received: Received) -> Answer:
        with self._lock:
            self.received.append(received)
            if self.respond is not None:
                return self.respond(received)
            if not self._answers:
                return Answer(418, json.dumps({"error": {"message": "the script has no answer left"}}))
            return self._answers.pop(0)


@pytest.fixture
def chat_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    server = ChatServer()
    yield server
    server.close()


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "VECTREE_API_KEY",
        "VECTREE_BASE_URL",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "OPENROUTER_API_KEY",
    ):
        monkeypatch.delenv(name, raising=False)
    for name in ("DEEPSEEK_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.delenv(name, raising=False)
