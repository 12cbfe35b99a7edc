"""From a query to papers (``hybrid``) and from a paper to its sections (``within``)."""
