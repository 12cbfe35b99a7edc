"""The graph alone, streamed: each call as it starts and ends, then the answer with its checked citations.

python examples/langgraph_stream.py papers-corpus "Which electrolyte conducts above 80 °C?"
"""

import sys
from collections.abc import Iterator
from typing import Any

from langchain_vectree.graph import create_vectree_graph
from vectree import Corpus


def stream(corpus: Any, question: str, model: Any = None) -> Iterator[str]:
    graph = create_vectree_graph(corpus, model)
    asked = {"messages": [("user", question)]}
    for mode, part in graph.stream(asked, stream_mode=["custom", "updates"]):
        if mode == "custom":
            event = part["vectree"]
            yield f"{event['call']:2} {event['node']:8} {event['tool']} {event['status']}"
        elif "finalize" in part:
            answer = part["finalize"]["vectree_answer"]
            yield answer["text"]
            for citation in answer["citations"]:
                yield f"  {citation['doc_id']} p.{citation['page']}: {citation['status']}"


if __name__ == "__main__":
    for line in stream(Corpus.open(sys.argv[1]), sys.argv[2]):
        print(line)
