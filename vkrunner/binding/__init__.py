"""From a caller's values to one argument for each descriptor.

`registers` finds the binding of a name, `matching` the value of each descriptor. `making` checks
the value and makes its argument, a record of `arguments`. `constants` makes the contents of
constant buffers.
"""
