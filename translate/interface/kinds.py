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


def register_name(letters: str, number: int, space: int) -> str:
    """The name of a register, as in bindings: `t3`, or `t3_space2` outside of space 0."""
    return f"{letters}{number}_space{space}" if space else f"{letters}{number}"
