"""Bulk translation: a cache of containers to a folder of modules, on all cores or a cluster.

    report = translate_files(find_inputs(["cache"]), Path("out"), Recipe(Options()), processes=8)

Equal contents are translated once. A manifest in the folder lists for a later run what is done.
"""

from translate.bulk.extract import Note, Part, find_parts
from translate.bulk.inputs import Input, find_inputs
from translate.bulk.job import Recipe
from translate.bulk.report import Report, Row
from translate.bulk.run import translate_files

__all__ = [
    "Input",
    "Note",
    "Part",
    "Recipe",
    "Report",
    "Row",
    "find_inputs",
    "find_parts",
    "translate_files",
]
