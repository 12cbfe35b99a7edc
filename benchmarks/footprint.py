"""What the index of a library takes: vectors and bytes a paper, against a store of passages.

The passage store is counted, not built: windows of 800 tokens with 400 overlap over every page (a token is four
characters, as everywhere here), one float32 vector of the same dimension for each, and the text of the window,
which such a store keeps to answer from. Entries and postings are the files of the corpus's own index.

    python benchmarks/footprint.py --corpus /tmp/pdfs-corpus --corpus /tmp/qasper-corpus
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from vectree import Corpus
from vectree.tokens import CHARACTERS_PER_TOKEN

WINDOW = 800 * CHARACTERS_PER_TOKEN
STEP = 400 * CHARACTERS_PER_TOKEN
FLOAT = 4


def windows(text: str) -> list[str]:
    """Passages of a paper."""
    return [text[begin : begin + WINDOW] for begin in range(0, max(len(text) - STEP, 1), STEP)]


def files(folder: Path) -> int:
    """Bytes of every file below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def measure(folder: Path) -> dict[str, float | int | str]:
    """Count both for one library."""
    corpus = Corpus.open(folder)
    records, dimension = corpus.list(), corpus.embedder.fingerprint.dimension
    passages = text = 0
    for record in records:
        found = windows("\n".join(page.text for page in corpus.pages(record.doc_id)))
        passages += len(found)
        text += sum(len(passage.encode()) for passage in found)
    vectors, papers = corpus.count_vectors(), len(records)
    return {
        "corpus": folder.name,
        "papers": papers,
        "dimension": dimension,
        "vectors_a_paper": round(vectors / papers, 1),
        "passages_a_paper": round(passages / papers, 1),
        "passages_for_each_vector": round(passages / vectors, 1),
        "index_bytes_a_paper": files(folder / "index") // papers,
        "of_which_vectors": vectors * dimension * FLOAT // papers,
        "passage_store_bytes_a_paper": (passages * dimension * FLOAT + text) // papers,
        "of_which_passage_vectors": passages * dimension * FLOAT // papers,
    }


def main() -> None:
    """Print one JSON line for each corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--corpus", type=Path, action="append", required=True)
    for folder in parser.parse_args().corpus:
        print(json.dumps(measure(folder), indent=2))


if __name__ == "__main__":
    main()
