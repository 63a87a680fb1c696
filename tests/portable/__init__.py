"""The package imports, translates and runs without what Windows, macOS and musl lack."""
