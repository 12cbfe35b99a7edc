"""One contract over all vector stores; Chroma embedded and behind a server of its own."""

from __future__ import annotations

import pytest

from vectree.index.chroma import ChromaFolder, ChromaServer
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
