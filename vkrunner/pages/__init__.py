"""Pages: one HTML file each, without a server, that explains a shader or shows its violations."""


def missing_package() -> str | None:
    """A sentence with the way to install the packages that pages need; None if they are there."""
    try:
        import jinja2  # pyright: ignore[reportUnusedImport]  # noqa: F401
        import pygments  # pyright: ignore[reportUnusedImport]  # noqa: F401
    except ModuleNotFoundError as error:
        return f"pages need the package {error.name}: pip install 'sm5vk[explain]'"
    return None
