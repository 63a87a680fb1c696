"""SPIR-V: numbers, modules, emission from the IR, validation."""
