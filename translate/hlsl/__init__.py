"""Compile HLSL to DXBC containers, by a compiler on the user's machine.

`options` are the choices, `source` is the text; `compilers` finds a compiler and runs it,
`messages` parses its output, and `compiling` combines these. `includes` finds the files that a
source may include. `d3dcompiler` is a separate program.
"""
