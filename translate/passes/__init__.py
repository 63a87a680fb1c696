"""Rewrites of the IR, each one file with one entry; `translate.pipeline` has their order."""
