"""GPUs' compilers without a GPU: Mesa's for AMD, NVIDIA, Qualcomm and Apple, run on modules."""
