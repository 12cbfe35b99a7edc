"""The one place that knows both vocabularies: VecTree's values and LangChain's messages and documents."""
