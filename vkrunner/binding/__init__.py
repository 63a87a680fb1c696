"""From a caller's values to one argument for each descriptor.

`registers` finds the binding of a name, `matching` has the values by register, `making` checks each
and makes an argument of it: one of the records of `arguments`. A constant buffer's contents come
from `constants`.
"""
