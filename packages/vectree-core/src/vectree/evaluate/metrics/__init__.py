"""One concept a file; numbers in, numbers out. Nothing here asks a model."""
