"""Pages: one HTML file each, without a server, that explains a shader or shows its violations."""

FRAME_BASE = '<base href="about:srcdoc">'  # by default it is the notebook's address


class Page(str):
    """The HTML of a page, which notebooks show in a frame."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Page {len(self):,} characters of HTML>"

    def framed(self) -> str:
        """The page in a frame of its own; the base keeps links to parts of the page in it."""
        from html import escape  # only notebooks need it

        text = escape(self.replace("<head>", f"<head>{FRAME_BASE}", 1))
        style = "width: 100%; height: 40rem; border: 0"
        return f'<iframe title="page of sm5vk" style="{style}" srcdoc="{text}"></iframe>'

    _repr_html_ = framed


def missing_package() -> str | None:
    """A sentence with the way to install the packages that pages need; None if they are there."""
    try:
        import jinja2  # pyright: ignore[reportUnusedImport]  # noqa: F401
        import pygments  # pyright: ignore[reportUnusedImport]  # noqa: F401
    except ModuleNotFoundError as error:
        return f"pages need the package {error.name}: pip install jinja2 pygments"
    return None
