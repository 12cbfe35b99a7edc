"""The model that needs no model: a fixed policy over the seven tools that quotes instead of writing."""

from vectree.agent.extractive.model import ExtractiveModel

__all__ = ["ExtractiveModel"]
