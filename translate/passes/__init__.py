"""Rewrites of the IR, each one file with one entry; `passes.pipeline` has their order."""
