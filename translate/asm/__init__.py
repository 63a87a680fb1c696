"""The assembler and disassembler: listing to Program and back."""

from __future__ import annotations

from translate.asm.literals import Literals
from translate.asm.parser import parse_listing
from translate.asm.printer import About, Style, print_listing

__all__ = ["About", "Literals", "Style", "parse_listing", "print_listing"]
