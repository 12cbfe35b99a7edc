import json
import os
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.errors import CorpusDamaged, EmbedderError, FormatMismatch, IndexMismatch, UsageError
from vectree.index.corpus_index import CorpusIndex
from vectree.index.embedder import HashEmbedder, SimilarityGates
from vectree.index.manifest import MANIFEST
from vectree.index.merging import MergePolicy
from vectree.testing.embedders import CosineEmbedder, CountingEmbedder
from vectree.testing.entries import make_paper

EMBEDDER = HashEmbedder(64)
FEW = MergePolicy(fan_in=3)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "index"


def some_paper(name, **fields):
    return make_paper(name, title=f"On {name}", sections={"Results": f"{name} conducts ions"}, **fields)


def numbers(snapshot):
    return {doc_id: snapshot.number(doc_id) for doc_id in snapshot.doc_ids}


def state(index):
    """Everything a search can see, whatever segments it lies in."""
    snapshot = index.snapshot()
    similarities = snapshot.similarities(EMBEDDER.embed_query("conducts ions"))
    bm25 = snapshot.lexical("conducts ions a0").bm25
    return {
        doc_id: (
            snapshot.row(number),
            similarities[snapshot.span(number)].tolist(),
            bm25[snapshot.span(number)].tolist(),
        )
        for doc_id, number in numbers(snapshot).items()
    }


def test_a_new_index_is_empty_and_writes_nothing(folder):
    index = CorpusIndex(folder, EMBEDDER)
    assert index.doc_ids() == frozenset()
    assert index.size.entries == 0
    assert not folder.exists()


def test_it_holds_n_times_one_plus_s_entries(folder):
    index = CorpusIndex(folder, EMBEDDER)
    for name in ("a", "b", "c"):
        report = index.add(*make_paper(name, sections={"Introduction": "x", "Methods": "y", "Results": "z"}))
        assert report.entries == report.embedded == 4
    assert index.size.entries == 3 * (1 + 3)


def test_what_was_added_is_there_after_reopening(folder):
    index = CorpusIndex(folder, EMBEDDER)
    index.add(*some_paper("a", authors=("J. Lee",), year=2021, journal="Nature"))
    again = CorpusIndex(folder, EMBEDDER)
    assert state(again) == state(index)
    row = again.snapshot().row(0)
    assert (row.authors, row.year, row.journal) == (("J. Lee",), 2021, "Nature")
    assert row.sections[0].pages.first == 1


def test_c30_missing_and_empty_fields_survive(folder):
    index = CorpusIndex(folder, EMBEDDER)
    index.add(*some_paper("none"))
    index.add(*some_paper("two", authors=("B", "A")))
    rows = {doc_id: row for doc_id, (row, _, _) in state(CorpusIndex(folder, EMBEDDER)).items()}
    assert (rows["none"].year, rows["none"].journal, rows["none"].authors) == (None, None, ())
    assert rows["two"].authors == ("B", "A")


def test_c30_thousands_of_entries_in_one_go(folder):
    index = CorpusIndex(folder, EMBEDDER)
    index.add_all(make_paper(f"p{i:04d}", sections=dict.fromkeys("abcdef", "")) for i in range(900))
    assert index.size.entries == 6_300
    assert len(index.doc_ids()) == 900


def test_half_a_surrogate_pair_in_a_title_does_no_harm(folder):
    index = CorpusIndex(folder, EMBEDDER)
    record, tree = make_paper("odd", title="A \ud835 B", authors=("X \udc00",))
    index.add(record, tree)
    assert CorpusIndex(folder, EMBEDDER).snapshot().row(0).title == "A \ud835 B"


def test_adding_again_replaces_and_embeds_only_what_changed(folder):
    embedder = CountingEmbedder(EMBEDDER)
    index = CorpusIndex(folder, embedder)
    index.add(*make_paper("a", title="T", sections={"Methods": "x", "Results": "y"}))
    before = embedder.documents
    report = index.add(*make_paper("a", title="T", sections={"Methods": "x", "Results": "new"}))
    assert report.embedded == embedder.documents - before == 1
    fresh = CorpusIndex(folder.with_name("fresh"), EMBEDDER)
    fresh.add(*make_paper("a", title="T", sections={"Methods": "x", "Results": "new"}))
    assert state(index) == state(fresh)


