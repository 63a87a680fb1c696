"""The values of a Binding's `kind`."""

from __future__ import annotations

CONSTANT_BUFFER = "constant_buffer"
STRUCTURED_BUFFER = "structured_buffer"
RAW_BUFFER = "raw_buffer"
TYPED_BUFFER = "typed_buffer"
TEXTURE = "texture"
SAMPLER = "sampler"
COUNTER = "counter"
SIZES = "sizes"
WINDOWS = "windows"
REPORT = "report"
MESSAGES = "messages"
ADDED = (REPORT, MESSAGES)  # descriptors that the translation adds
HIDDEN = (COUNTER, SIZES, WINDOWS)  # additional descriptors of a resource
