"""What users test with: contracts for the seams, a library in memory, embedders with known similarities."""
