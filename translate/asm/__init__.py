"""The assembler and disassembler: listing to Program and back."""

from __future__ import annotations

from translate.asm.parser import parse_listing
from translate.asm.printer import About, Style, print_listing

__all__ = ["About", "Style", "parse_listing", "print_listing"]
