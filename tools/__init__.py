"""Programs that measure and test: `python -m tools.benchmarks`, `changes`, `gpu` and `gpus`."""
