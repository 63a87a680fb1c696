"""The kernels of `shaders/frame` as one program: by the runner, and in NumPy."""
