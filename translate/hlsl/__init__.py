"""HLSL to DXBC containers, by a compiler that the user has.

`options` is what may be chosen, `source` what is compiled; `find` looks for a compiler, `command`
runs it, `messages` reads what it says, `compiling` puts these together. `includes` finds the files
that a source may read. `d3dcompiler` is a program of its own.
"""
