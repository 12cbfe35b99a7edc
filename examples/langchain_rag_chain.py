"""The retriever in a plain RAG chain.

    python examples/langchain_rag_chain.py papers-corpus "Which electrolyte conducts above 80 °C?"

The chain is LangChain's usual one; VecTree's retriever stands where a vector store's would. Put your model
in place of ``quote``, which is here so that the example runs without a key.
"""

import sys

from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompt_values import PromptValue
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough

from langchain_vectree import VecTreeRetriever
from vectree import Corpus

PROMPT = ChatPromptTemplate.from_template(
    "Answer from these pages alone and cite them as they are headed.\n\n{pages}\n\nQuestion: {question}"
)


def quote(prompt: PromptValue) -> str:
    """Stands for a chat model: gives back the first page it was shown."""
    return prompt.to_string().split("\n\n")[1]


def joined(pages: list[Document]) -> str:
    return "\n\n".join(page.page_content for page in pages)


def make_chain(corpus: Corpus, model: Runnable | None = None) -> Runnable:
    retriever = VecTreeRetriever(corpus=corpus, k=4)
    return (
        {"pages": retriever | joined, "question": RunnablePassthrough()}
        | PROMPT
        | (model or RunnableLambda(quote))
        | StrOutputParser()
    )


if __name__ == "__main__":
    print(make_chain(Corpus.open(sys.argv[1])).invoke(sys.argv[2]))
