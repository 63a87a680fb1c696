"""What a strict type checker sees of the public names."""
