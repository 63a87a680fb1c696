"""The values of a Binding's `kind`."""

from __future__ import annotations

CONSTANT_BUFFER = "constant_buffer"
STRUCTURED_BUFFER = "structured_buffer"
RAW_BUFFER = "raw_buffer"
TYPED_BUFFER = "typed_buffer"
TEXTURE = "texture"
SAMPLER = "sampler"
COUNTER = "counter"
REPORT = "report"
MESSAGES = "messages"
TABLES = "tables"
ADDED = (REPORT, MESSAGES, TABLES)  # descriptors that the translation adds
