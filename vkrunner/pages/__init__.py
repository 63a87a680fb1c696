"""Pages: one HTML file each, without a server, that explains a shader or shows its violations."""


def missing_package() -> str | None:
    """The name of a Python package that pages need and that is not installed; None if all are."""
    try:
        import jinja2  # pyright: ignore[reportUnusedImport]  # noqa: F401
        import pygments  # pyright: ignore[reportUnusedImport]  # noqa: F401
    except ModuleNotFoundError as error:
        return error.name
    return None
