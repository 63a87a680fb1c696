"""The pytest plugin, in separate sessions."""
