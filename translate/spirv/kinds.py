"""The storage class of each kind of memory that is accessed through pointers to its elements.

Except x#, which are Function, or Private if several functions share them.
"""

from __future__ import annotations

from collections.abc import Mapping

from translate.ir.memory import MemoryKind
from translate.spirv.grammar import StorageClass

STORAGE_CLASSES: Mapping[MemoryKind, int] = {
    MemoryKind.RAW: StorageClass.StorageBuffer,
    MemoryKind.STRUCTURED: StorageClass.StorageBuffer,
    MemoryKind.SHARED_RAW: StorageClass.Workgroup,
    MemoryKind.SHARED_STRUCTURED: StorageClass.Workgroup,
    MemoryKind.CONSTANTS: StorageClass.Uniform,
    MemoryKind.IMMEDIATE_CONSTANTS: StorageClass.Private,
}
