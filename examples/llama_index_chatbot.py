"""VecTree's tools added to a chatbot that calls tools already.

    python examples/llama_index_chatbot.py papers-corpus "Which electrolyte conducts above 80 °C?"

Nothing of the chatbot changes but its list of tools. `VecTreeLLM` is VecTree's extractive model as a LlamaIndex
model; any model that calls functions takes its place.
"""

import asyncio
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import LLM

from llama_index_vectree import VecTreeLLM, VecTreeToolSpec
from vectree import Corpus


def celsius(kelvin: float) -> str:
    """Convert a temperature from K to °C."""
    return f"{kelvin - 273.15:.1f} °C"


def make_chatbot(corpus: Corpus, llm: LLM) -> FunctionAgent:
    return FunctionAgent(
        tools=[celsius, *VecTreeToolSpec(corpus).to_tool_list()],
        llm=llm,
        system_prompt="You help in a battery laboratory. Cite papers as the tools say.",
    )


async def main(corpus: Corpus, question: str) -> None:
    print(await make_chatbot(corpus, VecTreeLLM()).run(question, max_iterations=32))


if __name__ == "__main__":
    asyncio.run(main(Corpus.open(sys.argv[1]), sys.argv[2]))
