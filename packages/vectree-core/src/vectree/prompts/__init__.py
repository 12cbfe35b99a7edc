"""Prompts: one ``.md`` file for each model call, filled by name.

A file starts with an HTML comment (paper section, calling module, placeholders) that is not sent.
Placeholders are ``$name``, because prompts contain JSON braces.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from string import Template

from vectree.errors import PromptError

_HEADER = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)


@cache
def template(name: str) -> str:
    """The text of a prompt, without its header comment.

    Args:
        name: File name without ``.md``.

    Returns:
        The template.

    Raises:
        PromptError: If there is no such prompt.
    """
    source = resources.files(__name__) / f"{name}.md"
    if not source.is_file():
        raise PromptError(f"There is no prompt named {name!r}.")
    return _HEADER.sub("", source.read_text(encoding="utf-8")).strip()


def fill(name: str, **values: str) -> str:
    """Fill a prompt's placeholders.

    Args:
        name: File name without ``.md``.
        **values: One value for each placeholder.

    Returns:
        The text to send.

    Raises:
        PromptError: If a placeholder gets no value, or a value has no placeholder.
    """
    prompt = Template(template(name))
    wanted = set(prompt.get_identifiers())
    if wanted != set(values):
        missing, unused = sorted(wanted - set(values)), sorted(set(values) - wanted)
        raise PromptError(f"Prompt {name!r}: missing values {missing}, unused values {unused}.")
    return prompt.substitute(values)
