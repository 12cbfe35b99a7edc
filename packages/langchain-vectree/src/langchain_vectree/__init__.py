"""VecTree for LangChain and LangGraph."""
