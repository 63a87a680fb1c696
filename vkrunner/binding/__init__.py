"""From the values that a caller passes to one argument for each descriptor.

`registers` finds the binding of a name, and the value of each descriptor. `making` checks
the value and makes its argument, an object of a class in `arguments`. `constants` makes the
contents of constant buffers.
"""
