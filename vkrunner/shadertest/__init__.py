"""Declarative shader tests, `*.shader_test`: run by `sm5vk test` and the pytest plugin.

`directives` has the table of all lines. `file_reader` reads a file into the records of `cases`;
`vkd3d_reader` makes the same records from vkd3d's files. `execute` runs a case on a device,
`session` selects tests and runs them on several devices, `outcome` reports the results.
docs/shader-tests.md has the grammar.
"""
