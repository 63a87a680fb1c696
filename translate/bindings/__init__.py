"""Where a shader's resources are bound, and the interface that says so."""
