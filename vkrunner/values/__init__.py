"""Numbers on the host's side: arrays, texel formats, constant buffers, and how they compare."""
