"""The plain data of a NumPy dtype, as a binding holds it."""

from typing import Any

import numpy as np

from translate.interface.binding import ArrayType, DtypeData, StructureType


def data_of(dtype: np.dtype[Any]) -> DtypeData:
    """The data that `translate.interface.binding.dtype_of` converts back."""
    if dtype.subdtype is not None:
        return ArrayType(data_of(dtype.subdtype[0]), dtype.subdtype[1])
    if dtype.fields is None:
        return dtype.str
    rows = [(str(name), data_of(row[0]), int(row[1])) for name, row in dtype.fields.items()]
    names, formats, offsets = (tuple(column) for column in zip(*rows, strict=True))
    return StructureType(names, formats, offsets, dtype.itemsize)
