"""Building a question set in the way of MOSAIC (§4.1): questions that need five to seven papers each.

Neighbourhoods of papers ▸ a drafted question with answer, chain and evidence ▸ automated checks, with a
bounded repair ▸ a set in the MOSAIC format, a journal of every attempt, a review file for people.
"""
