"""Running systems over questions: plans, jobs, costs, and what a run says of itself."""
