"""What Windows, macOS and musl lack, taken away: the package imports, translates and runs."""
