"""What shaders work on: buffers, textures and samplers that stay on the device.

`memory` and `images` are what is behind them, and behind arrays that come with a dispatch.
"""
