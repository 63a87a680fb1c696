"""The command line's verbs, one module each: `configure` adds its options, `run` does it.

Data goes to standard output, all else to standard error; nothing but failures of tests has colours.
"""
