"""What each tool returns over a real corpus, in tokens, beside the estimates of Table 1.

python benchmarks/payload_sizes.py --corpus /tmp/litqa2-corpus
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from vectree import Corpus
from vectree.document import Record
from vectree.tokens import count_tokens

TABLE_1 = {
    "search_documents, a result": "~50",
    "get_paper_metadata": "~50",
    "get_document_tree": "200-500",
    "search_within_paper": "query-dependent",
    "get_page_content, a page": "500-2,000",
    "list_images": "file-count-dependent",
    "get_page_image, its text": "model-dependent",
}


def payloads(corpus: Corpus, record: Record) -> Iterator[tuple[str, int]]:
    """Every tool's payload sizes for one document, which is looked for by its own title."""
    doc_id, title = record.doc_id, record.metadata.title or record.doc_id
    for block in _results(corpus.search_documents(title).text):
        yield "search_documents, a result", count_tokens(block)
    yield "get_paper_metadata", count_tokens(corpus.get_paper_metadata(doc_id).text)
    yield "get_document_tree", count_tokens(corpus.get_document_tree(doc_id).text)
    yield "search_within_paper", count_tokens(corpus.search_within_paper(doc_id, title).text)
    for page in range(1, record.total_pages + 1):
        yield "get_page_content, a page", count_tokens(corpus.get_page_content(doc_id, page).text)
    images = corpus.list_images(doc_id)
    yield "list_images", count_tokens(images.text)
    for image in images.data["images"][:5]:
        yield "get_page_image, its text", count_tokens(corpus.get_page_image(doc_id, image["name"]).text)


def _results(text: str) -> list[str]:
    """The text of a search, cut into its results."""
    blocks: list[str] = []
    for line in text.split("\n")[1:]:
        if line.startswith("   ") and blocks:
            blocks[-1] += f"\n{line}"
        else:
            blocks.append(line)
    return blocks


def main() -> None:
    """Measure every document and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, required=True)
    corpus = Corpus.open(parser.parse_args().corpus)
    sizes: dict[str, list[int]] = {name: [] for name in TABLE_1}
    records = corpus.list()
    for record in records:
        for name, tokens in payloads(corpus, record):
            sizes[name].append(tokens)
    print(f"{len(records)} documents\n")
    print(f"{'tool':28} {'Table 1':>22} {'calls':>6} {'median':>7} {'95 %':>7} {'most':>7}")
    for name, estimate in TABLE_1.items():
        values = sorted(sizes[name]) or [0]
        high = values[min(len(values) - 1, round(0.95 * len(values)))]
        print(f"{name:28} {estimate:>22} {len(values):6} {median(values):7.0f} {high:7} {values[-1]:7}")


if __name__ == "__main__":
    main()
