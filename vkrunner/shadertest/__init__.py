"""Declarative shader tests, `*.shader_test`: run by `sm5vk test` and the pytest plugin.

`file_reader` reads a file into the records of `cases`, `execute` runs a case on a device, `session`
runs many files on several devices, `outcome_formats` reports the results. docs/shader-tests.md has
the grammar.
"""
