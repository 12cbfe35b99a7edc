"""Two agents: one talks to people, ``VecTreeAgent`` answers from the papers and is watched while it does.

    python examples/llama_index_two_agents.py papers-corpus "Which electrolyte conducts above 80 °C?"

``front`` hands over by LlamaIndex's ``handoff`` tool; here its model is scripted, so that the example runs without a
key. The answer arrives with its citations checked against the pages that were read.
"""

import asyncio
import sys
from collections.abc import AsyncIterator

from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent
from llama_index.core.llms import LLM

from llama_index_vectree import VecTreeAgent, VecTreeLLM, VecTreeStep
from vectree import Corpus, ScriptedModel
from vectree.llm.scripted import call


def make_workflow(corpus: Corpus, front: LLM, papers: LLM | None = None) -> AgentWorkflow:
    talking = FunctionAgent(
        name="front",
        description="Talks to people and hands questions of fact over.",
        llm=front,
        tools=[],
    )
    return AgentWorkflow(agents=[talking, VecTreeAgent(corpus, llm=papers)], root_agent="front")


async def answer(workflow: AgentWorkflow, question: str) -> AsyncIterator[str]:
    handler = workflow.run(
        user_msg=question, max_iterations=40
    )  # LlamaIndex's default of 20 is less than the paper's 30
    async for event in handler.stream_events():
        if isinstance(event, VecTreeStep):
            yield f"  {event.call:2} layer {event.layer} {event.tool} {event.arguments}"
    output = await handler
    yield str(output)
    for citation in output.vectree_answer["citations"]:
        yield f"  {citation['doc_id']} p.{citation['page']}: {citation['status']}"


async def main(corpus: Corpus, question: str) -> None:
    hand_over = ScriptedModel([call("handoff", to_agent="papers", reason="This is in the papers.")])
    async for line in answer(make_workflow(corpus, VecTreeLLM(model=hand_over)), question):
        print(line)


if __name__ == "__main__":
    asyncio.run(main(Corpus.open(sys.argv[1]), sys.argv[2]))
