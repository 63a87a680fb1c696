"""Program to IR: operands, memory, structure; one driver for each kind of row."""

from translate.lower.program import lower_program

__all__ = ["lower_program"]
