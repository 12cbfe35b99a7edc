"""The agent through services as they really write: members, errors and quirks of each, on the loopback.

What is sent back in the second round is what breaks: thoughts, signatures, ids, empty contents.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from vectree.agent.loop import answer_question
from vectree.errors import ModelRequestError
from vectree.evidence import Answer
from vectree.llm.openai import OpenAICompatibleModel, ServiceSettings
from vectree.llm.retry import RetrySettings
from vectree.testing.sample_papers import sample_library

pytestmark = pytest.mark.network

BERG = "berg2021-a1b2"
READ = json.dumps({"doc_id": BERG, "pages": "3"})
ANSWER = f"It is 0.28 eV (van den Berg et al., 2021, {BERG}, p.3)."
QUICK = RetrySettings(retries=1, first_wait=0.01, longest_wait=0.02)


def _body(message: dict[str, Any], usage: dict[str, Any] | None = None, **more: Any) -> str:
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    usage = usage or {"prompt_tokens": 50, "completion_tokens": 5, "total_tokens": 55}
    body = {"id": "gen-1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return json.dumps({**body, "usage": usage, **more})


def _call(**more: Any) -> dict[str, Any]:
    function = {"name": "get_page_content", "arguments": READ}
    return {"id": "call_00_x", "type": "function", "index": 0, "function": function, **more}


def ask(server: Any, *bodies: str) -> Answer:
    for body in bodies:
        server.answer(200, body)
    model = OpenAICompatibleModel(
        "m", base_url=server.url, api_key="sk-secret-1", settings=ServiceSettings(retry=QUICK)
    )
    return answer_question("What is it?", library=sample_library(), model=model)


def second(server: Any) -> dict[str, Any]:
    """The assistant message that was sent back in the second round."""
    return next(m for m in server.received[-1].body["messages"] if m["role"] == "assistant")


def test_deepseek_gets_the_thoughts_of_its_calls_back_and_its_cache_is_counted(chat_server: Any) -> None:
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 60,
        "total_tokens": 1060,
        "prompt_tokens_details": {"cached_tokens": 896},
        "completion_tokens_details": {"reasoning_tokens": 40},
        "prompt_cache_hit_tokens": 896,
        "prompt_cache_miss_tokens": 104,
    }
    thinking = {"content": "", "reasoning_content": "I should read page 3.", "tool_calls": [_call()]}
    answer = ask(
        chat_server,
        _body(thinking, usage, system_fingerprint="fp_1"),
        _body({"content": ANSWER, "reasoning_content": "Page 3 says so."}, usage),
    )
    assert second(chat_server)["reasoning_content"] == "I should read page 3."
    assert (answer.text, answer.citations[0].read) == (ANSWER, True)
    assert (answer.usage.cached_tokens, answer.usage.prompt_tokens) == (1792, 2000)


def test_deepseek_that_misses_thoughts_gets_empty_ones(chat_server: Any) -> None:
    missing = "Missing `reasoning_content` field in the assistant message at message index 2."
    chat_server.answer(200, _body({"content": "", "tool_calls": [_call()]}))
    chat_server.refuse(400, missing, type="invalid_request_error", param=None, code="invalid_request_error")
    answer = ask(chat_server, _body({"content": ANSWER}))
    assert answer.text == ANSWER
    assert second(chat_server)["reasoning_content"] == ""


def test_openrouter_gets_its_reasoning_details_back_and_states_the_price(chat_server: Any) -> None:
    details = [{"type": "reasoning.encrypted", "data": "opaque", "id": "rs_1", "index": 0}]
    usage = {
        "prompt_tokens": 10,
        "completion_tokens": 2,
        "total_tokens": 12,
        "cost": 0.00125,
        "is_byok": False,
    }
    message = {"content": None, "refusal": None, "reasoning": "Hm.", "reasoning_details": details}
    answer = ask(
        chat_server,
        _body({**message, "tool_calls": [_call()]}, usage, provider="Vendor"),
        _body({"content": ANSWER, "refusal": None, "reasoning": None}, usage, provider="Vendor"),
    )
    assert second(chat_server)["reasoning_details"] == details
    assert answer.usage.cost == pytest.approx(0.0025)


def test_openrouter_s_error_inside_a_success_names_the_upstream_reason(chat_server: Any) -> None:
    error = {
        "message": "Provider returned error",
        "code": 402,
        "metadata": {"raw": "insufficient credits", "provider_name": "Vendor"},
    }
    with pytest.raises(ModelRequestError, match="no credit"):
        ask(chat_server, json.dumps({"error": error, "user_id": "user_1"}))


def test_gemini_gets_the_signature_of_its_call_back(chat_server: Any) -> None:
    signed = {"google": {"thought_signature": "c2lnbmF0dXJl"}}
    call = {**_call(extra_content=signed), "id": "function-call-1"}
    answer = ask(chat_server, _body({"tool_calls": [call]}), _body({"content": ANSWER}))
    assert second(chat_server)["tool_calls"][0]["extra_content"] == signed
    assert answer.text == ANSWER


def test_a_service_that_refuses_its_own_thoughts_is_asked_without(chat_server: Any) -> None:
    chat_server.answer(200, _body({"content": "", "reasoning": "Hm.", "tool_calls": [_call()]}))
    chat_server.refuse(
        400, "'messages.2' : property 'reasoning' is unsupported", type="invalid_request_error"
    )
    answer = ask(chat_server, _body({"content": ANSWER}))
    assert answer.text == ANSWER
    assert "reasoning" not in second(chat_server)


def test_vllm_without_a_tool_parser_leaves_calls_in_the_text(chat_server: Any) -> None:
    written = f'<tool_call>\n{{"name": "get_page_content", "arguments": {READ}}}\n</tool_call>'
    answer = ask(
        chat_server,
        _body(
            {"content": f"<think>\nHm.\n</think>\n\n{written}", "tool_calls": [], "reasoning_content": None}
        ),
        _body({"content": ANSWER, "tool_calls": []}, prompt_logprobs=None, kv_transfer_params=None),
    )
    assert [step.tool for step in answer.trajectory] == ["get_page_content"]
    assert answer.text == ANSWER


def test_vllm_that_takes_no_tools_says_what_to_start_it_with(chat_server: Any) -> None:
    message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
    chat_server.respond = lambda _: chat_server.answering(400, {"error": _vllm_error(message)})
    with pytest.raises(ModelRequestError, match="takes no tool calls"):
        ask(chat_server)


def _vllm_error(message: str) -> dict[str, Any]:
    return {"message": message, "type": "BadRequestError", "param": None, "code": 400}


def test_ollama_s_calls_without_type_and_with_an_id_of_its_own(chat_server: Any) -> None:
    call = {"id": "call_9i7k", "index": 0, "function": {"name": "get_page_content", "arguments": READ}}
    message = {"role": "assistant", "content": "", "reasoning": "I will read.", "tool_calls": [call]}
    answer = ask(
        chat_server,
        _body(message, system_fingerprint="fp_ollama"),
        _body({"content": ANSWER}, system_fingerprint="fp_ollama"),
    )
    assert answer.text == ANSWER
    tool = next(m for m in chat_server.received[-1].body["messages"] if m["role"] == "tool")
    assert tool["tool_call_id"] == "call_9i7k"


def test_ollama_s_model_without_tools_is_named(chat_server: Any) -> None:
    message = "registry.ollama.ai/library/gemma:2b does not support tools"
    error = {"message": message, "type": "api_error", "param": None, "code": None}
    chat_server.respond = lambda _: chat_server.answering(400, {"error": error})
    with pytest.raises(ModelRequestError, match="takes no tool calls"):
        ask(chat_server)


def test_llama_cpp_s_calls_and_timings(chat_server: Any) -> None:
    call = {"type": "function", "function": {"name": "get_page_content", "arguments": READ}, "id": ""}
    timings = {"prompt_n": 1, "prompt_ms": 10.0, "predicted_n": 5}
    answer = ask(
        chat_server,
        _body({"content": None, "tool_calls": [call]}, timings=timings),
        _body({"content": ANSWER}, timings=timings),
    )
    sent = chat_server.received[-1].body["messages"]
    assert answer.text == ANSWER
    assert sent[-1]["tool_call_id"] == sent[-2]["tool_calls"][0]["id"] != ""


def test_llama_cpp_python_takes_no_null_for_a_text(chat_server: Any) -> None:
    reason = "7 validation errors:\n  {'type': 'string_type', 'loc': ('body', 'messages', 2, 'content')}"
    error = {"message": reason, "type": "internal_server_error", "param": None, "code": None}
    chat_server.answer(200, _body({"content": None, "tool_calls": [_call()]}))
    chat_server.refuse(500, **error)
    answer = ask(chat_server, _body({"content": ANSWER}))
    assert answer.text == ANSWER
    assert second(chat_server)["content"] == ""
    assert len(chat_server.received) == 3


def test_llama_cpp_s_full_context_is_said_so(chat_server: Any) -> None:
    error = {
        "code": 400,
        "message": "the request exceeds the available context size. try increasing the context size",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": 9000,
        "n_ctx": 8192,
    }
    chat_server.respond = lambda _: chat_server.answering(400, {"error": error})
    with pytest.raises(ModelRequestError, match="too long"):
        ask(chat_server)


def test_a_run_that_a_service_ends_keeps_its_trajectory(chat_server: Any) -> None:
    chat_server.answer(200, _body({"content": "", "tool_calls": [_call()]}))
    chat_server.refuse(401, "Incorrect API key provided: sk-secret-1")
    with pytest.raises(ModelRequestError) as caught:
        ask(chat_server)
    assert [step.tool for step in caught.value.trajectory] == ["get_page_content"]
    assert "sk-secret-1" not in str(caught.value)
