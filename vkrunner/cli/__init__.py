"""The command line's verbs, one module each: `configure` adds its options, `run` executes it.

Data goes to standard output, everything else to standard error. Only failures of tests have
colours.
"""
