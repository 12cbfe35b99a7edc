"""The lenient reader: what it recovers, what it never touches, what it refuses, and that it always ends."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vectree.errors import ModelReplyError
from vectree.llm.json_lenient import MAX_DEPTH
from vectree.llm.json_reader import MAX_CHARACTERS, Reading, Shape, read_json


def _values(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    return st.recursive(
        st.none() | st.booleans() | numbers | texts,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
        max_leaves=20,
    )


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
VALUES = _values(TEXTS)
CONTAINERS = VALUES.filter(lambda value: isinstance(value, dict | list))
HEADINGS = [
    {"number": "1", "title": "Introduction", "page": 1},
    {"number": "2", "title": "Methods", "page": 3},
]


# What models write (C07) -----------------------------------------------------------------------------------

RECOVERED: list[tuple[str, Shape, str, Any]] = [
    ("prose around", Shape.OBJECT, 'Sure! {"a":"yes"} Hope it helps', {"a": "yes"}),
    ("a thought before", Shape.OBJECT, '<think>{x}</think>{"a":1}', {"a": 1}),
    ("a thought with JSON in it", Shape.OBJECT, '<think>{"a":0}</think>\n{"a":1}', {"a": 1}),
    ("a thought without its opening mark", Shape.OBJECT, 'I try {"a":0} {x </think> {"a":1}', {"a": 1}),
    ("a thinking block", Shape.OBJECT, '<Thinking>[1]</Thinking>{"a":1}', {"a": 1}),
    ("a fence with a language", Shape.OBJECT, '```json\n{"a":1}\n```', {"a": 1}),
    ("a bare fence", Shape.ARRAY, "```\n[1]\n```", [1]),
    ("a fence after an example in prose", Shape.ARRAY, 'As [1, 2, 3, 4, 5]:\n```json\n["a"]\n```', ["a"]),
    ("an unclosed fence", Shape.OBJECT, '```json\n{"a":1}', {"a": 1}),
    ("a byte order mark", Shape.OBJECT, '\ufeff{"a":1}', {"a": 1}),
    ("a trailing comma and newline", Shape.OBJECT, '{"a":1,\n}', {"a": 1}),
    ("a trailing comma in a list", Shape.ARRAY, "[1,2,]", [1, 2]),
    ("a doubled comma", Shape.ARRAY, "[1,,2]", [1, 2]),
    ("no comma between lines", Shape.OBJECT, '{"a": 1\n "b": 2}', {"a": 1, "b": 2}),
    ("no comma between objects", Shape.ARRAY, '[{"a":1} {"a":2}]', [{"a": 1}, {"a": 2}]),
    ("single quotes", Shape.OBJECT, "{'a': 'b'}", {"a": "b"}),
    (
        "single quotes around an apostrophe",
        Shape.OBJECT,
        "{'t': 'The paper's aim', 'p': 2}",
        {"t": "The paper's aim", "p": 2},
    ),
    ("an escaped apostrophe", Shape.OBJECT, r"{'t': 'The paper\'s aim'}", {"t": "The paper's aim"}),
    ("double quotes in single ones", Shape.OBJECT, """{'t': 'a "b" c'}""", {"t": 'a "b" c'}),
    ("typographic quotes", Shape.OBJECT, "{“a”: “b”}", {"a": "b"}),
    (
        "Python's constants",
        Shape.OBJECT,
        "{'a': None, 'b': True, 'c': False}",
        {"a": None, "b": True, "c": False},
    ),
    ("a Python tuple", Shape.OBJECT, "{'pages': (3, 4)}", {"pages": [3, 4]}),
    ("Python's escapes", Shape.OBJECT, r"{'a': 'x\xa0y'}", {"a": "x\xa0y"}),
    ("JavaScript's constants", Shape.OBJECT, '{"a": undefined, "b": NaN}', {"a": None, "b": None}),
    ("unquoted keys", Shape.OBJECT, '{a: 1, b_2: "x"}', {"a": 1, "b_2": "x"}),
    ("numbers as keys", Shape.OBJECT, "{1: 'x'}", {"1": "x"}),
    (
        "unquoted values",
        Shape.OBJECT,
        "{title: Related Work, pages: 3-5}",
        {"title": "Related Work", "pages": "3-5"},
    ),
    ("a plus sign and bare points", Shape.ARRAY, "[+1, .5, 2.]", [1, 0.5, 2.0]),
    ("comments", Shape.OBJECT, '{"a": 1, // one\n "b": /* two */ 2, # three\n}', {"a": 1, "b": 2}),
    ("newlines in strings", Shape.OBJECT, '{"a": "x\ny"}', {"a": "x\ny"}),
    (
        "quotes that are not escaped",
        Shape.OBJECT,
        '{"a": "the "best" one", "b": 2}',
        {"a": 'the "best" one', "b": 2},
    ),
    (
        "such quotes before a comma",
        Shape.OBJECT,
        '{"a": "the "best", really", "b": 2}',
        {"a": 'the "best", really', "b": 2},
    ),
    ("LaTeX in strings", Shape.OBJECT, r'{"a": "\alpha and 5\%",}', {"a": r"\alpha and 5\%"}),
    ("a bracket of the wrong kind", Shape.ARRAY, '[{"a":1]', [{"a": 1}]),
    ("brackets after the end", Shape.OBJECT, '{"a":1}}]', {"a": 1}),
    ("JSON in a JSON string", Shape.OBJECT, r'"{\"a\": 1}"', {"a": 1}),
    ("a list where an object was asked", Shape.OBJECT, '[{"a":1}]', {"a": 1}),
    ("an object where a list was asked", Shape.ARRAY, '{"a":1}', [{"a": 1}]),
    ("a wrapper where a list was asked", Shape.ARRAY, json.dumps({"table_of_contents": HEADINGS}), HEADINGS),
    ("a wrapper with a note", Shape.ARRAY, json.dumps({"note": "ok", "items": HEADINGS}), HEADINGS),
    ("JSON Lines where a list was asked", Shape.ARRAY, "\n".join(map(json.dumps, HEADINGS)), HEADINGS),
    ("a list of strings", Shape.ARRAY, '["Introduction", "Methods"]', ["Introduction", "Methods"]),
    ("citations in the prose", Shape.OBJECT, 'As in [1, see below], {"a": [1]}', {"a": [1]}),
    ("citations before a wrapper", Shape.ARRAY, 'As in [1, see below], {"a": ["x"]}', ["x"]),
    ("a correction", Shape.OBJECT, '{"a":1} - no: {"a":2}', {"a": 2}),
    (
        "page numbers of every kind",
        Shape.ARRAY,
        '[1, "3", "p. 3", "<physical_index_3>", null]',
        [1, "3", "p. 3", "<physical_index_3>", None],
    ),
    (
        "an entry without its page",
        Shape.ARRAY,
        '[{"structure":"1","title":"A"}]',
        [{"structure": "1", "title": "A"}],
    ),
    ("a number that nothing can hold", Shape.ARRAY, f"[1e999, {'9' * 5000}]", ["1e999", "9" * 5000]),
]


@pytest.mark.parametrize(
    ("want", "text", "value"), [row[1:] for row in RECOVERED], ids=[row[0] for row in RECOVERED]
)
def test_c07_what_can_be_recovered_is(want: Shape, text: str, value: Any) -> None:
    assert read_json(text, want=want) == Reading(value=value)


CUT: list[tuple[str, Shape, str, Any]] = [
    ("inside an item's string", Shape.ARRAY, '[{"n":"1","t":"A"},{"n":"2","t":"Re', [{"n": "1", "t": "A"}]),
    ("after an item", Shape.ARRAY, '[{"a":1},{"a":2}', [{"a": 1}, {"a": 2}]),
    ("after a comma", Shape.ARRAY, '[{"a":1},', [{"a": 1}]),
    ("inside a number", Shape.ARRAY, "[1, 2, 3", [1, 2]),
    ("inside a word", Shape.ARRAY, "[true, fal", [True]),
    ("after a key", Shape.OBJECT, '{"a":1,"b"', {"a": 1}),
    ("after a colon", Shape.OBJECT, '{"a":1,"b":', {"a": 1}),
    (
        "inside a list of an object",
        Shape.OBJECT,
        '{"h":[{"t":"A"},{"t":"B"},{"t',
        {"h": [{"t": "A"}, {"t": "B"}]},
    ),
    ("before the first item", Shape.OBJECT, '{"a":1,"h":[{"t":"A', {"a": 1}),
    ("inside children", Shape.ARRAY, '[{"t":"A","c":[{"t":"B"},{"t":"C', [{"t": "A", "c": [{"t": "B"}]}]),
    ("inside an escape", Shape.OBJECT, '{"a":1,"b":"x\\', {"a": 1}),
    ("within a fence, with single quotes", Shape.ARRAY, "```python\n[{'a': 1}, {'a'", [{"a": 1}]),
    ("an item that cannot be read", Shape.ARRAY, '[{"a":1},{"a":"x" @@},{"a":3}]', [{"a": 1}, {"a": 3}]),
    ("items left out by the model", Shape.ARRAY, '[{"a":1}, ..., {"a":9}]', [{"a": 1}, {"a": 9}]),
    ("an unreadable end", Shape.ARRAY, '[{"a":1},{"a":@@@', [{"a": 1}]),
    ("a thought that never ends", Shape.OBJECT, '<think>perhaps {"a":1}, or', {"a": 1}),
]


@pytest.mark.parametrize(("want", "text", "value"), [row[1:] for row in CUT], ids=[row[0] for row in CUT])
def test_c07_of_a_cut_reply_the_complete_items_are_kept_and_it_says_so(
    want: Shape, text: str, value: Any
) -> None:
    assert read_json(text, want=want) == Reading(value=value, complete=False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "I'm sorry, I cannot do that.",
        "{x is needed}",
        "[number, title]",
        "{",
        "[",
        "3",
        '"x"',
        "]",
    ],
)
def test_c07_what_cannot_be_recovered_is_an_error_and_not_an_empty_value(text: str) -> None:
    with pytest.raises(ModelReplyError):
        read_json(text, want=Shape.ARRAY)


def test_an_error_quotes_the_reply_on_one_line() -> None:
    with pytest.raises(ModelReplyError) as caught:
        read_json("No\nJSON\x00 here. " * 100, want=Shape.OBJECT)
    assert "\n" not in str(caught.value)
    assert "No JSON here." in str(caught.value)
    assert len(str(caught.value)) < 250


LIST_FIELD: list[tuple[str, str, Any]] = [
    ("as asked", json.dumps({"headings": HEADINGS}), HEADINGS),
    ("a bare list", json.dumps(HEADINGS), HEADINGS),
    ("another name", json.dumps({"table_of_contents": HEADINGS}), HEADINGS),
    ("a wrapper around it", json.dumps({"result": {"headings": HEADINGS}}), HEADINGS),
    ("a list around it", json.dumps([{"headings": HEADINGS}]), HEADINGS),
    ("a single item", json.dumps(HEADINGS[0]), HEADINGS[:1]),
    ("JSON Lines", "\n".join(map(json.dumps, HEADINGS)), HEADINGS),
    ("an empty list", "[]", []),
    (
        "beside another object",
        f'{{"language": "English", "pages": 12}} {json.dumps({"headings": HEADINGS})}',
        HEADINGS,
    ),
]


@pytest.mark.parametrize(
    ("text", "items"), [row[1:] for row in LIST_FIELD], ids=[row[0] for row in LIST_FIELD]
)
def test_a_list_finds_its_way_into_the_object_that_was_asked(text: str, items: Any) -> None:
    assert read_json(text, want=Shape.OBJECT, list_field="headings") == Reading(value={"headings": items})


# What is never touched --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "title",
    [
        "Nonetheless: why None is  not\tnull",
        "a ,] b ,} c",
        "True {x} ```json [1] </think>",
        "// no # comment /* here */",
    ],
)
def test_strings_are_never_altered_not_even_where_the_rest_is_repaired(title: str) -> None:
    """A reader that replaced ``None`` in the whole text once made "nulltheless" of a title."""
    written = json.dumps(title)
    assert read_json(f'{{"title": {written}}}').value == {"title": title}
    assert read_json(f"Here: ```json\n{{title: {written}, other: None,,}}\n```").value == {
        "title": title,
        "other": None,
    }


@given(VALUES)
def test_valid_json_comes_back_unchanged(value: Any) -> None:
    for written in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=2)):
        assert read_json(written) == Reading(value=value)


@given(CONTAINERS)
@example({"a": '}], "x": [1'})
@example(["```", "<think>", "\\", "'"])
def test_valid_json_in_prose_and_fences_comes_back_unchanged(value: Any) -> None:
    for frame in (
        "Here it is:\n```json\n{}\n```\nDone.",
        "<think>[0] or {{}}</think> {} - that's it",
        "So: {}",
    ):
        assert read_json(frame.format(json.dumps(value)), want=_shape(value)) == Reading(value=value)


@given(CONTAINERS)
@example({"0": '": "'})
@example(["', '", '", "', "it's"])
def test_damage_outside_of_strings_does_not_reach_into_them(value: Any) -> None:
    assert read_json(_careless(value), want=_shape(value)) == Reading(value=value)


@given(
    _values(TEXTS.map(lambda text: text.replace("'", "’"))).filter(
        lambda value: isinstance(value, dict | list)
    )
)
def test_what_python_prints_is_read_as_python_meant_it(value: Any) -> None:
    assert read_json(repr(value), want=_shape(value)).value == value


@given(
    st.lists(
        st.dictionaries(st.sampled_from(["n", "t", "p"]), TEXTS | st.integers(), min_size=1),
        min_size=2,
        max_size=6,
    ),
    st.data(),
)
def test_a_list_cut_anywhere_keeps_exactly_its_complete_items(items: list[Any], data: st.DataObject) -> None:
    ends, written = [], "["
    for item in items:
        written += json.dumps(item)
        ends.append(len(written))
        written += ", "
    cut = data.draw(st.integers(min_value=ends[0], max_value=len(written) - 1))
    assert read_json(written[:cut], want=Shape.ARRAY) == Reading(
        value=items[: sum(end <= cut for end in ends)], complete=False
    )


def _shape(value: Any) -> Shape:
    return Shape.OBJECT if isinstance(value, dict) else Shape.ARRAY


def _careless(value: Any) -> str:
    """Strict strings in careless surroundings: comments, trailing commas, Python's words."""
    match value:
        case dict():
            return (
                "{ // object\n"
                + "".join(f"{json.dumps(k)} : {_careless(v)} ,\n" for k, v in value.items())
                + "}"
            )
        case list():
            return "[" + "".join(f"{_careless(item)},," for item in value) + "]"
        case bool() | None:
            return repr(value)
        case _:
            return json.dumps(value)


