"""The tools of the folder `tools`."""
