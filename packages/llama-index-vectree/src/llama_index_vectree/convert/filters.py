"""LlamaIndex's metadata filters as VecTree's."""

from __future__ import annotations

from typing import Any

from llama_index.core.vector_stores import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters

from vectree.errors import UsageError
from vectree.evidence import Filters

_YEARS = {
    FilterOperator.EQ: (0, 0),
    FilterOperator.GTE: (0, None),
    FilterOperator.GT: (1, None),
    FilterOperator.LTE: (None, 0),
    FilterOperator.LT: (None, -1),
}
"""Operator to what is added to its value for the first and the last year; ``None`` leaves that side open."""

_TEXTS = frozenset(
    {
        FilterOperator.EQ,
        FilterOperator.CONTAINS,
        FilterOperator.TEXT_MATCH,
        FilterOperator.TEXT_MATCH_INSENSITIVE,
    }
)
_TEXT_FIELDS = {"journal": "journal", "author": "author", "authors": "author"}
_ALLOWED = "year with ==, >, >=, < or <=, and journal and author with == or contains, joined by and"


def to_filters(filters: Filters | MetadataFilters | None) -> Filters:
    """Read filters.

    Args:
        filters: VecTree's, LlamaIndex's, or none.

    Returns:
        VecTree's. Text fields match by part and without regard to case and accents, whatever the operator.

    Raises:
        UsageError: If LlamaIndex's say something that search cannot do; none is ever ignored.
    """
    if filters is None:
        return Filters()
    if isinstance(filters, Filters):
        return filters
    if filters.condition not in (FilterCondition.AND, None):
        raise UsageError(f"Filters joined by {filters.condition} are not supported; there are {_ALLOWED}.")
    known: dict[str, Any] = {}
    for one in filters.filters:
        if isinstance(one, MetadataFilters):
            raise UsageError(f"Nested filters are not supported; there are {_ALLOWED}.")
        for name, value in _read(one).items():
            known[name] = _narrower(name, known.get(name), value)
    return Filters(**known)


def _read(one: MetadataFilter) -> dict[str, Any]:
    if one.key == "year" and one.operator in _YEARS and isinstance(one.value, int | float):
        first, last = _YEARS[one.operator]
        year = int(one.value)
        bounds = {"year_min": first, "year_max": last}
        return {name: year + shift for name, shift in bounds.items() if shift is not None}
    if one.key in _TEXT_FIELDS and one.operator in _TEXTS and isinstance(one.value, str):
        return {_TEXT_FIELDS[one.key]: one.value}
    raise UsageError(f"The filter {one.key!r} {one.operator.value} is not supported; there are {_ALLOWED}.")


def _narrower(name: str, before: Any, value: Any) -> Any:
    if before is None or before == value:
        return value
    if name == "year_min":
        return max(before, value)
    if name == "year_max":
        return min(before, value)
    raise UsageError(f"There are two filters on {name}; one is supported.")
