"""A bound on the work that reading one reply may cost."""

from __future__ import annotations


class OutOfBudget(Exception):
    """The work allowed for one reply is used up."""


class Budget:
    """Work allowed for one reply, so that no text can keep the reader busy.

    Args:
        steps: Values, members and quotation marks that may be looked at, over all attempts at the reply.
    """

    def __init__(self, steps: int) -> None:
        self._left = steps

    def spend(self) -> None:
        """Use one step.

        Raises:
            OutOfBudget: If none is left.
        """
        self._left -= 1
        if self._left < 0:
            raise OutOfBudget
