"""The languages of the frame's ports are those of the hosts."""

from ..host.conftest import language

__all__ = ["language"]
