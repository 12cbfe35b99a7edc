"""Where the vectors of a corpus lie: the same answers everywhere, moved by one command, guarded at open."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from vectree.corpus import Corpus
from vectree.errors import (
    CorpusDamaged,
    IndexMismatch,
    UsageError,
    VectorStoreError,
    VectorStoreUnavailable,
)
from vectree.index import chroma
from vectree.testing.chroma_server import running_chroma
from vectree.testing.vector_stores import MemoryStore

QUERIES = ("garnet electrolytes lithium", "perovskite solar cells", "sodium sulfur", "conduct")
TITLES = (
    "Garnet electrolytes conduct lithium",
    "Perovskite solar cells degrade",
    "Sodium sulfur cells conduct",
    "Lithium metal anodes",
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with running_chroma(tmp_path_factory.mktemp("chroma") / "server") as address:
        yield address


PLACES = [
    "memory",
    "proposing",
    "folder",
    pytest.param("server", marks=[pytest.mark.network, pytest.mark.xdist_group("chroma-server")]),
]


@pytest.fixture(params=PLACES)
def anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """A word or an object for each kind of index but the exact one."""
    return _place(request, tmp_path)


@pytest.fixture(params=PLACES[:-1])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """The same without the server."""
    return _place(request, tmp_path)


def _place(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param == "folder":
        return f"chroma:{tmp_path / 'vectors'}"
    if request.param == "server":
        return f"chroma:{request.getfixturevalue('address')}"
    return MemoryStore(request.param, gives_vectors=request.param == "memory")


@pytest.fixture
def exact(tmp_path: Path, desk: Any) -> Corpus:
    for number, title in enumerate(TITLES):
        desk.write(f"{number}.pdf", title)
    corpus = Corpus.open(tmp_path / "exact", embedder="hash")
    corpus.add(desk.folder)
    return corpus


def answers(corpus: Corpus) -> list[Any]:
    return [corpus.search(query) for query in QUERIES]


def recorded(corpus: Corpus) -> str:
    return json.loads((corpus.path / "corpus.json").read_text())["index"]


def test_every_place_gives_the_answers_of_the_exact_one(
    exact: Corpus, anywhere: Any, tmp_path: Path, desk: Any
) -> None:
    corpus = Corpus.open(tmp_path / "corpus", embedder="hash", index=anywhere)
    corpus.add(desk.folder)
    assert answers(corpus) == answers(exact)
    for query in QUERIES:
        assert corpus.explain(query) == exact.explain(query)
    gone = [record.doc_id for record in exact.list() if record.metadata.title == TITLES[0]]
    corpus.remove(*gone)
    exact.remove(*gone)
    assert answers(corpus) == answers(exact)
    desk.write("1.pdf", TITLES[0])
    assert len(corpus.add(desk.folder).replaced) == len(exact.add(desk.folder).replaced) == 1
    assert answers(corpus) == answers(exact)
    assert answers(
        Corpus.open(corpus.path, index=None if isinstance(anywhere, str) else anywhere)
    ) == answers(exact)


def test_an_index_moves_either_way_and_takes_its_vectors_along(
    exact: Corpus, place: Any, counted: list[int]
) -> None:
    before = answers(exact)
    assert exact.reindex(index=place) == len(TITLES)
    assert sum(counted) == 0
    assert recorded(exact) == (place if isinstance(place, str) else place.word)
    assert answers(exact) == before
    assert exact.reindex(index="exact") == len(TITLES)
    assert sum(counted) == 0
    assert recorded(exact) == "exact"
    assert answers(exact) == answers(Corpus.open(exact.path)) == before
    if isinstance(place, MemoryStore):
        assert all(not space.held for space in place.spaces.values())


@pytest.fixture
def counted(exact: Corpus, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sizes of all batches embedded after the corpus was built."""
    from vectree.index.embedder import HashEmbedder

    real, sizes = HashEmbedder.embed_documents, list[int]()

    def counting(self: HashEmbedder, texts: Any) -> Any:
        sizes.append(len(texts))
        return real(self, texts)

    monkeypatch.setattr(HashEmbedder, "embed_documents", counting)
    return sizes


def test_another_place_is_refused_at_open_with_the_command_that_moves_it(
    exact: Corpus, tmp_path: Path
) -> None:
    wanted = f"chroma:{tmp_path / 'v'}"
    before = {path: path.read_bytes() for path in exact.path.rglob("*") if path.is_file()}
    with pytest.raises(IndexMismatch, match=rf"'exact', not '{wanted}'.*vectree reindex --index {wanted}"):
        Corpus.open(exact.path, index=wanted)
    with pytest.raises(IndexMismatch, match=r"corpus\.reindex\(index="):
        Corpus.open(exact.path, index=MemoryStore())
    assert {path: path.read_bytes() for path in exact.path.rglob("*") if path.is_file()} == before
    assert not (tmp_path / "v").exists()