def test_a_record_that_changed_costs_no_embedding(folder):
    embedder = CountingEmbedder(EMBEDDER)
    index = CorpusIndex(folder, embedder)
    record, tree = some_paper("a")
    index.add(record, tree)
    before = embedder.documents
    index.add(replace(record, related=("a-si",)), tree)
    assert embedder.documents == before
    assert index.snapshot().row(index.snapshot().number("a")).related == ("a-si",)


def test_removed_documents_are_gone_from_every_half_at_once(folder):
    index = CorpusIndex(folder, EMBEDDER)
    for name in ("a", "b"):
        index.add(*some_paper(name))
    index.remove(["a", "unknown"])
    assert index.doc_ids() == {"b"}
    assert index.size.entries == 2
    assert "a" not in state(CorpusIndex(folder, EMBEDDER))


def test_removing_nothing_writes_nothing(folder):
    index = CorpusIndex(folder, EMBEDDER)
    index.add(*some_paper("a"))
    before = (folder / MANIFEST).stat().st_mtime_ns
    index.remove(["unknown"])
    assert (folder / MANIFEST).stat().st_mtime_ns == before


def test_the_same_document_twice_in_one_batch_is_refused(folder):
    with pytest.raises(UsageError, match="twice"):
        CorpusIndex(folder, EMBEDDER).add_all([some_paper("a"), some_paper("a")])


def test_c32_a_reader_sees_what_another_index_object_committed(folder):
    reader, writer = CorpusIndex(folder, EMBEDDER), CorpusIndex(folder, EMBEDDER)
    writer.add(*some_paper("a"))
    assert reader.doc_ids() == {"a"}
    assert reader.refresh() is False
    writer.remove(["a"])
    assert reader.refresh() is True
    assert reader.doc_ids() == frozenset()


def test_a_snapshot_stays_as_it_is_while_the_index_changes(folder):
    index = CorpusIndex(folder, EMBEDDER, merging=FEW)
    index.add(*some_paper("a0"))
    before, held = state(index), index.snapshot()
    for i in range(1, 10):
        index.add(*some_paper(f"a{i}"))
    index.remove(["a0"])
    index.compact()
    assert held.row(held.number("a0")) == before["a0"][0]
    assert len(held.similarities(EMBEDDER.embed_query("ions"))) == 2


def test_merging_keeps_few_segments_and_deletes_the_files_of_merged_ones(folder):
    index = CorpusIndex(folder, EMBEDDER, merging=FEW)
    for i in range(40):
        index.add(*some_paper(f"a{i}"))
    assert index.size.segments < 12
    assert len(list(folder.glob("segment-*"))) == index.size.segments
    assert len(index.doc_ids()) == 40


def test_compacting_leaves_one_segment_and_the_same_answers(folder):
    index = CorpusIndex(folder, EMBEDDER)
    for i in range(6):
        index.add(*some_paper(f"a{i}"))
    index.remove(["a3"])
    before = state(index)
    index.compact()
    assert index.size.segments == 1
    assert state(index) == before


@settings(max_examples=30, deadline=None)
@given(
    history=st.lists(
        st.one_of(
            st.tuples(st.just("add"), st.integers(0, 5), st.integers(0, 2)),
            st.tuples(st.just("remove"), st.integers(0, 5), st.just(0)),
            st.tuples(st.just("compact"), st.just(0), st.just(0)),
        ),
        max_size=14,
    )
)
def test_any_history_leaves_what_a_fresh_index_would_hold(tmp_path_factory, history):
    root = tmp_path_factory.mktemp("history")
    index = CorpusIndex(root / "lived", EMBEDDER, merging=FEW)
    papers = {}
    for verb, number, version in history:
        if verb == "add":
            paper = make_paper(
                f"a{number}", sections={"Results": f"version {version} conducts ions a{number}"}
            )
            papers[f"a{number}"] = paper
            index.add(*paper)
        elif verb == "remove":
            papers.pop(f"a{number}", None)
            index.remove([f"a{number}"])
        else:
            index.compact()
    fresh = CorpusIndex(root / "fresh", EMBEDDER)
    fresh.add_all(papers.values())
    assert state(index) == state(fresh) == state(CorpusIndex(root / "lived", EMBEDDER))


