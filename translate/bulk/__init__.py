"""Translate many shaders at once: a cache of containers to a folder of modules.

    report = translate_files(find_inputs(["cache"]), Path("out"), Recipe(Options()), processes=8)

The work is spread over processes, or by any executor of `concurrent.futures`, such as a Dask
cluster's. Equal shaders are translated once. A manifest in the output folder lets a later run skip
those that are up to date.
"""

from translate.bulk.extract import Note, Part, find_parts
from translate.bulk.inputs import Input, find_inputs
from translate.bulk.jobs import ExecutorError, Recipe
from translate.bulk.run import Report, Row, translate_files

__all__ = [
    "ExecutorError",
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
