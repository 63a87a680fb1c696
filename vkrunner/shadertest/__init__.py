"""Declarative shader tests, `*.shader_test`: what `sm5vk test` and the pytest plugin run.

`syntax` reads a file into the records of `records`, `execute` runs a test on a device, `session`
runs many files on several devices, `report` tells what came of it. docs/shader-tests.md has the
grammar.
"""
