"""The graph as a subgraph of an assistant with a memory, and a person who is asked before any page is read.

python examples/langgraph_supervisor.py papers-corpus "Which electrolyte conducts above 80 °C?"
"""

import sys
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command, interrupt

from langchain_vectree.graph import create_vectree_graph
from vectree import Corpus


class AssistantState(MessagesState):
    """The assistant's own state; declaring ``vectree_answer`` brings the checked citations up to it."""

    vectree_answer: dict[str, Any] | None
    trusted: bool


def ask_before_reading(planned: dict[str, Any]) -> str | None:
    """Called before each tool call; pauses the run before those of layer 2."""
    if planned["layer"] < 2:
        return None
    allowed = interrupt({"read": planned["arguments"]})
    return None if allowed else "The user does not want this to be read; answer from what you have."


def judge(state: AssistantState) -> dict[str, Any]:
    """A node of the assistant: an answer is trusted if it cites, and everything it cites was read."""
    citations = (state["vectree_answer"] or {}).get("citations", [])
    return {"trusted": bool(citations) and all(citation["status"] == "read" for citation in citations)}


def make_assistant(corpus: Any, model: Any = None, checkpointer: Any = None) -> Any:
    papers = create_vectree_graph(corpus, model, review=ask_before_reading)
    graph = StateGraph(AssistantState)
    graph.add_node("papers", papers)
    graph.add_node("judge", judge)
    graph.add_edge(START, "papers")
    graph.add_edge("papers", "judge")
    graph.add_edge("judge", END)
    return graph.compile(checkpointer=checkpointer or InMemorySaver())


if __name__ == "__main__":
    assistant = make_assistant(Corpus.open(sys.argv[1]))
    config = {"configurable": {"thread_id": "1"}}
    state = assistant.invoke({"messages": [("user", sys.argv[2])]}, config)
    while waiting := state.get("__interrupt__"):
        answers = {one.id: input(f"{one.value} [y/n] ").startswith("y") for one in waiting}
        state = assistant.invoke(Command(resume=answers), config)
    print(state["messages"][-1].text, "\ntrusted:", state["trusted"])
