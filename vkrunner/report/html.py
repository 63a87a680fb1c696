"""Pages: one HTML file each, without a server, that explains a shader or shows its violations."""

_REPLACED = (  # JupyterLab and GitHub remove frames and styles of notebooks that they do not trust
    '<style>.sm5vk-replaced {display: none}</style><div class="sm5vk-replaced">'
    "<p>The page is not shown because this notebook is not trusted. In JupyterLab: View, Activate"
    " Command Palette, Trust Notebook; or run the cell.</p>"
)
FRAME_BASE = '<base href="about:srcdoc">'  # by default it is the notebook's address


class Page(str):
    """The HTML of a page, which notebooks show in a frame."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Page {len(self):,} characters of HTML>"

    def framed(self, instead: str = "") -> str:
        """The page in a frame of its own; the base keeps links to parts of the page in it.

        A notebook that is not trusted shows the HTML `instead` of the frame.
        """
        from html import escape  # only notebooks need it

        text = escape(self.replace("<head>", f"<head>{FRAME_BASE}", 1))
        style = "width: 100%; height: 40rem; border: 0"
        frame = f'<iframe title="page of sm5vk" style="{style}" srcdoc="{text}"></iframe>'
        return f"{_REPLACED}{instead}</div>{frame}"

    def _repr_html_(self) -> str:
        return self.framed()


def missing_package() -> str | None:
    """A sentence with the way to install the packages that pages need; None if they are there."""
    try:
        import jinja2  # pyright: ignore[reportUnusedImport]  # noqa: F401
        import pygments  # pyright: ignore[reportUnusedImport]  # noqa: F401
    except ModuleNotFoundError as error:
        return f"pages need the package {error.name}: pip install jinja2 pygments"
    return None
