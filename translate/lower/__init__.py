"""Program to IR: operands, memory, structure; a class lowers each kind of row."""

from translate.lower.program import lower_program
from translate.lower.resources import Lengths

__all__ = ["Lengths", "lower_program"]
