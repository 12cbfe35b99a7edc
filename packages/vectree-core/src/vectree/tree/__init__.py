"""The section tree of one document: building, walking, cutting and writing it out."""
