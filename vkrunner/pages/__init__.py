"""Pages: one HTML file each, without a server, that explains a shader or shows its violations."""
