"""Reflection: names and types of resources, from RDEF or a listing's header comment."""

from translate.reflection.constants import BufferTypes, dtype_of_buffer
from translate.reflection.records import (
    BASE_TYPES,
    NO_REGISTERS,
    BufferDefinition,
    Member,
    Reflection,
    ResourceBinding,
    Type,
    Variable,
)

__all__ = [
    "BASE_TYPES",
    "NO_REGISTERS",
    "BufferDefinition",
    "BufferTypes",
    "Member",
    "Reflection",
    "ResourceBinding",
    "Type",
    "Variable",
    "dtype_of_buffer",
]
