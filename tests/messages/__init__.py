"""What shaders say to the host: `printf`, `errorf`, `abort`."""