def test_another_embedder_is_refused_before_anything_is_written(folder):
    CorpusIndex(folder, EMBEDDER).add(*some_paper("a"))
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(IndexMismatch, match=r"dimension 64, not 32.*vectree reindex --embedder hash"):
        CorpusIndex(folder, HashEmbedder(32))
    with pytest.raises(IndexMismatch, match="template 'title-first', not 'paper'"):
        CorpusIndex(folder, EMBEDDER, "paper")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_an_index_of_another_version_is_refused_with_advice(folder):
    CorpusIndex(folder, EMBEDDER).add(*some_paper("a"))
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(manifest | {"format": 99}))
    with pytest.raises(FormatMismatch, match=r"format 99.*vectree reindex"):
        CorpusIndex(folder, EMBEDDER)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-100]),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"\x80\x04\x95 pickle" * 100),
        lambda path: path.unlink(),
    ],
    ids=["cut", "empty", "swapped", "missing"],
)
@pytest.mark.parametrize("name", ["segment-*", MANIFEST])
def test_c38_a_damaged_file_is_named_with_the_way_out(folder, damage, name):
    CorpusIndex(folder, EMBEDDER).add(*some_paper("a"))
    path = next(folder.glob(name))
    damage(path)
    if path.name == MANIFEST and not path.exists():
        assert CorpusIndex(folder, EMBEDDER).doc_ids() == frozenset()
        return
    with pytest.raises(CorpusDamaged, match=r"vectree reindex") as caught:
        CorpusIndex(folder, EMBEDDER)
    assert path.name in str(caught.value)


