"""The one place that knows both vocabularies: VecTree's values and LlamaIndex's nodes, messages and outputs."""
