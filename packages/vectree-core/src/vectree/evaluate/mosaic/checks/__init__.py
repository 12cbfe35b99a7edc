"""The automated checks of §4.1: each says whether a draft passes, and if not, why."""