def test_an_object_has_to_be_passed_in_again(exact: Corpus) -> None:
    store = MemoryStore("mine")
    exact.reindex(index=store)
    with pytest.raises(UsageError, match=r"'mine'.*Corpus\.open\(path, index="):
        Corpus.open(exact.path).search("lithium")
    assert Corpus.open(exact.path, index=store).search("lithium").hits


def test_the_folder_may_be_named_in_any_way_and_moves_along_with_the_corpus(
    exact: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    exact.reindex(index="chroma:vectors")
    assert recorded(exact) == "chroma:../work/vectors"
    before = answers(exact)
    absolute = f"chroma:{tmp_path / 'work' / 'vectors'}"
    assert answers(Corpus.open(exact.path, index=absolute)) == before
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    (tmp_path / "exact").rename(moved / "exact")
    (tmp_path / "work").rename(moved / "work")
    monkeypatch.chdir(moved)
    assert answers(Corpus.open(moved / "exact")) == before


def test_an_empty_corpus_takes_the_place_that_is_asked_for(tmp_path: Path, desk: Any) -> None:
    Corpus.open(tmp_path / "corpus", embedder="hash", create=True)
    store = MemoryStore()
    corpus = Corpus.open(tmp_path / "corpus", embedder="hash", index=store)
    assert corpus.search("lithium").hits == ()
    desk.write("a.pdf", TITLES[0])
    corpus.add(desk.folder)
    assert recorded(corpus) == "memory"
    assert sum(len(space.held) for space in store.spaces.values()) == 2


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("faiss", "Unknown index 'faiss'.*'chroma:PATH'"),
        ("chroma:", "Unknown index"),
        ("", "Unknown index"),
        ("chroma:ftp://x", "no address of a Chroma server"),
        ("chroma:http://user:secret@x:80", "no address"),
        ("chroma:http://x:99999", "no address"),
        ("chroma:http://", "no address"),
    ],
)
def test_a_word_that_stands_for_no_index_is_refused(word: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=said):
        Corpus.open(tmp_path, index=word)


def test_a_corpus_from_someone_else_opens_no_connection_to_another_machine(exact: Corpus) -> None:
    manifest = exact.path / "corpus.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"index": "chroma:http://far:80"}))
    with pytest.raises(UsageError, match=r"another machine.*--index chroma:http://far:80"):
        Corpus.open(exact.path).search("lithium")


def test_a_store_that_lost_its_vectors_is_reported_and_a_rebuild_mends_it(exact: Corpus) -> None:
    store = MemoryStore()
    exact.reindex(index=store)
    before = answers(exact)
    for space in store.spaces.values():
        space.held = dict(list(space.held.items())[:3])
    with pytest.raises(CorpusDamaged, match=r"holds 3 of 8 entries.*vectree reindex"):
        Corpus.open(exact.path, index=store).search("lithium")
    fresh = Corpus.open(exact.path, index=store)
    assert fresh.reindex() == len(TITLES)
    assert answers(fresh) == before


def test_leftovers_in_a_store_are_ignored_and_swept_by_the_next_writer(exact: Corpus, desk: Any) -> None:
    store = MemoryStore()
    exact.reindex(index=store)
    before = answers(exact)
    (space,) = [space for space in store.spaces.values() if space.held]
    key, vector = next(iter(space.held.items()))
    space.held = {key.replace(":0:", ":9:").replace(":1:", ":9:"): vector} | space.held
    assert answers(Corpus.open(exact.path, index=store)) == before
    desk.write("z.pdf", "Polymer membranes")
    fresh = Corpus.open(exact.path, index=store)
    fresh.add(desk.folder)
    assert len(space.held) == 10


