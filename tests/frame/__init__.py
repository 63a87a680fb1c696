"""The kernels of `shaders/frame` as one program: by the runner, in NumPy, in C and in C++."""
