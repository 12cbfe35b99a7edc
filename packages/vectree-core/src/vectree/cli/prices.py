"""What a chat model charges, as its user says it: services' prices change, so none are built in."""

from __future__ import annotations

from typing import Annotated

import typer

from vectree.errors import UsageError
from vectree.llm.usage import Price

PriceOption = Annotated[
    str | None,
    typer.Option(
        "--price", metavar="IN,OUT[,CACHED]", help="Price of the model, dollars per million tokens."
    ),
]


def read_price(text: str | None) -> Price | None:
    """Read a price.

    Args:
        text: ``"0.27,1.10"`` or ``"0.27,1.10,0.07"``: US dollars per million tokens sent, generated, cached.

    Returns:
        The price; ``None`` for none.

    Raises:
        UsageError: If it is written otherwise.
    """
    if text is None:
        return None
    try:
        parts = [float(part) for part in text.split(",")]
    except ValueError:
        parts = []
    if len(parts) not in (2, 3):
        raise UsageError(
            f"A price is two or three numbers, not {text!r}.",
            hint="Dollars per million tokens sent, generated and, if it differs, cached: 0.27,1.10,0.07.",
        )
    return Price(prompt=parts[0], completion=parts[1], cached=parts[2] if len(parts) == 3 else None)
