"""Headings from type, white space, numbers and words."""
