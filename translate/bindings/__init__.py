"""The descriptors of a shader's resources, and the interface that describes them."""
