"""RADV without a GPU: Mesa's compiler for AMD, run on modules for a family of GPUs."""
