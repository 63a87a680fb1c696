"""Programs that check the translator and the runner for hours, and are not shipped.

`python -m checks.NAME --help` tells how to start each. Tests use their parts, and run small shares
of them (tests/README.md).
"""
