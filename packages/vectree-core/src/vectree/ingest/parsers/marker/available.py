"""Whether Marker is installed; it is not loaded by asking."""

from __future__ import annotations

from importlib.util import find_spec


def marker_installed() -> bool:
    """Find out whether the extra ``marker`` is there.

    Returns:
        True if its package can be found; its models may still be missing.
    """
    return find_spec("marker") is not None
