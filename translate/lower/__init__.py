"""Program to IR: operands, memory, structure; a class lowers each kind of row."""

from translate.lower.program import check_program, lower_program, most_operations
from translate.lower.resources import Lengths, misfits

__all__ = ["Lengths", "check_program", "lower_program", "misfits", "most_operations"]