def test_c38_no_segment_outside_the_folder_can_be_named(folder):
    CorpusIndex(folder, EMBEDDER).add(*some_paper("a"))
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["segments"][0]["name"] = "../../etc/passwd"
    (folder / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(CorpusDamaged):
        CorpusIndex(folder, EMBEDDER)


def test_altered_postings_are_reported_not_raised_as_an_index_error(folder):
    index = CorpusIndex(folder, EMBEDDER)
    index.add(*some_paper("a"))
    path = next(folder.glob("segment-*"))
    data, entries = path.read_bytes(), index.snapshot().segments[0].postings.entries.tobytes()
    path.write_bytes(data.replace(entries, np.full(len(entries) // 4, 10**6, dtype="<i4").tobytes()))
    with pytest.raises(CorpusDamaged, match="reindex"):
        CorpusIndex(folder, EMBEDDER).snapshot().lexical("conducts ions")


@pytest.mark.parametrize(
    "vectors", [np.zeros((1, 2)), np.zeros((2, 3)), np.full((2, 2), np.nan)], ids=["rows", "columns", "nan"]
)
def test_vectors_that_no_index_can_hold_are_refused(folder, vectors):
    class Broken(CosineEmbedder):
        def embed_documents(self, texts):
            return vectors

    index = CorpusIndex(folder, Broken(lambda _: 0.0))
    with pytest.raises(EmbedderError, match="'cosine'"):
        index.add(*some_paper("a"))
    assert index.doc_ids() == frozenset()


def test_c31_cosines_are_one_zero_and_minus_one(folder):
    class Raw(CosineEmbedder):
        """Returns vectors that are not normalised."""

        def embed_documents(self, texts):
            return 7 * super().embed_documents(texts)

    wanted = {"same": 1.0, "orthogonal": 0.0, "opposite": -1.0}
    embedder = Raw(lambda text: wanted[text.split("\n")[0]], gates=SimilarityGates(relevant=0, strong=1))
    index = CorpusIndex(folder, embedder)
    index.add_all(make_paper(name, sections={}) for name in wanted)
    snapshot = index.snapshot()
    found = snapshot.similarities(embedder.embed_query("q"))
    for doc_id, number in numbers(snapshot).items():
        assert found[snapshot.span(number)] == pytest.approx([wanted[doc_id]], abs=1e-6)


def test_entries_beyond_the_embedders_cap_are_reported(folder):
    class Capped(HashEmbedder):
        max_tokens = 8

        def count_tokens(self, texts):
            return [len(text.split()) for text in texts]

    report = CorpusIndex(folder, Capped()).add(
        *make_paper("a", sections={"Long": "word " * 20, "Short": "word", "References": ""})
    )
    assert report.truncated == ("0001",)
    assert report.left_out == ("0003",)


def test_leftovers_of_a_killed_writer_are_swept_by_the_next(folder):
    index = CorpusIndex(folder, EMBEDDER)
    index.add(*some_paper("a"))
    orphan = folder / "segment-000000000000.arrays"
    orphan.write_bytes(b"half a segment")
    assert CorpusIndex(folder, EMBEDDER).doc_ids() == {"a"}
    index.add(*some_paper("b"))
    assert not orphan.exists()


@pytest.mark.parametrize(
    "step", ["vectree.index.corpus_index.write_segment", "vectree.index.manifest.os.replace"]
)
def test_a_failure_at_any_write_leaves_the_former_state(folder, monkeypatch, step):
    index = CorpusIndex(folder, EMBEDDER)
    index.add(*some_paper("a"))

    def fail(*_):
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(step, fail)
        with pytest.raises(OSError, match="disk full"):
            index.add(*some_paper("b"))
    assert index.doc_ids() == CorpusIndex(folder, EMBEDDER).doc_ids() == {"a"}
    index.add(*some_paper("b"))
    assert index.doc_ids() == {"a", "b"}


def test_c34_threads_see_whole_states_while_another_writes(folder):
    index = CorpusIndex(folder, EMBEDDER, merging=FEW)
    index.add(*some_paper("a0"))

    def read(_):
        snapshot = index.snapshot()
        assert len(snapshot.similarities(EMBEDDER.embed_query("ions"))) == len(snapshot.lexical("ions").bm25)
        return snapshot.documents

    with ThreadPoolExecutor(4) as pool:
        counts = pool.map(read, range(200))
        for i in range(1, 15):
            index.add(*some_paper(f"a{i}"))
        assert all(1 <= count <= 15 for count in counts)
    assert index.snapshot().documents == 15


WRITER = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from vectree.index.corpus_index import CorpusIndex
    from vectree.index.embedder import HashEmbedder
    from vectree.index.merging import MergePolicy
    from vectree.testing.entries import make_paper

    index = CorpusIndex(Path(sys.argv[1]), HashEmbedder(64), merging=MergePolicy(fan_in=3))
    for i in range(10_000):
        index.add(*make_paper(f"w{i}"))
        print(i, flush=True)
    """
)


@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
def test_c32_a_reader_follows_a_writing_process_and_survives_its_death(folder):
    index, counts = CorpusIndex(folder, EMBEDDER), []
    command = [sys.executable, "-c", WRITER, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for line in writer.stdout:
            counts.append(index.snapshot().documents)
            assert counts[-1] >= int(line) + 1
            index.snapshot().lexical("introduction")
            if int(line) >= 60:
                writer.send_signal(signal.SIGKILL)
                break
    assert counts == sorted(counts)
    survivor = CorpusIndex(Path(folder), EMBEDDER)
    assert survivor.snapshot().documents >= 61
    survivor.add(*some_paper("after"))
    assert "after" in survivor.doc_ids()
    assert len(list(folder.glob("segment-*"))) == survivor.size.segments
