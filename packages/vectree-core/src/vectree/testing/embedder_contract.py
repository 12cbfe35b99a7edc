"""What every embedder must do. Subclass, return yours from ``make_embedder``, and let pytest collect it.

No test framework is imported here; the checks are plain assertions.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from vectree.index.embedder import Embedder, TokenCapped, Vectors

_TEXTS = (
    "Ionic conductivity of polymer electrolytes above 80 degrees",
    "Gut microbiota of honey bees under pesticide stress",
    "Schrödinger operators with β-decay potentials",
    "固体电解质的离子电导率",
    "a",
)
_TOLERANCE = 1e-4


class EmbedderContract:
    """The contract of `vectree.index.embedder.Embedder`.

    Subclasses override `make_embedder`. Each check makes one embedder; a costly one may be shared by
    returning the same object every time.
    """

    def make_embedder(self) -> Embedder:
        """Return the embedder under test.

        Returns:
            An embedder.

        Raises:
            NotImplementedError: Unless overridden.
        """
        raise NotImplementedError("return the embedder under test")

    def test_follows_the_protocol(self) -> None:
        """It has the four members of the protocol."""
        assert isinstance(self.make_embedder(), Embedder)

    def test_fingerprint_is_complete_and_stable(self) -> None:
        """The same embedder identifies itself the same way twice."""
        first, second = self.make_embedder().fingerprint, self.make_embedder().fingerprint
        assert first == second
        assert first.name
        assert first.dimension > 0

    def test_gates_are_ordered_cosines(self) -> None:
        """A strong match is at least as similar as a relevant one."""
        gates = self.make_embedder().gates
        assert -1 <= gates.relevant <= gates.strong <= 1

    def test_documents_have_the_promised_shape(self) -> None:
        """(n, dimension), float32, finite."""
        embedder = self.make_embedder()
        vectors = embedder.embed_documents(_TEXTS)
        assert vectors.shape == (len(_TEXTS), embedder.fingerprint.dimension)
        assert vectors.dtype == np.float32
        assert np.isfinite(vectors).all()

    def test_query_has_the_promised_shape(self) -> None:
        """(dimension,), float32, finite."""
        embedder = self.make_embedder()
        vector = embedder.embed_query(_TEXTS[0])
        assert vector.shape == (embedder.fingerprint.dimension,)
        assert vector.dtype == np.float32
        assert np.isfinite(vector).all()

    def test_vectors_have_norm_one(self) -> None:
        """So that a dot product is a cosine."""
        embedder = self.make_embedder()
        norms = np.linalg.norm(
            np.vstack([embedder.embed_documents(_TEXTS), embedder.embed_query("x")]), axis=1
        )
        assert np.allclose(norms, 1, atol=_TOLERANCE)

    def test_no_texts_give_no_rows(self) -> None:
        """An empty call is legal."""
        embedder = self.make_embedder()
        assert embedder.embed_documents([]).shape == (0, embedder.fingerprint.dimension)

    def test_empty_text_is_zero_or_normal(self) -> None:
        """Nothing to embed must not become a number that is none."""
        embedder = self.make_embedder()
        norms = np.linalg.norm(np.vstack([embedder.embed_documents([""]), embedder.embed_query("")]), axis=1)
        assert all(np.isclose(norm, 0) or np.isclose(norm, 1, atol=_TOLERANCE) for norm in norms)

    def test_order_and_company_do_not_matter(self) -> None:
        """A text has the same vector alone, in any order, in any batch."""
        embedder = self.make_embedder()
        together = embedder.embed_documents(_TEXTS)
        backwards = embedder.embed_documents(_TEXTS[::-1])[::-1]
        alone = np.vstack([embedder.embed_documents([text]) for text in _TEXTS])
        assert np.allclose(together, backwards, atol=_TOLERANCE)
        assert np.allclose(together, alone, atol=_TOLERANCE)

    def test_long_text_is_cut_not_refused(self) -> None:
        """A text beyond any cap still gets a vector."""
        embedder = self.make_embedder()
        assert np.isfinite(embedder.embed_documents(["electrolyte " * 5_000])).all()

    def test_counts_tokens_if_it_has_a_cap(self) -> None:
        """The count rises with the text and is not cut at the cap."""
        embedder = self.make_embedder()
        if isinstance(embedder, TokenCapped):
            short, long = embedder.count_tokens(["word", "word " * (embedder.max_tokens + 100)])
            assert 0 < short < embedder.max_tokens < long

    def test_threads_get_what_one_caller_gets(self) -> None:
        """Eight threads at once change nothing."""
        embedder = self.make_embedder()
        expected = embedder.embed_documents(_TEXTS)

        def embed(_: int) -> Vectors:
            return embedder.embed_documents(_TEXTS)

        with ThreadPoolExecutor(8) as pool:
            for found in pool.map(embed, range(8)):
                assert np.allclose(found, expected, atol=_TOLERANCE)