# What is refused, and that it always ends -------------------------------------------------------------------


@given(
    st.lists(st.sampled_from([*"{}[]()\"'“”`,:\\/*#.…nNtu10 -\n@a<>", "think>", "```"]), max_size=80).map(
        "".join
    )
)
@settings(max_examples=200)
def test_no_text_does_anything_but_give_a_value_or_a_reply_error(text: str) -> None:
    for want in Shape:
        for list_field in (None, "items"):
            try:
                reading = read_json(text, want=want, list_field=list_field)
            except ModelReplyError:
                continue
            json.dumps(reading.value, allow_nan=False)
            assert want is Shape.ANY or isinstance(reading.value, dict if want is Shape.OBJECT else list)


HOSTILE = {
    "opening brackets": "[" * MAX_CHARACTERS,
    "opening braces": '{"a":' * (MAX_CHARACTERS // 5),
    "braces in prose": "{" * MAX_CHARACTERS,
    "keys without values": '{"a" ' * (MAX_CHARACTERS // 5),
    "nested, then wrong": "[" * 60 + "1," * 150_000 + "!",
    "lists in lists": '[{"a":1},' * (MAX_CHARACTERS // 9),
    "unreadable items": '[{"a":@},' * (MAX_CHARACTERS // 9),
    "unclosed comments": "[{/* }," * (MAX_CHARACTERS // 7),
    "thoughts": "<think>" * (MAX_CHARACTERS // 7),
    "quotes": '{"a":"x"' + 'x"' * (MAX_CHARACTERS // 3),
    "escapes": '{"a":"' + '\\"' * (MAX_CHARACTERS // 3),
    "spaces": '{"a"' + " " * (MAX_CHARACTERS - 10),
    "numbers": "[" + "1 " * (MAX_CHARACTERS // 3),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_keeps_the_reader_busy(name: str) -> None:
    started = time.process_time()
    with suppress(ModelReplyError):
        read_json(HOSTILE[name], want=Shape.ARRAY)
    assert time.process_time() - started < 10  # about 2 s for the worst; without bounds, minutes


def test_a_reply_that_is_too_long_is_refused_unread() -> None:
    with pytest.raises(ModelReplyError, match="400,001 characters; at most 400,000"):
        read_json("1" * (MAX_CHARACTERS + 1))


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 5_000])
def test_a_reply_that_is_too_deep_is_refused_rather_than_read_in_part(depth: int) -> None:
    assert read_json("[" * MAX_DEPTH + "]" * MAX_DEPTH).complete
    with pytest.raises(ModelReplyError):
        read_json("[" * depth + "]" * depth)
