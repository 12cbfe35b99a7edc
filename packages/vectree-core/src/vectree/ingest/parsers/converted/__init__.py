"""Formats that a converter turns into Markdown first: HTML and DOCX (the extra ``docs``)."""
