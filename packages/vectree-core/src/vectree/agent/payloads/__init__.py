"""Tool payloads: each module owns one text format, writes it for a model and, where needed, reads it back.

The formats are compact (Table 1) and have a stable line grammar: the extractive model reads them through the
same module that wrote them. Everything that comes from a paper is put on one line, or stands between marks
that the paper cannot contain.
"""
