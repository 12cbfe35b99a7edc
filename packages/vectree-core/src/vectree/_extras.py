"""Guarded import of optional dependencies."""

from __future__ import annotations

import importlib
from types import ModuleType

from vectree.errors import MissingExtra


def require(module: str, *, extra: str) -> ModuleType:
    """Import a module that belongs to an extra.

    Args:
        module: Dotted module name.
        extra: The extra of ``vectree-core`` that installs it.

    Returns:
        The module.

    Raises:
        MissingExtra: If it is not installed; the message names the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        if error.name is not None and not module.startswith(error.name.split(".")[0]):
            raise
        raise MissingExtra(module, extra=extra) from error
