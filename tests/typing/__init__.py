"""The public names under a strict type checker."""
