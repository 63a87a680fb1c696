"""The module that a device gets, and the cache of translations."""
