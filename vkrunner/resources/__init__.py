"""Buffers, textures and samplers that stay on the device, as a caller has them."""
