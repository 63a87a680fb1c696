"""Messages from shaders to the host: `printf`, `errorf`, `abort`."""
