"""The objects that callers use: devices, kernels, recordings."""
