"""One contract over all vector stores; Chroma embedded and behind a server of its own."""

from __future__ import annotations

import numpy as np
import pytest

from vectree.index.chroma import ChromaFolder, ChromaServer
from vectree.index.embedder import normalized
from vectree.index.entry_keys import entry_key
from vectree.index.vector_store import StoredEntry
from vectree.testing.chroma_server import running_chroma
from vectree.testing.vector_store_contract import VectorStoreContract
from vectree.testing.vector_stores import MemoryStore


class TestMemory(VectorStoreContract):
    def make_store(self):
        return MemoryStore()


class TestMemoryThatOnlyProposes(VectorStoreContract):
    def make_store(self):
        return MemoryStore(gives_vectors=False)


class TestChromaInAFolder(VectorStoreContract):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path):
        self.store = ChromaFolder(tmp_path / "chroma", "chroma:chroma")
        yield
        self.store.renew()

    def make_store(self):
        return self.store

    def test_a_search_that_lost_its_way_among_vectors_nearly_alike_says_so(self):
        space = self.store.space("vectree-0123456789ab", 64)
        alike = np.ones((150, 64)) + 1e-4 * np.random.default_rng(0).standard_normal((150, 64))
        vectors = normalized(alike.astype(np.float32))
        keys = [entry_key("vectree-0123456789ab", f"d{place}", 0, b"x" * 16) for place in range(150)]
        for key, vector in zip(keys, vectors, strict=True):
            space.put([StoredEntry(key=key, vector=vector, text="", doc_id="", whole=True)])
        found = space.nearest(vectors[0], 500)
        assert found.partial == (len(found.keys) < 150)
        assert len(space.nearest(vectors[0], 5).keys) == 5


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with running_chroma(tmp_path_factory.mktemp("chroma") / "server") as address:
        yield address


@pytest.mark.network
@pytest.mark.xdist_group("chroma-server")
class TestChromaBehindAServer(VectorStoreContract):
    @pytest.fixture(autouse=True)
    def _server(self, address):
        self.store = ChromaServer(address)

    def make_store(self):
        return self.store
