"""Floats: denormals, conversions and operands of samples as D3D has them."""
