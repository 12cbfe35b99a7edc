"""The corpus on disk: papers, catalogue, lock."""
