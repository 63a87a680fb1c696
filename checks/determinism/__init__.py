"""Equal input and options give equal bytes, in every process."""
