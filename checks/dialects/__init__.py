"""Listings of the project's shaders as other tools write them, read to the same programs."""
