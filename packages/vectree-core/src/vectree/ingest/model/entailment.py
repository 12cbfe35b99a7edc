"""Whether a summary follows from its section, judged by a model; the paper leaves this open (§3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field, field_validator

from vectree.ingest.model.budget import cut_parts
from vectree.ingest.model.quoting import quote
from vectree.ingest.model.stages import ModelStages
from vectree.prompts import fill

_TEXT_TOKENS = 30_000
_REPLY_TOKENS = 1_500


class _EntailmentReply(BaseModel):
    """A verdict on one summary."""

    supported: bool
    unsupported: list[str] = Field(default_factory=list, description="Parts that do not follow.")

    @field_validator("unsupported", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        if value is None:
            return []
        return [value] if isinstance(value, str) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a model says about a summary.

    Attributes:
        supported: Whether the section bears it out.
        unsupported: Its parts that the section does not bear out.
        whole: Whether the model saw the whole section.
    """

    supported: bool
    unsupported: tuple[str, ...] = ()
    whole: bool = True


def judge_summary(stages: ModelStages, *, section: str, text: str, summary: str) -> Verdict | None:
    """Ask whether a summary follows from its section.

    Args:
        stages: The model.
        section: Title of the section.
        text: Its own text; what does not fit into the model is left out.
        summary: The summary.

    Returns:
        The verdict; ``None`` if the model gave none that can be used.
    """
    parts = cut_parts(text, stages.budget.quoted(_TEXT_TOKENS, reply=_REPLY_TOKENS))
    shown = parts[0] if parts else ""
    prompt = fill("ingest_entailment", section=quote(section), text=quote(shown), summary=quote(summary))
    reply = stages.ask("check summaries", prompt, _EntailmentReply, reply_tokens=_REPLY_TOKENS)
    if reply is None:
        return None
    return Verdict(
        supported=reply.supported and not reply.unsupported,
        unsupported=tuple(reply.unsupported),
        whole=len(parts) <= 1,
    )
