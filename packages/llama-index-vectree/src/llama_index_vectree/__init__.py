"""VecTree for LlamaIndex."""
