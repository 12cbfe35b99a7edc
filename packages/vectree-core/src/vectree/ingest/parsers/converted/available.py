"""Whether the converters of the extra ``docs`` are installed; they are not loaded by asking."""

from __future__ import annotations

from importlib.util import find_spec

_MODULES = ("bs4", "markdownify", "mammoth")


def converters_missing() -> tuple[str, ...]:
    """Find out what the extra ``docs`` would install.

    Returns:
        Modules that are not there.
    """
    return tuple(module for module in _MODULES if find_spec(module) is None)
