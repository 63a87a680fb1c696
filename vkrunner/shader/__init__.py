"""Choice and translation of the module for a device, and the cache of translations."""
