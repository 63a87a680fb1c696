"""A check that `translate` is the package of this project.

`pip install translate` installs an unrelated package into the same folder, over files of ours.
"""

from __future__ import annotations


def require_own_translate() -> None:
    """Raise ImportError, with commands that help, if `import translate` finds another package."""
    try:
        import translate
    except Exception:  # an unrelated package may fail in any way
        is_ours = False
    else:
        is_ours = hasattr(translate, "IMPORTED_NS")
    if not is_ours:
        raise ImportError(
            f"sm5vk's package `translate` is not there: in its place is {_place()}."
            " Where an unrelated package was installed by `pip install translate`, it has"
            " overwritten files of sm5vk; this puts them back:\n"
            "    pip uninstall translate\n"
            "    pip install --force-reinstall --no-deps CLONE  # the folder of sm5vk's clone"
        ) from None


def _place() -> str:
    from importlib.util import find_spec

    spec = find_spec("translate")
    if spec is None:
        return "nothing"
    if spec.origin is not None:
        return spec.origin
    return f"{next(iter(spec.submodule_search_locations or ()))}, without an __init__.py"
