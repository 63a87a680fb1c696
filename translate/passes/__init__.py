"""Rewrites of the IR. `PIPELINE` is in `translate.pipeline`; each pass is one file and one entry."""
