"""Documents with the trees that PageIndex made of them: a tree and its PDF, or whole stores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from vectree.corpus.add_settings import AddSettings
from vectree.corpus.adding import Adding, writing
from vectree.corpus.catalogue import Catalogue
from vectree.corpus.labels import Labels
from vectree.corpus.preparing import Job
from vectree.corpus.reports import AddReport, FailedSource
from vectree.corpus.sources import SourceFile, check_paths
from vectree.corpus.state import CorpusState
from vectree.errors import CorpusNotFound, ParseError, UsageError
from vectree.ingest.pageindex.importing import StoredPagesParser, ingest_tree
from vectree.ingest.pageindex.reading import PageIndexTree, find_trees, read_tree
from vectree.ingest.parse import Parser
from vectree.ingest.parsers.choose import resolve_parser
from vectree.ingest.pipeline import Ingested, IngestSettings
from vectree.store.identity import file_sha256
from vectree.store.manifest import FolderMark

_Found = tuple[Path, PageIndexTree, Path | None]
"""The file of a tree, the tree, and its PDF, if it is given."""


def import_pageindex(
    state: CorpusState,
    paths: Iterable[str | os.PathLike[str]],
    settings: AddSettings,
    *,
    pdf: str | os.PathLike[str] | None = None,
) -> AddReport:
    """Add documents with their trees; one that the corpus has takes the imported tree.

    Args:
        state: The open corpus, which is made if there is none.
        paths: Tree files, folders of documents in a store, stores.
        settings: How the documents are read; no model takes part.
        pdf: The PDF of the one tree, or a folder of PDFs, in which each tree finds its own by name.

    Returns:
        What became of every tree.

    Raises:
        UsageError: If a path holds no tree, or one PDF is given for several trees.
    """
    existing = check_paths(paths)
    trees = [tree for path in existing for tree in find_trees(path)]
    if not trees:
        raise UsageError(
            "There is no tree of PageIndex there.", hint="Name a tree's file or a .pageindex store."
        )
    source = None if pdf is None else check_paths([pdf])[0]
    if source is not None and not source.is_dir() and len(trees) > 1:
        raise UsageError(
            "One PDF was given for several trees.", hint="Give the folder that holds their PDFs."
        )
    labels = Labels(state.root, _known_labels(state))
    found, failed = _read(trees, source, labels)
    if not found:
        return AddReport(failed=tuple(failed))
    with writing(state, labels) as session:
        run = Adding(session, settings, resolve_parser(settings.parser), total=len(found))
        jobs = [_job(each, labels, session.catalogue) for each in found]
        run.read_new(jobs)
        report = run.report([job.file.source for job in jobs])
    return AddReport(
        added=report.added,
        replaced=report.replaced,
        failed=(*failed, *report.failed),
        warnings=report.warnings,
    )


def _read(
    trees: Sequence[Path], source: Path | None, labels: Labels
) -> tuple[list[_Found], list[FailedSource]]:
    found: list[_Found] = []
    failed: list[FailedSource] = []
    for path in trees:
        try:
            tree = read_tree(path)
        except ParseError as error:
            failed.append(FailedSource(source=_name(path, labels), reason=str(error)))
            continue
        pdf = source if source is None or not source.is_dir() else _by_name(source, tree, path)
        if pdf is None and not tree.pages:
            reason = (
                "Neither its PDF nor its pages were found. Give the PDF, or the folder it lies in (--pdf)."
            )
            failed.append(FailedSource(source=_name(path, labels), reason=reason))
        else:
            found.append((path, tree, pdf))
    return found, failed


def _by_name(folder: Path, tree: PageIndexTree, path: Path) -> Path | None:
    """The PDF of a tree in a folder: under the name it states, or under the file's own."""
    stem = path.stem.removesuffix("_structure")
    wanted = {name.casefold() for name in (tree.name, f"{tree.name}.pdf", f"{stem}.pdf") if name}
    pdfs = sorted(each for each in folder.iterdir() if each.suffix.lower() == ".pdf" and each.is_file())
    return next((each for each in pdfs if each.name.casefold() in wanted), None)


def _job(found: _Found, labels: Labels, catalogue: Catalogue) -> Job:
    path, tree, pdf = found
    sha256 = tree.sha256 if pdf is None else file_sha256(pdf)
    source = _name(pdf or path, labels)
    known = catalogue.with_hash(sha256)
    return Job(
        file=SourceFile(path=pdf or path, source=source),
        sha256=sha256,
        # The document keeps its other sources, and its place in the corpus.
        copies=tuple(other for other in known.sources if other != source) if known is not None else (),
        read=partial(ingest_tree, tree=tree) if pdf is not None else partial(_ingest_stored, tree=tree),
    )


def _ingest_stored(
    path: Path,
    *,
    tree: PageIndexTree,
    parser: Parser,
    figures: Path,
    settings: IngestSettings | None = None,
    on_stage: Callable[[str], None] | None = None,
) -> Ingested:
    """As ``ingest_tree``, with the pages of the store in place of a file that ``parser`` could read."""
    del parser
    return ingest_tree(
        path,
        tree=tree,
        parser=StoredPagesParser(tree),
        figures=figures,
        settings=settings,
        on_stage=on_stage,
    )


def _name(path: Path, labels: Labels) -> str:
    place = Path(os.path.realpath(path.parent)) / path.name
    return labels.source(place, within=place.parent)


def _known_labels(state: CorpusState) -> Mapping[str, FolderMark]:
    try:
        return state.manifest().folders
    except CorpusNotFound:
        return {}
