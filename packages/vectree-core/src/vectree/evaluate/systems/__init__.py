"""The systems under evaluation: the agent, its ablations, the baselines."""