@pytest.mark.parametrize("call", ["put", "delete"])
def test_c13_a_store_that_fails_in_the_middle_loses_no_paper(
    exact: Corpus, desk: Any, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    from vectree.testing.vector_stores import MemorySpace

    store = MemoryStore()
    exact.reindex(index=store)
    before = answers(exact)
    victim = exact.list()[0].doc_id

    def fail(*_: Any) -> None:
        raise VectorStoreUnavailable("gone")

    with monkeypatch.context() as patch:
        patch.setattr(MemorySpace, call, fail)
        if call == "put":
            desk.write("z.pdf", "Polymer membranes")
            with pytest.raises(VectorStoreUnavailable):
                exact.add(desk.folder)
            assert answers(Corpus.open(exact.path, index=store)) == before
        else:
            exact.remove(victim)
    fresh = Corpus.open(exact.path, index=store)
    fresh.add(desk.folder)
    assert {hit.title for hit in fresh.search("*").hits} == {record.metadata.title for record in fresh.list()}
    assert sum(len(space.held) for space in store.spaces.values()) == 2 * len(fresh.list())


def _writer(corpus: Path, folder: Path) -> None:
    """Add what is in a folder, in another process."""
    program = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[3]); import conftest;"
        "import vectree.corpus.preparing as p; from vectree.corpus import Corpus;"
        "p.ingest = conftest.Desk(Path(sys.argv[2])).ingest; Corpus.open(sys.argv[1]).add(sys.argv[2])"
    )
    command = [sys.executable, "-c", program, str(corpus), str(folder), str(Path(__file__).parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    assert "telemetry" not in done.stderr.lower()


@pytest.mark.parametrize(
    "kind",
    [
        "exact",
        "folder",
        pytest.param("server", marks=[pytest.mark.network, pytest.mark.xdist_group("chroma-server")]),
    ],
)
def test_c32_what_another_process_added_and_removed_is_seen_by_the_next_search(
    request: pytest.FixtureRequest, exact: Corpus, desk: Any, kind: str, tmp_path: Path
) -> None:
    if kind != "exact":
        where = tmp_path / "v" if kind == "folder" else request.getfixturevalue("address")
        exact.reindex(index=f"chroma:{where}")
    assert exact.search("tungsten filaments").hits == ()
    desk.write("new.pdf", "Tungsten filaments glow")
    _writer(exact.path, desk.folder)
    (hit,) = exact.search("tungsten filaments").hits
    assert hit.similarity is not None
    assert hit.similarity > 0.3
    other = Corpus.open(exact.path)
    other.remove(hit.doc_id)
    assert exact.search("tungsten filaments").hits == ()
    assert exact.search("garnet electrolytes lithium").hits


@pytest.mark.network
def test_a_server_that_is_down_is_a_clear_error_and_the_papers_are_untouched(
    exact: Corpus, tmp_path: Path
) -> None:
    with running_chroma(tmp_path / "server") as address:
        exact.reindex(index=f"chroma:{address}")
        before = answers(exact)
    papers = {path: path.read_bytes() for path in (exact.path / "papers").rglob("*") if path.is_file()}
    for corpus in (exact, Corpus.open(exact.path)):
        begin = time.monotonic()
        with pytest.raises(
            VectorStoreUnavailable, match=r"cannot be reached.*chroma run.*--index exact"
        ) as caught:
            corpus.search("lithium")
        assert time.monotonic() - begin < 30
        assert caught.value.retryable
        assert len(corpus.list()) == len(TITLES)
    assert {
        path: path.read_bytes() for path in (exact.path / "papers").rglob("*") if path.is_file()
    } == papers
    assert Corpus.open(exact.path).reindex(index="exact") == len(TITLES)
    assert answers(exact) == answers(Corpus.open(exact.path)) == before


@pytest.mark.network
def test_a_server_that_accepts_and_is_silent_is_given_up_after_bounded_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desk: Any
) -> None:
    monkeypatch.setattr(chroma, "CONNECT_TIMEOUT", 0.5)
    desk.write("a.pdf", TITLES[0])
    with socket.create_server(("127.0.0.1", 0)) as silent:
        word = f"chroma:http://127.0.0.1:{silent.getsockname()[1]}"
        corpus = Corpus.open(tmp_path / "c", embedder="hash", index=word)
        with pytest.raises(VectorStoreUnavailable, match=r"did not answer within.*--index exact"):
            corpus.add(desk.folder)
        silent.accept()[0].close()


def test_c31_a_collection_that_measures_otherwise_is_refused(tmp_path: Path, exact: Corpus) -> None:
    import chromadb

    exact.reindex(index=f"chroma:{tmp_path / 'v'}")
    with chromadb.PersistentClient(
        str(tmp_path / "v"), settings=chromadb.Settings(anonymized_telemetry=False)
    ) as client:
        (name,) = (made.name for made in client.list_collections() if made.name.endswith("-sections"))
        client.delete_collection(name)
        client.create_collection(name, embedding_function=None)
    with pytest.raises(VectorStoreError, match=r"measures by 'l2', not by cosine.*vectree reindex"):
        Corpus.open(exact.path).search("lithium")
    fresh = Corpus.open(exact.path)
    assert fresh.reindex() == len(TITLES)
    assert fresh.search("garnet electrolytes lithium").hits
