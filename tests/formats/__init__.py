"""Texels of packed, compressed and depth-stencil formats, as shaders read and store them."""
