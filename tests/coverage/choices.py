"""The class instances for the shaders that have interfaces."""

from typing import Any

CHOICES: dict[str, dict[str, Any]] = {
    "interfaces": {"op": "add", "ops": ["multiply[1]", "table", "second"]},
    "class_textures": {"source": "second", "sources": ["loaded", "first"]},
    "class_buffers": {"source": "bytes", "sources": ["many[1]", "constant"]},
}


def options(shader: str) -> dict[str, Any]:
    """The options to translate a shader with."""
    return {"class_instances": CHOICES[shader]} if shader in CHOICES else {}
