"""What checks the translator and the runner, and is not shipped.

Most are programs that run for hours: `python -m checks.NAME --help` tells how to start each. Tests
use their parts, and run small shares of them (tests/README.md). The others are results that are
computed without the translator (`evaluate`, `corpus`), and readers of formats.
"""
