"""VecTree's tools swapped into a chatbot that already calls tools.

    python examples/langchain_chatbot_tools.py papers-corpus "Which electrolyte conducts above 80 °C?"

Nothing of the chatbot changes but the list of tools. `VecTreeChatModel` is VecTree's extractive model as a
LangChain chat model; any model with ``bind_tools`` takes its place.
"""

import sys

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.tools import BaseTool

from langchain_vectree import VecTreeChatModel, VecTreeToolkit
from vectree import Corpus


def chat(model: BaseChatModel, tools: list[BaseTool], question: str) -> list[AnyMessage]:
    """A chatbot as many applications have it."""
    by_name = {tool.name: tool for tool in tools}
    with_tools = model.bind_tools(tools)
    messages: list[AnyMessage] = [HumanMessage(question)]
    while True:
        reply = with_tools.invoke(messages)
        messages.append(reply)
        if not reply.tool_calls:
            return messages
        messages += [by_name[call["name"]].invoke(call) for call in reply.tool_calls]


if __name__ == "__main__":
    corpus = Corpus.open(sys.argv[1])
    for message in chat(VecTreeChatModel(), VecTreeToolkit(corpus=corpus).get_tools(), sys.argv[2]):
        message.pretty_print()
