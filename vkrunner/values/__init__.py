"""Numbers on the host: arrays, texel formats, texture shapes, samplers, and comparisons."""
