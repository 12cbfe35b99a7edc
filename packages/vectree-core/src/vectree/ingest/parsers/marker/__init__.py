"""Marker 2 as a parser (the extra ``marker``): layout and OCR by models, in a process of its own."""
