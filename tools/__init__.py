"""Programs that measure and test, run by hand: `python -m tools.benchmarks`, `radv` and `gpu`."""
