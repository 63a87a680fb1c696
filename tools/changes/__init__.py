"""What a change does: the lines of each folder, and the modules that differ."""
