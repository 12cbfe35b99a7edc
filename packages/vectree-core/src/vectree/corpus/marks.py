"""What ``corpus.json`` says of embedder, entries and gates, turned back into what it stands for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from vectree.errors import IndexMismatch, UsageError
from vectree.index.embedder import Embedder, SimilarityGates
from vectree.index.embedders import DEFAULT_EMBEDDER, resolve_embedder
from vectree.index.entries import Template, parse_template
from vectree.store.layout import has_papers
from vectree.store.manifest import Manifest


def embedder_of(manifest: Manifest, *, offline: bool | None) -> Embedder:
    """Find the embedder an index was built with by its name; no model is loaded.

    Args:
        manifest: ``corpus.json``.
        offline: As for ``resolve_embedder``.

    Returns:
        The embedder. One that needs a connection while none is allowed raises `UsageError`.

    Raises:
        IndexMismatch: If it was one that has no name here.
    """
    mark = manifest.embedder
    try:
        return resolve_embedder(mark.name, offline=offline, dimension=mark.dimension)
    except UsageError as error:
        if offline and mark.name.startswith("openai:"):
            raise
        raise IndexMismatch(
            f"The corpus was indexed with an embedder of your own, {mark.name!r}.",
            hint="Pass it in: Corpus.open(path, embedder=…). Or rebuild the index: "
            f"vectree reindex --embedder {DEFAULT_EMBEDDER}.",
        ) from error


def measured_gates(manifest: Manifest) -> SimilarityGates | None:
    """The gates that were measured on the corpus, unless it has another embedder by now.

    Args:
        manifest: ``corpus.json``.

    Returns:
        The gates, or ``None`` for the embedder's own.
    """
    gates = manifest.gates
    if gates is None or gates.embedder != manifest.embedder:
        return None
    return SimilarityGates(relevant=gates.relevant, strong=gates.strong)


def check_template(root: Path, manifest: Manifest, asked: Template | None) -> None:
    """Refuse entries of another depth than the index has; one without papers takes any.

    Args:
        root: The corpus folder.
        manifest: ``corpus.json``.
        asked: What is asked for; ``None`` for what the corpus has.

    Raises:
        IndexMismatch: If the index has others.
    """
    if asked is None or not has_papers(root):
        return
    had = parse_template(manifest.template)
    if had.depth != asked.depth:
        raise IndexMismatch(
            f"The corpus was indexed with entry depth {had.depth}, not {asked.depth}.",
            hint="Open it without naming a depth, or rebuild its index: "
            f"vectree reindex --entry-depth {asked.depth}.",
        )


def at_depth(manifest: Manifest, depth: int | None) -> Manifest:
    """Plan an index whose sections have entries down to another level.

    Args:
        manifest: ``corpus.json``.
        depth: The level; ``None`` changes nothing.

    Returns:
        What ``corpus.json`` will say.
    """
    if depth is None:
        return manifest
    return replace(manifest, template=parse_template(manifest.template).at_depth(depth).value)
