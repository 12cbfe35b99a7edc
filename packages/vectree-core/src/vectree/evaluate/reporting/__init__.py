"""From results to tables, plots and JSON. Everything is computed from the rows of results files alone."""
