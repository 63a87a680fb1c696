"""Translation of a shader for a device, with options that fit it, and a cache of translations."""
